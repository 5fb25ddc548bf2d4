// Sightings that came before their test, because our own copy was slower, and the marks by which later sightings find a
// test.

import {
  type Candidate,
  isAnotherMessage,
  marksOf,
  matchReachMs,
  toFromAddress,
} from "../../../analyzer/reports/match-sighting.ts";
import type { Sighting } from "../../../analyzer/reports/sighting.ts";
import { prepare } from "../../../platform/database/engine/prepared.ts";
import type { Db } from "../../../platform/database/schema.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { beginningAt } from "../../../platform/ids.ts";
import { parseEvidence } from "../../tests/rows/observations.ts";
import type { TestsTable } from "../../tests/tables.ts";

export type Waiting = { readonly id: string; readonly integrationId: string; readonly sighting: Sighting };

export async function insertWaiting(
  scope: Scope,
  { id, integrationId, sighting, keptAt, keys }: Waiting & { keptAt: number; keys: readonly string[] },
): Promise<void> {
  const row = { id, integration_id: integrationId, kept_at: keptAt, sighting: JSON.stringify(sighting) };
  await scope.insertInto("waiting_sightings", row).execute();
  for (const match_key of keys) await scope.insertInto("waiting_keys", { sighting_id: id, match_key }).execute();
}

/** Keeps the newest of a mailbox. */
export async function trimWaiting(scope: Scope, integrationId: string, keep: number): Promise<void> {
  const oldest = await scope
    .selectFrom("waiting_sightings")
    .select(["kept_at", "id"])
    .where("integration_id", "=", integrationId)
    .orderBy("kept_at", "desc")
    .orderBy("id", "desc")
    .offset(keep)
    .limit(1)
    .executeTakeFirst();
  if (!oldest) return;
  const { kept_at, id } = oldest;
  await scope
    .deleteFrom("waiting_sightings")
    .where("integration_id", "=", integrationId)
    .where((is) => is.or([is("kept_at", "<", kept_at), is.and([is("kept_at", "=", kept_at), is("id", "<=", id)])]))
    .execute();
}

/** A mailbox's sightings stored since then, oldest first. */
export async function listWaitingOf(scope: Scope, integrationId: string, since: number): Promise<Waiting[]> {
  const rows = await scope
    .selectFrom("waiting_sightings")
    .select(["id", "integration_id", "sighting"])
    .where("integration_id", "=", integrationId)
    .where("kept_at", ">=", since)
    .orderBy("kept_at")
    .orderBy("id")
    .execute();
  return rows.map(toWaiting);
}

/** Whether anything waits at all. Most workspaces have no mailbox. */
export async function hasWaiting(db: Db, workspaceId: string): Promise<boolean> {
  const { rows } = await selectAnyWaiting(db, { workspaceId });
  return rows.length > 0;
}

const selectAnyWaiting = prepare<{ workspaceId: string }>((db, { workspaceId }) =>
  db.selectFrom("waiting_sightings").select("workspace_id").where("workspace_id", "=", workspaceId).limit(1),
);

/** From all mailboxes of the workspace, those that share a key with a test, oldest first. */
export async function listWaitingFor(
  db: Db,
  asked: { readonly workspaceId: string; readonly keys: readonly string[]; readonly since: number },
): Promise<Waiting[]> {
  const { workspaceId, keys, since } = asked;
  if (keys.length === 0) return [];
  const [one = "", two = "", three = "", four = "", five = "", six = ""] = keys;
  const { rows } = await selectWaiting(db, { workspaceId, since, one, two, three, four, five, six });
  return rows.map(toWaiting);
}

type Keys = Record<"one" | "two" | "three" | "four" | "five" | "six", string>;
type Row = { readonly id: string; readonly integration_id: string; readonly sighting: string };

const mostForATest = 50;

/** Runs for every analyzed message and rarely finds anything. */
const selectWaiting = prepare<Keys & { workspaceId: string; since: number }, Row>((db, told) =>
  db
    .selectFrom("waiting_sightings")
    .select(["id", "integration_id", "sighting"])
    .where("id", "in", (some) =>
      some
        .selectFrom("waiting_keys")
        .select("sighting_id")
        .where("workspace_id", "=", told.workspaceId)
        .where("match_key", "in", [told.one, told.two, told.three, told.four, told.five, told.six]),
    )
    .where("kept_at", ">=", told.since)
    .orderBy("kept_at")
    .orderBy("id")
    .limit(mostForATest),
);

function toWaiting({ id, integration_id, sighting }: Row): Waiting {
  return { id, integrationId: integration_id, sighting: JSON.parse(sighting) as Sighting };
}

export async function removeWaiting(scope: Scope, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await scope.deleteFrom("waiting_sightings").where("id", "in", ids).execute();
}

export async function removeWaitingBefore(db: Db, time: number): Promise<void> {
  await db.deleteFrom("waiting_sightings").where("kept_at", "<", time).execute();
}

export async function keepMarks(scope: Scope, testId: string, marks: readonly string[]): Promise<void> {
  for (const mark of marks)
    await scope
      .insertInto("test_marks", { test_id: testId, mark })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
}

// Tests that a message in a seed mailbox may belong to: all that one of its marks could lead to, through an index each.

/** If more share a mark or a Message-ID, it identifies nothing. */
const mostOfAKind = 20;
/** For an author's domain, on each side of the arrival, nearest first. */
const mostOfADomain = 200;

type CandidateRow = Pick<TestsTable, "id" | "received_at" | "message_id" | "header_from" | "subject">;

/** Only an analyzed message can be compared. */
export async function listCandidates(scope: Scope, sighting: Sighting, integrationId: string): Promise<Candidate[]> {
  const rows = [
    ...(await listByMarks(scope, marksOf(sighting))),
    ...(await listByMessageId(scope, sighting.messageId)),
    ...(await listByAuthor(scope, sighting)),
  ];
  const tests = [...new Map(rows.map((row) => [row.id, row])).values()];
  if (tests.length === 0) return [];
  const ids = tests.map(({ id }) => id);
  const marks = await listMarks(scope, ids);
  const taken = await listTaken(scope, { ids, integrationId, sighting });
  return tests.map((row) => ({
    id: row.id,
    receivedAt: row.received_at,
    marks: marks.get(row.id) ?? [],
    messageId: row.message_id,
    from: row.header_from,
    subject: row.subject,
    isTaken: taken.has(row.id),
  }));
}

/** Messages from the sample gallery never reach a mailbox. */
function selectTests(scope: Scope) {
  return scope
    .selectFrom("tests")
    .select(["tests.id", "received_at", "message_id", "header_from", "subject"])
    .where("became", "=", "test")
    .where("sample", "=", 0)
    .where("analyzed_at", "is not", null);
}

async function listByMarks(scope: Scope, marks: readonly string[]): Promise<CandidateRow[]> {
  if (marks.length === 0) return [];
  const marked = await scope
    .selectFrom("test_marks")
    .select("test_id")
    .where("mark", "in", marks)
    .orderBy("test_id", "desc")
    .limit(mostOfAKind)
    .execute();
  const ids = marked.map(({ test_id }) => test_id);
  return ids.length === 0 ? [] : await selectTests(scope).where("id", "in", ids).execute();
}

async function listByMessageId(scope: Scope, messageId: string | null): Promise<CandidateRow[]> {
  if (messageId === null) return [];
  return await selectTests(scope)
    .where("message_id", "=", messageId)
    .orderBy("id", "desc")
    .limit(mostOfAKind)
    .execute();
}

async function listByAuthor(scope: Scope, { from, subject, arrivedAt }: Sighting): Promise<CandidateRow[]> {
  const address = toFromAddress(from);
  if (address === null || subject === null) return [];
  const domain = address.slice(address.lastIndexOf("@") + 1);
  const reach = matchReachMs["from-and-subject"];
  const ofDomain = selectTests(scope).where("from_domain", "=", domain);
  const arrival = beginningAt("test", arrivedAt);
  const before = await ofDomain
    .where("id", ">=", beginningAt("test", Math.max(0, arrivedAt - reach)))
    .where("id", "<", arrival)
    .orderBy("id", "desc")
    .limit(mostOfADomain)
    .execute();
  const after = await ofDomain
    .where("id", ">=", arrival)
    .where("id", "<", beginningAt("test", arrivedAt + reach + 1))
    .orderBy("id")
    .limit(mostOfADomain)
    .execute();
  return [...before, ...after];
}

async function listMarks(scope: Scope, ids: readonly string[]): Promise<Map<string, string[]>> {
  const rows = await scope.selectFrom("test_marks").select(["test_id", "mark"]).where("test_id", "in", ids).execute();
  const byTest = Map.groupBy(rows, ({ test_id }) => test_id);
  return new Map([...byTest].map(([id, some]) => [id, some.map(({ mark }) => mark)]));
}

type CandidateQuery = { readonly ids: readonly string[]; readonly integrationId: string; readonly sighting: Sighting };

/** Tests for which this mailbox has shown another message. */
async function listTaken(scope: Scope, { ids, integrationId, sighting }: CandidateQuery): Promise<Set<string>> {
  const rows = await scope
    .selectFrom("observations")
    .select(["test_id", "evidence"])
    .where("integration_id", "=", integrationId)
    .where("test_id", "in", ids)
    .execute();
  const others = rows.filter((row) => isAnotherMessage(parseEvidence(row), sighting));
  return new Set(others.map(({ test_id }) => test_id));
}
