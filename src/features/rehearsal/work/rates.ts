// How many messages an address accepted within a minute. Each process counts its own. Only addresses that got a message are
// remembered, and only for a minute, so they don't become too many.

const minuteMs = 60_000;

export type Rates = {
  /** Counts a message. Returns how long to wait if the address has had its number, which then doesn't count. */
  readonly take: (address: string, perMinute: number) => number | null;
  /** The last one that was counted brought no message. */
  readonly giveBack: (address: string) => void;
};

export function createRates(now: () => number): Rates {
  // In order of last use.
  const taken = new Map<string, number[]>();
  /** Setting the clock back forgets what is now in the future. */
  const listRecent = (address: string, at: number) =>
    (taken.get(address) ?? []).filter((time) => time <= at && time > at - minuteMs);
  const forgetOld = (at: number) => {
    for (const address of taken.keys()) {
      if (listRecent(address, at).length > 0) return;
      taken.delete(address);
    }
  };
  return {
    take: (address, perMinute) => {
      const at = now();
      forgetOld(at);
      const recent = listRecent(address, at);
      if (recent.length >= perMinute) return (recent.at(-perMinute) ?? at) + minuteMs - at;
      taken.delete(address);
      taken.set(address, [...recent, at]);
      return null;
    },
    giveBack: (address) => {
      taken.get(address)?.pop();
    },
  };
}
