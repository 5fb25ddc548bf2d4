// The server check: is everything in place for mail to arrive and be analyzed? It changes nothing and only reads
// the database, so that it works next to a running server and before the first start.

import type { Feature } from "../../../platform/server.ts";
import { createHostResolver, createTargetGuard } from "../../../platform/system/target-guard.ts";
import { whyNoRelay } from "../../sending/work/guarded-relay.ts";
import { examineDatabaseAndKey, readDatabase } from "./database.ts";
import { examineBlocklists, examineDnsServers, examineMailExchangers, examineReverseNames } from "./dns.ts";
import { examineCertificates, examineDataDirectory } from "./files.ts";
import { examineMalwareScanner } from "./malware.ts";
import { examineMessages } from "./messages.ts";
import { examineAccountMail, examineLateWork, examineReceiving } from "./own-server.ts";
import { examineHttpPort, examineSmtpPorts } from "./ports.ts";
import {
  createHeading,
  type DatabaseExamination,
  type DoctorRow,
  type Examination,
  type Patient,
  type Probes,
} from "./row.ts";
import { examineSpamFilters } from "./spam-filters.ts";

/** Connects and logs in like sending a test message, but sends nothing. */
const examineRelay: Examination = async ({ config, system, hostName, isRelayGuarded = false }) => {
  const { sendSmtpUrl, allowPrivateTargets: allow } = config;
  const heading = createHeading("relay", "Sending relay");
  if (sendSmtpUrl === null)
    return heading.grey(
      "Not used. Test messages go straight to Assay's own listener. To use a relay, set it up under Settings > Server, or set ASSAY_SEND_SMTP_URL.",
    );
  const findAddresses = createTargetGuard({ allow, resolveHost: createHostResolver(system.dns) });
  const guard = isRelayGuarded ? findAddresses : null;
  const trouble = await whyNoRelay({ url: sendSmtpUrl, name: hostName, findAddresses: guard });
  return trouble === null
    ? heading.green("The relay responds, and the login works if one is configured.")
    : heading.red(trouble, "Fix ASSAY_SEND_SMTP_URL or the relay.");
};

const examinations: Readonly<Record<string, DatabaseExamination>> = {
  "Data directory": examineDataDirectory,
  Database: examineDatabaseAndKey,
  "Raw messages": examineMessages,
  Mail: examineReceiving,
  "SMTP port": examineSmtpPorts,
  "Web port": examineHttpPort,
  "DNS server": examineDnsServers,
  Blocklists: examineBlocklists,
  MX: examineMailExchangers,
  "Reverse DNS": examineReverseNames,
  Certificates: examineCertificates,
  "Sending relay": examineRelay,
  "Account email": examineAccountMail,
  "Malware scanner": examineMalwareScanner,
  "Spam filters": examineSpamFilters,
};

export async function runDoctor(
  { config, probes, ...rest }: Omit<Patient, "hostName">,
  features: readonly Feature[],
): Promise<readonly DoctorRow[]> {
  const { system } = rest;
  const patient = { ...rest, config, probes, hostName: config.smtpHostname ?? probes.hostName };
  const readClock = () => ({ wallMs: system.now(), monotonicMs: probes.monotonicMs() });
  const before = readClock();
  const database = readDatabase(config);
  const rows = await Promise.all(
    [examinations, { "Background work": examineLateWork(features) }, ...features.map((one) => one.examinations ?? {})]
      .flatMap(Object.entries<DatabaseExamination>)
      .map(([label, examine]) => examineSafely(label, () => examine(patient, database), patient)),
  );
  return [...rows.flat(), await examineClock(before, readClock(), probes)];
}

/** One check that fails must not hide the results of the others. */
async function examineSafely(
  label: string,
  examine: () => ReturnType<Examination>,
  patient: Patient,
): ReturnType<Examination> {
  try {
    return await examine();
  } catch (error) {
    patient.system.log.error("server check failed", { label }, error);
    return createHeading("broken", label).grey("The check failed because of a bug in Assay. See the log.");
  }
}

/** A correct clock cannot be earlier, because this program did not exist then. */
const writtenMs = Date.UTC(2026, 10, 1);
const tolerableStepMs = 500;

type ClockReading = { readonly wallMs: number; readonly monotonicMs: number };

/** Compares two readings, taken before and after the other checks, to notice a clock that is being adjusted. */
async function examineClock(before: ClockReading, after: ClockReading, probes: Probes): Promise<DoctorRow> {
  const heading = createHeading("clock", "Clock");
  const fix =
    "Turn on time synchronization: timedatectl set-ntp true. In a virtual machine or container, do this on the host.";
  if (after.wallMs < writtenMs)
    return heading.red(`The clock shows ${new Date(after.wallMs).toISOString()}, which is in the past.`, fix);
  const stepMs = Math.abs(after.wallMs - before.wallMs - (after.monotonicMs - before.monotonicMs));
  if (stepMs > tolerableStepMs)
    return heading.red(`The clock jumped by ${Math.round(stepMs)} ms during this check.`, fix);
  if (await probes.isClockSynchronised()) return heading.green("Synchronized.");
  return heading.grey(
    "The clock is steady. Whether it is synchronized is unknown.",
    "To find out: timedatectl, or chronyc tracking",
  );
}
