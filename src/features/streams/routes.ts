import { replayStream, toUsual } from "../../analyzer/reports/stream.ts";
import { auditedObject } from "../../platform/audit/rows/objects.ts";
import { toTimestamp } from "../../platform/contract/primitives.ts";
import type { WorkspaceStore } from "../../platform/database/scope.ts";
import { Refusal } from "../../platform/errors.ts";
import { type Route, route } from "../../platform/route.ts";
import type { Stream } from "../tests/contract/streams.ts";
import * as endpoints from "./contract.ts";
import * as rows from "./rows.ts";
import type { StreamRulesTable, StreamsTable } from "./tables.ts";
import { addStreamRule, deleteStreamRule, readMove, readState, toPoint } from "./work/streams.ts";

const auditedStreamRule = auditedObject({
  kind: "stream-rule",
  table: "stream_rules",
  columns: ["name", "sender", "label"],
  toName: ({ name }) => name,
});

const dayMs = 86_400_000;

export const streamRoutes: readonly Route[] = [
  route(endpoints.listStreams, async ({ store, query: { movedWithinDays, limit, offset } }, { system }) => {
    if (movedWithinDays !== undefined) {
      const items = await readMovedStreams(store, system.now() - movedWithinDays * dayMs, limit);
      return { items, total: items.length };
    }
    const { read } = store;
    const names = toNames(await rows.listStreamRules(read));
    const listed = await rows.listStreams(read, { limit, offset });
    return { items: listed.map((row) => toStream(row, names)), total: await rows.countStreams(read) };
  }),

  route(endpoints.readStream, async ({ store, params: { id } }) => {
    const row = await rows.readStream(store.read, id);
    if (!row) throw new Refusal("not_found", "Stream not found.");
    const names = toNames(await rows.listStreamRules(store.read));
    const tests = await rows.listStreamTests(store.readInWorker, id, endpoints.shownSteps);
    const replayed = replayStream(tests.map(toPoint));
    const steps = replayed.steps.map(({ testId, test, score, usual, move, isNews, marks }) => ({
      testId,
      receivedAt: toTimestamp(test.received_at),
      subject: test.subject,
      score,
      inboxRate: test.inbox_rate,
      promoRate: test.promo_rate,
      spamRate: test.spam_rate,
      usualScore: usual?.score ?? null,
      points: move,
      isNew: isNews,
      changes: [...marks],
    }));
    // Until the next test, a stream that others were split from has only its tests.
    const state = row.state === null ? replayed.state : readState(row);
    const { settled = null } = state;
    const first = settled && steps.find(({ testId }) => testId === settled.testId);
    return {
      ...toStream(row, names, state),
      usualSince: settled && first ? { testId: first.testId, at: first.receivedAt, before: settled.before } : null,
      steps,
    };
  }),

  route(endpoints.listStreamRules, async ({ store: { read } }) => ({
    items: (await rows.listStreamRules(read)).map(toRule),
  })),

  route(endpoints.createStreamRule, async ({ store, body }, { system }) =>
    toRule(await addStreamRule(store, system, body)),
  ).recording({ action: "stream-rule.create", object: auditedStreamRule }),

  route(endpoints.deleteStreamRule, async ({ store, params: { id } }) => {
    await deleteStreamRule(store, id);
    return undefined;
  }).recording({ action: "stream-rule.delete", object: auditedStreamRule }),
];

export async function readMovedStreams(
  { read }: Pick<WorkspaceStore, "read">,
  since: number,
  limit: number,
): Promise<Stream[]> {
  const moved = await rows.listMovedStreams(read, since, limit);
  if (moved.length === 0) return [];
  const names = toNames(await rows.listStreamRules(read));
  return moved.map((row) => toStream(row, names));
}

/** The scores of streams with several tests: these first, then those with the newest tests. */
export async function readTracks({ read }: Pick<WorkspaceStore, "read">, first: readonly Stream[], limit: number) {
  const others = (await rows.listNewestStreams(read, limit)).filter(({ id }) => first.every((one) => one.id !== id));
  if (first.length + others.length === 0) return [];
  const names = toNames(await rows.listStreamRules(read));
  const tracks: { stream: Stream; scores: number[] }[] = [];
  for (const stream of [...first, ...others.map((row) => toStream(row, names))].slice(0, limit)) {
    const scores = await rows.listScores(read, stream.id, trackLength);
    if (scores.length > 1) tracks.push({ stream, scores });
  }
  return tracks;
}

/** As many scores as a small line shows. */
const trackLength = 20;

function toNames(rules: readonly StreamRulesTable[]): ReadonlyMap<string, string> {
  return new Map(rules.map(({ id, name }) => [id, name]));
}

function toStream(row: StreamsTable, names: ReadonlyMap<string, string>, state = readState(row)): Stream {
  const usual = toUsual(state);
  const move = readMove(row);
  const { id, from_domain, label, rule_id, kind, moved_at, moved_test_id } = row;
  return {
    id,
    name: rows.toStreamName(row, rule_id === null ? null : (names.get(rule_id) ?? null)),
    fromDomain: from_domain,
    label,
    kind,
    ruleId: rule_id,
    createdAt: toTimestamp(row.created_at),
    lastAt: toTimestamp(row.last_at),
    lastTestId: row.last_test_id,
    usualScore: usual?.score ?? null,
    spread: usual?.spread ?? null,
    lastMove:
      move && moved_at !== null && moved_test_id !== null
        ? {
            testId: moved_test_id,
            at: toTimestamp(moved_at),
            score: move.score,
            usualScore: move.usual?.score ?? move.score - move.points,
            points: move.points,
            comparedWith: move.comparedWith,
            causes: move.causes ? [...move.causes] : null,
            changes: [...move.marks],
          }
        : null,
  };
}

function toRule({ id, name, sender, label, created_at }: StreamRulesTable): endpoints.StreamRule {
  return { id, name, sender, label, createdAt: toTimestamp(created_at) };
}
