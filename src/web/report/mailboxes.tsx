// The seed mailboxes of a provider: the folder of the message, how it was matched, and the receiving server's results.
// They come from strangers' servers, so they are only shown as text.

import { toDuration, toMoment, toPlural } from "../client/words.ts";
import { Icon } from "../parts/icon.tsx";
import { toFolderLook } from "./placement-icon.ts";
import { isUnseen, type Mailbox, type Standing } from "./placement-row.ts";

type MailboxesProps = {
  readonly mailboxes: readonly Mailbox[];
  readonly standing: Standing;
  /** The card already shows the name of its only mailbox. */
  readonly isNamed: boolean;
};

export function Mailboxes({ mailboxes, standing, isNamed }: MailboxesProps) {
  if (mailboxes.length === 0 || (isNamed && standing === "awaited")) return null;
  const isShown = mailboxes.length === 1 && standing === "observed";
  return (
    <div class="boxes">
      {standing === "predicted" && <p class="label">{mailboxes.length === 1 ? "Seed mailbox" : "Seed mailboxes"}</p>}
      <ul>
        {mailboxes.map((mailbox) => (
          <li key={mailbox.account} class={toFolderLook(mailbox.folder).tone}>
            {!isNamed && (
              <p class="box-h">
                <strong>{mailbox.account}</strong>
                {!isShown && <FolderMark folder={mailbox.folder} />}
              </p>
            )}
            {!isUnseen(mailbox.folder) && <Sighting mailbox={mailbox} />}
          </li>
        ))}
      </ul>
    </div>
  );
}

function FolderMark({ folder }: Pick<Mailbox, "folder">) {
  const { icon, observed } = toFolderLook(folder);
  return (
    <span class="sev">
      <Icon name={icon} /> {observed}
    </span>
  );
}

const matchWords: Readonly<Record<NonNullable<Mailbox["matched_by"]>, string>> = {
  "own-copy": "this test was read from there",
  "assay-id": "X-Assay-Id header",
  "body-token": "token in the body",
  "message-id": "Message-ID",
  "from-and-subject": "sender and subject",
};

function Sighting({ mailbox }: { readonly mailbox: Mailbox }) {
  const { folder_name, seen_at, delay_ms, matched_by, candidates, moved } = mailbox;
  return (
    <>
      <dl class="box-l">
        <div>
          <dt>Folder</dt>
          <dd>
            {folder_name}
            {moved.map((earlier) => (
              <span key={earlier.seen_at} class="was">
                Earlier: {earlier.folder_name}, {toMoment(earlier.seen_at)}
              </span>
            ))}
          </dd>
        </div>
        <div>
          <dt>Arrived</dt>
          <dd>
            {toDelay(delay_ms)}
            {seen_at !== null && <span class="was">Seen {toMoment(seen_at)}</span>}
          </dd>
        </div>
        {matched_by !== null && (
          <div>
            <dt>Matched by</dt>
            <dd>
              {matchWords[matched_by] ?? matched_by}
              {(candidates ?? 1) > 1 && (
                <span class="was">
                  {toPlural(candidates ?? 1, "test", "tests")} matched. Assay chose the closest in time.
                </span>
              )}
            </dd>
          </div>
        )}
      </dl>
      <ReceiverVerdicts mailbox={mailbox} />
    </>
  );
}

const shortestDelayMs = 1_000;

/** When the mailbox got its copy, compared with Assay's copy. */
function toDelay(delayMs: number | null): string {
  if (delayMs === null) return "Time unknown";
  if (Math.abs(delayMs) < shortestDelayMs) return "At the same time as Assay’s copy";
  return `${toDuration(Math.abs(delayMs))} ${delayMs < 0 ? "before" : "after"} Assay’s copy`;
}

function ReceiverVerdicts({ mailbox }: { readonly mailbox: Mailbox }) {
  const { authentication_results, headers, differs } = mailbox;
  const lines = authentication_results.length + headers.length;
  if (lines === 0) return <p class="small muted">The receiving server didn’t add any results.</p>;
  return (
    <>
      {differs.length > 0 && <Differences differs={differs} />}
      {differs.length === 0 && authentication_results.length > 0 && (
        <p class="small muted">The receiving server’s results match Assay’s.</p>
      )}
      <details class="small">
        <summary>{toPlural(lines, "header", "headers")} added by the receiving server</summary>
        <dl class="quote box-w mt-2">
          {authentication_results.map((value, index) => (
            <div key={index}>
              <dt>Authentication-Results</dt>
              <dd>{value}</dd>
            </div>
          ))}
          {headers.map(({ name, value }, index) => (
            <div key={index}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </details>
    </>
  );
}

function Differences({ differs }: Pick<Mailbox, "differs">) {
  return (
    <table class="differs">
      <caption>The receiving server got different results</caption>
      <thead>
        <tr>
          <td />
          <th scope="col">Receiving server</th>
          <th scope="col">Assay</th>
        </tr>
      </thead>
      <tbody>
        {differs.map(({ mechanism, ours, theirs }) => (
          <tr key={mechanism}>
            <th scope="row">{mechanism.toUpperCase()}</th>
            <td>{theirs}</td>
            <td>{ours}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
