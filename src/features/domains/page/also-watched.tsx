// The records that are checked in addition to SPF, DKIM, DMARC and BIMI.

import { Table } from "../../../web/parts/table.tsx";
import { Words } from "../../../web/parts/text.tsx";
import { Severity } from "../../../web/parts/tone.tsx";
import { toAnchor } from "../../../web/report/findings.ts";
import type { Finding } from "../../tests/contract/judgment.ts";
import type { CheckedDomain } from "../contract/domains.ts";
import { rankOf, toFound } from "./verdict-cards.tsx";

type WatchedItem = {
  readonly name: string;
  readonly gloss: string;
  /** The mechanism whose facts describe the record. */
  readonly mechanism?: string;
  readonly checks: readonly string[];
};

const watched: readonly WatchedItem[] = [
  { name: "MX", gloss: "incoming mail servers", mechanism: "mx", checks: ["mx-hosts", "from-domain"] },
  { name: "MTA-STS", gloss: "encryption policy", mechanism: "mtaSts", checks: ["mta-sts"] },
  { name: "TLS-RPT", gloss: "TLS failure reports", mechanism: "tlsRpt", checks: ["tls-rpt"] },
  { name: "DNSSEC", gloss: "signed DNS records", mechanism: "dnssec", checks: ["dnssec"] },
  { name: "DANE", gloss: "TLS certificates in DNS", mechanism: "dane", checks: ["dane"] },
  { name: "Name servers", gloss: "delegation and TTLs", checks: ["nameservers", "dns-wildcard", "dns-ttl"] },
  { name: "Blocklists", gloss: "listing status", checks: ["domain-blocklist", "sender-blocklist"] },
];

export function AlsoWatched({ domain }: { readonly domain: CheckedDomain }) {
  return (
    <div class="mt-4 card flush">
      <Table look="fold also" caption="Other records" columns={["Check", "Found", "Status"]}>
        {watched.map((row) => (
          <WatchedRow key={row.name} row={row} domain={domain} />
        ))}
      </Table>
    </div>
  );
}

type RowProps = { readonly row: WatchedItem; readonly domain: CheckedDomain };

function WatchedRow({ row, domain }: RowProps) {
  const { findings, skipped, details } = domain;
  const isOurs = ({ check }: { readonly check: string }) => row.checks.includes(check);
  const [worst] = (findings ?? [])
    .filter(isOurs)
    .toSorted(
      (a, b) => rankOf(a.severity) - rankOf(b.severity) || row.checks.indexOf(a.check) - row.checks.indexOf(b.check),
    );
  const missed = (skipped ?? []).find(isOurs);
  const detail = row.mechanism === undefined ? undefined : details?.[row.mechanism];
  const found = detail && row.mechanism !== undefined ? toFound(row.mechanism, detail.facts) : null;
  const isIssue = worst !== undefined && worst.severity !== "good" && worst.severity !== "info";
  return (
    <tr>
      <th scope="row">
        {row.name}, <span class="muted">{row.gloss}</span>
      </th>
      <td>
        {isIssue || (found === null && worst) ? <Title finding={worst} /> : found}
        {missed && !isIssue && (
          <span class="under small muted">
            {found === null ? "Not checked" : "Partly checked"}: {missed.says}.
          </span>
        )}
        {found === null && !worst && !missed && <span class="faint">–</span>}
      </td>
      <td>
        <State worst={worst} isMissed={missed !== undefined} />
      </td>
    </tr>
  );
}

function Title({ finding: { id, title, summary, severity } }: { readonly finding: Finding }) {
  if (severity === "good") return <Words text={summary} />;
  return (
    <>
      {severity === "info" ? title : <a href={`#${toAnchor(id)}`}>{title}</a>}
      <span class="under small muted">
        <Words text={summary} />
      </span>
    </>
  );
}

function State({ worst, isMissed }: { readonly worst: Finding | undefined; readonly isMissed: boolean }) {
  if (!worst && isMissed) return <Severity tone="unknown">Not checked</Severity>;
  if (!worst) return <span class="small faint">Doesn’t apply</span>;
  if (worst.severity === "good") return <Severity tone="good">Pass</Severity>;
  return worst.severity === "info" ? <Severity tone="info">Optional</Severity> : <Severity tone={worst.severity} />;
}
