// What the doctor of a test's server finds: a machine that is told, beside a zone.

import type { OpenProbes } from "../../src/features/server/doctor/on-call.ts";
import type { Probes } from "../../src/features/server/doctor/row.ts";
import type { System } from "../../src/platform/system/system.ts";

export type Machine = Partial<Probes> & {
  /** Of the whole server. */
  readonly settings?: Readonly<Record<string, string>>;
};

export function openTestProbes(
  { settings: _, ...probes }: Machine,
  { dns, now }: Pick<System, "dns" | "now">,
): ReturnType<OpenProbes> {
  return {
    hostName: "mx.acme.net",
    ownAddresses: ["10.0.0.2", "8.8.4.4"],
    dnsServers: [{ address: "192.0.2.53", dns }],
    knock: async () => ({ state: "closed" }),
    tryBind: async () => null,
    monotonicMs: now,
    isClockSynchronised: async () => true,
    close() {},
    ...probes,
  };
}
