// A long list of what arrived, a page at a time. The page stands in the address, so that the back button turns it.

import type { ComponentChildren } from "preact";
import { useCallback } from "preact/hooks";
import type { Bounce } from "../../api/bounces.ts";
import { addressOf, call } from "../client/call.ts";
import { useEvents } from "../client/events.ts";
import { useLoaded } from "../client/loading.ts";
import { goTo, usePlace } from "../client/router.tsx";
import { toCount, toShortTime } from "../client/words.ts";
import { Moment } from "../parts/text.tsx";
import { Severity } from "../parts/tone.tsx";
import { Reading } from "./parts.tsx";

type PageOf<T> = { readonly items: readonly T[]; readonly total: number; readonly next: string | null };
/** What every endpoint with pages takes. */
type PageWanted = {
  readonly query: { readonly limit: number; readonly cursor?: string };
  readonly signal: AbortSignal;
};

type ArrivalListProps<T> = {
  readonly title: string;
  /** What such a thing is, in a sentence. */
  readonly lead: string;
  /** In the address and in messages: "bounces". */
  readonly name: string;
  readonly read: (wanted: PageWanted) => Promise<PageOf<T>>;
  readonly empty: string;
  readonly columns: readonly string[];
  readonly row: (entry: T) => ComponentChildren;
};

const pageSize = 5;

export function ArrivalList<T>({ title, lead, name, read, empty, columns, row }: ArrivalListProps<T>) {
  const { query } = usePlace();
  const cursor = query.get(name);
  const { loaded, reload } = useLoaded(cursor ?? "", (signal) =>
    read({ query: { limit: pageSize, ...(cursor === null ? {} : { cursor }) }, signal }),
  );
  const addressAt = useAddresses(name);
  const isLost = loaded.state === "failed" && loaded.trouble.status === 400 && cursor !== null;
  // An address that somebody cut short is no better the second time.
  const retry = isLost ? () => goTo(addressAt(null)) : reload;
  useEvents(
    useCallback(
      ({ type }) => {
        if (type === "test.recognised" || type === "reset") reload();
      },
      [reload],
    ),
  );
  return (
    <section class="card flush" aria-labelledby={`title-${name}`}>
      <div class="settings-top stacked rule">
        <h3 id={`title-${name}`}>{title}</h3>
        <p class="small muted measure">{lead}</p>
      </div>
      <Reading reading={{ loaded, reload: retry }} what={`the ${title.toLowerCase()}`}>
        {({ items, total, next }) =>
          items.length === 0 && cursor === null ? (
            <p class="p-34 muted">{empty}</p>
          ) : (
            <>
              <table class="table fold">
                <caption>{toCount(total)} in all, newest first</caption>
                <thead>
                  <tr>
                    {columns.map((column) => (
                      <th scope="col" key={column}>
                        {column}
                      </th>
                    ))}
                    <th scope="col">
                      <span class="vh">Download</span>
                    </th>
                  </tr>
                </thead>
                <tbody>{items.map(row)}</tbody>
              </table>
              <Pager title={title} cursor={cursor} next={next} addressAt={addressAt} />
            </>
          )
        }
      </Reading>
    </section>
  );
}

/** Of the page behind a cursor; null: of the first. The other lists stay where they are. */
function useAddresses(name: string): (cursor: string | null) => string {
  const { path, query } = usePlace();
  return (cursor) => {
    const turned = new URLSearchParams(query);
    if (cursor === null) turned.delete(name);
    else turned.set(name, cursor);
    const text = turned.toString();
    return text === "" ? path : `${path}?${text}`;
  };
}

type PagerProps = {
  readonly title: string;
  readonly cursor: string | null;
  readonly next: string | null;
  readonly addressAt: (cursor: string | null) => string;
};

function Pager({ title, cursor, next, addressAt }: PagerProps) {
  if (cursor === null && next === null) return null;
  return (
    <nav class="row between p-34" aria-label={`Pages of ${title.toLowerCase()}`}>
      {cursor === null ? (
        <span />
      ) : (
        <a class="btn small" href={addressAt(null)}>
          Newest
        </a>
      )}
      {next !== null && (
        <a class="btn small" href={addressAt(next)}>
          Older
        </a>
      )}
    </nav>
  );
}

/** The message as it came, always as a file. */
export function RawDownload({ address, what }: { readonly address: string; readonly what: string }) {
  return (
    <td class="num">
      <a class="btn small" href={address} download="message.eml">
        Download<span class="vh"> {what}</span>
      </a>
    </td>
  );
}

type Recipient = Bounce["recipients"][number];

const reasons: Readonly<Record<Recipient["class"], string>> = {
  user_unknown: "There is no such mailbox",
  host_unknown: "There is no such domain or server",
  mailbox_full: "The mailbox is full",
  disabled: "The mailbox is closed",
  too_big: "The message is too big",
  policy: "A rule of the receiver’s refuses it",
  authentication: "SPF, DKIM or DMARC did not satisfy the receiver",
  reputation: "The sender’s reputation is too bad",
  content: "The content was taken for spam or malware",
  rate: "Too much was sent at once",
  system: "The receiver’s server had trouble",
  expired: "It was tried for too long",
  unknown: "The reason is not clear",
};

export function BounceTable() {
  return (
    <ArrivalList
      title="Bounces and complaints"
      lead="A bounce is a mail server’s word that it could not deliver. A complaint tells that a reader marked a message as spam."
      name="bounces"
      read={(given) => call("GET /api/bounces", given)}
      empty="None has come. Those about samples of yours appear here by themselves."
      columns={["Received", "Kind", "What it says", "Told by"]}
      row={(bounce) => <BounceRow key={bounce.id} bounce={bounce} />}
    />
  );
}

function BounceRow({ bounce }: { readonly bounce: Bounce }) {
  const { id, kind, receivedAt, reportingMta, recipients, feedbackType, testId } = bounce;
  return (
    <tr>
      <td data-l="Received">
        <Moment time={receivedAt} />
      </td>
      <td data-l="Kind">
        {kind === "bounce" ? (
          <BounceKind recipients={recipients} />
        ) : (
          <Severity tone="major">Complaint{feedbackType !== null && `: ${feedbackType}`}</Severity>
        )}
      </td>
      <td data-l="What it says">
        <span>
          {recipients.length === 0 && <span class="faint">It names nobody</span>}
          {recipients.slice(0, 3).map((recipient, index) => (
            <Told key={index} recipient={recipient} isBounce={kind === "bounce"} />
          ))}
          {recipients.length > 3 && <span class="settings-sub">and {recipients.length - 3} more</span>}
          {testId !== null && <a href={`/tests/${testId}`}>The test it is about</a>}
        </span>
      </td>
      <td data-l="Told by">{reportingMta ?? <span class="faint">nobody named</span>}</td>
      <RawDownload
        address={addressOf("/api/bounces/:id/raw", { params: { id } })}
        what={`the ${kind} of ${toShortTime(receivedAt)}`}
      />
    </tr>
  );
}

/** As bad as it is for the worst off. */
function BounceKind({ recipients }: Pick<Bounce, "recipients">) {
  if (recipients.length === 0) return <Severity tone="unknown">Bounce</Severity>;
  const isHard = recipients.some(({ hard }) => hard);
  return (
    <Severity tone={isHard ? "major" : "minor"}>{isHard ? "Bounce, for good" : "Bounce, for now"}</Severity>
  );
}

function Told({ recipient, isBounce }: { readonly recipient: Recipient; readonly isBounce: boolean }) {
  const { address, advice, diagnostic, status } = recipient;
  return (
    <span class="settings-told">
      <code>{address ?? "an address that is hidden"}</code>
      {isBounce && <span>{reasons[recipient.class]}</span>}
      <span>{advice}</span>
      {(diagnostic ?? status) !== null && <q class="settings-sub">{diagnostic ?? status}</q>}
    </span>
  );
}
