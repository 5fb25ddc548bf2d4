// What only the operating system knows of the machine we run on.

import { access } from "node:fs/promises";
import { hostname, networkInterfaces } from "node:os";

export function readHostName(): string {
  return hostname();
}

/** Of all interfaces that are up, loopback left out. */
export function readOwnAddresses(): readonly string[] {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return all.filter(({ internal }) => !internal).map(({ address }) => address);
}

/** Moves evenly whatever is done to the wall clock. */
export function monotonicMs(): number {
  return performance.now();
}

/** Null where the system leaves no sign: only systemd's own time service writes one that needs no privilege to read. */
export async function isClockSynchronised(): Promise<true | null> {
  const sign = access("/run/systemd/timesync/synchronized");
  return sign.then(
    () => true,
    () => null,
  );
}
