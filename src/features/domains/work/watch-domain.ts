// One check of a monitored domain: what it publishes, and what changed. Before a change is reported, the domain is
// checked again at its authoritative servers. A false alarm costs more than a second check.

import { checkDomain, type DomainInput } from "../../../analyzer/check-domain.ts";
import { whyUnknown } from "../../../analyzer/checks/fact.ts";
import { type Dns, isWithin, textsOf, toQuestionKey, toQuestionName } from "../../../analyzer/dns/answer.ts";
import type { DriftNotice } from "../../../analyzer/domains/drift.ts";
import { toSnapshot } from "../../../analyzer/domains/snapshot.ts";
import { isUnstable, type Observation, observe, parseWatch } from "../../../analyzer/domains/watch.ts";
import { askZoneFirst } from "../../../analyzer/facts/zone.ts";
import {
  type DomainReport,
  toDomainGist,
  type VerdictMechanism,
  type VerdictWord,
} from "../../../analyzer/reports/domain-report.ts";
import type { BrokenCheck } from "../../../analyzer/world.ts";
import { encodeReport } from "../../tests/rows/reports.ts";
import type { KeptReport } from "../rows/domain-checks.ts";
import type { SweepContext } from "./sweep-context.ts";

export type DomainJob = {
  readonly kind: "domain";
  readonly input: DomainInput;
  /** JSON of Watch; null at the first check. */
  readonly watch: string | null;
  /** Null: no report yet. */
  readonly kept: KeptReport | null;
  /** Bypasses our cache, because a user is waiting for the current state. */
  readonly fresh: boolean;
};

/** Sent to the main thread, which writes it to the database unchanged. */
export type DomainFinding = {
  readonly checkedAt: number;
  /** Encoded for storage. Null: same as the stored report. */
  readonly report: Uint8Array | null;
  readonly kept: KeptReport;
  readonly words: Readonly<Record<VerdictMechanism, VerdictWord>>;
  readonly score: number | null;
  /** TXT records for the domain that may be its verification record. Null: DNS did not answer. */
  readonly marks: readonly string[] | null;
  /** Guessed selectors that exist. Null: not known. */
  readonly found: readonly string[] | null;
  /** Certificates of its MX hosts. Null: not checked. */
  readonly certificates: DomainReport["analysis"]["certificates"];
  readonly watch: string;
  readonly unstable: boolean;
  readonly notice: DriftNotice | null;
  readonly confirmAt: number | null;
  readonly broken: readonly BrokenCheck[];
};

type Snapshot = { readonly report: DomainReport; readonly broken: readonly BrokenCheck[] } & Observation;

export async function watchDomain(job: DomainJob, analyst: SweepContext): Promise<DomainFinding> {
  const { input, fresh } = job;
  const before = job.watch === null ? null : parseWatch(job.watch);
  const checkWith = async (dns: Dns): Promise<Snapshot> => {
    const { report, broken } = await checkDomain(input, { ...analyst, dns });
    const snapshot = toSnapshot(report, before?.baseline ?? null);
    return { report, broken, ...observe(before, snapshot, report.analysis.startedAt) };
  };
  const first = await checkWith(fresh ? analyst.uncached : remembering(input.domain, analyst));
  if (first.notice === null) return toFinding(first, job);
  return toFinding(await checkWith(askZoneFirst(input.domain, analyst.uncached, analyst.openZone)), job);
}

/** Shared names come from the cache. The domain's own names are always asked. */
function remembering(domain: string, { dns, uncached }: SweepContext): Dns {
  return { query: (name, type) => (isWithin(toQuestionName(name) ?? "", domain) ? uncached : dns).query(name, type) };
}

function toFinding({ report, broken, watch, notice, confirmAt }: Snapshot, job: DomainJob): DomainFinding {
  const { verdicts, judgment, analysis } = report;
  const { spf, dkim, dmarc, bimi } = verdicts;
  return {
    checkedAt: analysis.startedAt,
    ...toKept(report, job),
    words: { spf: spf.word, dkim: dkim.word, dmarc: dmarc.word, bimi: bimi.word },
    score: judgment.score.composite,
    marks: readMarks(report),
    found: readFound(report),
    certificates: analysis.certificates,
    watch: JSON.stringify(watch),
    unstable: isUnstable(watch),
    notice,
    confirmAt,
    broken,
  };
}

/** A stored report shows DNS times and durations. It is replaced at least daily, and at every manual check. */
const maxKeptMs = 86_400_000;

function toKept(report: DomainReport, { kept, fresh }: DomainJob): Pick<DomainFinding, "report" | "kept"> {
  const { startedAt } = report.analysis;
  const gist = toDomainGist(report);
  const age = kept?.gist === gist ? startedAt - kept.reportedAt : Infinity;
  // A negative age means that the clock was set back.
  if (kept && !fresh && age >= 0 && age < maxKeptMs) return { report: null, kept };
  return { report: encodeReport(JSON.stringify(report)), kept: { gist, reportedAt: startedAt } };
}

/** Some DNS panels capitalize it. */
const mark = /assay-verify/i;
const maxMarks = 20;
const maxMarkLength = 200;

function readMarks({ domain, analysis }: DomainReport): string[] | null {
  const key = toQuestionKey(domain, "TXT");
  const answer = analysis.dns.find(({ name, type }) => toQuestionKey(name, type) === key);
  if (answer === undefined || whyUnknown(answer) !== undefined) return null;
  return textsOf(answer)
    .filter((text) => text.length <= maxMarkLength && mark.test(text))
    .slice(0, maxMarks);
}

function readFound({ facts: { dkimKeys } }: DomainReport): string[] | null {
  if (!dkimKeys.known) return null;
  return dkimKeys.value.flatMap(({ selector, source }) => (source === "probed" ? [selector] : []));
}
