// One result of the server check. Green: OK. Red: a problem, with what to do. Grey: not checked, because it is unknown or does
// not apply.

import type { Dns } from "../../../analyzer/dns/answer.ts";
import type { DatabaseReading } from "../../../platform/database/engine/check-database.ts";
import type { Config } from "../../../platform/settings/config.ts";
import type { ProbedPort, ProbeOutcome } from "../../../platform/system/probe-port.ts";
import type { System } from "../../../platform/system/system.ts";

export type DoctorRow = {
  /** Part of the API: never renamed. */
  readonly id: string;
  readonly label: string;
  readonly state: "green" | "red" | "grey";
  readonly says: string;
  readonly fix?: string;
};

/** How the server check reaches the machine. Tests bring their own. */
export type Probes = {
  readonly hostName: string;
  readonly ownAddresses: readonly string[];
  /** Each resolver separately, so that a dead one is noticed. */
  readonly dnsServers: readonly { readonly address: string; readonly dns: Dns }[];
  readonly knock: (door: ProbedPort) => Promise<ProbeOutcome>;
  /** The same for a Unix socket. */
  readonly tryBind: (host: string, port: number) => Promise<string | null>;
  readonly monotonicMs: () => number;
  readonly isClockSynchronised: () => Promise<true | null>;
};

export type Patient = {
  readonly config: Config;
  readonly system: System;
  readonly probes: Probes;
  /** The host name in the SMTP greeting. */
  readonly hostName: string;
  /** It was set in the app, so it may not be at a private address. */
  readonly isRelayGuarded?: boolean;
};

type Result = DoctorRow | readonly DoctorRow[];

export type Examination = (patient: Patient) => Promise<Result>;

/** Also takes what the database says, which is read once. */
export type DatabaseExamination = (patient: Patient, database: Promise<DatabaseReading>) => Promise<Result>;

declare module "../../../platform/server.ts" {
  interface Feature {
    /** Its part of the server check, by what is named if the check fails. */
    readonly examinations?: Readonly<Record<string, DatabaseExamination>>;
  }
}

/** The three possible results under one heading. */
export function createHeading(id: string, label: string) {
  return {
    green: (says: string): DoctorRow => ({ id, label, state: "green", says }),
    red: (says: string, fix: string): DoctorRow => ({ id, label, state: "red", says, fix }),
    grey: (says: string, fix?: string): DoctorRow => ({ id, label, state: "grey", says, ...(fix && { fix }) }),
  };
}

export type Heading = ReturnType<typeof createHeading>;

const megabyte = 1_048_576;

/** "77 GB". Rounded down, so that free space is never shown as more than it is. */
export function toSize(bytes: number): string {
  const megabytes = Math.floor(bytes / megabyte);
  if (megabytes < 1_024) return `${megabytes} MB`;
  const tenths = Math.floor(megabytes / 102.4);
  return tenths < 100 ? `${(tenths / 10).toFixed(1)} GB` : `${Math.floor(tenths / 10)} GB`;
}
