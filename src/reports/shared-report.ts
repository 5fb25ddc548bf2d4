// The part of a report that a share shows, and that a saved report starts with (src/decisions.md, "Shares"). It is an
// allowlist: fields that later versions add to a report aren't shared until they are listed here.

import type { Area, Check, Owner, Severity } from "../checks/check.ts";
import type { FactName } from "../checks/facts.ts";
import { toProviderName } from "../checks/gate-reply.ts";
import { whyWords } from "../checks/inner-title.ts";
import type { KindFact } from "../checks/kind.ts";
import { checks, checksById } from "../checks/list.ts";
import { type Reference, toReferences } from "../checks/references.ts";
import { readHeaderSection } from "../mail/headers/fields.ts";
import type { Folder } from "../placement/provider.ts";
import { findDeciding, findHolding } from "./deciding-words.ts";
import type { ProposedRecord } from "./fix-records.ts";
import { toGrade } from "./grade-words.ts";
import type { JudgedFinding, Judgment, Occurrence } from "./judgment.ts";
import { createMask, type Mask } from "./mask.ts";
import type { Observation } from "./observation.ts";
import { toPlaced } from "./placed.ts";
import { issuesOf, type Step, stepsOf } from "./plan.ts";
import type { Report } from "./report.ts";
import { areaLabels, type Score } from "./score.ts";

export type SharedFinding = {
  readonly id: string;
  readonly severity: Severity;
  readonly area: string;
  readonly title: string;
  /** With the evidence; null if it quotes something that is not shown. */
  readonly summary: string | null;
  readonly reason: string;
  readonly fix: string | null;
  /** From this fix alone. */
  readonly gain: number;
  /** Null if fixing it changes no score. */
  readonly step: Pick<Step, "unlocks" | "cap"> | null;
  readonly owner: Owner;
  readonly records: readonly ProposedRecord[];
  /** The finding that causes it. */
  readonly ownedBy: string | null;
  /** Number of further occurrences. */
  readonly more: number;
  /** The evidence of each occurrence; empty in a share. */
  readonly occurrences: readonly Occurrence[];
  readonly references: readonly Reference[];
};

export type SharedPlacement = {
  /** `imap`: a mailbox at none of the large providers. */
  readonly id: string;
  readonly provider: string;
  readonly folder: Folder;
  /** The folder for a bulk sender, if different. */
  readonly ifLarge: Folder | null;
  /** Null if seed mailboxes showed it. Their accounts are not named. */
  readonly confidence: number | null;
  readonly rules: { readonly met: number; readonly total: number; readonly unknown: number } | null;
};

export type SharedReport = {
  readonly score: Pick<Score, "composite" | "coverage"> & { readonly grade: string | null };
  /** The type of message it is scored as, and the confidence. */
  readonly type: Pick<KindFact, "kind" | "scoredAs" | "source" | "confidence"> | null;
  /** The finding that keeps the score below the mean of its areas, in words. */
  readonly held: { readonly at: number; readonly by: string | null } | null;
  /** How many issues hold the score down or make a provider reject the message. */
  readonly deciding: number;
  /** Areas with at least one applicable check. A plain-text message has no HTML to check. */
  readonly areas: readonly {
    readonly label: string;
    readonly score: number | null;
    readonly weight: number;
  }[];
  /** Biggest gain first. */
  readonly findings: readonly SharedFinding[];
  readonly placement: readonly SharedPlacement[];
  /** Checks that passed. */
  readonly passed: readonly string[];
  /** Checks that were not completed, with the reason. */
  readonly skipped: readonly { readonly asks: string; readonly why: string }[];
};

type SharedTerms = {
  /** all: for the message's owner. message: for others. headers: for others, without anything from the body. */
  readonly shows: "all" | "message" | "headers";
  readonly mask: Mask;
  /** What seed mailboxes showed. */
  readonly observed: readonly Pick<Observation, "provider" | "folder">[];
};

/** Facts about the body, or about the whole message including its body. */
const bodyFacts: ReadonlySet<FactName> = new Set([
  "message",
  "raw",
  "html",
  "links",
  "linkHosts",
  "images",
  "attachments",
  "uribl",
  "scanner",
] as const);

export function toSharedReport(report: Report, { shows, mask, observed }: SharedTerms): SharedReport {
  const { judgment } = report;
  const { score } = judgment;
  const isQuotable = (check: string) => {
    if (shows === "all") return true;
    const facts = factsOf(checksById.get(check));
    return (
      !facts.includes("attachments") && !(shows === "headers" && facts.some((fact) => bodyFacts.has(fact)))
    );
  };
  const steps = new Map(stepsOf(judgment).map((step) => [step.finding, step]));
  const [holding] = findHolding(score.limit, judgment.plan);
  const findings = inOrder(judgment).map((finding) => ({
    ...toSharedFinding(finding, isQuotable(finding.check), mask),
    step: (finding.ownedBy === null && steps.get(finding.id)) || null,
    occurrences: shows === "all" ? finding.occurrences : [],
  }));
  return {
    score: { composite: score.composite, coverage: score.coverage, grade: toGrade(score) },
    type: judgment.kind && toType(judgment.kind),
    held: score.limit && {
      at: score.limit.value,
      by: findings.find(({ id }) => id === holding)?.title ?? null,
    },
    deciding: findDeciding(
      judgment.findings.map((finding) => ({ ...finding, owner: finding.ownedBy })),
      score.limit?.findings ?? [],
      judgment.volume === "large" && judgment.kind?.kind === "bulk",
    ).size,
    areas: score.areas
      .filter(({ coverage }) => coverage !== null)
      .map(({ area, score, weight }) => ({ label: areaLabels[area], score, weight })),
    findings,
    placement: toSharedPlacement(judgment, observed),
    passed: [
      ...judgment.findings.filter(({ severity }) => severity === "good").map(({ check }) => check),
      ...judgment.passes.map(({ check }) => check),
    ].flatMap(asksOf),
    skipped: judgment.skipped.flatMap(({ check, why }) =>
      asksOf(check).map((asks) => ({ asks, why: whyWords[why] })),
    ),
  };
}

function toType({ kind, scoredAs, source, confidence }: KindFact): SharedReport["type"] {
  return { kind, scoredAs, source, confidence };
}

/**
 * The issues in the order of the plan, then their consequences and notes, the most severe first. Good findings are left
 * out.
 */
function inOrder(judgment: Judgment): JudgedFinding[] {
  const issues = issuesOf(judgment);
  const roots = new Map(issues.map((issue) => [issue, { ...issue, ownedBy: null }]));
  const others = judgment.findings.filter((one) => !roots.has(one) && one.severity !== "good");
  return [...roots.values(), ...others];
}

/** `recipients`: our own addresses. The header names the other recipients. */
export function createReportMask(
  report: Pick<Report, "rawHeaders"> | null,
  recipients: readonly string[],
  seedDomains: readonly string[],
): Mask {
  return createMask({
    seedAddresses: recipients,
    seedDomains,
    recipients: report ? recipientsIn(report.rawHeaders) : [],
    ordinaryWords: ownWords(),
  });
}

/** A finding that quotes something hidden is shown only with its title and the fix from the catalogue. */
function toSharedFinding(
  finding: JudgedFinding,
  isQuotable: boolean,
  mask: Mask,
): Omit<SharedFinding, "step" | "occurrences"> {
  const { id, check, severity, area, title, says, why, ownedBy, owner, gain } = finding;
  const { records = [], occurrences, leftOut, references } = finding;
  const words = checksById.get(check)?.findings[id.slice(check.length + 1)];
  const fix = isQuotable ? finding.fix : (words?.fix ?? null);
  return {
    id,
    severity,
    ...{ ownedBy, owner, gain },
    records: isQuotable ? records.map((record) => maskRecord(record, mask)) : [],
    area: areaLabels[area satisfies Area],
    title,
    summary: isQuotable ? mask(says) : null,
    reason: why,
    fix: fix && mask(isQuotable ? fix : toGeneral(fix)),
    more: Math.max(0, occurrences.length - 1) + leftOut,
    references: references.flatMap(toReferences),
  };
}

/** A sentence of the catalogue without the parts that a message fills in. */
function toGeneral(sentence: string): string {
  return sentence.replace(/\[\[[^[\]]*\]\]/g, "").replace(/\{\w+\}/g, "…");
}

function maskRecord({ name, type, value, replaces }: ProposedRecord, mask: Mask): ProposedRecord {
  return { name: mask(name), type, value: mask(value), replaces: replaces.map(mask) };
}

function toSharedPlacement(
  { placement, tallies }: Judgment,
  observed: SharedTerms["observed"],
): SharedPlacement[] {
  const predictions = placement?.predictions ?? [];
  return toPlaced(predictions, observed).map(({ provider, folder, isObserved }) => {
    const tally = tallies.find((one) => one.provider === provider);
    const count = (...standings: readonly string[]) =>
      tally?.items.filter(({ standing }) => standings.includes(standing)).length ?? 0;
    const rules = tally && { met: count("met"), total: count("met", "not-met"), unknown: count("unknown") };
    const predicted = predictions.find((one) => one.provider === provider);
    const confidence = isObserved ? null : (predicted?.confidence ?? null);
    const id = provider.startsWith("imap:") ? "imap" : provider;
    const ifLarge = isObserved ? null : (predicted?.ifLarge?.folder ?? null);
    return { id, provider: toSharedName(provider), folder, ifLarge, confidence, rules: rules ?? null };
  });
}

/** `imap:<account>` would name its owner. */
function toSharedName(provider: string): string {
  return provider.startsWith("imap:") ? "A seed mailbox" : toProviderName(provider);
}

function factsOf(check: Check | undefined): readonly FactName[] {
  return check ? [...check.needs, ...check.wants] : ["message", "attachments"];
}

function asksOf(id: string): string[] {
  const check = checksById.get(id);
  return check ? [check.asks] : [];
}

const recipientFields =
  /^((resent-)?(to|cc|bcc)|(x-)?(delivered|envelope|original|apparently|rcpt|forwarded)-(to|for)|x-(original|envelope|delivered|rcpt)-to|received)$/;

/** Headers with addresses, including Received lines, whose "for" names a recipient. */
function recipientsIn(rawHeaders: string): string[] {
  const { fields } = readHeaderSection(Buffer.from(rawHeaders));
  return fields
    .filter(({ key }) => recipientFields.test(key))
    .flatMap(({ value }) => value.split(/[\s<>()"',;:]+/))
    .filter((word) => /.@./.test(word));
}

let knownWords: ReadonlySet<string> | undefined;

function ownWords(): ReadonlySet<string> {
  knownWords ??= new Set(
    checks
      .flatMap(({ label, asks, why, passes, findings }) => [
        label,
        asks,
        why,
        passes,
        ...Object.values(findings).flatMap(({ title, says, fix }) => [title, says, fix ?? ""]),
      ])
      .flatMap((sentence) => sentence.toLowerCase().split(/[^\p{L}\p{N}]+/u)),
  );
  return knownWords;
}
