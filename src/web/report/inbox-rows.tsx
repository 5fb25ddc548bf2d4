// The row of the message in the inboxes of Gmail, Outlook, and Apple Mail, drawn to scale: fonts and columns have the
// proportions of the client, so the texts are cut about where the client cuts them. inbox.css has the sizes.

import type { TestReport } from "../../features/tests/contract/tests.ts";
import { Badge } from "../parts/tone.tsx";
import { toInitials, toSenderName } from "./inbox-words.ts";
import { toRowLook } from "./placement-icon.ts";
import { type PlacementRow, toPlacementRows, toStanding } from "./placement-row.ts";

/** `initials`: how many the client shows by default in place of an image. */
const clients = [
  { id: "gmail-phone", name: "Gmail, phone", provider: "gmail", initials: 1 },
  { id: "outlook-phone", name: "Outlook, phone", provider: "outlook", initials: 2 },
  { id: "outlook-web", name: "Outlook, desktop", provider: "outlook", initials: 2 },
  { id: "apple-phone", name: "Apple Mail, iPhone", provider: "icloud", initials: 0 },
  { id: "apple-mac", name: "Apple Mail, Mac", provider: "icloud", initials: 0 },
  { id: "gmail-web", name: "Gmail, browser", provider: "gmail", initials: 0 },
] as const;

type Client = (typeof clients)[number];

type InboxRowsProps = {
  readonly test: TestReport;
  /** The text after the subject, from GET /api/tests/:id/eml. */
  readonly preview: string | null;
};

export function InboxRows({ test, preview }: InboxRowsProps) {
  const bimi = test.authentication?.bimi;
  return (
    <section class="inbox" aria-labelledby="inbox-h">
      <h3 id="inbox-h">
        In the inbox <span class="tag">Simulated</span>
      </h3>
      <p class="small muted">
        Sender, subject, and preview text on typical screens. Other screens and settings cut them elsewhere.
        {bimi?.result === "pass" &&
          bimi.certificate !== null &&
          " Gmail and Apple Mail can also show the domain’s BIMI logo, which Assay doesn’t load."}
      </p>
      <ul>
        {clients.map((client) => (
          <Row key={client.id} client={client} test={test} preview={preview} />
        ))}
      </ul>
    </section>
  );
}

function Row({ client, test, preview }: InboxRowsProps & { readonly client: Client }) {
  const { id, name, provider, initials } = client;
  const sender = toSenderName(test.from) || "No sender";
  const placed = toPlacementRows(test).find((row) => row.provider === provider);
  return (
    <li class={id}>
      <p class="small">
        {name} {placed && <Place row={placed} />}
      </p>
      <div class="mail-row" tabIndex={id === "gmail-web" ? 0 : undefined}>
        {initials > 0 && (
          <span class="avatar" aria-hidden="true">
            {toInitials(sender, initials)}
          </span>
        )}
        <div class="words">
          <strong dir="auto">{sender}</strong>
          <span dir="auto">{test.subject?.trim() || "(no subject)"}</span>
          {preview !== null && <small dir="auto">{preview}</small>}
        </div>
      </div>
    </li>
  );
}

function Place({ row }: { readonly row: PlacementRow }) {
  const { tone, icon, predicted, observed } = toRowLook(row);
  return (
    <Badge tone={tone} icon={icon}>
      {toStanding(row) === "observed" ? observed : predicted}
    </Badge>
  );
}
