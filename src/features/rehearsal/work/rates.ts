// How many messages an address accepted within a minute. Each process counts its own.

const minuteMs = 60_000;
/** Above this number, the address that was used least recently is forgotten. */
const mostAddresses = 1_000;

export type Rates = {
  /** Counts a message. Returns how long to wait if the address has had its number, which then doesn't count. */
  readonly take: (address: string, perMinute: number) => number | null;
  /** The last one that was counted brought no message. */
  readonly giveBack: (address: string) => void;
};

export function createRates(now: () => number): Rates {
  // In order of last use.
  const taken = new Map<string, number[]>();
  return {
    take: (address, perMinute) => {
      const at = now();
      // Setting the clock back forgets what is now in the future.
      const recent = (taken.get(address) ?? []).filter((time) => time <= at && time > at - minuteMs);
      const next = recent.length < perMinute ? null : (recent.at(-perMinute) ?? at) + minuteMs - at;
      taken.delete(address);
      taken.set(address, next === null ? [...recent, at] : recent);
      const [oldest] = taken.keys();
      if (taken.size > mostAddresses && oldest !== undefined) taken.delete(oldest);
      return next;
    },
    giveBack: (address) => {
      taken.get(address)?.pop();
    },
  };
}
