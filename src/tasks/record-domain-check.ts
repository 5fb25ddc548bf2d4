// What a check of a monitored domain found → its row, its report and, when there is news, its history and the outbox of
// alerts: in one transaction, so that nothing is told that is not known, and nothing known untold.

import { toTimestamp } from "../api/primitives.ts";
import { createId } from "../ids.ts";
import {
  type GuessedSelectors,
  insertDomainChange,
  type SeenCertificates,
  writeDomainCheck,
} from "../store/domain-checks.ts";
import { inWorkspace } from "../store/scope.ts";
import type { Store } from "../store/store.ts";
import type { DomainsTable } from "../store/watch-schema.ts";
import type { System } from "../system/system.ts";
import { raiseAlert } from "./raise-alert.ts";
import { toConfirmation, toNextGuess, toNextSweep } from "./sweep-times.ts";
import type { DomainFinding, DomainJob } from "./watch-domain.ts";

export type RecordTerms = {
  readonly store: Pick<Store, "writeAlong">;
  readonly system: Pick<System, "now" | "random">;
  readonly ownPlaceMs: number;
  /** Whether one of these texts, which stand at the domain, is the mark that its workspace was given. */
  readonly isMarked: (
    domain: Pick<DomainsTable, "workspace_id" | "domain">,
    marks: readonly string[],
  ) => boolean;
};

export type Found = {
  readonly job: DomainJob;
  readonly finding: DomainFinding;
  readonly guessedBefore: GuessedSelectors | null;
  readonly certificatesBefore: SeenCertificates | null;
};

/** False when nothing was written: the domain was removed meanwhile, or is in other hands. */
export async function recordDomainCheck(
  row: DomainsTable,
  found: Found,
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
  return await store.writeAlong(async (db) => {
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
  { job: { input }, finding, guessedBefore }: Found,
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
  { job: { input }, finding: { certificates: rows }, certificatesBefore }: Found,
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
