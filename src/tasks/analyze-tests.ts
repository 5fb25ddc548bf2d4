// The rows that have no report yet are the queue: claimed, handed to the analyser, finished. A restart goes on where it was,
// and several processes on one database share the work, because a claim lapses when its process dies.

import type { SmtpSession } from "../mail/session.ts";
import { dkimResult, type Report } from "../reports/report.ts";
import { extendClaim, releaseClaim, type Ticket } from "../store/claims.ts";
import { readClaimedMessage } from "../store/raw-messages.ts";
import type { Store } from "../store/store.ts";
import { claimTests, markAnalyzed, markFailed } from "../store/tests.ts";
import type { System } from "../system/system.ts";
import type { AnalysisThread } from "./analysis-thread.ts";
import { waitAtMost } from "./patience.ts";

export type AnalysisQueueOptions = {
  readonly store: Store;
  readonly thread: AnalysisThread;
  readonly system: Pick<System, "now" | "log">;
  /** Names this process in claims. */
  readonly owner: string;
  readonly receiver: string;
  readonly budgetMs: number;
  /** Longer than any analysis may take, so that a claim lapses only when its process is gone. */
  readonly leaseMs: number;
};

export type AnalysisQueue = {
  readonly start: () => void;
  /** There is something new to do. */
  readonly kick: () => void;
  /** Takes no more, finishes what is in hand for at most `withinMs`, gives the rest back. */
  readonly stop: (withinMs: number) => Promise<void>;
};

const maxInHand = 16;
const lookAgainMs = 5_000;
/** A message in hand that often when the analyser, or the whole process, ended is handed out alone from then on. */
const triesInCompany = 2;
/** Each of these tries ended the whole process, or somebody killed it: not even a restart loop is endless. */
const maxTries = 50;

export function createAnalysisQueue(options: AnalysisQueueOptions): AnalysisQueue {
  const { store, system, owner, leaseMs } = options;
  const inHand = new Set<Promise<void>>();
  const suspects: Ticket[] = [];
  let timer: NodeJS.Timeout | null = null;
  let stopping = false;
  let claiming = false;
  let kicked = false;

  function begin(ticket: Ticket, isAlone: boolean): void {
    const work = analyzeClaimed(ticket, isAlone, options).catch((error: unknown) => {
      system.log.error("analysis could not be recorded", { test: ticket.id }, error);
    });
    inHand.add(work);
    void work.finally(() => {
      inHand.delete(work);
      kick();
    });
  }

  /** One by one, once nothing else is in hand. */
  function beginSuspect(): void {
    const next = inHand.size === 0 ? suspects.shift() : undefined;
    if (next) begin(next, true);
  }

  async function claim(): Promise<void> {
    const terms = { now: system.now(), owner, leaseMs, limit: maxInHand - inHand.size };
    if (terms.limit <= 0) return;
    for (const ticket of await store.write((db) => claimTests(db, terms))) {
      if (ticket.attempts > triesInCompany) suspects.push(ticket);
      else begin(ticket, false);
    }
    beginSuspect();
  }

  function kick(): void {
    kicked = true;
    if (claiming || stopping) return;
    claiming = true;
    kicked = false;
    const round = suspects.length > 0 ? Promise.resolve(beginSuspect()) : claim();
    round
      .catch((error: unknown) => system.log.error("tests could not be claimed", {}, error))
      .finally(() => {
        claiming = false;
        if (kicked) kick();
      });
  }

  return {
    start: () => {
      timer = setInterval(kick, lookAgainMs);
      kick();
    },
    kick,
    stop: async (withinMs) => {
      stopping = true;
      if (timer) clearInterval(timer);
      await waitAtMost(withinMs, Promise.allSettled([...inHand]));
    },
  };
}

async function analyzeClaimed(
  ticket: Ticket,
  isAlone: boolean,
  options: AnalysisQueueOptions,
): Promise<void> {
  const { store, thread, system, receiver, budgetMs } = options;
  if (isAlone && !(await keepClaim(ticket, options))) return;
  if (ticket.attempts > maxTries)
    return recordFailure(ticket, `${maxTries} tries to analyse this message ended the program.`, options);
  const stored = await readClaimedMessage(store.read, ticket);
  if (!stored) return recordFailure(ticket, "The raw message is missing from the database.", options);
  const session = JSON.parse(stored.session) as SmtpSession;
  const outcome = await thread.analyze({ raw: stored.bytes, session, receiver, budgetMs });
  if (outcome.outcome === "report") return recordReport(ticket, outcome.report, options);
  if (outcome.outcome === "failed")
    return recordFailure(ticket, `The analyser gave up: ${outcome.why}`, options);
  system.log.warn("analysis did not end", {
    test: ticket.id,
    outcome: outcome.outcome,
    tries: ticket.attempts,
  });
  if (isAlone)
    return recordFailure(
      ticket,
      `This message ${verbs[outcome.outcome]} the analyser ${ticket.attempts} times, the last time alone.`,
      options,
    );
  await store.write((db) => releaseClaim(db, "tests", ticket, { dueAt: system.now() }));
}

/** It may have waited long for its turn: false when the lease was over and another process has it. */
function keepClaim(ticket: Ticket, { store, system, leaseMs }: AnalysisQueueOptions): Promise<boolean> {
  return store.write((db) => extendClaim(db, "tests", ticket, system.now() + leaseMs));
}

const verbs = { stalled: "stalled", interrupted: "ended" } as const;

async function recordReport(
  ticket: Ticket,
  report: Report,
  { store, system }: AnalysisQueueOptions,
): Promise<void> {
  const verdicts = report.authentication.known ? report.authentication.value : null;
  const analysis = {
    analyzedAt: system.now(),
    subject: report.subject,
    header_from: report.from,
    spf: verdicts?.spf?.result ?? null,
    dkim: verdicts ? dkimResult(verdicts.dkim) : null,
    dmarc: verdicts?.dmarc?.result ?? null,
    report: JSON.stringify(report),
  };
  await store.write((db) => markAnalyzed(db, ticket, analysis));
}

async function recordFailure(ticket: Ticket, why: string, { store }: AnalysisQueueOptions): Promise<void> {
  await store.write((db) => markFailed(db, ticket, why));
}
