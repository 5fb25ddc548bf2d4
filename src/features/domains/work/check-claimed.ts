// Checks a claimed domain and records the result. If the thread ends or the check throws, it is retried by the rules of
// platform/work/work-loop.ts, then in the next hour.

import { allGuesses, type Guesses } from "../../../analyzer/reports/domain-report.ts";
import { toTimestamp } from "../../../platform/contract/primitives.ts";
import { inWorkspace } from "../../../platform/database/scope.ts";
import type { Store } from "../../../platform/database/store.ts";
import { createId } from "../../../platform/ids.ts";
import type { System } from "../../../platform/system/system.ts";
import type { Closed } from "../../../platform/work/work-loop.ts";
import { raiseAlert } from "../../alerts/work/raise.ts";
import type { Publish } from "../../events/work/hub.ts";
import type { JobThread } from "../../tests/analysis/job-thread.ts";
import {
  type GuessedSelectors,
  insertDomainChange,
  readLastCheck,
  type SeenCertificates,
  writeDomainCheck,
} from "../rows/domain-checks.ts";
import type { DomainsTable } from "../tables.ts";
import type { Learned } from "./domains.ts";
import type { NotePort25 } from "./port25.ts";
import { toConfirmation, toNextGuess, toNextSweep } from "./sweep-times.ts";
import type { DomainFinding, DomainJob } from "./watch-domain.ts";

export type CheckTerms = Omit<RecordTerms, "store" | "system"> & {
  readonly store: Store;
  readonly system: Pick<System, "now" | "random" | "log">;
  readonly thread: JobThread;
  readonly publish: Publish;
  /** Reads what is known about the domain's mail and its workspace. */
  readonly learn: (domain: Pick<DomainsTable, "workspace_id" | "domain">) => Promise<Learned>;
  /** Called with newly read certificates of mail servers. */
  readonly noteReach: NotePort25;
};

export type ClaimedDomain = DomainsTable & {
  /** A user is waiting for it. */
  readonly fresh: boolean;
};

/** Why the check failed. */
export type Trouble = Exclude<Awaited<ReturnType<JobThread["run"]>>, { readonly outcome: "answer" | "closed" }>;

export async function check(row: ClaimedDomain, terms: CheckTerms): Promise<Trouble | Closed | undefined> {
  const { store, system, thread, learn, publish } = terms;
  const [known, last] = await Promise.all([learn(row), readLastCheck(store.read, row.id)]);
  const { watch = null, kept = null } = last ?? {};
  const { guessed: guessedBefore = null, certificates: certificatesBefore = null } = last ?? {};
  const now = system.now();
  const configured = row.dkim_selector === null ? [] : [row.dkim_selector];
  const guesses = toGuesses(guessedBefore, now);
  // Manual checks do not wait for mail servers, which may be slow to answer.
  const isKept = row.fresh || (certificatesBefore !== null && now < certificatesBefore.againAt);
  const certificates = isKept ? (certificatesBefore?.rows ?? []) : null;
  const input = { domain: row.domain, configured, guesses, certificates, evidence: null, ...known };
  const job: DomainJob = { kind: "domain", input, watch, kept, fresh: row.fresh };
  system.log.debug("domain check started", { domain: row.domain, byHand: row.fresh });
  const outcome = await thread.run(job);
  if (outcome.outcome !== "answer") return outcome;
  const finding = outcome.answer;
  for (const broken of finding.broken) system.log.error("check failed", { domain: row.domain, ...broken });
  if (!isKept) terms.noteReach(finding.certificates);
  if (!(await recordDomainCheck(row, { job, finding, guessedBefore, certificatesBefore }, terms))) return undefined;
  const { id, domain, workspace_id } = row;
  const { score, notice } = finding;
  const tookMs = system.now() - now;
  system.log.debug("domain checked", { domain, score, tookMs, ...finding.words, changed: notice !== null });
  publish(workspace_id, { type: "domain.checked", id, domain, score, changed: notice !== null });
  return undefined;
}

function toGuesses(before: GuessedSelectors | null, now: number): Guesses {
  return before ? { found: before.found, all: now >= before.againAt } : allGuesses;
}

// Records a domain check: its row and report and, if something changed, its history and alerts. One transaction keeps
// history and alerts consistent.

type RecordTerms = {
  readonly store: Pick<Store, "writeRelaxed">;
  readonly system: Pick<System, "now" | "random">;
  readonly ownPlaceMs: number;
  /** Whether one of these TXT records is the workspace's verification record for the domain. */
  readonly isMarked: (domain: Pick<DomainsTable, "workspace_id" | "domain">, marks: readonly string[]) => boolean;
};

type DomainCheck = {
  readonly job: DomainJob;
  readonly finding: DomainFinding;
  readonly guessedBefore: GuessedSelectors | null;
  readonly certificatesBefore: SeenCertificates | null;
};

/** False when nothing was written because the domain was removed or claimed by another process. */
async function recordDomainCheck(
  row: DomainsTable,
  found: DomainCheck,
  { store, system, ownPlaceMs, isMarked }: RecordTerms,
): Promise<boolean> {
  const { id, domain } = row;
  const { checkedAt, words, score, watch, report, kept, marks, notice, confirmAt } = found.finding;
  const unstable = found.finding.unstable ? 1 : 0;
  const now = system.now();
  const verified = marks === null ? {} : { verified_at: isMarked(row, marks) ? checkedAt : null };
  const drifted = notice && { last_drift_at: checkedAt };
  const dueAt = confirmAt === null ? toNextSweep(now, ownPlaceMs) : toConfirmation(confirmAt, throwDice(system));
  const guessed = toGuessed(found, now, throwDice(system));
  const certificates = toCertificates(found, now, throwDice(system));
  const columns = { ...words, score, unstable, checked_at: checkedAt, watch, report, kept };
  return await store.writeRelaxed(async (db) => {
    const told = { ...verified, ...drifted };
    if (!(await writeDomainCheck(db, row, { ...columns, told, guessed, certificates, dueAt }))) return false;
    if (notice === null) return true;
    const { kind, changes } = notice;
    const scope = inWorkspace(db, row.workspace_id);
    const changeId = createId("domainChange", checkedAt, system.random(16));
    await insertDomainChange(scope, { id: changeId, domainId: id, at: checkedAt, kind, changes });
    const data = { domain: { id, domain }, kind, checkedAt: toTimestamp(checkedAt), changes };
    await raiseAlert(scope, { type: "domain.drift", data }, system);
    return true;
  });
}

/** Null if selectors are known, so none were guessed. */
function toGuessed(
  { job: { input }, finding, guessedBefore }: DomainCheck,
  now: number,
  dice: number,
): GuessedSelectors | null {
  const isNamed = input.configured.length > 0 || (input.history.known && input.history.value.selectorsSeen.length > 0);
  if (isNamed) return null;
  const { found, confirmAt } = finding;
  if (found === null) return guessedBefore;
  const { againAt, ...before } = guessedBefore ?? { againAt: 0, found: [] };
  // Keeps missing selectors until a second check confirms that they are gone.
  if (!input.guesses?.all || confirmAt !== null) return { found: [...new Set([...before.found, ...found])], againAt };
  return { found, againAt: toNextGuess(now, dice) };
}

function toCertificates(
  { job: { input }, finding: { certificates: rows }, certificatesBefore }: DomainCheck,
  now: number,
  dice: number,
): SeenCertificates | null {
  const wasAsked = (input.certificates ?? null) === null && rows !== null;
  return wasAsked ? { rows, againAt: toNextGuess(now, dice) } : certificatesBefore;
}

/** From 0 to 1. */
function throwDice({ random }: Pick<System, "random">): number {
  const [high = 0, low = 0] = random(2);
  return (high * 256 + low) / 65_536;
}
