// One check of a monitored domain: what it publishes, and whether that is news. What would be told is first asked of the
// authoritative side of the cache, whatever the resolver says: a false alarm costs more than a second look.

import { whyUnknown } from "../../checks/fact.ts";
import { type Dns, isWithin, textsOf, toQuestionKey, toQuestionName } from "../../dns/answer.ts";
import type { DriftNotice } from "../../domains/drift.ts";
import { toSnapshot } from "../../domains/snapshot.ts";
import { isUnstable, type Observation, observe, parseWatch } from "../../domains/watch.ts";
import { askZoneFirst } from "../../facts/zone.ts";
import {
  type DomainReport,
  toDomainGist,
  type VerdictMechanism,
  type VerdictWord,
} from "../../reports/domain-report.ts";
import type { KeptReport } from "../../store/domains/domain-checks.ts";
import { encodeReport } from "../../store/tests/reports.ts";
import { checkDomain, type DomainInput } from "./check-domain.ts";
import type { BrokenCheck } from "./context.ts";
import type { SweepContext } from "./sweep-context.ts";

export type DomainJob = {
  readonly kind: "domain";
  readonly input: DomainInput;
  /** JSON of Watch; null at the first check. */
  readonly watch: string | null;
  /** Null: there is no report yet. */
  readonly kept: KeptReport | null;
  /** Not from our own memory, because somebody waits for what is true now. */
  readonly fresh: boolean;
};

/** What is written of it, and nothing that would have to be read again: it crosses to the main thread. */
export type DomainFinding = {
  readonly checkedAt: number;
  /** As it is kept; null: the one that is kept says the same. */
  readonly report: Uint8Array | null;
  readonly kept: KeptReport;
  readonly words: Readonly<Record<VerdictMechanism, VerdictWord>>;
  readonly score: number | null;
  /** TXT at the domain itself that may be the mark of its owner; null: DNS did not answer. */
  readonly marks: readonly string[] | null;
  /** Selectors that were guessed and are there; null: this check could not tell. */
  readonly found: readonly string[] | null;
  /** What the MX hosts showed; null where nobody asked them. */
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
  const look = async (dns: Dns): Promise<Snapshot> => {
    const { report, broken } = await checkDomain(input, { ...analyst, dns });
    const snapshot = toSnapshot(report, before?.baseline ?? null);
    return { report, broken, ...observe(before, snapshot, report.analysis.startedAt) };
  };
  const first = await look(fresh ? analyst.uncached : remembering(input.domain, analyst));
  if (first.notice === null) return toFinding(first, job);
  return toFinding(await look(askZoneFirst(input.domain, analyst.uncached, analyst.openZone)), job);
}

/** What others share may come from our memory; what is the domain's own is asked for each time. */
function remembering(domain: string, { dns, uncached }: SweepContext): Dns {
  return {
    query: (name, type) => (isWithin(toQuestionName(name) ?? "", domain) ? uncached : dns).query(name, type),
  };
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

/** Times of DNS and how long it took are shown with a report: they are to be of the same day, and now where one asked. */
const maxKeptMs = 86_400_000;

function toKept(report: DomainReport, { kept, fresh }: DomainJob): Pick<DomainFinding, "report" | "kept"> {
  const { startedAt } = report.analysis;
  const gist = toDomainGist(report);
  const age = kept?.gist === gist ? startedAt - kept.reportedAt : Infinity;
  // Later than now is what a clock wrote that was set back since.
  if (kept && !fresh && age >= 0 && age < maxKeptMs) return { report: null, kept };
  return { report: encodeReport(JSON.stringify(report)), kept: { gist, reportedAt: startedAt } };
}

/** Some panels write capitals. */
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
