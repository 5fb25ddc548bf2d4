// A paged list of received mail. The page is part of the URL, so that the back button works.

import type { ComponentChildren } from "preact";
import { useCallback } from "preact/hooks";
import { readReplyCode } from "../../../analyzer/mail/bounces/reply-code.ts";
import { addressOf, call } from "../../../web/client/call.ts";
import { useEvents } from "../../../web/client/events.ts";
import { useLoaded } from "../../../web/client/loading.ts";
import { goTo, usePlace } from "../../../web/client/router.tsx";
import { toCount, toShortTime } from "../../../web/client/words.ts";
import { Pager } from "../../../web/parts/navigation.tsx";
import { Table } from "../../../web/parts/table.tsx";
import { Moment } from "../../../web/parts/text.tsx";
import { Severity } from "../../../web/parts/tone.tsx";
import { Reading } from "../../../web/settings/parts.tsx";
import type { Bounce } from "../contract/bounces.ts";

type PageOf<T> = { readonly items: readonly T[]; readonly total: number; readonly next: string | null };
/** The input of every paged endpoint. */
type PageWanted = {
  readonly query: { readonly limit: number; readonly cursor?: string };
  readonly signal: AbortSignal;
};

type ArrivalListProps<T> = {
  readonly title: string;
  /** One sentence that explains the entries. */
  readonly lead: string;
  /** The query parameter for the page: "bounces". */
  readonly name: string;
  readonly read: (wanted: PageWanted) => Promise<PageOf<T>>;
  /** How such mail gets here. */
  readonly empty: ComponentChildren;
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
  // Retrying an invalid cursor would fail again.
  const retry = isLost ? () => goTo(addressAt(null)) : reload;
  useEvents(
    useCallback(
      ({ type }) => {
        if (type === "test.recognised" || type === "incoming-hook.received" || type === "reset") reload();
      },
      [reload],
    ),
  );
  return (
    <section class="card flush" aria-labelledby={`title-${name}`}>
      <div class="settings-top stacked rule">
        <h2 id={`title-${name}`}>{title}</h2>
        <p class="small muted measure">{lead}</p>
      </div>
      <Reading reading={{ loaded, reload: retry }} what={`the ${title.toLowerCase()}`}>
        {({ items, total, next }) =>
          items.length === 0 && cursor === null ? (
            <div class="p-34 muted stack-2">{empty}</div>
          ) : (
            <>
              <Table
                look="fold"
                caption={`${toCount(total)} in total, newest first`}
                columns={[...columns, { vh: "Download" }]}
              >
                {items.map(row)}
              </Table>
              <Pager of={title.toLowerCase()} className="p-34" cursor={cursor} next={next} addressAt={addressAt} />
            </>
          )
        }
      </Reading>
    </section>
  );
}

/** The URL of the page at a cursor; null: the first page. The other lists keep their pages. */
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

/** The original message, always as a file. */
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
  user_unknown: "Mailbox doesn’t exist",
  host_unknown: "Domain or mail server not found",
  mailbox_full: "Mailbox full",
  disabled: "Mailbox disabled",
  too_big: "Message too large",
  policy: "Rejected due to policy",
  authentication: "Failed SPF, DKIM, or DMARC",
  reputation: "Rejected due to sender reputation",
  content: "Rejected as spam or malware",
  rate: "Rate limited",
  system: "Receiving server error",
  expired: "Delivery timed out",
  unknown: "Unknown reason",
};

export function BounceTable() {
  return (
    <ArrivalList
      title="Bounces and complaints"
      lead="A bounce means that a mail server couldn’t deliver a message. A complaint means that a recipient reported one as spam."
      name="bounces"
      read={(given) => call("GET /api/bounces", given)}
      empty={
        <p class="measure">
          Bounces and complaints that are sent to a seed address appear here. To get those of your other mail, let your
          email provider <a href="/settings/receiving#incoming-webhooks">call a webhook</a>.
        </p>
      }
      columns={["Received", "Type", "Details", "Reported by"]}
      row={(bounce) => <BounceRow key={bounce.id} bounce={bounce} />}
    />
  );
}

function BounceRow({ bounce }: { readonly bounce: Bounce }) {
  const { id, kind, receivedAt, provider, providerName, reportingMta, recipients, feedbackType, testId } = bounce;
  return (
    <tr>
      <td data-l="Received">
        <Moment time={receivedAt} />
      </td>
      <td data-l="Type">
        {kind === "bounce" ? (
          <BounceKind recipients={recipients} />
        ) : (
          <Severity tone="major">Complaint{feedbackType !== null && `: ${feedbackType}`}</Severity>
        )}
      </td>
      <td data-l="Details">
        <span>
          {recipients.length === 0 && <span class="faint">No recipient given</span>}
          {recipients.slice(0, 3).map((recipient, index) => (
            <RecipientDetails key={index} recipient={recipient} isBounce={kind === "bounce"} />
          ))}
          {recipients.length > 3 && <span class="settings-sub">and {toCount(recipients.length - 3)} more</span>}
          {testId !== null && <a href={`/tests/${testId}`}>View test</a>}
        </span>
      </td>
      <td data-l="Reported by">
        {provider === null ? null : `${providerName} webhook`}
        {reportingMta !== null && <span class={provider === null ? "" : "settings-sub"}>{reportingMta}</span>}
        {provider === null && reportingMta === null && <span class="faint">unknown</span>}
      </td>
      {provider === null ? (
        <RawDownload
          address={addressOf("/api/bounces/:id/raw", { params: { id } })}
          what={`the ${kind} from ${toShortTime(receivedAt)}`}
        />
      ) : (
        <td />
      )}
    </tr>
  );
}

/** The worst of its recipients. A rejection is final too, but not the address's fault. */
function BounceKind({ recipients }: Pick<Bounce, "recipients">) {
  if (recipients.length === 0) return <Severity tone="unknown">Bounce</Severity>;
  if (recipients.some(({ hard }) => hard)) return <Severity tone="major">Hard bounce</Severity>;
  const isRejected = recipients.some((one) => one.status?.startsWith("5.") && /^(?:fix|review)$/.test(one.do));
  return isRejected ? <Severity tone="major">Rejected</Severity> : <Severity tone="minor">Soft bounce</Severity>;
}

function RecipientDetails({ recipient, isBounce }: { readonly recipient: Recipient; readonly isBounce: boolean }) {
  const { address, advice, diagnostic, status } = recipient;
  const code = readReplyCode(diagnostic ?? status ?? "");
  return (
    <span class="settings-told">
      <code>{address ?? "hidden address"}</code>
      {isBounce && <span>{reasons[recipient.class]}</span>}
      <span>{advice}</span>
      {(diagnostic ?? status) !== null && <q class="settings-sub">{diagnostic ?? status}</q>}
      {isBounce && code !== null && <a href={`/docs/codes/${code}`}>What this code means</a>}
    </span>
  );
}
