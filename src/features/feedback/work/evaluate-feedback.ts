// The hourly evaluation of domains whose feedback changed: opens and ends problems, and raises an alert for each once.

import { toRegistrableDomain } from "../../../analyzer/mail/headers/registrable-domain.ts";
import { inWorkspace, type Scope } from "../../../platform/database/scope.ts";
import type { Store } from "../../../platform/database/store.ts";
import { createId } from "../../../platform/ids.ts";
import type { Config } from "../../../platform/settings/config.ts";
import type { System } from "../../../platform/system/system.ts";
import type { Chore } from "../../../platform/work/chores.ts";
import type { ServeRow } from "../../../platform/work/serve-row.ts";
import type { FeedbackProblemData } from "../../alerts/rules/alert-event.ts";
import { raiseAlert } from "../../alerts/work/raise.ts";
import { type AskedFigures, hasSent, listEvidenceReports } from "../rows/figures.ts";
import * as rows from "../rows/problems.ts";
import { evaluateFeedback, type FeedbackMove } from "../rules/evaluate.ts";
import { dayMs, type FeedbackStatus, startOfDay } from "../rules/problem.ts";
import type { DomainFeedbackTable, FeedbackProblemsTable } from "../tables.ts";
import { toFeedbackWords } from "../words/words.ts";
import type { NamingTerms } from "./name-groups.ts";
import { type ReadFeedback, readFeedback } from "./read-feedback.ts";

type Terms = NamingTerms & {
  readonly store: Store;
  readonly system: Pick<System, "now" | "random">;
  readonly config: Pick<Config, "seedDomains">;
};

const hourMs = 3_600_000;
const atOnce = 100;
/** A year: long enough that a source that comes back isn't new. */
const endedKeptMs = 365 * dayMs;
/** New problems of one kind and domain in one evaluation. A hostile report could name any number of sources. */
const mostNewOfKind = 10;
const mostOpenOfKind = 50;

export function createFeedbackChore(terms: Terms): Chore {
  return { id: "feedback", everyMs: hourMs, run: (stopping, serve) => evaluateDue(terms, stopping, serve) };
}

export async function evaluateDue(terms: Terms, stopping: AbortSignal, serve: ServeRow): Promise<void> {
  const { store, system } = terms;
  await watchNewDomains(terms, stopping);
  const now = system.now();
  const done = new Set<string>();
  for (;;) {
    const due = await rows.listDueFeedback(store.read, now, atOnce);
    const left = due.filter(({ domain_id }) => !done.has(domain_id));
    if (left.length === 0) return;
    for (const row of left) {
      stopping.throwIfAborted();
      done.add(row.domain_id);
      const putBack = () => store.write((db) => rows.postponeFeedback(db, row.domain_id, now + hourMs));
      await serve(row.domain, () => evaluateDomain(row, now, terms), putBack);
    }
  }
}

/** Reports about a domain are read for it once this was run. */
export async function watchNewDomains(
  { store, system }: Pick<Terms, "store" | "system">,
  stopping: AbortSignal,
): Promise<void> {
  for (;;) {
    const domains = await rows.listUnwatchedDomains(store.read, atOnce);
    if (domains.length === 0) return;
    stopping.throwIfAborted();
    await store.write(async (db) => {
      for (const { id, workspace_id, domain } of domains)
        await rows.insertDomainFeedback(db, {
          domain_id: id,
          workspace_id,
          domain,
          registrable_domain: toRegistrableDomain(domain),
          due_at: system.now(),
        });
    });
  }
}

async function evaluateDomain(
  row: DomainFeedbackTable,
  now: number,
  { store, system, config, senderTable, findSenderFacts }: Terms,
) {
  const reading = inWorkspace(store.readInWorker, row.workspace_id);
  const read = await readFeedback(reading, row, {
    today: startOfDay(now),
    seedDomains: config.seedDomains,
    senderTable,
    findSenderFacts,
  });
  const moves = await withoutUnseen(reading, evaluateFeedback(read.input), read);
  const reports = new Map<FeedbackMove, readonly string[]>();
  for (const move of moves)
    if (move.what !== "resolve") reports.set(move, await findReports(reading, move.status, read.asked));
  await store.write(async (db) => {
    const scope = inWorkspace(db, row.workspace_id);
    for (const move of moves) await makeMove(scope, row, move, { read, reports, now, system });
    await rows.removeOldProblems(scope, row.domain_id, now - endedKeptMs);
    // Days pass without a report too: problems end, and reports stop.
    const isActive = read.summary.reports > 0 || read.summary.notices > 0 || read.problems.length > 0;
    await rows.finishFeedback(scope, row, {
      due_at: isActive ? startOfDay(now) + dayMs : Number.MAX_SAFE_INTEGER,
      evaluated_at: now,
      first_day: read.input.firstDay,
      summary: JSON.stringify(read.summary),
    });
  });
}

/** Where not all rows could be read, a source is new only if the database has no row of it either. */
async function withoutUnseen(
  scope: Scope,
  moves: readonly FeedbackMove[],
  { isCut, asked }: ReadFeedback,
): Promise<readonly FeedbackMove[]> {
  const limited = withinLimits(moves);
  if (!isCut) return limited;
  const kept: FeedbackMove[] = [];
  for (const move of limited) {
    const isNewSource = move.what === "open" && move.status.kind === "new-source";
    if (!isNewSource) kept.push(move);
    else {
      const { days, detail } = move.status.evidence;
      const before = { ...asked, to: days.from - dayMs };
      if (!(await hasSent(scope, before, detail.addresses))) kept.push(move);
    }
  }
  return kept;
}

/** The largest ones first. */
function withinLimits(moves: readonly FeedbackMove[]): FeedbackMove[] {
  const opened = moves.flatMap((move) => (move.what === "open" ? [move] : []));
  const byKind = Map.groupBy(opened, ({ status }) => status.kind);
  const openOf = (kind: FeedbackStatus["kind"]) =>
    moves.filter((move) => move.what === "update" && move.status.kind === kind).length;
  const kept = new Set<FeedbackMove>(
    [...byKind].flatMap(([kind, some]) =>
      some
        .toSorted((one, other) => other.status.evidence.count - one.status.evidence.count)
        .slice(0, Math.max(0, Math.min(mostNewOfKind, mostOpenOfKind - openOf(kind)))),
    ),
  );
  return moves.filter((move) => move.what !== "open" || kept.has(move));
}

const withoutReports: ReadonlySet<FeedbackStatus["kind"]> = new Set(["complaint-rate", "bounce-class-jump"]);

async function findReports(scope: Scope, { kind, evidence }: FeedbackStatus, asked: AskedFigures) {
  if (withoutReports.has(kind)) return [];
  const { reporter } = evidence.detail;
  return await listEvidenceReports(scope, {
    ...asked,
    ...evidence.days,
    type: kind === "tls-failures" ? "tls" : "dmarc",
    reporters: reporter === null ? evidence.reporters.map((one) => one.reporter) : [reporter],
  });
}

type MoveTerms = {
  readonly read: ReadFeedback;
  readonly reports: ReadonlyMap<FeedbackMove, readonly string[]>;
  readonly now: number;
  readonly system: Pick<System, "now" | "random">;
};

async function makeMove(
  scope: Scope,
  row: DomainFeedbackTable,
  move: FeedbackMove,
  { read, reports, now, system }: MoveTerms,
): Promise<void> {
  if (move.what === "open") {
    const { kind, subject, level, evidence } = move.status;
    const problem = {
      id: createId("feedbackProblem", now, system.random(16)),
      domain_id: row.domain_id,
      kind,
      subject,
      level,
      opened_at: now,
      updated_at: now,
      resolved_at: null,
      resolution: null,
      acknowledged_at: null,
      evidence: JSON.stringify(evidence),
      reports: JSON.stringify(reports.get(move) ?? []),
    };
    if (!(await rows.insertProblem(scope, problem))) return;
    await raiseFeedback(scope, row, { ...problem, workspace_id: row.workspace_id }, system);
    return;
  }
  const { kind, subject } = move.what === "resolve" ? move.problem : move.status;
  const open = read.problems.find((one) => one.resolved_at === null && one.kind === kind && one.subject === subject);
  if (open === undefined) return;
  const change =
    move.what === "resolve"
      ? { resolved_at: now, resolution: move.resolution, updated_at: now }
      : {
          level: Math.max(open.level, move.status.level),
          evidence: JSON.stringify(move.status.evidence),
          reports: JSON.stringify(reports.get(move) ?? []),
          updated_at: now,
        };
  // What a member marked as known while this was evaluated stays so.
  if (!(await rows.updateOpenProblem(scope, open.id, change))) return;
  if (move.what === "update" || open.acknowledged_at !== null) return;
  await raiseFeedback(scope, row, { ...open, ...change }, system);
}

async function raiseFeedback(
  scope: Scope,
  { domain_id: id, domain }: Pick<DomainFeedbackTable, "domain_id" | "domain">,
  problem: FeedbackProblemsTable,
  system: Pick<System, "now" | "random">,
): Promise<void> {
  const data = toProblemData({ id, domain }, problem);
  await raiseAlert(scope, { type: "feedback.problem", data }, system);
}

/** As in alerts and in the API. */
export function toProblemData(domain: FeedbackProblemData["domain"], row: FeedbackProblemsTable): FeedbackProblemData {
  const { kind, resolution } = row;
  const evidence = JSON.parse(row.evidence) as FeedbackStatus["evidence"];
  return {
    domain,
    problem: {
      id: row.id,
      kind,
      resolution,
      state: row.resolved_at === null ? "open" : "resolved",
      openedAt: new Date(row.opened_at).toISOString(),
      resolvedAt: row.resolved_at === null ? null : new Date(row.resolved_at).toISOString(),
      ...toFeedbackWords({ kind, evidence, resolution: row.resolved_at === null ? null : resolution }),
      evidence: toShownEvidence(evidence, JSON.parse(row.reports) as string[]),
    },
  };
}

function toShownEvidence(
  { days, usual, detail, ...rest }: FeedbackStatus["evidence"],
  reports: readonly string[],
): FeedbackProblemData["problem"]["evidence"] {
  const toDate = (day: number) => new Date(day).toISOString().slice(0, 10);
  const { lastDay, delivered: _, sourceKind = null, ...fields } = detail;
  return {
    from: toDate(days.from),
    to: toDate(days.to),
    ...rest,
    usual: usual && {
      from: toDate(usual.days.from),
      to: toDate(usual.days.to),
      count: usual.count,
      total: usual.total,
    },
    reports,
    detail: { ...fields, sourceKind, lastDay: lastDay === null ? null : toDate(lastDay) },
  };
}
