// What changed in a domain's records, newest first: before and after, told apart by more than colour.

import { useEffect, useState } from "preact/hooks";
import type { MonitoredDomain, readHistory, ToldChange } from "../../api/domains.ts";
import type { AnswerOf } from "../../api/endpoint.ts";
import { call } from "../client/call.ts";
import { useLoadedSince } from "../client/loading.ts";
import { useDoing } from "../client/use-action.ts";
import { toList, toMoment } from "../client/words.ts";
import { Diff } from "../parts/diff.tsx";
import { ErrorNote, Skeleton } from "../parts/states.tsx";
import { Moment } from "../parts/text.tsx";
import { Badge, type Tone } from "../parts/tone.tsx";
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
        <h2 id="changes-h">What changed, and when</h2>
        <p>A change counts once a second look confirms it. Spaces and the order of terms do not count.</p>
      </div>
      {loaded.state === "failed" && (
        <ErrorNote title="The changes could not be read." message={loaded.trouble.message} onRetry={reload} />
      )}
      {list === null && loaded.state === "loading" && <Skeleton lines={4} what="what changed" />}
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
          <Told key={told.id} told={told} />
        ))}
        {next === null && (
          <li>
            <time dateTime={domain.createdAt}>{toMoment(domain.createdAt)}</time>
            <p>{list.total === 0 ? "Watched since then. Nothing has changed." : "Watched since then."}</p>
          </li>
        )}
      </ol>
      {trouble !== null && <ErrorNote title="No more could be read." message={trouble.message} />}
      {next !== null && (
        <button class="btn small mt-4" type="button" disabled={isBusy} onClick={readOlder}>
          {isBusy ? "Reading …" : "Show older changes"}
        </button>
      )}
    </>
  );
}

/** What lies behind the first page; read anew from there when that changes. */
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

/** Drawn apart: that DNS does not answer changes nothing. */
function Silence({ domain }: { readonly domain: MonitoredDomain }) {
  const silent = verdictMechanisms.filter((mechanism) => domain[mechanism] === "error");
  if (silent.length === 0 || domain.checkedAt === null) return null;
  const known = silent.filter((mechanism) => domain.details?.[mechanism]?.lastKnown);
  return (
    <li class="unknown">
      <div class="row">
        <Badge tone="unknown">DNS did not answer</Badge>
        <Moment time={domain.checkedAt} words={toMoment(domain.checkedAt)} />
      </div>
      <p class="small muted">
        Not a change, and no alert is sent.
        {known.length > 0 &&
          ` What was last known of ${toList(known.map((mechanism) => verdictNames[mechanism]))} stays in force.`}
      </p>
    </li>
  );
}

const noticeWords: Readonly<Record<ToldChange["kind"], string | null>> = {
  drift: null,
  mended: "Mended: as it was before.",
  unstable: "It goes to and fro. Its changes are told no further until it keeps still.",
};

function Told({ told: { kind, changes, at } }: { readonly told: ToldChange }) {
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
  return { worse: "changed for the worse", better: "changed for the better", neutral: "changed" }[direction];
}
