// The doctor of a test's server: on a machine that is told, beside a zone.

import { readConfig } from "../../src/config-reading.ts";
import type { Dns } from "../../src/dns/answer.ts";
import { createFetchOperator } from "../../src/system/fetch-doors.ts";
import type { System } from "../../src/system/system.ts";
import { createDoctorOnCall, type DoctorOnCall } from "../../src/tasks/doctor/on-call.ts";
import type { Probes } from "../../src/tasks/doctor/row.ts";

export type Machine = Partial<Probes> & {
  readonly settings?: Readonly<Record<string, string>>;
};

type Standing = {
  readonly folder: string;
  readonly system: Pick<System, "now" | "random" | "log">;
  readonly dns: Dns;
};

export function createTestDoctor(
  { settings = {}, ...probes }: Machine = {},
  { folder, system, dns }: Standing,
): DoctorOnCall {
  const reading = readConfig({ ASSAY_DATA_DIR: folder, ASSAY_SEED_DOMAINS: "seed.example", ...settings });
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  const fetchOperator = createFetchOperator();
  return createDoctorOnCall({
    config: reading.config,
    system: { ...system, dns, fetchOperator, fetchStranger: fetchOperator },
    openProbes: () => ({
      hostName: "mx.acme.net",
      ownAddresses: ["10.0.0.2", "8.8.4.4"],
      dnsServers: [{ address: "192.0.2.53", dns }],
      knock: async () => ({ state: "closed" }),
      tryBind: async () => null,
      monotonicMs: () => system.now(),
      isClockSynchronised: async () => true,
      close() {},
      ...probes,
    }),
  });
}
