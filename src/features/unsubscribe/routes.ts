import { parseReport } from "../../analyzer/reports/stored-report.ts";
import { readUnsubscribeWays, readVisitableHeader, type UnsubscribeWays } from "../../analyzer/reports/unsubscribe.ts";
import { type UnsubscribeOutcome, unsubscribePatienceMs } from "../../analyzer/reports/unsubscribe-outcome.ts";
import { allowedMs, type LaterMail, type Proof } from "../../analyzer/reports/unsubscribe-proof.ts";
import type { VisitOutcome } from "../../analyzer/reports/unsubscribe-visit.ts";
import { auditedObject } from "../../platform/audit/rows/objects.ts";
import { toTimestamp, toTimestampOrNull } from "../../platform/contract/primitives.ts";
import type { Scope } from "../../platform/database/scope.ts";
import { noSuchTest } from "../../platform/errors.ts";
import { type Route, route } from "../../platform/route.ts";
import type { Server } from "../../platform/server.ts";
import type { UnsubscribesTable } from "../sending/tables.ts";
import { readReport } from "../tests/rows/reports.ts";
import { readTest } from "../tests/rows/tests.ts";
import type { TestsTable } from "../tests/tables.ts";
import {
  readUnsubscribes,
  requestUnsubscribe,
  type UnsubscribeAttempt,
  type Unsubscribes,
  type UnsubscribeVisit,
  visitUnsubscribe,
} from "./contract.ts";
import { listUnsubscribes, visitMethods } from "./rows.ts";
import { toEarlierWords, toProofWords } from "./words.ts";
import { createKnownLists, findEarlierRequest, findProof } from "./work/unsubscribe-proof.ts";

const auditedUnsubscribe = auditedObject({
  kind: "unsubscribe",
  table: "unsubscribes",
  columns: ["test_id", "method", "recipient", "list_id"],
  toName: ({ list_id, from_domain }) => list_id ?? from_domain,
});

export const unsubscribeRoutes: readonly Route[] = [
  route(readUnsubscribes, ({ store, params: { id } }, dependencies) => read(store.read, id, dependencies)),

  route(requestUnsubscribe, async ({ store, caller, params: { id }, body }, dependencies) => {
    const { method, again } = body;
    await dependencies.unsubscriber.ask(store, { testId: id, method, again, userId: caller.userId });
    return await read(store.read, id, dependencies);
  }).recording({ action: "test.unsubscribe", object: auditedUnsubscribe, keep: ["method", "again"] }),

  route(visitUnsubscribe, async ({ store, caller, workspaceId, params: { id }, body: { link } }, dependencies) => {
    const { unsubscriber, viewer } = dependencies;
    const findInBody = async () =>
      (await viewer.eml({ workspaceId, testId: id })).links.find(({ unsubscribes }) => unsubscribes)?.href ?? null;
    const visit = link === "body" ? { link, url: await findInBody() } : { link };
    await unsubscriber.ask(store, { testId: id, again: false, visit, userId: caller.userId });
    return await read(store.read, id, dependencies);
  }).recording({ action: "test.unsubscribe-visit", object: auditedUnsubscribe, keep: ["link"] }),
];

type Terms = Pick<Server, "system" | "unsubscriber">;

async function read(scope: Scope, id: string, { system, unsubscriber }: Terms): Promise<Unsubscribes> {
  const test = await readTest(scope, id);
  if (test === undefined) throw noSuchTest();
  const kept = await readReport(scope, id);
  const report = kept === undefined ? null : parseReport(kept);
  const now = system.now();
  const rows = await listUnsubscribes(scope, id);
  const visits = (await listUnsubscribes(scope, id, visitMethods)).map((row) => toVisit(row, now));
  const attempts: UnsubscribeAttempt[] = [];
  const known = createKnownLists();
  for (const row of rows) {
    const proof = await findProof(scope, row, { label: test.label, now, known });
    const isSpoilt = visits.some((visit) => visit.result === "unsubscribed" && visit.id < row.id);
    attempts.push(toAttempt(row, { ...proof, isSpoilt }, now));
  }
  const [recipient = null] = JSON.parse(test.recipients) as string[];
  const earlier = await findEarlierRequest(scope, test, known);
  return {
    recipient,
    ways:
      report === null
        ? []
        : toWays(readUnsubscribeWays(report), whyNever(test, recipient), unsubscriber.findWhyNoMail()),
    attempts,
    visitableHeader: report === null || whyNever(test, recipient) !== null ? null : readVisitableHeader(report),
    visits,
    earlier: earlier === undefined ? null : toEarlier(earlier, test),
  };
}

function whyNever({ sample }: TestsTable, recipient: string | null): string | null {
  if (sample === 1) return "This message is from the sample gallery. It has no real list.";
  return recipient === null ? "The message has no recipient in this workspace." : null;
}

function toWays(
  { oneClick, mailto }: UnsubscribeWays,
  never: string | null,
  whyNoMail: string | null,
): Unsubscribes["ways"] {
  const whyNot = (way: UnsubscribeWays["oneClick" | "mailto"], other: string | null) =>
    never ?? (way.ok ? other : way.why);
  const toWay = (
    method: "one-click" | "mailto",
    why: string | null,
    way: { readonly target: string; readonly signedBy: string } | null,
  ) => ({ method, possible: why === null, why, target: way?.target ?? null, signedBy: way?.signedBy ?? null });
  return [
    toWay(
      "one-click",
      whyNot(oneClick, null),
      oneClick.ok ? { target: oneClick.way.url, signedBy: oneClick.way.signedBy } : null,
    ),
    toWay(
      "mailto",
      whyNot(mailto, whyNoMail),
      mailto.ok ? { target: mailto.way.message.address, signedBy: mailto.way.signedBy } : null,
    ),
  ];
}

/** After this time, no process is working on the request anymore. */
const longestMs = Math.max(unsubscribePatienceMs, 60_000) + 30_000;

function toRequest<Outcome extends UnsubscribeOutcome | VisitOutcome>(
  row: UnsubscribesTable,
  outcome: Outcome | null,
  now: number,
) {
  const isLost = now - row.created_at > longestMs;
  const result: Outcome["result"] | "unknown" | "pending" = outcome?.result ?? (isLost ? "unknown" : "pending");
  return {
    id: row.id,
    createdAt: toTimestamp(row.created_at),
    createdBy: row.created_by,
    target: row.target,
    finishedAt: toTimestampOrNull(row.finished_at),
    result,
    says: outcome?.says ?? (isLost ? lost : "The request is in progress."),
    status: outcome?.status ?? null,
    location: outcome?.location ?? null,
  };
}

function toVisit(row: UnsubscribesTable, now: number): UnsubscribeVisit {
  const outcome = row.outcome === null ? null : (JSON.parse(row.outcome) as VisitOutcome);
  const link = row.method === "visit-header" ? "header" : "body";
  return { ...toRequest(row, outcome, now), link, shows: outcome?.shows ?? null };
}

/** `isSpoilt`: opening a link may have unsubscribed the address before. */
type KnownProof = Proof & { readonly isSpoilt: boolean };

function toAttempt(row: UnsubscribesTable, proof: KnownProof, now: number): UnsubscribeAttempt {
  const outcome = row.outcome === null ? null : (JSON.parse(row.outcome) as UnsubscribeOutcome);
  const request = toRequest(row, outcome, now);
  return {
    ...request,
    method: row.method === "mailto" ? "mailto" : "one-click",
    recipient: row.recipient,
    durationMs: outcome?.durationMs ?? null,
    bodyBytes: outcome?.bodyBytes ?? null,
    reply: outcome?.reply ?? null,
    requirements: outcome === null ? [] : outcome.requirements.map((one) => ({ ...one })),
    proof: {
      state: proof.state,
      says: toProofWords(proof, request.result, {
        askedAt: row.created_at,
        recipient: row.recipient,
        fromDomain: row.from_domain,
        listId: row.list_id,
      }).concat(proof.isSpoilt && proof.state !== "receiving" ? spoilt : ""),
      deadline: toTimestamp(proof.deadline),
      within: proof.within.map(toMail),
      after: proof.after.map(toMail),
      otherLists: proof.otherLists.map(toMail),
    },
  };
}

const spoilt =
  " Opening the link may have unsubscribed the address before, so this request may have had nothing to do.";

const lost = "The server stopped before it could store the outcome. The request may have been sent.";

function toMail({ id, receivedAt }: LaterMail) {
  return { testId: id, receivedAt: toTimestamp(receivedAt) };
}

function toEarlier(row: UnsubscribesTable, { received_at }: TestsTable): NonNullable<Unsubscribes["earlier"]> {
  const late = received_at > row.created_at + allowedMs;
  const outcome = row.outcome === null ? null : (JSON.parse(row.outcome) as UnsubscribeOutcome);
  return {
    testId: row.test_id,
    createdAt: toTimestamp(row.created_at),
    late,
    says: toEarlierWords({ askedAt: row.created_at, late, listId: row.list_id }, outcome?.result ?? "unknown"),
  };
}
