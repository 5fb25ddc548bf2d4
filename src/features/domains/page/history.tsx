// Changes to a domain's records, newest first, with before and after.

import { useEffect, useState } from "preact/hooks";
import type { AnswerOf } from "../../../platform/contract/endpoint.ts";
import { call } from "../../../web/client/call.ts";
import { useLoadedSince } from "../../../web/client/loading.ts";
import { useDoing } from "../../../web/client/use-action.ts";
import { toList, toMoment } from "../../../web/client/words.ts";
import { Diff } from "../../../web/parts/diff.tsx";
import { ErrorNote, LoadNote } from "../../../web/parts/states.tsx";
import { Moment } from "../../../web/parts/text.tsx";
import { Badge, type Tone } from "../../../web/parts/tone.tsx";
import type { MonitoredDomain, readHistory, ToldChange } from "../contract/domains.ts";
import { mechanismNames, toVerdictWord, verdictMechanisms, verdictNames } from "./verdicts.tsx";

type History = AnswerOf<typeof readHistory>;
type DnsChangeDetail = ToldChange["changes"][number];

const pageSize = 10;
const sides = { before: "Before", after: "After" } as const;

export function HistorySection({ domain }: { readonly domain: MonitoredDomain }) {
  const { loaded, reload } = useLoadedSince(domain.id, domain.checkedAt, (signal) =>
    call("GET /api/domains/:id/history", { params: { id: domain.id }, query: { limit: pageSize }, signal }),
  );
  const list = loaded.value;
  return (
    <section class="sec" id="changes" aria-labelledby="changes-h">
      <div class="sec-h">
        <h2 id="changes-h">Changes</h2>
        <p>Changes appear after a second check confirms them. Whitespace and term order are ignored.</p>
      </div>
      <LoadNote loaded={loaded} onRetry={reload} lines={4} what="the changes" />
      {list && <Line domain={domain} list={list} />}
    </section>
  );
}

type LineProps = { readonly domain: MonitoredDomain; readonly list: History };

function Line({ domain, list }: LineProps) {
  const { older, next, isBusy, trouble, readOlder } = useOlder(domain, list);
  return (
    <>
      <ol class="line">
        <Silence domain={domain} />
        {[...list.items, ...older].map((told) => (
          <Change key={told.id} told={told} />
        ))}
        {next === null && (
          <li>
            <time dateTime={domain.createdAt}>{toMoment(domain.createdAt)}</time>
            <p>{list.total === 0 ? "Domain added. No changes since then." : "Domain added."}</p>
          </li>
        )}
      </ol>
      {trouble !== null && <ErrorNote title="Couldn’t load older changes." message={trouble.message} />}
      {next !== null && (
        <button class="btn small mt-4" type="button" disabled={isBusy} onClick={readOlder}>
          {isBusy ? "Loading…" : "Show older changes"}
        </button>
      )}
    </>
  );
}

/** The pages after the first. They are dropped when the first page changes. */
function useOlder({ id }: MonitoredDomain, list: History) {
  const [older, setOlder] = useState<readonly ToldChange[]>([]);
  const [next, setNext] = useState(list.next);
  const { isBusy, trouble, run } = useDoing();
  useEffect(() => {
    setOlder([]);
    setNext(list.next);
  }, [list]);
  const readOlder = () =>
    run(async () => {
      if (next === null) return;
      const more = await call("GET /api/domains/:id/history", {
        params: { id },
        query: { limit: pageSize, cursor: next },
      });
      setOlder((known) => [...known, ...more.items]);
      setNext(more.next);
    });
  return { older, next, isBusy, trouble, readOlder };
}

/** Drawn differently: a missing DNS answer is not a change. */
function Silence({ domain }: { readonly domain: MonitoredDomain }) {
  const silent = verdictMechanisms.filter((mechanism) => domain[mechanism] === "error");
  if (silent.length === 0 || domain.checkedAt === null) return null;
  const known = silent.filter((mechanism) => domain.details?.[mechanism]?.lastKnown);
  return (
    <li class="unknown">
      <div class="row">
        <Badge tone="unknown">No DNS response</Badge>
        <Moment time={domain.checkedAt} words={toMoment(domain.checkedAt)} />
      </div>
      <p class="small muted">
        Not counted as a change. No alert is sent.
        {known.length > 0 &&
          ` The last known result for ${toList(known.map((mechanism) => verdictNames[mechanism]))} still applies.`}
      </p>
    </li>
  );
}

const noticeWords: Readonly<Record<ToldChange["kind"], string | null>> = {
  drift: null,
  mended: "Resolved. The record is back to its earlier state.",
  unstable: "These records keep changing. Alerts are paused until they settle.",
};

function Change({ told: { kind, changes, at } }: { readonly told: ToldChange }) {
  const isWorse = changes.some(({ direction }) => direction === "worse");
  const isBetter = kind === "mended" || changes.every(({ direction }) => direction === "better");
  const tone = kind === "unstable" ? "unknown" : isWorse ? "minor" : isBetter ? "good" : "info";
  return (
    <li class={tone}>
      <time dateTime={at}>{toMoment(at)}</time>
      {noticeWords[kind] !== null && <p class="strong">{noticeWords[kind]}</p>}
      <div class="stack">
        {changes.map((change) => (
          <ChangeEntry key={change.mechanism} change={change} />
        ))}
      </div>
    </li>
  );
}

const directionTones: Readonly<Record<DnsChangeDetail["direction"], Tone>> = {
  worse: "minor",
  better: "good",
  neutral: "info",
};

function ChangeEntry({ change }: { readonly change: DnsChangeDetail }) {
  const { mechanism, direction, says, before, after } = change;
  return (
    <div>
      <Badge tone={directionTones[direction]}>
        {mechanismNames[mechanism]}: {toVerdictChange(change)}
      </Badge>
      <p class="mt-1">{says}</p>
      {before.record !== after.record && (
        <Diff before={before.record} after={after.record} names={sides} nothing="no record" />
      )}
    </div>
  );
}

function toVerdictChange({ before, after, direction }: DnsChangeDetail): string {
  if (before.verdict !== null && after.verdict !== null && before.verdict !== after.verdict)
    return `${toVerdictWord(before.verdict)} to ${toVerdictWord(after.verdict)}`.toLowerCase();
  return { worse: "got worse", better: "improved", neutral: "changed" }[direction];
}
