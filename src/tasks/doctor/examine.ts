// Is everything in place for mail to arrive and be judged? Reads and asks, changes nothing, and never touches the
// database, so that it works beside a running server and where none was ever started.

import type { Config } from "../../config.ts";
import { toHostPort } from "../../setting-kinds.ts";
import type { System } from "../../system/system.ts";
import { whyNoRelay } from "../sending/transports.ts";
import { examineBlocklists, examineDnsServers, examineMailExchangers, examineReverseNames } from "./dns.ts";
import { examineCertificates, examineDataDirectory, examineSecretKey } from "./files.ts";
import { examineHttpPort, examineSmtpPorts, toReachable } from "./ports.ts";
import { createHeading, type DoctorRow, type Examination, type Patient, type Probes } from "./row.ts";

// How the seed mailboxes fare. The running server is asked and not the database, which the doctor never touches.

const figure = /^assay_mailboxes\{status="(connecting|connected|trouble|reconnect)"\} (\d+)$/gm;

const examineMailboxes: Examination = async (patient) => {
  const heading = createHeading("mailboxes", "Seed mailboxes");
  const metrics = await readMetrics(patient);
  if (metrics === undefined)
    return [heading.grey("How they fare cannot be told: our web server does not answer.")];
  const counts = new Map([...metrics.matchAll(figure)].map(([, status, count]) => [status, Number(count)]));
  const countOf = (status: string) => counts.get(status) ?? 0;
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const see = "GET /api/integrations says of each what it is.";
  if (total === 0) return [heading.grey("None is connected.")];
  if (countOf("reconnect") > 0)
    return [
      heading.red(
        `${countOf("reconnect")} of ${total} wait for a person: a password or a consent is no longer good.`,
        `Give them a new password, or connect them again. ${see}`,
      ),
    ];
  if (countOf("trouble") > 0)
    return [heading.red(`${countOf("trouble")} of ${total} cannot be watched; they are tried again.`, see)];
  return [heading.green(`${countOf("connected")} of ${total} are connected.`)];
};

async function readMetrics({ config, system, probes }: Patient): Promise<string | undefined> {
  const { httpPort: port, httpTlsCert, metricsToken } = config;
  const door = { host: toReachable(config.httpHost), port, tls: httpTlsCert !== null };
  const say = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
  if (port === 0 || (await probes.knock({ ...door, say })).state !== "answered") return undefined;
  const outcome = await system.fetchOperator(`http${door.tls ? "s" : ""}://${toHostPort(door)}/metrics`, {
    timeoutMs: 3_000,
    maxBytes: 4_000_000,
    ...(metricsToken !== null && { headers: { authorization: `Bearer ${metricsToken}` } }),
  });
  return outcome.ok && outcome.status === 200 ? Buffer.from(outcome.body).toString("utf8") : undefined;
}

/** Greets, encrypts and logs in as send-test would, and sends nothing. */
const examineRelay: Examination = async ({ config: { sendSmtpUrl }, hostName }) => {
  const heading = createHeading("relay", "Sending relay");
  if (sendSmtpUrl === null)
    return [heading.grey("ASSAY_SEND_SMTP_URL names none: samples go straight to our own listener.")];
  const trouble = await whyNoRelay(sendSmtpUrl, hostName);
  return [
    trouble === null
      ? heading.green("It answers, and takes our log-in where it is given one.")
      : heading.red(trouble, "Mend ASSAY_SEND_SMTP_URL, or what it names."),
  ];
};

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

/** No true clock shows less: this program did not exist then. */
const writtenMs = Date.UTC(2026, 10, 1);
const tolerableStepMs = 500;

type ClockReading = { readonly wallMs: number; readonly monotonicMs: number };

/** Two readings, one before and one after the other examinations: a wall clock that is being pulled moves between them. */
async function examineClock(before: ClockReading, after: ClockReading, probes: Probes): Promise<DoctorRow> {
  const heading = createHeading("clock", "Clock");
  const fix =
    "Turn on time synchronisation: timedatectl set-ntp true (on a virtual machine or container: on its host).";
  if (after.wallMs < writtenMs)
    return heading.red(`It says ${new Date(after.wallMs).toISOString()}, which is past and gone.`, fix);
  const stepMs = Math.abs(after.wallMs - before.wallMs - (after.monotonicMs - before.monotonicMs));
  if (stepMs > tolerableStepMs)
    return heading.red(`It jumped by ${Math.round(stepMs)} ms while we looked.`, fix);
  if (await probes.isClockSynchronised()) return heading.green("It is synchronised.");
  return heading.grey(
    "It runs evenly; whether it is synchronised cannot be told from here.",
    "See: timedatectl, or chronyc tracking",
  );
}
