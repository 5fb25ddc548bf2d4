import { useCallback, useState } from "preact/hooks";
import type { AnswerOf } from "../../../platform/contract/endpoint.ts";
import { call } from "../../../web/client/call.ts";
import type { QueryOf } from "../../../web/client/endpoints.ts";
import { useEvents, useLiveReload } from "../../../web/client/events.ts";
import { type LoadState, useLoaded } from "../../../web/client/loading.ts";
import { useSession } from "../../../web/client/session.ts";
import { toPreciseMoment, toShortTime, toSize } from "../../../web/client/words.ts";
import { ShareRects } from "../../../web/parts/charts.tsx";
import { toPlacementShares } from "../../../web/parts/placement-shares.ts";
import { Score } from "../../../web/parts/score.tsx";
import { Severity } from "../../../web/parts/tone.tsx";
import type { WorkspaceEvent } from "../../events/contract.ts";
import { unfinishedWords } from "../../server/words.ts";
import type { listTests } from "../contract/tests.ts";
import type { ListQuery } from "./search.ts";

type RowProps = {
  readonly test: TestRow;
  readonly isSelected: boolean;
  readonly isNew: boolean;
  readonly onSelect: (id: string) => void;
};

export function Row({ test, isSelected, isNew, onSelect }: RowProps) {
  const { id, subject, label, received_at, status, composite, grade } = test;
  const isUnfinished = status === "received" || status === "analyzing";
  const title = subject?.trim() || "No subject";
  return (
    <tr class={isUnfinished || isNew ? "arriving" : undefined} data-test={id}>
      <td class="nb">
        <input type="checkbox" aria-label={`Select ${title}`} checked={isSelected} onChange={() => onSelect(id)} />
      </td>
      <th scope="row">
        <a class="subject" href={`/tests/${id}`}>
          <bdi>{title}</bdi>
        </a>
        <span class="label">
          <Malware found={test.malware} />
          {test.sample && <span class="tag">Sample</span>} {toSender(test)}
        </span>
      </th>
      <td data-l="Label">{label === null ? <span class="faint">–</span> : <span class="tag">{label}</span>}</td>
      {isUnfinished ? (
        <td data-l="Authentication" colSpan={3}>
          <span class="live">{unfinishedWords[status]}</span>
        </td>
      ) : status === "failed" ? (
        <td data-l="Authentication" colSpan={3}>
          <Severity tone="critical">{unfinishedWords.failed}</Severity>
        </td>
      ) : (
        <>
          <td data-l="Authentication">
            <Authentication test={test} />
          </td>
          <td data-l="Placement" class="pl">
            <Rates test={test} />
          </td>
          <td data-l="Score" class="num">
            <Score score={composite} grade={grade} />
          </td>
        </>
      )}
      <td data-l="Received" class="num nowrap">
        <time dateTime={received_at} title={toPreciseMoment(received_at)}>
          {toShortTime(received_at)}
        </time>
      </td>
    </tr>
  );
}

/** Without a word if nothing was found, because a scan doesn't prove that a file is safe. */
function Malware({ found }: { readonly found: TestRow["malware"] }) {
  if (found === "found") return <Severity tone="critical">Malware</Severity>;
  return found === "suspicious" ? <Severity tone="major">Suspicious to ClamAV</Severity> : null;
}

function toSender({ from, size_bytes }: TestRow): string {
  return `${from?.trim() || "No sender"} · ${toSize(size_bytes)}`;
}

const marks = { pass: "good", fail: "critical" } as const;

/** A mark for each. Only DMARC says whether the From domain is authenticated, so it is last. */
function Authentication({ test }: { readonly test: TestRow }) {
  return (
    <span class="marks">
      {(["spf", "dkim", "dmarc"] as const).map((name) => {
        const result = test[name] === "temperror" ? null : test[name];
        const tone = result === null ? "unknown" : (marks[result as keyof typeof marks] ?? "minor");
        return (
          <span key={name} title={`${name.toUpperCase()}: ${result ?? "unknown"}`}>
            <Severity tone={tone}>
              {name.toUpperCase()}
              <span class="vh"> {result ?? "unknown"}</span>
            </Severity>
          </span>
        );
      })}
    </span>
  );
}

function Rates({ test: { inbox_rate: inbox, promo_rate: promotions, spam_rate: spam } }: { readonly test: TestRow }) {
  if (inbox === null) return <span class="faint">–</span>;
  const { shares, label } = toPlacementShares({ inbox, promotions, spam });
  return (
    <span class="mini">
      <svg role="img" aria-label={label}>
        <title>{label}</title>
        <ShareRects shares={shares} />
      </svg>
    </span>
  );
}

/** Tests that arrived while the page is open. They stay highlighted until it is closed. */
export function useArrivals(): ReadonlySet<string> {
  const [arrived, setArrived] = useState<ReadonlySet<string>>(new Set());
  useEvents(
    useCallback((event: WorkspaceEvent) => {
      if (event.type === "test.received") setArrived((known) => new Set([...known, event.id].slice(-100)));
    }, []),
  );
  return arrived;
}

// The list is cached, so going back to it is instant. Events reload it.

export type TestList = AnswerOf<typeof listTests>;
export type TestRow = TestList["items"][number];

const pageSize = 50;

let last: { readonly key: string; readonly list: TestList } | null = null;

type ListState = { readonly loaded: LoadState<TestList>; readonly reload: () => void };

export function useTests(asked: ListQuery, cursor: string | null): ListState {
  // Someone else may log in on the same page.
  const { id } = useSession().workspace;
  const key = JSON.stringify([id, asked, cursor]);
  const { loaded, reload } = useLoaded(
    key,
    async (signal) => {
      const query = { ...asked, limit: pageSize, ...(cursor === null ? {} : { cursor }) };
      const list = await readFullPage(query, signal);
      last = { key, list };
      return list;
    },
    last?.key === key ? last.list : null,
  );
  useLiveReload(reload, isOfTests);
  return { loaded, reload };
}

/** With filters, the server may return a short or empty page before the last one. Reads on until the page is full. */
async function readFullPage(query: QueryOf<"GET /api/tests">, signal: AbortSignal): Promise<TestList> {
  let list = await call("GET /api/tests", { query, signal });
  while (list.items.length < pageSize && list.next !== null) {
    const more = { ...query, cursor: list.next, limit: pageSize - list.items.length };
    const next = await call("GET /api/tests", { query: more, signal });
    list = { ...next, total: list.total, totalIsExact: list.totalIsExact, items: [...list.items, ...next.items] };
  }
  return list;
}

const isOfTests = ({ type }: WorkspaceEvent) => type.startsWith("test.");
