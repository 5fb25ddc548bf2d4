// Puts a test into its stream and notes whether its score is unusual there.

import { Refusal } from "../../errors.ts";
import { createId } from "../../ids.ts";
import { parseMailboxes } from "../../mail/headers/address.ts";
import { parseRehearsalTag } from "../../rehearsal/address.ts";
import { toWholeScore } from "../../reports/grade-words.ts";
import {
  advanceStream,
  newStream,
  type StreamState,
  type StreamStep,
  toStreamKey,
  toUsual,
} from "../../reports/stream.ts";
import type { Traits } from "../../reports/traits.ts";
import { lockWorkspace } from "../../store/people/workspaces.ts";
import type { Db, TestsTable } from "../../store/schema/schema.ts";
import type { StreamRulesTable, StreamsTable } from "../../store/schema/streams.ts";
import type { WorkspaceStore } from "../../store/scope.ts";
import type { Store } from "../../store/store.ts";
import {
  enterStream,
  insertStreamRule,
  listExcessStreams,
  listStreamRules,
  maxStreamRules,
  maxStreams,
  readStreamRules,
  removeEmptyStreams,
  removeStreamRule,
  removeStreams,
  updateStream,
} from "../../store/tests/streams.ts";
import type { TestAnalysis } from "../../store/tests/tests.ts";
import type { System } from "../../system/system.ts";
import { isJudged } from "../alerts/raise.ts";
import type { ScoreSplit } from "../analysis/split-change.ts";
import { isUpload } from "../intake/receive-message.ts";

/** What is known as soon as a test moved. */
export type StreamMove = Pick<StreamStep, "marks" | "usual"> & {
  readonly points: number;
  readonly score: number;
  /** The test whose score was usual, to compare with. */
  readonly comparedWith: string;
  /** Points of each cause. Missing until known, null if they can't be. */
  readonly causes?: ScoreSplit["causes"] | null;
};

export function readMove({ move }: Pick<StreamsTable, "move">): StreamMove | null {
  return move === null ? null : (JSON.parse(move) as StreamMove);
}

/**
 * The stream of a test that is analyzed for the first time. Null for a sample, an upload, mail that
 * rehearses or probes, and mail without a sender.
 */
export async function findStream(
  db: Db,
  test: TestsTable,
  { header_from, from_domain }: Pick<TestAnalysis, "header_from" | "from_domain">,
  { now, random }: Pick<System, "now" | "random">,
): Promise<StreamsTable | null> {
  if (test.sample !== 0 || test.analyzed_at !== null || isUpload(test)) return null;
  if (parseRehearsalTag(test.label) !== null) return null;
  const { workspace_id, label, received_at } = test;
  const rules = await readStreamRules(db, workspace_id);
  const address = rules.length > 0 && header_from !== null ? firstAddress(header_from) : null;
  const key = toStreamKey(rules, { address, domain: from_domain, label });
  if (key === null) return null;
  const id = createId("stream", now(), random(16));
  return await enterStream(db, { id, workspace_id, ...key, at: received_at, testId: test.id });
}

function firstAddress(from: string): string | null {
  return parseMailboxes(from).list[0]?.address ?? null;
}

/** In the transaction that marks the test as analyzed. */
export async function advance(
  db: Db,
  stream: StreamsTable,
  { id }: TestsTable,
  { composite, coverage, traits }: Pick<TestAnalysis, "composite" | "coverage" | "traits">,
  now: number,
): Promise<StreamMove | null> {
  const state = readState(stream);
  const score = toComparableScore({ composite, coverage });
  const read = traits === null ? null : (JSON.parse(traits) as Traits);
  const { state: next, step } = advanceStream(state, { testId: id, score, traits: read });
  const { usualTestId } = state;
  const move: StreamMove | null =
    step.isNews && step.move !== null && score !== null && usualTestId !== null
      ? { points: step.move, score, usual: step.usual, marks: step.marks, comparedWith: usualTestId }
      : null;
  // A claim on an earlier move ends, so that this one isn't waited for.
  const due = { due_at: now, attempts: 0, claimed_by: null, claimed_until: null };
  const moved = move && { moved_test_id: id, moved_at: now, move: JSON.stringify(move), ...due };
  const usual_score = toUsual(next)?.score ?? null;
  await updateStream(db, stream.id, { state: JSON.stringify(next), usual_score, ...moved });
  return move;
}

export function readState({ state }: Pick<StreamsTable, "state">): StreamState {
  return state === null ? newStream : (JSON.parse(state) as StreamState);
}

/** As reports show it. */
export function toComparableScore({
  composite,
  coverage,
}: Pick<TestsTable, "composite" | "coverage">): number | null {
  return isJudged(composite, coverage) ? Number(toWholeScore(composite)) : null;
}

type WantedRule = Pick<StreamRulesTable, "name" | "sender" | "label">;

export async function addStreamRule(
  store: Pick<WorkspaceStore, "workspaceId" | "write">,
  system: Pick<System, "now" | "random">,
  wanted: WantedRule,
): Promise<StreamRulesTable> {
  const now = system.now();
  const row = { id: createId("streamRule", now, system.random(16)), ...wanted, created_at: now };
  await store.write(async (scope) => {
    await lockWorkspace(scope);
    if ((await listStreamRules(scope)).length >= maxStreamRules)
      throw new Refusal(
        "conflict",
        `A workspace can have at most ${maxStreamRules} stream rules. Delete one first.`,
      );
    await insertStreamRule(scope, row);
  });
  return { ...row, workspace_id: store.workspaceId };
}

export async function deleteStreamRule(store: Pick<WorkspaceStore, "write">, id: string): Promise<void> {
  if (!(await store.write((scope) => removeStreamRule(scope, id))))
    throw new Refusal("not_found", "Stream rule not found.");
}

const emptyKeptMs = 86_400_000;
const removedAtOnce = 500;

type TidyTerms = {
  readonly store: Pick<Store, "readInWorker" | "write">;
  readonly system: Pick<System, "now">;
  readonly stopping: AbortSignal;
  readonly most?: number;
};

/** Removes streams without tests, and those beyond the limit of a workspace. */
export async function tidyStreams({ store, system, stopping, most = maxStreams }: TidyTerms): Promise<void> {
  const before = system.now() - emptyKeptMs;
  for (let removed = 1; removed > 0; ) {
    stopping.throwIfAborted();
    removed = await store.write((db) => removeEmptyStreams(db, before));
  }
  const excess = await listExcessStreams(store.readInWorker, most);
  for (let at = 0; at < excess.length; at += removedAtOnce) {
    stopping.throwIfAborted();
    const some = excess.slice(at, at + removedAtOnce);
    await store.write((db) => removeStreams(db, some));
  }
}
