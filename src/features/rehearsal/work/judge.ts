// Answers as a receiver would: waits for the message's report, and replies what it predicts. Few may wait at the same time,
// so that strangers can't hold up the analysis.

import { toClientNetwork } from "../../../analyzer/addresses.ts";
import { toProviderName } from "../../../analyzer/checks/gate-reply.ts";
import type { Receiver } from "../../../analyzer/mail/headers/rehearsal-address.ts";
import { toAssumedWords } from "../../../analyzer/mail/session/outgoing.ts";
import type { Report } from "../../../analyzer/reports/report.ts";
import { parseReport } from "../../../analyzer/reports/stored-report.ts";
import { inWorkspace } from "../../../platform/database/scope.ts";
import type { Store } from "../../../platform/database/store.ts";
import { readReport } from "../../tests/rows/reports.ts";
import { readProgress } from "../rows.ts";
import type { Because } from "../rules/attempt.ts";
import { findDoubt } from "../rules/doubt.ts";
import { predictReply, type Status, toReceiverName } from "../rules/replies.ts";
import type { AnalysisWatch } from "./analysis-watch.ts";

export type Judged = {
  readonly status: Status;
  readonly says: string;
  readonly because: Because;
  readonly finding: string | null;
  /** Why a receiver might still reject what was accepted. */
  readonly doubt?: string | null;
};

export type Question = {
  readonly workspaceId: string;
  readonly testId: string;
  readonly receiver: Receiver;
  readonly clientAddress: string | null;
  /** How often the same message was answered before. */
  readonly answered: number;
  /** Its bytes are known, so it was analyzed before. */
  readonly isAgain: boolean;
};

export type Judge = (question: Question) => Promise<Judged>;

type JudgeOptions = {
  readonly store: Pick<Store, "read">;
  readonly watch: AnalysisWatch;
  /** Analyzes a message again, because DNS may have changed since it was deferred. */
  readonly reanalyze: (asked: { readonly workspaceId: string; readonly testId: string }) => Promise<void>;
  readonly now: () => number;
  readonly bounds: JudgeBounds;
};

type Places = { readonly waiting: number; readonly waitingPerWorkspace: number; readonly waitingPerClient: number };

type JudgeBounds = Places & {
  /** Senders wait up to ten minutes for the reply (RFC 5321 §4.5.3.2.6), but apps often less than one. */
  readonly waitMs: number;
  /** A message that comes again sooner is not analyzed again. */
  readonly freshMs: number;
};

/** A client that waits for a reply holds a connection. */
export const places: Places = { waiting: 24, waitingPerWorkspace: 12, waitingPerClient: 6 };

export const judgeBounds: JudgeBounds = { waitMs: 15_000, ...places, freshMs: 20_000 };

/** Another process may have analyzed the message. */
const lookEveryMs = 1_000;

export function createJudge(options: JudgeOptions): Judge {
  const enter = createPlaces(options.bounds);
  return async (question) => {
    const leave = enter(question.workspaceId, question.clientAddress ?? "");
    if (leave === null) return accepted("busy", "Accepted without a rehearsal: too many rehearsals are running.");
    const followed = options.watch.follow(question.testId);
    try {
      return await judge(question, followed, options);
    } finally {
      followed.leave();
      leave();
    }
  };
}

async function judge(
  question: Question,
  followed: ReturnType<AnalysisWatch["follow"]>,
  { store, watch, reanalyze, now, bounds }: JudgeOptions,
): Promise<Judged> {
  const { workspaceId, testId } = question;
  const scope = inWorkspace(store.read, workspaceId);
  const until = now() + bounds.waitMs;
  let test = await readProgress(scope, testId);
  if (question.isAgain && test?.status === "analyzed" && now() - (test.analyzed_at ?? 0) >= bounds.freshMs) {
    // If it isn't possible now, the last report counts. The page shows the same one.
    const again = reanalyze({ workspaceId, testId }).catch(() => {});
    await Promise.race([again, followed.next(bounds.waitMs)]);
    test = await readProgress(scope, testId);
  }
  while (test?.status === "received" || test?.status === "analyzing") {
    const leftMs = until - now();
    if (watch.isClosed()) return accepted("stopping", "Accepted without a rehearsal: the server is shutting down.");
    // More is left than at the beginning: the clock was set back.
    if (leftMs <= 0 || leftMs > bounds.waitMs)
      return accepted("too-slow", "Accepted without a rehearsal: the analysis took too long.");
    await followed.next(Math.min(lookEveryMs, leftMs));
    test = await readProgress(scope, testId);
  }
  if (test !== undefined && test.became !== "test")
    return accepted("not-a-test", "Accepted: a bounce, report, or automatic reply is not rehearsed.");
  const json = await readReport(scope, testId);
  const report = json === undefined ? null : parseReport(json);
  if (report === null)
    return accepted("not-analyzed", "Accepted without a rehearsal: the message could not be analyzed.");
  return toReceiverReply(question, report);
}

function isIpv6({ clientAddress: seen }: Question, { authentication }: Report): boolean {
  const clientAddress = authentication.assumed?.address ?? seen;
  return clientAddress?.includes(":") ?? false;
}

function toReceiverReply(question: Question, report: Report): Judged {
  const { receiver, answered } = question;
  const verdict = predictReply(report.judgment, receiver, isIpv6(question, report));
  const name = toReceiverName(receiver);
  const status = verdict?.statuses[Math.min(answered, verdict.statuses.length - 1)];
  if (verdict === null || status === undefined) {
    const doubt = findDoubt(report, receiver);
    const says = `Assay rehearsal of ${name}: accepted${doubt === null ? "." : `, ${doubt}`}${toAssumption(report)}`;
    return { ...accepted("predicted", says), doubt };
  }
  const whose = receiver === "strict" ? ` (a rule of ${toProviderName(verdict.provider)})` : "";
  const verb = status.code < 500 ? "deferred" : "rejected";
  const says = `Assay rehearsal of ${name}: ${verb}${whose}. Issue: ${verdict.title}.${toAssumption(report)}`;
  return { status, says, because: "predicted", finding: verdict.finding };
}

function toAssumption({ authentication: { assumed } }: Report): string {
  return assumed ? ` ${toAssumedWords(assumed)}.` : "";
}

export function accepted(because: Because, says: string): Judged {
  return { status: { code: 250, enhanced: "2.6.0", mark: null }, says, because, finding: null };
}

/** Returns how to leave, or null if there is no place. */
export type Enter = (workspaceId: string, client: string) => (() => void) | null;

export function createPlaces(bounds: Places): Enter {
  const counts = new Map<string, number>();
  const countOf = (key: string) => counts.get(key) ?? 0;
  const add = (key: string, change: 1 | -1) => {
    const count = countOf(key) + change;
    if (count > 0) counts.set(key, count);
    else counts.delete(key);
  };
  return (workspaceId, client) => {
    const ofClient = `client ${toClientNetwork(client)}`;
    const isFull =
      countOf("all") >= bounds.waiting ||
      countOf(workspaceId) >= bounds.waitingPerWorkspace ||
      countOf(ofClient) >= bounds.waitingPerClient;
    if (isFull) return null;
    const keys = ["all", workspaceId, ofClient];
    for (const key of keys) add(key, 1);
    return () => {
      for (const key of keys) add(key, -1);
    };
  };
}
