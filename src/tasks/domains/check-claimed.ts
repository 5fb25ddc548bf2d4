// A claimed domain → checked and recorded, or given back. None is ever lost: a claim that nobody ends lapses. One that
// ends the thread is handed out again, then alone; then it waits for the next hour, as does one whose check throws.

import { toTimestamp } from "../../api/primitives.ts";
import { Refusal } from "../../errors.ts";
import { createId } from "../../ids.ts";
import { allGuesses, type Guesses } from "../../reports/domain-report.ts";
import { extendClaim, finishClaim, releaseClaim } from "../../store/claims.ts";
import {
  type GuessedSelectors,
  insertDomainChange,
  readLastCheck,
  type SeenCertificates,
  writeDomainCheck,
} from "../../store/domains/domain-checks.ts";
import type { DomainsTable } from "../../store/schema/watch.ts";
import { inWorkspace } from "../../store/scope.ts";
import type { Store } from "../../store/store.ts";
import type { System } from "../../system/system.ts";
import { raiseAlert } from "../alerts/raise.ts";
import type { JobThread } from "../analysis/job-thread.ts";
import type { DomainFinding, DomainJob } from "../analysis/watch-domain.ts";
import type { Publish } from "../events/hub.ts";
import type { Learned } from "./domains.ts";
import type { NotePort25 } from "./port25.ts";
import { toConfirmation, toNextGuess, toNextSweep } from "./sweep-times.ts";

export type CheckTerms = Omit<RecordTerms, "store" | "system"> & {
  readonly store: Store;
  readonly system: Pick<System, "now" | "random" | "log">;
  readonly thread: JobThread;
  readonly publish: Publish;
  /** What is known of mail from a domain, and of its workspace. */
  readonly learn: (row: DomainsTable) => Promise<Learned>;
  /** What mail servers showed that were just asked. */
  readonly noteReach: NotePort25;
  /** Longer than any check may take, so that a claim lapses only when its process is gone. */
  readonly leaseMs: number;
  /** From then on no domain is begun. */
  readonly stopping: AbortSignal;
};

export type How = {
  /** Somebody waits for it. */
  readonly fresh: boolean;
  /** Nothing else is in hand, so that what happens is this domain's doing. */
  readonly alone: boolean;
};

export const maxTriesInCompany = 2;
/** An operator may kill the program; a domain in hand that often when it ended waits for the next hour all the same. */
const maxTriesAlone = 10;
const tryAgainMs = 60_000;

/** Never rejects. */
export async function checkClaimed(row: DomainsTable, how: How, terms: CheckTerms): Promise<void> {
  const { store, system, leaseMs } = terms;
  try {
    if (how.alone) {
      if (row.attempts > maxTriesAlone)
        return await postpone(row, "the program ended again and again", terms);
      // It waited for its turn, perhaps until another process had it.
      if (!(await store.write((db) => extendClaim(db, "domains", row, system.now() + leaseMs)))) return;
    }
    await check(row, how, terms);
  } catch (error) {
    // The claim lapses by itself.
    const known = error instanceof Refusal ? undefined : error;
    system.log.error("check of a domain could not be kept", { domain: row.domain }, known);
  }
}

async function check(row: DomainsTable, how: How, terms: CheckTerms): Promise<void> {
  const { store, system, thread, learn, publish } = terms;
  const [known, last] = await Promise.all([learn(row), readLastCheck(store.read, row.id)]);
  if (terms.stopping.aborted) return await handBack(row, terms);
  const { watch = null, kept = null } = last ?? {};
  const { guessed: guessedBefore = null, certificates: certificatesBefore = null } = last ?? {};
  const now = system.now();
  const configured = row.dkim_selector === null ? [] : [row.dkim_selector];
  const guesses = toGuesses(guessedBefore, now);
  // Nobody who waits for a check waits for mail servers, which may keep silent for long.
  const isKept = how.fresh || (certificatesBefore !== null && now < certificatesBefore.againAt);
  const certificates = isKept ? (certificatesBefore?.rows ?? []) : null;
  const input = { domain: row.domain, configured, guesses, certificates, evidence: null, ...known };
  const job: DomainJob = { kind: "domain", input, watch, kept, fresh: how.fresh };
  const outcome = await thread.run(job);
  if (outcome.outcome !== "answer") return await giveBack(row, how, outcome, terms);
  const finding = outcome.answer;
  for (const broken of finding.broken) system.log.error("check failed", { domain: row.domain, ...broken });
  if (!isKept) terms.noteReach(finding.certificates);
  if (!(await recordDomainCheck(row, { job, finding, guessedBefore, certificatesBefore }, terms))) return;
  const { id, domain, workspace_id } = row;
  const { score, notice } = finding;
  publish(workspace_id, { type: "domain.checked", id, domain, score, changed: notice !== null });
}

function toGuesses(before: GuessedSelectors | null, now: number): Guesses {
  return before ? { found: before.found, all: now >= before.againAt } : allGuesses;
}

/** As if it had never been handed out. */
export async function handBack(
  row: DomainsTable,
  { store, system }: Pick<CheckTerms, "store" | "system">,
): Promise<void> {
  const dueAt = row.due_at ?? system.now();
  await store.write((db) => releaseClaim(db, "domains", row, { dueAt, unmarked: true }));
}

type Trouble = Exclude<Awaited<ReturnType<JobThread["run"]>>, { readonly outcome: "answer" }>;

async function giveBack(
  row: DomainsTable,
  { alone }: How,
  trouble: Trouble,
  terms: CheckTerms,
): Promise<void> {
  const { store, system } = terms;
  const now = system.now();
  if (trouble.outcome === "closed") return await handBack(row, terms);
  const problem = trouble.outcome === "failed" ? trouble.why : `${trouble.outcome} ${trouble.during}`;
  if (alone) return await postpone(row, problem, terms);
  system.log.warn("check of a domain did not end", { domain: row.domain, tries: row.attempts, problem });
  const dueAt = trouble.outcome === "failed" ? now + tryAgainMs : now;
  await store.write((db) => releaseClaim(db, "domains", row, { dueAt }));
}

async function postpone(
  row: DomainsTable,
  problem: string,
  { store, system, ownPlaceMs }: CheckTerms,
): Promise<void> {
  system.log.error("domain cannot be checked before the next hour", { domain: row.domain, problem });
  await store.write((db) => finishClaim(db, "domains", row, toNextSweep(system.now(), ownPlaceMs)));
}

// What a check of a monitored domain found → its row, its report and, when there is news, its history and the outbox of
// alerts: in one transaction, so that nothing is told that is not known, and nothing known untold.

type RecordTerms = {
  readonly store: Pick<Store, "writeRelaxed">;
  readonly system: Pick<System, "now" | "random">;
  readonly ownPlaceMs: number;
  /** Whether one of these texts, which stand at the domain, is the mark that its workspace was given. */
  readonly isMarked: (
    domain: Pick<DomainsTable, "workspace_id" | "domain">,
    marks: readonly string[],
  ) => boolean;
};

type DomainCheck = {
  readonly job: DomainJob;
  readonly finding: DomainFinding;
  readonly guessedBefore: GuessedSelectors | null;
  readonly certificatesBefore: SeenCertificates | null;
};

/** False when nothing was written: the domain was removed meanwhile, or is in other hands. */
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
  const dueAt =
    confirmAt === null ? toNextSweep(now, ownPlaceMs) : toConfirmation(confirmAt, throwDice(system));
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

/** Null where somebody named a selector: nothing was guessed. */
function toGuessed(
  { job: { input }, finding, guessedBefore }: DomainCheck,
  now: number,
  dice: number,
): GuessedSelectors | null {
  const isNamed =
    input.configured.length > 0 || (input.history.known && input.history.value.selectorsSeen.length > 0);
  if (isNamed) return null;
  const { found, confirmAt } = finding;
  if (found === null) return guessedBefore;
  const { againAt, ...before } = guessedBefore ?? { againAt: 0, found: [] };
  // What was there and is gone is asked for until that is certain.
  if (!input.guesses?.all || confirmAt !== null)
    return { found: [...new Set([...before.found, ...found])], againAt };
  return { found, againAt: toNextGuess(now, dice) };
}

/** Null where nobody asks mail servers. */
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
