// All monitored domains that are due, by as many at a time as is good, until none is.

import { setImmediate as nextRound, setTimeout as pause } from "node:timers/promises";
import type { Lease } from "../store/claims.ts";
import { bringForward, claimDomains, countDueDomains, hasDomainDue } from "../store/domain-checks.ts";
import type { DomainsTable } from "../store/watch-schema.ts";
import { type CheckTerms, handBack, maxTriesInCompany } from "./check-claimed-domain.ts";
import type { DomainsInHand } from "./domains-in-hand.ts";
import { hourMs, toPace } from "./sweep-times.ts";

export type SweepTerms = CheckTerms & {
  /** Names this process in claims. */
  readonly owner: string;
};

/**
 * Many, because a check mostly waits for name servers; and few enough that none of them waits for the processor: what it has
 * heard meanwhile outlives the collections of young garbage, which makes each domain dearer by a tenth.
 */
const maxInHand = 32;
/** Twice the longest, because the clocks of two processes differ. */
const farAheadMs = 2 * hourMs;
const recalledAtOnce = 500;
/** Begun without a pause, whatever the pace: few domains are through in a moment. */
const burst = maxInHand / 2;
/** Claimed together from then on. */
const handful = 8;

/** Answers how many were handed out. */
export async function sweepDomains(terms: SweepTerms, inHand: DomainsInHand): Promise<number> {
  await recallFarOnes(terms);
  return (await sweepTogether(terms, inHand)) + (await sweepSuspects(terms, inHand));
}

async function sweepTogether(terms: SweepTerms, inHand: DomainsInHand): Promise<number> {
  const untilAllowed = createPacer(toPace(await countDueDomains(terms.store.read, terms.system.now())));
  let domains = 0;
  for (let isMore = true; isMore; ) {
    const limit = Math.min(maxInHand - inHand.count(), await untilAllowed(domains));
    const rows = await claim(terms, { limit, triedAtMost: maxTriesInCompany - 1 });
    domains += rows.length;
    await beginEach(rows, terms, inHand);
    isMore = rows.length > 0 || inHand.count() > 0;
    await inHand.untilAtMost(rows.length > 0 ? maxInHand - handful : 0);
  }
  return domains;
}

/** One after the other, and claimed only then: the claims of a long sweep would lapse meanwhile. */
async function sweepSuspects(terms: SweepTerms, inHand: DomainsInHand): Promise<number> {
  for (let domains = 0; ; domains++) {
    const [row] = await claim(terms, { limit: 1 });
    if (row === undefined) return domains;
    if (terms.stopping.aborted) await handBack(row, terms);
    else await inHand.begin(row, { fresh: false, alone: row.attempts > maxTriesInCompany });
  }
}

/** Each in a round of its own, because what is read for one keeps the main thread. */
async function beginEach(
  rows: readonly DomainsTable[],
  terms: SweepTerms,
  inHand: DomainsInHand,
): Promise<void> {
  for (const row of rows) {
    if (terms.stopping.aborted) await handBack(row, terms);
    else void inHand.begin(row, { fresh: false, alone: false });
    await nextRound();
  }
}

/** Waits until another handful may be begun, and answers how many may. */
function createPacer(perSecond: number): (begun: number) => Promise<number> {
  const startedAt = performance.now();
  return async (begun) => {
    const nextAt = startedAt + (begun + handful - burst) * (1_000 / perSecond);
    if (performance.now() < nextAt) await pause(nextAt - performance.now());
    return Math.max(1, burst - begun + Math.floor(((performance.now() - startedAt) / 1_000) * perSecond));
  };
}

/** Each is due within the hour: what is not was written by a clock that was set back since. */
async function recallFarOnes({ store, system }: SweepTerms): Promise<void> {
  const now = system.now();
  const latest = now + farAheadMs;
  while (await hasDomainDue(store.read, ">", latest))
    await store.write((db) => bringForward(db, { latest, now, limit: recalledAtOnce }));
}

async function claim(
  { store, system, thread, owner, leaseMs, stopping }: SweepTerms,
  some: Pick<Lease, "limit" | "triedAtMost">,
): Promise<DomainsTable[]> {
  const now = system.now();
  // A look is no write: mostly there is nothing to do.
  if (stopping.aborted || some.limit <= 0 || !(await hasDomainDue(store.read, "<=", now))) return [];
  // An attempt counts from when it can be made.
  await thread.warmUp();
  if (stopping.aborted) return [];
  // A claim that is lost with the machine is made again.
  return await store.writeAlong((db) => claimDomains(db, { now, owner, leaseMs, ...some }));
}
