// The rows that have no report yet are the queue: claimed, handed to the analyser, finished. A restart goes on where it was,
// and several processes on one database share the work, because a claim lapses when its process dies.

import { messageOf, Refusal } from "../errors.ts";
import type { SmtpSession } from "../mail/session.ts";
import { toStorableCut } from "../mail/storable.ts";
import { dkimResult, type Report } from "../reports/report.ts";
import { releaseClaim, type Ticket } from "../store/claims.ts";
import { readClaimedMessage } from "../store/raw-messages.ts";
import type { Became, TestsTable } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import {
  claimTests,
  markAnalyzed,
  markFailed,
  markTryAlone,
  readDueSizes,
  takeBack,
} from "../store/tests.ts";
import type { System } from "../system/system.ts";
import type { AnalysisThread } from "./analysis-thread.ts";
import type { Analysis } from "./analyze-message.ts";
import { keepRecognised } from "./keep-recognised.ts";
import { waitAtMost } from "./patience.ts";

export type AnalysisQueueOptions = {
  readonly store: Store;
  readonly thread: AnalysisThread;
  readonly system: Pick<System, "now" | "log" | "random">;
  /** Names this process in claims. */
  readonly owner: string;
  readonly receiver: string;
  readonly budgetMs: number;
  /** A message was analysed, and this is what it turned out to be. */
  readonly onAnalyzed: (became: Became) => void;
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

/** Many, so that look-ups overlap; few bytes, because each message stands here and in the thread. */
const maxInHand = 64;
const maxBytesInHand = 67_108_864;
const lookAgainMs = 5_000;
/** A message in hand that often when the analyser or the whole process ended is handed out alone from then on. */
const triesInCompany = 2;
/**
 * Alone, one death of the analyser is proof enough. The death of the whole process is none, because an operator may have
 * killed it; but a message that seems to end the program this often is given up, so that no restart loop is endless.
 */
const maxTriesAlone = 10;

export function createAnalysisQueue(options: AnalysisQueueOptions): AnalysisQueue {
  const { store, thread, system, owner, leaseMs } = options;
  /** What is being analysed, with its size. */
  const inHand = new Map<Promise<void>, number>();
  const suspects: TestsTable[] = [];
  let timer: NodeJS.Timeout | null = null;
  let stopping = false;
  let claiming = false;
  let isMore = false;
  let kicked = false;
  let round: Promise<void> = Promise.resolve();
  const tellTrouble = createTroubleTeller(system.log);

  function begin(ticket: TestsTable, analyze: typeof analyzeAlone): void {
    const work = analyze(ticket, options).catch((error: unknown) => explain(error, ticket, options));
    inHand.set(work, ticket.size_bytes);
    void work.finally(() => {
      inHand.delete(work);
      kick();
    });
  }

  /** One by one, once nothing else is in hand. */
  function beginSuspect(): void {
    const next = inHand.size === 0 ? suspects.shift() : undefined;
    if (next) begin(next, analyzeAlone);
  }

  async function claim(): Promise<void> {
    // While there is more than can be taken, not one by one: each claim is a write.
    if (isMore && inHand.size > maxInHand / 2) return;
    const now = system.now();
    const sizes = await readDueSizes(store.read, now, maxInHand - inHand.size + 1);
    const limit = howManyFit(sizes.slice(0, maxInHand - inHand.size), inHand);
    isMore = limit < sizes.length;
    if (limit === 0) return;
    await thread.warmUp();
    if (stopping) return;
    for (const ticket of await store.write((db) => claimTests(db, { now, owner, leaseMs, limit }))) {
      if (ticket.attempts > triesInCompany) suspects.push(ticket);
      else begin(ticket, analyzeInCompany);
    }
    beginSuspect();
  }

  function kick(): void {
    kicked = true;
    if (claiming || stopping) return;
    claiming = true;
    kicked = false;
    round = (suspects.length > 0 ? Promise.resolve(beginSuspect()) : claim())
      .then(() => tellTrouble(null))
      .catch(tellTrouble)
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
      await waitAtMost(
        withinMs,
        round.then(() => Promise.allSettled(inHand.keys())),
      );
      for (const ticket of suspects.splice(0)) await giveBack(ticket, false, options);
    },
  };
}

/** Once, and once when it is over, however often it is tried meanwhile. */
function createTroubleTeller(log: System["log"]): (error: unknown) => void {
  let told: string | null = null;
  return (error) => {
    const problem = error === null ? null : messageOf(error);
    if (problem === told) return;
    told = problem;
    if (problem === null) log.info("tests can be claimed again");
    else log.error("tests cannot be claimed", { problem }, error instanceof Refusal ? undefined : error);
  };
}

/** One always does, whatever its size. */
function howManyFit(sizes: readonly number[], inHand: ReadonlyMap<unknown, number>): number {
  let bytes = inHand.values().reduce((sum, size) => sum + size, 0);
  const tooMany = sizes.findIndex((size) => {
    const isFirst = bytes === 0;
    bytes += size;
    return bytes > maxBytesInHand && !isFirst;
  });
  return tooMany < 0 ? sizes.length : tooMany;
}

/** A database that takes nothing for a while is told by the next claim; anything else is our fault, and the test says so. */
async function explain(error: unknown, ticket: Ticket, options: AnalysisQueueOptions): Promise<void> {
  if (error instanceof Refusal) return;
  options.system.log.error("report could not be kept", { test: ticket.id }, error);
  await recordFailure(
    ticket,
    "An internal error: the report could not be kept. The log says more.",
    options,
  ).catch(() => {});
}

async function analyzeAlone(ticket: TestsTable, options: AnalysisQueueOptions): Promise<void> {
  const { store, system, leaseMs } = options;
  const tries = await store.write((db) => markTryAlone(db, ticket, system.now() + leaseMs));
  // It waited so long for its turn that another process has it.
  if (tries === undefined) return;
  if (tries > maxTriesAlone)
    return recordFailure(
      ticket,
      `The program ended ${maxTriesAlone} times while it analysed this message.`,
      options,
    );
  const trouble = await analyzeStored(ticket, options);
  if (trouble === "closed") await giveBack(ticket, true, options);
  else if (trouble)
    await recordFailure(
      ticket,
      `This message ${verbs[trouble]} the analyser again when it was analysed alone.`,
      options,
    );
}

async function analyzeInCompany(ticket: TestsTable, options: AnalysisQueueOptions): Promise<void> {
  const { store, system } = options;
  const trouble = await analyzeStored(ticket, options);
  if (trouble === "closed") await giveBack(ticket, false, options);
  else if (trouble) await store.write((db) => releaseClaim(db, "tests", ticket, { dueAt: system.now() }));
}

async function giveBack(
  ticket: Ticket,
  wasAlone: boolean,
  { store, system }: AnalysisQueueOptions,
): Promise<void> {
  await store.write((db) => takeBack(db, ticket, { dueAt: system.now(), wasAlone }));
}

/** Records what the message is, or a failure; answers how it came to neither. */
async function analyzeStored(
  ticket: TestsTable,
  options: AnalysisQueueOptions,
): Promise<Trouble | undefined> {
  const { store, thread, system, receiver, budgetMs } = options;
  const stored = await readClaimedMessage(store.read, ticket);
  if (!stored) return recordFailure(ticket, "The raw message is missing from the database.", options);
  const session = JSON.parse(stored.session) as SmtpSession;
  const outcome = await thread.analyze({ raw: stored.bytes, session, receiver, budgetMs });
  if (outcome.outcome === "analysis") return recordAnalysis(ticket, outcome.analysis, options);
  if (outcome.outcome === "failed")
    return recordFailure(ticket, `The analyser gave up: ${outcome.why}`, options);
  if (outcome.outcome !== "closed")
    system.log.warn("analysis did not end", {
      test: ticket.id,
      outcome: outcome.outcome,
      tries: ticket.attempts,
    });
  return outcome.outcome;
}

type Trouble = "stalled" | "interrupted" | "closed";

const verbs = { stalled: "stalled", interrupted: "ended" } as const;

async function recordAnalysis(
  ticket: TestsTable,
  { recognised, message, report }: Analysis,
  options: AnalysisQueueOptions,
): Promise<undefined> {
  if (report) return recordReport(ticket, report, options);
  if (recognised.kind === "test") throw new Error("a test without a report");
  const { store, system, onAnalyzed } = options;
  const found = { recognised, ...message, authenticated: false, sendId: null };
  if (await store.write((db) => keepRecognised(db, ticket, found, system))) onAnalyzed(recognised.kind);
}

async function recordReport(
  ticket: Ticket,
  report: Report,
  { store, system, onAnalyzed }: AnalysisQueueOptions,
): Promise<undefined> {
  const verdicts = report.authentication.known ? report.authentication.value : null;
  const analysis = {
    analyzedAt: system.now(),
    subject: cut(report.subject),
    header_from: cut(report.from),
    message_id: null,
    spf: verdicts?.spf?.result ?? null,
    dkim: verdicts ? dkimResult(verdicts.dkim) : null,
    dmarc: verdicts?.dmarc?.result ?? null,
    report: JSON.stringify(report),
  };
  if (await store.write((db) => markAnalyzed(db, ticket, analysis))) onAnalyzed("test");
}

async function recordFailure(
  ticket: Ticket,
  why: string,
  { store }: AnalysisQueueOptions,
): Promise<undefined> {
  await store.write((db) => markFailed(db, ticket, why));
}

/** Lists show these two; the report has them whole. */
const longestInList = 1_000;

function cut(text: string | null): string | null {
  return text === null ? null : toStorableCut(text, longestInList);
}
