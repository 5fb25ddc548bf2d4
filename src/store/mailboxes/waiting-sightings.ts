// Sightings that came before their test, because our own copy was slower; and the marks by which later ones find a test.

import type { Sighting } from "../../reports/sighting.ts";
import { prepare } from "../engine/prepared.ts";
import type { Db } from "../schema/schema.ts";
import type { Scope } from "../scope.ts";

export type Waiting = {
  readonly id: string;
  readonly integrationId: string;
  readonly sighting: Sighting;
};

export async function insertWaiting(
  scope: Scope,
  { id, integrationId, sighting, keptAt, keys }: Waiting & { keptAt: number; keys: readonly string[] },
): Promise<void> {
  const row = { id, integration_id: integrationId, kept_at: keptAt, sighting: JSON.stringify(sighting) };
  await scope.insertInto("waiting_sightings", row).execute();
  for (const match_key of keys)
    await scope.insertInto("waiting_keys", { sighting_id: id, match_key }).execute();
}

/** The newest of a mailbox stay. */
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
    .where((is) =>
      is.or([is("kept_at", "<", kept_at), is.and([is("kept_at", "=", kept_at), is("id", "<=", id)])]),
    )
    .execute();
}

/** Of a mailbox, those kept since; the oldest first. */
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

/** Whether anything waits at all: most workspaces have no mailbox. */
export async function hasWaiting(db: Db, workspaceId: string): Promise<boolean> {
  const { rows } = await selectAnyWaiting(db, { workspaceId });
  return rows.length > 0;
}

const selectAnyWaiting = prepare<{ workspaceId: string }>((db, { workspaceId }) =>
  db.selectFrom("waiting_sightings").select("workspace_id").where("workspace_id", "=", workspaceId).limit(1),
);

/** Of all mailboxes of the workspace, those that share a key with a test; the oldest first. */
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

/** For every message that is analysed, and mostly it finds nothing. */
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
