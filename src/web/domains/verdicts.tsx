// The four verdicts of a domain as words and signs.

import type { DomainSummary, MonitoredDomain } from "../../api/domains.ts";
import { isNeeded, listFailing } from "../../api/failing-words.ts";
import { Badge, Severity, type Tone } from "../parts/tone.tsx";

export const verdictNames = { spf: "SPF", dkim: "DKIM", dmarc: "DMARC", bimi: "BIMI" } as const;

export type Mechanism = keyof typeof verdictNames;
export type Verdict = DomainSummary[Mechanism];

export const verdictMechanisms = Object.keys(verdictNames) as readonly Mechanism[];

export const mechanismNames: Readonly<Record<string, string>> = {
  ...verdictNames,
  ...{ mx: "MX", mtaSts: "MTA-STS", tlsRpt: "TLS-RPT", dnssec: "DNSSEC", dane: "DANE" },
};

const looks: Readonly<Record<NonNullable<Verdict>, { readonly tone: Tone; readonly word: string }>> = {
  pass: { tone: "good", word: "Pass" },
  warn: { tone: "minor", word: "Warning" },
  fail: { tone: "critical", word: "Fail" },
  missing: { tone: "info", word: "Missing" },
  error: { tone: "unknown", word: "No answer" },
};

export function toVerdictWord(verdict: Verdict): string {
  return verdict === null ? "Not checked" : looks[verdict].word;
}

export function toVerdictTone(mechanism: Mechanism, verdict: Verdict): Tone {
  if (verdict === null) return "unknown";
  if (verdict === "missing" && isNeeded(mechanism)) return "major";
  return looks[verdict].tone;
}

type Shown = { readonly mechanism: Mechanism; readonly verdict: Verdict };

export function VerdictSign({ mechanism, verdict }: Shown) {
  return <Severity tone={toVerdictTone(mechanism, verdict)}>{toVerdictWord(verdict)}</Severity>;
}

export function VerdictBadge({ mechanism, verdict }: Shown) {
  return <Badge tone={toVerdictTone(mechanism, verdict)}>{toVerdictWord(verdict)}</Badge>;
}

type Verdicts = Pick<DomainSummary, Mechanism>;

/** As the dashboard counts it. */
export function isFailing(domain: Verdicts): boolean {
  return listFailing(domain).length > 0;
}

/** Its score would praise what nobody saw. */
export function isSilent(domain: Verdicts): boolean {
  return verdictMechanisms.some((mechanism) => domain[mechanism] === "error");
}

const dayMs = 86_400_000;

export function hasDriftedLately({ lastDriftAt }: Pick<DomainSummary, "lastDriftAt">): boolean {
  return lastDriftAt !== null && Date.now() - Date.parse(lastDriftAt) < dayMs;
}

/** What needs a hand comes first. */
export function toRank(domain: DomainSummary): number {
  const hasWord = (word: Verdict) => verdictMechanisms.some((mechanism) => domain[mechanism] === word);
  if (isFailing(domain)) return 0;
  if (hasDriftedLately(domain)) return 1;
  if (hasWord("warn")) return 2;
  if (isSilent(domain) || domain.checkedAt === null) return 3;
  return 4;
}

/** In the form that a report's findings have, so that they are shown by the same piece. */
export function toJudged(domain: MonitoredDomain) {
  const { score, coverage, findings, plan, limit, categoryScores } = domain;
  return { composite: score, coverage, findings, plan, limit, category_scores: categoryScores };
}
