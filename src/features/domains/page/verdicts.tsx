// The four verdicts of a domain as badges.

import { toWholeScore } from "../../../analyzer/reports/grade-words.ts";
import { isNeeded, listFailing } from "../../../analyzer/words/failing-words.ts";
import { toneOfScore } from "../../../analyzer/words/grade-words.ts";
import { Moment } from "../../../web/parts/text.tsx";
import { Badge, Severity, type Tone } from "../../../web/parts/tone.tsx";
import type { CheckedDomain, DomainSummary } from "../contract/domains.ts";
import { isPutBack } from "../rules/standing.ts";

export const verdictNames = { spf: "SPF", dkim: "DKIM", dmarc: "DMARC", bimi: "BIMI" } as const;

export type Mechanism = keyof typeof verdictNames;
export type Verdict = DomainSummary[Mechanism];

export const verdictMechanisms = Object.keys(verdictNames) as readonly Mechanism[];

export const mechanismNames: Readonly<Record<string, string>> = {
  ...verdictNames,
  mx: "MX",
  mtaSts: "MTA-STS",
  tlsRpt: "TLS-RPT",
  dnssec: "DNSSEC",
  dane: "DANE",
};

const looks: Readonly<Record<NonNullable<Verdict>, { readonly tone: Tone; readonly word: string }>> = {
  pass: { tone: "good", word: "Pass" },
  warn: { tone: "minor", word: "Warning" },
  fail: { tone: "critical", word: "Fail" },
  missing: { tone: "info", word: "Missing" },
  error: { tone: "unknown", word: "No response" },
};

export function toVerdictWord(verdict: Verdict): string {
  return verdict === null ? "Not checked" : looks[verdict].word;
}

export function toVerdictTone(mechanism: Mechanism, verdict: Verdict): Tone {
  if (verdict === null) return "unknown";
  if (verdict === "missing" && isNeeded(mechanism)) return "major";
  return looks[verdict].tone;
}

type VerdictProps = { readonly mechanism: Mechanism; readonly verdict: Verdict };

export function VerdictSign({ mechanism, verdict }: VerdictProps) {
  return <Severity tone={toVerdictTone(mechanism, verdict)}>{toVerdictWord(verdict)}</Severity>;
}

export function VerdictBadge({ mechanism, verdict }: VerdictProps) {
  return <Badge tone={toVerdictTone(mechanism, verdict)}>{toVerdictWord(verdict)}</Badge>;
}

type Verdicts = Pick<DomainSummary, Mechanism>;

/** As Home counts it. */
export function isFailing(domain: Verdicts): boolean {
  return listFailing(domain).length > 0;
}

/** DNS gave no answer for a verdict. A score would then count records that weren't checked. */
export function isSilent(domain: Verdicts): boolean {
  return verdictMechanisms.some((mechanism) => domain[mechanism] === "error");
}

const dayMs = 86_400_000;
function isStuck({ checkedAt, createdAt, nextCheckAt }: DomainSummary): boolean {
  return isPutBack(nextCheckAt === null ? null : Date.parse(nextCheckAt), Date.parse(checkedAt ?? createdAt));
}

export function hasDriftedLately({ lastDriftAt }: Pick<DomainSummary, "lastDriftAt">): boolean {
  return lastDriftAt !== null && Date.now() - Date.parse(lastDriftAt) < dayMs;
}

/** Domains with issues come first. */
export function toRank(domain: DomainSummary): number {
  const hasWord = (word: Verdict) => verdictMechanisms.some((mechanism) => domain[mechanism] === word);
  if (isFailing(domain)) return 0;
  if (hasDriftedLately(domain)) return 1;
  if (hasWord("warn")) return 2;
  if (isSilent(domain) || domain.checkedAt === null) return 3;
  return 4;
}

/** In the shape of a report's findings, so that the same component can show them. */
export function toJudged(domain: CheckedDomain) {
  const { score, grade, findings, plan, limit, categoryScores } = domain;
  return { composite: score, grade, findings, plan, limit, category_scores: categoryScores };
}

export function DomainRow({ domain }: { readonly domain: DomainSummary }) {
  const { id, domain: name, checkedAt, nextCheckAt, lastDriftAt, unstable } = domain;
  return (
    <tr>
      <th scope="row">
        <a href={`/domains/${id}`}>{name}</a>
        {isStuck(domain) && (
          <span class="under">
            <Severity tone="unknown">Can’t be checked</Severity>
          </span>
        )}
        {lastDriftAt !== null && hasDriftedLately(domain) && (
          <span class="under">
            <Severity tone="minor">
              Changed <Moment time={lastDriftAt} />
            </Severity>
          </span>
        )}
        {unstable && (
          <span class="under">
            <Severity tone="unknown">Keeps changing</Severity>
          </span>
        )}
      </th>
      {verdictMechanisms.map((mechanism) => (
        <td key={mechanism} data-l={verdictNames[mechanism]}>
          <VerdictSign mechanism={mechanism} verdict={domain[mechanism]} />
        </td>
      ))}
      <td data-l="Score">
        <PlainScore domain={domain} />
      </td>
      <td data-l="Checked" class="small muted">
        {checkedAt === null ? "Not yet" : <Moment time={checkedAt} />}
      </td>
      <td data-l="Next" class="small muted">
        <NextCheck at={nextCheckAt} />
      </td>
    </tr>
  );
}

/** If the time has passed, the check is waiting in the queue. */
export function NextCheck({ at }: { readonly at: string | null }) {
  if (at === null || Date.parse(at) <= Date.now()) return <>soon</>;
  return <Moment time={at} />;
}

function PlainScore({ domain }: { readonly domain: DomainSummary }) {
  if (domain.score === null || isSilent(domain)) return <span class="faint">–</span>;
  return <span class={`score tone ${toneOfScore(domain.score)}`}>{toWholeScore(domain.score)}</span>;
}
