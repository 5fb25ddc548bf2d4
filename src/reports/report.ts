// The result of an analysis.

import type {
  Arc,
  Bimi,
  Dkim,
  Dmarc,
  DmarcResult,
  ResultWord,
  SpfRecord,
  SpfResult,
} from "../checks/authentication-facts.ts";
import type { Owner } from "../checks/check.ts";
import type { Fact } from "../checks/fact.ts";
import type { History, Own } from "../checks/facts.ts";
import type {
  Allow,
  DomainListing,
  HeloFact,
  LinkHost,
  Listing,
  ListState,
  MxFact,
  Ptr,
  Row,
  ScannerResult,
} from "../checks/infrastructure-facts.ts";
import type { KindFact, KindReason } from "../checks/kind.ts";
import { checksById } from "../checks/list.ts";
import type { DnsAnswer } from "../dns/answer.ts";
import type { JudgedTime } from "../mail/headers/judged-time.ts";
import type { LineFacts } from "../mail/mime/line-facts.ts";
import type { JudgedFinding, Judgment, Occurrence } from "./judgment.ts";
import type { RecordedWords } from "./receiver-verdicts.ts";
import type { Timeline } from "./timeline.ts";

export type Authentication = {
  /** For the envelope sender, or the HELO name if the return path is empty. */
  readonly spf: Fact<SpfResult>;
  readonly spfHelo: Fact<SpfResult>;
  readonly spfRecord: Fact<SpfRecord>;
  readonly dkim: Fact<Dkim>;
  readonly dmarc: Fact<Dmarc>;
  readonly dmarcResult: Fact<DmarcResult>;
  readonly arc: Fact<Arc>;
  readonly bimi: Fact<Bimi>;
  /** Results of a trusted receiver; missing if the user named none or it recorded nothing. */
  readonly recorded?: RecordedWords;
};

/** The sending host, the domains in the message, and their reputation. */
export type Surroundings = {
  readonly ptr: Fact<Ptr>;
  readonly helo: Fact<HeloFact>;
  readonly mx: readonly Row<MxFact>[];
  readonly linkHosts: readonly Row<LinkHost>[];
  readonly listings: Fact<readonly Row<Listing>[]>;
  readonly allows: Fact<readonly Row<Allow>[]>;
  readonly domains: Fact<readonly Row<DomainListing>[]>;
  /** One per configured scanner. */
  readonly scanners: readonly Row<ScannerResult>[];
};

export type Report = {
  readonly subject: string | null;
  readonly from: string | null;
  /** As in the header. */
  readonly messageId: string | null;
  /** The same for messages with the same body. */
  readonly bodyKey: string;
  /** The headers as received, up to the read limit. */
  readonly rawHeaders: string;
  readonly lines: LineFacts;
  readonly judgment: Judgment;
  readonly authentication: Authentication;
  readonly surroundings: Surroundings;
  readonly timeline: Timeline;
  /** Sentences about parts that were not read because the message is over a limit. */
  readonly shortened: readonly string[];
  readonly analysis: Evidence & {
    readonly version: string;
    /** Made from the evidence of an earlier report, without new lookups. */
    readonly isReplay: boolean;
    readonly startedAt: number;
    /** The time by which signatures and clocks were judged. Missing in old reports. */
    readonly judgedAt?: number;
    readonly judgedFrom?: JudgedTime["from"];
    readonly durationMs: number;
  };
};

/** All answers from outside the message and its session. */
export type Evidence = {
  readonly dns: readonly DnsAnswer[];
  /** Lookups that one part of the analysis had to skip, although another part may have made them. */
  readonly unasked: readonly string[];
  /** Which lists were queried, and which of them gave usable answers. */
  readonly lists: readonly ListState[];
  readonly scanners: readonly Row<ScannerResult>[];
  /** What the workspace knew about earlier messages and its own domains. */
  readonly history: Fact<History>;
  readonly own: Fact<Own>;
};

/**
 * Reads a stored report. Null for one in an older format: the test's row keeps the verdicts, and re-analysis replaces
 * it.
 */
export function parseReport(json: string): Report | null {
  const report = JSON.parse(json) as Partial<Report>;
  const { judgment } = report;
  const isWhole = judgment?.tallies && judgment.placement && report.surroundings && report.timeline;
  return isWhole ? withWeighedKind({ ...(report as Report), judgment: upgradeJudgment(judgment) }) : null;
}

/** Old reports have reasons as plain sentences and no confidence for the kind. */
function withWeighedKind(report: Report): Report {
  const { judgment } = report;
  const alternatives = (judgment.alternatives as Judgment["alternatives"] | undefined) ?? [];
  const kind = judgment.kind && readKindFact(judgment.kind);
  return { ...report, judgment: { ...judgment, kind, alternatives } };
}

type OldKindFact = Omit<KindFact, "reasons"> & { readonly reasons: readonly (KindReason | string)[] };

function readKindFact(fact: OldKindFact & Partial<KindFact>): KindFact {
  const { kind, overridden } = fact;
  const reasons = fact.reasons.map((one) =>
    typeof one === "string" ? { text: one, points: null, kind } : one,
  );
  return {
    ...fact,
    reasons,
    scoredAs: fact.scoredAs ?? kind,
    confidence: fact.confidence ?? null,
    scores: fact.scores ?? null,
    source: fact.source ?? (overridden ? "person" : "inferred"),
  };
}

/** The three results that lists show; null if unknown. */
export function toResultWords({
  authentication: { spf, dkim, dmarcResult },
}: Report): Record<"spf" | "dkim" | "dmarc", ResultWord | null> {
  return {
    spf: spf.known ? spf.value.result : null,
    dkim: dkim.known ? toDkimWord(dkim.value) : null,
    dmarc: dmarcResult.known ? dmarcResult.value.result : null,
  };
}

const fromBest: readonly ResultWord[] = [
  "pass",
  "temperror",
  "policy",
  "neutral",
  "fail",
  "permerror",
  "softfail",
  "none",
];

/** One result for all signatures: the best one, an aligned one first; "none" without a signature. */
export function toDkimWord({ signatures }: Dkim): ResultWord {
  const rank = ({ result, aligned }: Dkim["signatures"][number]) =>
    fromBest.indexOf(result) * 2 + (aligned.relaxed ? 0 : 1);
  const [best] = [...signatures].sort((left, right) => rank(left) - rank(right));
  return best?.result ?? "none";
}

// Reads judgments of earlier versions. Before 0.1.0, `title` was the sentence with the evidence, and there was no short
// title and no owner. Both now come from the catalogue.

type KeptReport<T extends { readonly says: string }> = Omit<T, "says"> & { readonly says?: string };
type KeptFinding = Omit<KeptReport<JudgedFinding>, "owner" | "occurrences"> & {
  readonly owner?: Owner;
  readonly occurrences: readonly (KeptReport<Occurrence> & { readonly title?: string })[];
};

export function upgradeJudgment<T extends Pick<Judgment, "findings">>(judgment: T): T {
  const findings: readonly KeptFinding[] = judgment.findings;
  return findings.every(({ says }) => says !== undefined)
    ? judgment
    : { ...judgment, findings: findings.map(upgradeFinding) };
}

/** A finding that is no longer in the catalogue has only its sentence as a title. */
function upgradeFinding(kept: KeptFinding): JudgedFinding {
  const { id, check, title, says = title } = kept;
  const known = checksById.get(check);
  const words = known?.findings[id.slice(check.length + 1)];
  return {
    ...kept,
    says,
    title: words?.title ?? title,
    owner: words?.owner ?? known?.owner ?? "email-service",
    occurrences: kept.occurrences.map(({ title: sentence = says, ...one }) => ({ says: sentence, ...one })),
  };
}
