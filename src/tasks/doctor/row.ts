// What the doctor says of one thing: green, it is well; red, it is not and here is what to do; grey, it cannot be told
// or does not apply, which is neither praise nor blame.

import type { Config } from "../../config.ts";
import type { Dns } from "../../dns/answer.ts";
import type { ProbedPort, ProbeOutcome } from "../../system/probe-port.ts";
import type { System } from "../../system/system.ts";

export type DoctorRow = {
  /** A public name: never renamed. */
  readonly id: string;
  readonly label: string;
  readonly state: "green" | "red" | "grey";
  readonly says: string;
  readonly fix?: string;
};

/** How the doctor reaches the machine; tests bring another one. */
export type Probes = {
  readonly hostName: string;
  readonly ownAddresses: readonly string[];
  /** Each resolver alone, so that one that is dead shows. */
  readonly dnsServers: readonly { readonly address: string; readonly dns: Dns }[];
  readonly knock: (door: ProbedPort) => Promise<ProbeOutcome>;
  readonly tryBind: (host: string, port: number) => Promise<string | null>;
  readonly monotonicMs: () => number;
  readonly isClockSynchronised: () => Promise<true | null>;
};

export type Patient = {
  readonly config: Config;
  readonly system: System;
  readonly probes: Probes;
  /** The name that the SMTP listener greets with. */
  readonly hostName: string;
};

export type Examination = (patient: Patient) => Promise<readonly DoctorRow[]>;

/** The three things that can be said under one heading. */
export function createHeading(id: string, label: string) {
  return {
    green: (says: string): DoctorRow => ({ id, label, state: "green", says }),
    red: (says: string, fix: string): DoctorRow => ({ id, label, state: "red", says, fix }),
    grey: (says: string, fix?: string): DoctorRow => ({
      id,
      label,
      state: "grey",
      says,
      ...(fix && { fix }),
    }),
  };
}

export type Heading = ReturnType<typeof createHeading>;
