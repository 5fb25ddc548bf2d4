// What is watched beside the four, without a word of its own.

import type { MonitoredDomain } from "../../api/domains.ts";
import type { Finding } from "../../api/judgment.ts";
import { Words } from "../parts/text.tsx";
import { Severity } from "../parts/tone.tsx";
import { toAnchor } from "../report/findings.ts";
import { rankOf, toFound } from "./verdict-cards.tsx";

type WatchedItem = {
  readonly name: string;
  readonly gloss: string;
  /** Whose facts tell what was found. */
  readonly mechanism?: string;
  readonly checks: readonly string[];
};

const watched: readonly WatchedItem[] = [
  { name: "MX", gloss: "where mail arrives", mechanism: "mx", checks: ["mx-hosts", "from-domain"] },
  { name: "MTA-STS", gloss: "encryption demanded", mechanism: "mtaSts", checks: ["mta-sts"] },
  { name: "TLS-RPT", gloss: "reports of failed encryption", mechanism: "tlsRpt", checks: ["tls-rpt"] },
  { name: "DNSSEC", gloss: "signed answers", mechanism: "dnssec", checks: ["dnssec"] },
  { name: "DANE", gloss: "certificates in DNS", mechanism: "dane", checks: ["dane"] },
  {
    name: "Name servers",
    gloss: "who answers for the domain",
    checks: ["nameservers", "dns-wildcard", "dns-ttl"],
  },
  {
    name: "Blocklists",
    gloss: "whether the domain is listed",
    checks: ["domain-blocklist", "sender-blocklist"],
  },
];

export function AlsoWatched({ domain }: { readonly domain: MonitoredDomain }) {
  return (
    <div class="mt-4 card flush">
      <table class="table fold also">
        <caption>Also watched, without a verdict of its own</caption>
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">Found</th>
            <th scope="col">State</th>
          </tr>
        </thead>
        <tbody>
          {watched.map((row) => (
            <WatchedRow key={row.name} row={row} domain={domain} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

type RowProps = { readonly row: WatchedItem; readonly domain: MonitoredDomain };

function WatchedRow({ row, domain }: RowProps) {
  const { findings, skipped, details } = domain;
  const isOurs = ({ check }: { readonly check: string }) => row.checks.includes(check);
  const [worst] = (findings ?? [])
    .filter(isOurs)
    .toSorted(
      (a, b) =>
        rankOf(a.severity) - rankOf(b.severity) || row.checks.indexOf(a.check) - row.checks.indexOf(b.check),
    );
  const missed = (skipped ?? []).find(isOurs);
  const detail = row.mechanism === undefined ? undefined : details?.[row.mechanism];
  const found = detail && row.mechanism !== undefined ? toFound(row.mechanism, detail.facts) : null;
  const isFault = worst !== undefined && worst.severity !== "good" && worst.severity !== "info";
  return (
    <tr>
      <th scope="row">
        {row.name}, <span class="muted">{row.gloss}</span>
      </th>
      <td>
        {isFault || (found === null && worst) ? <Title finding={worst} /> : found}
        {missed && !isFault && (
          <span class="under small muted">
            {found === null ? "Not checked" : "Not checked in all"}: {missed.says}.
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
  if (!worst) return <span class="small faint">Does not apply</span>;
  if (worst.severity === "good") return <Severity tone="good">Pass</Severity>;
  return worst.severity === "info" ? (
    <Severity tone="info">Optional</Severity>
  ) : (
    <Severity tone={worst.severity} />
  );
}
