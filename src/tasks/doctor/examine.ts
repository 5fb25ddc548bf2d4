// Is everything in place for mail to arrive and be judged? Reads and asks, changes nothing, and never touches the
// database, so that it works beside a running server and where none was ever started.

import type { Config } from "../../config.ts";
import type { System } from "../../system/system.ts";
import { examineClock } from "./clock.ts";
import { examineBlocklists, examineDnsServers, examineMailExchangers, examineReverseNames } from "./dns.ts";
import { examineCertificates, examineDataDirectory, examineSecretKey } from "./files.ts";
import { examineMailboxes } from "./mailboxes.ts";
import { examineHttpPort, examineSmtpPorts } from "./ports.ts";
import { examineRelay } from "./relay.ts";
import { createHeading, type DoctorRow, type Examination, type Patient, type Probes } from "./row.ts";

const examinations: Readonly<Record<string, Examination>> = {
  "Data directory": examineDataDirectory,
  "Secret key": examineSecretKey,
  "SMTP port": examineSmtpPorts,
  "HTTP port": examineHttpPort,
  "DNS server": examineDnsServers,
  Blocklists: examineBlocklists,
  MX: examineMailExchangers,
  "Reverse name": examineReverseNames,
  Certificates: examineCertificates,
  Mailboxes: examineMailboxes,
  "Sending relay": examineRelay,
};

export async function runDoctor(
  config: Config,
  system: System,
  probes: Probes,
): Promise<readonly DoctorRow[]> {
  const patient = { config, system, probes, hostName: config.smtpHostname ?? probes.hostName };
  const readClock = () => ({ wallMs: system.now(), monotonicMs: probes.monotonicMs() });
  const before = readClock();
  const rows = await Promise.all(
    Object.entries(examinations).map(([label, examine]) => examineSafely(label, examine, patient)),
  );
  return [...rows.flat(), await examineClock(before, readClock(), probes)];
}

/** One examination that breaks must not hide what the others found. */
async function examineSafely(
  label: string,
  examine: Examination,
  patient: Patient,
): Promise<readonly DoctorRow[]> {
  try {
    return await examine(patient);
  } catch (error) {
    patient.system.log.error("examination broke", { label }, error);
    return [createHeading("broken", label).grey("It could not be examined: a fault of ours, see the log.")];
  }
}
