// The seed mailboxes of a provider: where each has the message, how that is known, and what its server says of it. All of
// it was written by strangers' servers: it is text and nothing else.

import { toDuration, toMoment, toPlural } from "../client/words.ts";
import { Icon } from "../parts/icon.tsx";
import { toFolderLook } from "./placement-icon.ts";
import { isUnseen, type Mailbox, type Standing } from "./placement-row.ts";

type MailboxesProps = {
  readonly mailboxes: readonly Mailbox[];
  readonly standing: Standing;
  /** The card bears the name of its only mailbox. */
  readonly isNamed: boolean;
};

export function Mailboxes({ mailboxes, standing, isNamed }: MailboxesProps) {
  if (mailboxes.length === 0 || (isNamed && standing === "awaited")) return null;
  const isTold = mailboxes.length === 1 && standing === "observed";
  return (
    <div class="boxes">
      {standing === "predicted" && (
        <p class="label">{mailboxes.length === 1 ? "Its seed mailbox" : "Its seed mailboxes"}</p>
      )}
      <ul>
        {mailboxes.map((mailbox) => (
          <li key={mailbox.account} class={toFolderLook(mailbox.folder).tone}>
            {!isNamed && (
              <p class="box-h">
                <strong>{mailbox.account}</strong>
                {!isTold && <FolderMark folder={mailbox.folder} />}
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
  "assay-id": "its X-Assay-Id",
  "body-token": "the token in its body",
  "message-id": "its Message-ID",
  "from-and-subject": "its sender and subject",
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
                before that {earlier.folder_name}, {toMoment(earlier.seen_at)}
              </span>
            ))}
          </dd>
        </div>
        <div>
          <dt>Arrived</dt>
          <dd>
            {toDelay(delay_ms)}
            {seen_at !== null && <span class="was">seen there {toMoment(seen_at)}</span>}
          </dd>
        </div>
        {matched_by !== null && (
          <div>
            <dt>Known by</dt>
            <dd>
              {matchWords[matched_by] ?? matched_by}
              {(candidates ?? 1) > 1 && (
                <span class="was">{candidates} tests fitted; the nearest in time was taken</span>
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

/** Its own copy beside ours, which came on another way. */
function toDelay(delayMs: number | null): string {
  if (delayMs === null) return "when, beside our copy, is not known";
  if (Math.abs(delayMs) < shortestDelayMs) return "at the time of our copy";
  return `${toDuration(Math.abs(delayMs))} ${delayMs < 0 ? "before" : "after"} our copy`;
}

function ReceiverVerdicts({ mailbox }: { readonly mailbox: Mailbox }) {
  const { authentication_results, headers, differs } = mailbox;
  const lines = authentication_results.length + headers.length;
  if (lines === 0) return <p class="small muted">Its server wrote no verdicts of its own.</p>;
  return (
    <>
      {differs.length > 0 && <Differences differs={differs} />}
      {differs.length === 0 && authentication_results.length > 0 && (
        <p class="small muted">Its server’s own verdicts differ from Assay’s in nothing.</p>
      )}
      <details class="small">
        <summary>{toPlural(lines, "header field", "header fields")} that its server wrote</summary>
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
      <caption>Its server judged otherwise</caption>
      <thead>
        <tr>
          <td />
          <th scope="col">its server</th>
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
