// The addresses that send as a domain, by volume, and how much of their mail passes DMARC.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { toCount, toList, toPercent, toPlural } from "../../../web/client/words.ts";
import { ShareRects, type ShareStyle, toShares } from "../../../web/parts/charts.tsx";
import { Table } from "../../../web/parts/table.tsx";
import { Severity } from "../../../web/parts/tone.tsx";
import type { DomainSources } from "../contract/domain-sources.ts";

type Source = DomainSources["sources"][number];
type SourceSums = Pick<Source, "messages" | "passed" | "dkimAligned" | "spfAligned" | "none" | "quarantine" | "reject">;

const mostRows = 15;

export function SourceTable({ sources }: { readonly sources: DomainSources }) {
  const { reports, organizations, others } = sources;
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? sources.sources : sources.sources.slice(0, mostRows);
  const names = organizations.flatMap(({ name }) => name ?? []);
  const rest = organizations.length - 5;
  return (
    <div class="card flush">
      <Table
        look="mid fold sources"
        caption={
          <>
            {toPlural(sources.messages, "message", "messages")} in {toPlural(reports, "report", "reports")} by{" "}
            {toList([...names.slice(0, 5), ...(rest > 0 ? [`${toCount(rest)} more`] : [])])}
          </>
        }
        columns={[
          "From",
          { num: "Messages" },
          "Pass DMARC",
          { num: "DKIM aligned" },
          { num: "SPF aligned" },
          "Delivery",
        ]}
      >
        {shown.map((source) => (
          <Row key={source.sourceIp} sums={source}>
            <Sender source={source} />
          </Row>
        ))}
        {others.messages > 0 && (
          <Row sums={others}>
            <span>{toPlural(others.addresses, "other address", "other addresses")} and mail with no address</span>
          </Row>
        )}
      </Table>
      {sources.sources.length > shown.length && (
        <p class="p-34">
          <button class="btn small" type="button" onClick={() => setWhole(true)}>
            Show all {toCount(sources.sources.length)} addresses
          </button>
        </p>
      )}
    </div>
  );
}

function Sender({ source }: { readonly source: Source }) {
  const { sourceIp, name, knownFromTests, headerFroms, reasons, organizations } = source;
  return (
    <span title={`Reported by ${toList(organizations)}, as ${toList(headerFroms)}`}>
      {name ?? <code>{sourceIp}</code>}
      {name !== null && <code class="under small muted">{sourceIp}</code>}
      {knownFromTests && (
        <span class="under">
          <Severity tone="good">Seen in your test mail</Severity>
        </span>
      )}
      {reasons.length > 0 && (
        <span class="under small muted">{toList(reasons.map((reason) => reason.replaceAll("_", " ")))}</span>
      )}
    </span>
  );
}

type RowProps = { readonly sums: SourceSums; readonly children: ComponentChildren };

function Row({ sums, children }: RowProps) {
  const { messages, dkimAligned, spfAligned } = sums;
  return (
    <tr>
      <th scope="row">{children}</th>
      <td data-l="Messages" class="num">
        <span>{toCount(messages)}</span>
      </td>
      <td data-l="Pass DMARC">
        <PassBar sums={sums} />
      </td>
      <td data-l="DKIM aligned" class="num">
        <span>{toShare(dkimAligned, messages)}</span>
      </td>
      <td data-l="SPF aligned" class="num">
        <span>{toShare(spfAligned, messages)}</span>
      </td>
      <td data-l="Delivery" class="small">
        <span>{toOutcomes(sums)}</span>
      </td>
    </tr>
  );
}

const looks: readonly (ShareStyle & { readonly isPass: boolean })[] = [
  { word: "pass", fill: null, className: "f-inbox", isPass: true },
  { word: "fail", fill: "url(#h-reject)", className: undefined, isPass: false },
];

function PassBar({ sums: { messages, passed } }: { readonly sums: SourceSums }) {
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

function toShare(part: number, whole: number): string {
  return whole === 0 ? "–" : toPercent(part / whole);
}

function toOutcomes({ none, quarantine, reject }: SourceSums): string {
  const outcomes = [
    { count: none, says: "delivered" },
    { count: quarantine, says: "quarantined" },
    { count: reject, says: "rejected" },
  ].filter(({ count }) => count > 0);
  return outcomes.map(({ count, says }) => `${toCount(count)} ${says}`).join(", ") || "not reported";
}
