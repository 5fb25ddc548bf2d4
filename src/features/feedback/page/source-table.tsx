// Who sends as a domain, by name, with what to do about each, and the addresses behind the names.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { call } from "../../../web/client/call.ts";
import { useLoaded } from "../../../web/client/loading.ts";
import { useDoing } from "../../../web/client/use-action.ts";
import { toCount, toList, toPercent, toPlural } from "../../../web/client/words.ts";
import { ShareRects, type ShareStyle, toShares } from "../../../web/parts/charts.tsx";
import { Field } from "../../../web/parts/form.tsx";
import { ErrorNote, sayDone } from "../../../web/parts/states.tsx";
import { Table } from "../../../web/parts/table.tsx";
import { Away } from "../../../web/parts/text.tsx";
import { Severity, type Tone } from "../../../web/parts/tone.tsx";
import { FormDialog } from "../../../web/settings/parts.tsx";
import type { DomainSources, NamedSource, SourceTrends } from "../contract/domain-sources.ts";
import { toSenderWords } from "../words/sender-words.ts";

type Source = DomainSources["sources"][number];
type Trends = ReadonlyMap<string, SourceTrends["items"][number]>;

type About = { readonly domainId: string; readonly days: string; readonly onMarked: () => void };

const mostRows = 10;
/** So many networks of which nothing passes are one row. */
const leastFolded = 3;

function isNameless({ key, passed, mark, note }: NamedSource): boolean {
  return key.startsWith("network:") && passed === 0 && mark === null && note === "";
}

export function SenderTable({ sources, ...about }: About & { readonly sources: DomainSources }) {
  const { domainId, days } = about;
  const { senders, allSenders, others } = sources;
  const [isWhole, setWhole] = useState(false);
  const { loaded } = useLoaded(`${domainId} ${days}`, (signal) =>
    call("GET /api/domains/:id/sources/trends", { params: { id: domainId }, query: { days }, signal }),
  );
  const trends: Trends = new Map(loaded.value?.items.map((item) => [item.key, item]));
  const nameless = senders.filter(isNameless);
  const named = nameless.length < leastFolded ? senders : senders.filter((sender) => !isNameless(sender));
  const shown = isWhole ? senders : named.slice(0, mostRows);
  const byKey = Map.groupBy(sources.sources, ({ sender }) => sender);
  return (
    <div class="card flush">
      <Table
        look="mid fold sources"
        caption={toCaption(sources)}
        columns={["Sender", "Messages", "Pass DMARC", "What to do"]}
      >
        {shown.map((sender) => (
          <SenderRow
            key={sender.key}
            sender={sender}
            trend={trends.get(sender.key)}
            addresses={byKey.get(sender.key) ?? []}
            {...about}
          />
        ))}
        {!isWhole && nameless.length >= leastFolded && <NamelessRow senders={nameless} />}
      </Table>
      <p class="row p-34">
        {senders.length > shown.length && (
          <button class="btn small" type="button" onClick={() => setWhole(true)}>
            Show {senders.length === allSenders ? "all " : ""}
            {toCount(senders.length)} senders
          </button>
        )}
        <a class="btn small" href={`/api/domains/${domainId}/sources.csv?days=${days}`} download>
          Download as CSV
        </a>
        {others.addresses > 0 && (
          <span class="small muted">
            Addresses are listed for the {toCount(sources.sources.length)} with the most messages.
          </span>
        )}
      </p>
    </div>
  );
}

function toCaption({ messages, reports, organizations }: DomainSources): string {
  const names = organizations.flatMap(({ name }) => name ?? []);
  const rest = organizations.length - 5;
  const by = toList([...names.slice(0, 5), ...(rest > 0 ? [`${toCount(rest)} more`] : [])]);
  return `${toPlural(messages, "message", "messages")} in ${toPlural(reports, "report", "reports")}${by === "" ? "" : ` by ${by}`}`;
}

function NamelessRow({ senders }: { readonly senders: readonly NamedSource[] }) {
  const messages = senders.reduce((sum, sender) => sum + sender.messages, 0);
  return (
    <tr>
      <th scope="row">
        {toPlural(senders.length, "unknown network", "unknown networks")}
        <span class="under small muted">None of their mail passes DMARC.</span>
      </th>
      <td data-l="Messages" class="num">
        <span>{toCount(messages)}</span>
      </td>
      <td data-l="Pass DMARC">
        <PassBar sums={{ messages, passed: 0 }} />
      </td>
      <td data-l="What to do">
        <span>
          <Severity tone="unknown">Unknown</Severity> If you don’t know them, there is nothing to fix: p=reject asks
          receivers to reject what fails.
        </span>
      </td>
    </tr>
  );
}

type RowProps = About & {
  readonly sender: NamedSource;
  readonly trend: Trends extends ReadonlyMap<string, infer Item> ? Item | undefined : never;
  readonly addresses: readonly Source[];
};

const needLooks: Readonly<Record<NamedSource["needs"], { readonly tone: Tone; readonly word: string }>> = {
  nothing: { tone: "good", word: "Fine" },
  "set-up": { tone: "major", word: "Set up" },
  "find-out": { tone: "minor", word: "Yours?" },
  policy: { tone: "info", word: "Not yours" },
};

function SenderRow({ sender, trend, addresses, ...about }: RowProps) {
  const { name, messages, country, page, needs, says, note } = sender;
  const { tone, word } = needLooks[needs];
  const isSettled = needs === "nothing" && sender.mark === null && note === "";
  return (
    <tr>
      <th scope="row">
        {sender.by === "nothing" ? <code>{name}</code> : <bdi>{name}</bdi>}
        <span class="under small muted">
          {[...toSenderWords(sender), ...(country === null ? [] : [country])].join(", ")}
        </span>
        <Details sender={sender} addresses={addresses} {...about}>
          {isSettled && <Marks sender={sender} {...about} />}
        </Details>
      </th>
      <td data-l="Messages">
        <span class="bar-s">
          <Trend trend={trend} />
          <span>{toCount(messages)}</span>
        </span>
      </td>
      <td data-l="Pass DMARC">
        <PassBar sums={sender} />
      </td>
      <td data-l="What to do">
        <span>
          <Severity tone={tone}>{word}</Severity> {says}{" "}
          {needs !== "nothing" && needs !== "policy" && page !== null && <Away url={page}>{`How to, at ${name}`}</Away>}
          {note !== "" && (
            <span class="under small">
              <bdi>{note}</bdi>
            </span>
          )}
          {!isSettled && <Marks sender={sender} {...about} />}
        </span>
      </td>
    </tr>
  );
}

/** Bars for the messages of each span, with the part that passed in front. It takes its space before it is there. */
function Trend({ trend }: Pick<RowProps, "trend">) {
  const most = Math.max(1, ...(trend?.messages ?? []));
  const width = 100 / Math.max(1, trend?.messages.length ?? 1);
  return (
    <svg class="trend" viewBox="0 0 100 20" preserveAspectRatio="none" aria-hidden="true">
      {trend?.messages.map((messages, at) => {
        const [whole, passed] = [messages, trend.passed[at] ?? 0].map((count) => (count / most) * 20);
        return (
          <g key={at}>
            <rect class="trend-all" x={at * width} width={width * 0.8} y={20 - (whole ?? 0)} height={whole} />
            <rect class="f-inbox" x={at * width} width={width * 0.8} y={20 - (passed ?? 0)} height={passed} />
          </g>
        );
      })}
    </svg>
  );
}

type DetailsProps = Omit<RowProps, "trend"> & { readonly children: ComponentChildren };

function Details({ sender, addresses, domainId, days, children }: DetailsProps) {
  const left = sender.addresses - addresses.length;
  return (
    <details class="more">
      <summary class="small">{toPlural(sender.addresses, "address", "addresses")}</summary>
      <ul class="list small">
        {addresses.map((source) => (
          <li key={source.sourceIp}>
            <AddressWords source={source} domainId={domainId} days={days} />
          </li>
        ))}
        {left > 0 && <li class="muted">and {toCount(left)} more with fewer messages</li>}
      </ul>
      {children}
    </details>
  );
}

type AddressProps = Pick<About, "domainId" | "days"> & { readonly source: Source };

function AddressWords({ source, domainId, days }: AddressProps) {
  const { sourceIp, host, messages, passed, knownFromTests, forwarded } = source;
  const [isOpen, setOpen] = useState(false);
  return (
    <span>
      <button class="btn small" type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <code>{sourceIp}</code>
      </button>
      {host !== null && <code class="under muted">{host}</code>}
      <span class="under muted">
        {toCount(passed)} of {toPlural(messages, "message passes", "messages pass")}
        {forwarded > 0 && `, ${toCount(forwarded)} forwarded`}
        {knownFromTests && ", seen in your test mail"}
      </span>
      {isOpen && <Told address={sourceIp} domainId={domainId} days={days} />}
    </span>
  );
}

/** What reports say of one address. */
function Told({ address, domainId, days }: Pick<About, "domainId" | "days"> & { readonly address: string }) {
  const { loaded } = useLoaded(`${domainId} ${days} ${address}`, (signal) =>
    call("GET /api/domains/:id/sources/words", { params: { id: domainId }, query: { days, address }, signal }),
  );
  if (loaded.state === "failed")
    return <ErrorNote title="Couldn’t load what reports say." message={loaded.trouble.message} />;
  if (loaded.value === null) return <span class="under muted">Loading…</span>;
  const { organizations, headerFroms, dkimDomains, spfDomains, selectors, reasons } = loaded.value;
  const lists = [
    ["Reported by", organizations],
    ["From", headerFroms],
    ["DKIM domains", dkimDomains],
    ["Selectors", selectors],
    ["SPF domains", spfDomains],
    ["Reasons", reasons.map((reason) => reason.replaceAll("_", " "))],
  ] as const;
  return (
    <dl class="kv">
      {lists.map(([name, words]) =>
        words.length === 0 ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{words.join(", ")}</dd>
          </div>
        ),
      )}
    </dl>
  );
}

function Marks({ sender, domainId, onMarked }: Pick<RowProps, "sender" | "domainId" | "onMarked">) {
  const { key, name, mark, note } = sender;
  const { isBusy, trouble, run } = useDoing();
  const [isNoting, setNoting] = useState(false);
  const save = (body: { mark: NamedSource["mark"]; note?: string }) =>
    call("POST /api/domains/:id/sources/marks", { params: { id: domainId }, body: { key, ...body } });
  const choose = (next: "approved" | "ignored") =>
    run(async () => {
      const isUndone = mark === next;
      await save({ mark: isUndone ? null : next });
      sayDone(isUndone ? "Taken back." : next === "approved" ? "Marked as yours." : "Marked as not yours.");
      onMarked();
    });
  return (
    <span class="row mt-2">
      {(["approved", "ignored"] as const).map((each) => (
        <button
          key={each}
          class="btn small"
          type="button"
          aria-pressed={mark === each}
          disabled={isBusy}
          onClick={() => choose(each)}
        >
          {each === "approved" ? "Ours" : "Not ours"}
          <span class="vh">: {name}</span>
        </button>
      ))}
      <button class="btn small" type="button" onClick={() => setNoting(true)}>
        {note === "" ? "Add note" : "Change note"}
        <span class="vh">: {name}</span>
      </button>
      {trouble !== null && <ErrorNote title="That didn’t work." message={trouble.message} />}
      {isNoting && (
        <FormDialog
          title={`Note on ${name}`}
          action="Save"
          failed="The note wasn’t saved."
          act={async (typed) => {
            await save({ mark, note: String(typed.get("note") ?? "").trim() });
            onMarked();
          }}
          onClose={() => setNoting(false)}
        >
          <Field label="Note" name="note" value={note} hint="What it sends, or who set it up." />
        </FormDialog>
      )}
    </span>
  );
}

const looks: readonly (ShareStyle & { readonly isPass: boolean })[] = [
  { word: "pass", fill: null, className: "f-inbox", isPass: true },
  { word: "fail", fill: "url(#h-reject)", className: undefined, isPass: false },
];

function PassBar({ sums: { messages, passed } }: { readonly sums: Pick<NamedSource, "messages" | "passed"> }) {
  const share = messages === 0 ? 0 : passed / messages;
  const shares = toShares(
    looks,
    ({ isPass }) => (isPass ? share : 1 - share),
    (one) => one > 0,
  );
  return (
    <span class="bar-s">
      <svg aria-hidden="true">
        <ShareRects shares={shares} />
      </svg>
      <span>{toPercent(share)}</span>
    </span>
  );
}
