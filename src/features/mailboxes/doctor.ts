// The state of the mailboxes that the running server reads. It comes from its metrics, because the server check never
// touches the database.

import { readMetrics } from "../server/doctor/own-server.ts";
import { createHeading, type DoctorRow, type Examination, type Heading, type Patient } from "../server/doctor/row.ts";

const figure = /^(assay_mailboxes|assay_inbox_mailboxes)\{status="(connecting|connected|trouble|reconnect)"\} (\d+)$/gm;

type Counts = ReadonlyMap<string, number>;
type Mailboxes = { readonly placement: Counts; readonly inboxes: Counts };

/** Undefined: the server does not respond. */
async function countMailboxes(patient: Patient): Promise<Mailboxes | undefined> {
  const metrics = await readMetrics(patient);
  if (metrics === undefined) return undefined;
  const figures = [...metrics.matchAll(figure)];
  const countsOf = (wanted: string) =>
    new Map(figures.flatMap(([, name, status = "", count]) => (name === wanted ? [[status, Number(count)]] : [])));
  const [all, inboxes] = [countsOf("assay_mailboxes"), countsOf("assay_inbox_mailboxes")];
  const placement = new Map([...all].map(([status, count]) => [status, count - (inboxes.get(status) ?? 0)]));
  return { placement, inboxes };
}

/** Those that show where mail lands, and those whose mail becomes tests. */
export const examineMailboxes: Examination = async (patient) => {
  const counts = await countMailboxes(patient);
  const unused =
    "Not used. To receive mail from a mailbox over IMAP, connect one under Settings > Mailboxes and integrations.";
  const until = " Until then, its new mail does not become tests.";
  return [
    toRow(createHeading("mailboxes", "Seed mailboxes"), counts?.placement, "None connected.", ""),
    toRow(createHeading("inbox-mailboxes", "IMAP seed inboxes"), counts?.inboxes, unused, until),
  ];
};

const see = "GET /api/integrations has the details.";

function toRow(heading: Heading, counts: Counts | undefined, none: string, until: string): DoctorRow {
  if (counts === undefined) return heading.grey("Unknown, because Assay's web server does not respond.");
  const countOf = (status: string) => counts.get(status) ?? 0;
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  if (total === 0) return heading.grey(none);
  if (countOf("reconnect") > 0)
    return heading.red(
      `${countOf("reconnect")} of ${total} must be reconnected, because a password or consent is no longer valid.${until}`,
      `Enter the new password, or connect again. ${see}`,
    );
  if (countOf("trouble") > 0)
    return heading.red(`${countOf("trouble")} of ${total} cannot be read. Assay keeps trying.${until}`, see);
  const says = `${countOf("connected")} of ${total} connected.`;
  return countOf("connected") === 0 ? heading.grey(says) : heading.green(says);
}
