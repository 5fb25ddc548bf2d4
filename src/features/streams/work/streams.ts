// Puts a test into its stream and notes whether its score is unusual there.

import { parseMailboxes } from "../../../analyzer/mail/headers/address.ts";
import { parseRehearsalTag } from "../../../analyzer/mail/headers/rehearsal-address.ts";
import { toComparableScore } from "../../../analyzer/reports/grade-words.ts";
import {
  advanceStream,
  chooseStream,
  type MoveCause,
  newestUsual,
  newStream,
  replayStream,
  type StreamKey,
  type StreamState,
  type StreamStep,
  toSiblingKeys,
  toStreamKey,
  toUsual,
  type Usual,
} from "../../../analyzer/reports/stream.ts";
import type { Traits } from "../../../analyzer/reports/traits.ts";
import { recordChange, recordIf } from "../../../platform/audit/rows/recording.ts";
import type { Db } from "../../../platform/database/schema.ts";
import { inWorkspace, type WorkspaceStore } from "../../../platform/database/scope.ts";
import type { Store } from "../../../platform/database/store.ts";
import { Refusal } from "../../../platform/errors.ts";
import { createId } from "../../../platform/ids.ts";
import type { Feature } from "../../../platform/server.ts";
import type { System } from "../../../platform/system/system.ts";
import { type ServeRow, serveTogether } from "../../../platform/work/serve-row.ts";
import { hasArrived } from "../../intake/work/receive-message.ts";
import { lockWorkspace } from "../../people/rows/workspaces.ts";
import type { TestAnalysis } from "../../tests/rows/tests.ts";
import type { TestsTable } from "../../tests/tables.ts";
import type { ClaimedTest } from "../../tests/work/path.ts";
import {
  enterStream,
  insertStreamRule,
  listExcessStreams,
  listStreamRules,
  listStreamTests,
  maxStreamRules,
  maxStreams,
  readStreamName,
  readStreamStates,
  removeEmptyStreams,
  removeStreamRule,
  removeStreams,
  type StreamChange,
  type StreamTest,
  updateStream,
} from "../rows.ts";
import type { StreamRulesTable, StreamsTable } from "../tables.ts";

/** What is known as soon as a test moved. */
export type StreamMove = Pick<StreamStep, "marks" | "usual"> & {
  readonly points: number;
  readonly score: number;
  /** The test whose score was usual, to compare with. */
  readonly comparedWith: string;
  /** Missing until known, null if they can't be. */
  readonly causes?: readonly MoveCause[] | null;
};

export function readMove({ move }: Pick<StreamsTable, "move">): StreamMove | null {
  return move === null ? null : (JSON.parse(move) as StreamMove);
}

/** A test that was analyzed before keeps what was usual then, and its stream. */
export const placeTest: NonNullable<Feature["placeTest"]> = async (db, test, analysis, system) => {
  const stream = await findStream(db, test, analysis, system);
  const { traits, change } = await advance(db, stream, test, analysis, analysis.analyzedAt);
  if (stream === null) return { traits, stream };
  const { id, workspace_id } = stream;
  return {
    traits,
    stream: {
      id,
      describe: async () => ({
        id,
        name: await readStreamName(inWorkspace(db, workspace_id), stream),
        usualScore: toUsual(readState(stream))?.score ?? null,
      }),
      save: async () => {
        if (change) await updateStream(db, id, change);
      },
    },
  };
};

/**
 * The stream of a test that is analyzed for the first time. Null for a sample, an upload, mail that
 * rehearses or probes, and mail without a sender.
 */
async function findStream(
  db: Db,
  test: ClaimedTest,
  analysis: Pick<TestAnalysis, "header_from" | "from_domain" | "kind" | "traits">,
  { now, random }: Pick<System, "now" | "random">,
): Promise<StreamsTable | null> {
  if (test.sample !== 0 || test.analyzed_at !== null || !hasArrived(test)) return null;
  if (parseRehearsalTag(test.label) !== null) return null;
  const { workspace_id, label, received_at, settings } = test;
  const { header_from, from_domain, kind } = analysis;
  const { streamRules: rules } = settings;
  const address = rules.length > 0 && header_from !== null ? firstAddress(header_from) : null;
  const ownKey = toStreamKey(rules, { address, domain: from_domain, label, kind });
  if (ownKey === null) return null;
  const key = await withLayout(db, workspace_id, ownKey, readTraits(analysis.traits));
  const id = createId("stream", now(), random(16));
  return await enterStream(db, { id, workspace_id, ...key, at: received_at, testId: test.id });
}

/** Newsletters stay together by their layout, whatever kind one of them looks like. */
async function withLayout(db: Db, workspaceId: string, key: StreamKey, traits: Traits | null): Promise<StreamKey> {
  const siblings = toSiblingKeys(key);
  if (siblings.length === 0 || traits?.template == null) return key;
  const keys = [key, ...siblings].map(({ match_key }) => match_key);
  const known = await readStreamStates(db, workspaceId, keys);
  const templates = known.map((row) => ({
    match_key: row.match_key,
    template: readState(row).traits?.template ?? null,
  }));
  return chooseStream(key, traits.template, templates);
}

/** With what was usual in the stream when the test was first analyzed. */
type KeptTraits = Traits & { readonly usual?: Usual | null };

function readTraits(traits: string | null): KeptTraits | null {
  return traits === null ? null : (JSON.parse(traits) as KeptTraits);
}

function withUsual(traits: string | null, usual: Usual | null | undefined): string | null {
  return traits === null || usual === undefined ? traits : JSON.stringify({ ...JSON.parse(traits), usual });
}

/** What the tests before this one say. A stream has no state if it is new, or if its tests were sorted into it later. */
async function rebuildState(db: Db, { id, workspace_id }: StreamsTable, before: string): Promise<StreamState> {
  const tests = await listStreamTests(inWorkspace(db, workspace_id), id, rebuiltTests);
  return replayStream(tests.filter((test) => test.id !== before).map(toPoint)).state;
}

/** More than enough for a full level. */
const rebuiltTests = 100;

export function toPoint(test: StreamTest) {
  const traits = readTraits(test.traits);
  const usual = traits?.usual !== undefined && { usual: traits.usual };
  return { testId: test.id, test, score: toComparableScore(test), traits, ...usual };
}

function firstAddress(from: string): string | null {
  return parseMailboxes(from).list[0]?.address ?? null;
}

/** What changes in a test's stream with it. The test's traits, which it is to be stored with, say what was usual. */
async function advance(
  db: Db,
  stream: StreamsTable | null,
  { id, traits: earlier }: Pick<TestsTable, "id" | "traits">,
  { composite, coverage, traits }: Pick<TestAnalysis, "composite" | "coverage" | "traits">,
  now: number,
): Promise<{ readonly traits: string | null; readonly change: StreamChange | null }> {
  if (stream === null) return { traits: withUsual(traits, readTraits(earlier)?.usual), change: null };
  const state = stream.state === null ? await rebuildState(db, stream, id) : readState(stream);
  const score = toComparableScore({ composite, coverage });
  const { state: next, step } = advanceStream(state, { testId: id, score, traits: readTraits(traits) });
  const comparedWith = step.isNews && step.usual && (await findUsualTest(db, stream, state, step.usual));
  const move: StreamMove | null =
    step.move !== null && score !== null && comparedWith
      ? { points: step.move, score, usual: step.usual, marks: step.marks, comparedWith }
      : null;
  // A claim on an earlier move ends, so that this one isn't waited for.
  const due = { due_at: now, attempts: 0, claimed_by: null, claimed_until: null };
  const moved = move && { moved_test_id: id, moved_at: now, move: JSON.stringify(move), ...due };
  const usual = toUsual(next);
  // The column has whole numbers, and is for sorting.
  const usual_score = usual && Math.floor(usual.score);
  const change = { state: JSON.stringify(next), usual_score, ...moved };
  return { traits: withUsual(traits, step.usual), change };
}

/** A person may have deleted it. Then it is the newest one that is left. */
async function findUsualTest(
  db: Db,
  { id, workspace_id }: StreamsTable,
  { usualTestId }: StreamState,
  usual: Usual,
): Promise<string | null> {
  const tests = await listStreamTests(inWorkspace(db, workspace_id), id, rebuiltTests);
  if (tests.some((test) => test.id === usualTestId)) return usualTestId;
  return newestUsual(tests.map(toPoint), usual) ?? usualTestId;
}

export function readState({ state }: Pick<StreamsTable, "state">): StreamState {
  return state === null ? newStream : (JSON.parse(state) as StreamState);
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
      throw new Refusal("conflict", `A workspace can have at most ${maxStreamRules} stream rules. Delete one first.`);
    await insertStreamRule(scope, row);
    recordChange({ objectId: row.id });
  });
  return { ...row, workspace_id: store.workspaceId };
}

export async function deleteStreamRule(store: Pick<WorkspaceStore, "write">, id: string): Promise<void> {
  if (!(await store.write(async (scope) => recordIf(await removeStreamRule(scope, id)))))
    throw new Refusal("not_found", "Stream rule not found.");
}

const emptyKeptMs = 86_400_000;
const removedAtOnce = 500;

type TidyTerms = {
  readonly store: Pick<Store, "readInWorker" | "write">;
  readonly system: Pick<System, "now">;
  readonly stopping: AbortSignal;
  readonly serve: ServeRow;
  readonly most?: number;
};

/** Removes streams without tests, and those beyond the limit of a workspace. */
export async function tidyStreams({ store, system, stopping, serve, most = maxStreams }: TidyTerms): Promise<void> {
  const before = system.now() - emptyKeptMs;
  for (let removed = 1; removed > 0; ) {
    stopping.throwIfAborted();
    removed = await store.write((db) => removeEmptyStreams(db, before));
  }
  const excess = await listExcessStreams(store.readInWorker, most);
  for (let at = 0; at < excess.length; at += removedAtOnce) {
    stopping.throwIfAborted();
    const some = excess.slice(at, at + removedAtOnce);
    await serveTogether(serve, some, (ids) => store.write(async (db) => [await removeStreams(db, ids)]));
  }
}
