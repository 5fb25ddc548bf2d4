// What the running server says about itself in its metrics, because the server check never touches the database.

import {
  type TroubleCode,
  toLateWords,
  troubleCodes,
  troubleTable,
} from "../../../platform/contract/server-state-words.ts";
import type { Feature } from "../../../platform/server.ts";
import { toHostPort } from "../../../platform/settings/setting-kinds.ts";
import { listMissingForMail } from "../../sending/work/alert-mailer.ts";
import { listDuties } from "../readiness/late-work.ts";
import { toReachable } from "./ports.ts";
import { createHeading, type DoctorRow, type Examination, type Patient } from "./row.ts";

/** Undefined if the server doesn't respond. */
export async function readMetrics({
  config,
  system,
  probes,
}: Pick<Patient, "config" | "system" | "probes">): Promise<string | undefined> {
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

const unknown = "Unknown, because Assay's web server does not respond, or does not show its metrics.";

const overdue = /^assay_overdue_seconds\{work="([^"]+)"\} ([\d.e+]+)$/gm;

export const examineLateWork =
  (features: readonly Feature[]): Examination =>
  async (patient) => {
    const heading = createHeading("late-work", "Background work");
    const metrics = await readMetrics(patient);
    if (metrics === undefined) return heading.grey(unknown);
    const ages = new Map([...metrics.matchAll(overdue)].map(([, work, seconds]) => [work, Number(seconds) * 1_000]));
    const late = listDuties(features).flatMap(([work, { withinMs }]) => {
      const age = ages.get(work) ?? 0;
      return age > withinMs ? { work, since: patient.system.now() - age } : [];
    });
    const { says, fix } = toLateWords(late);
    return late.length === 0 ? heading.green("Nothing waits for longer than it should.") : heading.red(says, fix);
  };

const present = /^assay_mail_trouble\{reason="([a-z_]+)"\} 1$/gm;

/** Whether mail is accepted now, and if not, why. */
export const examineReceiving: Examination = async (patient) => {
  const heading = createHeading("receiving", "Mail");
  const metrics = await readMetrics(patient);
  if (metrics === undefined) return heading.grey(unknown);
  const reasons = new Set([...metrics.matchAll(present)].map(([, reason]) => reason));
  const codes = troubleCodes.filter((code) => reasons.has(code));
  if (codes.length === 0) return heading.green("New mail is accepted.");
  return codes.map((code): DoctorRow => heading.red(wordsOf(code).says, wordsOf(code).fix));
};

function wordsOf(code: TroubleCode): { readonly says: string; readonly fix: string } {
  if (code !== "workspace_backlog_full") return troubleTable[code];
  return {
    ...troubleTable[code],
    says: "Too many messages of one workspace wait for analysis, so new mail to it is deferred. Other workspaces are not affected.",
  };
}

const failing = /^assay_account_email_failing ([01])$/m;

/** Someone who waits for a reset link can't see why none comes. */
export const examineAccountMail: Examination = async (patient) => {
  const heading = createHeading("account-mail", "Account email");
  const missing = listMissingForMail(patient.config);
  if (missing.length > 0)
    return heading.grey(
      "Password resets and invitations are not sent by email.",
      `To send them, set up email under Settings > Server, or set ${missing.map(({ setting }) => setting).join(", ")}.`,
    );
  const [, isFailing] = failing.exec((await readMetrics(patient)) ?? "") ?? [];
  if (isFailing === undefined) return heading.grey("Unknown, because Assay's web server does not respond.");
  return isFailing === "1"
    ? heading.red(
        "The last email about an account (a password reset, a changed password, or an invitation) could not be sent.",
        "Look for “account email not sent” in the log. It names the reason.",
      )
    : heading.green("Password resets and invitations are sent by email. No problem is known.");
};
