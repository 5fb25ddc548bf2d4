// Tests that a message in a seed mailbox may belong to: as many as any of its marks could lead to, by an index each.

import { beginningAt } from "../../ids.ts";
import {
  type Candidate,
  isAnotherMessage,
  marksOf,
  matchReachMs,
  toFromAddress,
} from "../../reports/match-sighting.ts";
import type { Sighting } from "../../reports/sighting.ts";
import type { TestsTable } from "../schema/schema.ts";
import type { Scope } from "../scope.ts";
import { parseEvidence } from "./observations.ts";

/** Where more share a mark or a Message-ID, it tells nothing any more. */
const mostOfAKind = 20;
/** Of an author's domain, on each side of the arrival: the nearest come first. */
const mostOfADomain = 200;

type Row = Pick<TestsTable, "id" | "received_at" | "message_id" | "header_from" | "subject">;

/** Only what is analysed can be told by its message. */
export async function listCandidates(
  scope: Scope,
  sighting: Sighting,
  integrationId: string,
): Promise<Candidate[]> {
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

/** What the laboratory sent came to no mailbox. */
function selectTests(scope: Scope) {
  return scope
    .selectFrom("tests")
    .select(["tests.id", "received_at", "message_id", "header_from", "subject"])
    .where("became", "=", "test")
    .where("sample", "=", 0)
    .where("analyzed_at", "is not", null);
}

async function listByMarks(scope: Scope, marks: readonly string[]): Promise<Row[]> {
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

async function listByMessageId(scope: Scope, messageId: string | null): Promise<Row[]> {
  if (messageId === null) return [];
  return await selectTests(scope)
    .where("message_id", "=", messageId)
    .orderBy("id", "desc")
    .limit(mostOfAKind)
    .execute();
}

async function listByAuthor(scope: Scope, { from, subject, arrivedAt }: Sighting): Promise<Row[]> {
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
  const rows = await scope
    .selectFrom("test_marks")
    .select(["test_id", "mark"])
    .where("test_id", "in", ids)
    .execute();
  const byTest = Map.groupBy(rows, ({ test_id }) => test_id);
  return new Map([...byTest].map(([id, some]) => [id, some.map(({ mark }) => mark)]));
}

type CandidateQuery = {
  readonly ids: readonly string[];
  readonly integrationId: string;
  readonly sighting: Sighting;
};

/** Tests that this mailbox has shown another message of. */
async function listTaken(
  scope: Scope,
  { ids, integrationId, sighting }: CandidateQuery,
): Promise<Set<string>> {
  const rows = await scope
    .selectFrom("observations")
    .select(["test_id", "evidence"])
    .where("integration_id", "=", integrationId)
    .where("test_id", "in", ids)
    .execute();
  const others = rows.filter((row) => isAnotherMessage(parseEvidence(row), sighting));
  return new Set(others.map(({ test_id }) => test_id));
}
