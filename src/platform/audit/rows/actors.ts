// Who acts. Names are recorded as they are at that time, because people and tokens are removed later.

import type { Db } from "../../database/schema.ts";
import type { Watch } from "./watch.ts";

/**
 * session: the person whose session it is, by its hash. new-session: the person whose session this write creates. none:
 * the session doesn't exist, so nothing is recorded. `userId`: the person, or who created the token.
 */
export type Recorder = {
  readonly type: "person" | "token" | "command" | "system" | "unknown" | "session" | "new-session" | "none";
  readonly id: string | null;
  readonly name: string | null;
  readonly email: string | null;
  readonly userId?: string | null;
};

/** Adds what the database knows. Without `watch`, or before the write, a new session isn't known yet. */
export async function findActor(db: Db, by: Recorder, watch?: Watch): Promise<Recorder> {
  if (by.type === "session") return await findBySession(db, by.id);
  if (by.type === "new-session") {
    const userId = watch?.inserted("sessions")?.user_id;
    return typeof userId === "string" ? await findPerson(db, userId) : by;
  }
  if (by.type === "person" && by.name === null && by.id !== null) return await findPerson(db, by.id);
  if (by.type !== "token" || by.email !== null || !by.userId) return by;
  const { email } = await findPerson(db, by.userId);
  return { ...by, email };
}

async function findBySession(db: Db, hash: string | null): Promise<Recorder> {
  const session = await db
    .selectFrom("sessions")
    .select("user_id")
    .where("hash", "=", hash ?? "")
    .executeTakeFirst();
  if (session === undefined) return { type: "none", id: null, name: null, email: null };
  return await findPerson(db, session.user_id);
}

export function toPerson(id: string): Recorder {
  return { type: "person", id, userId: id, name: null, email: null };
}

async function findPerson(db: Db, id: string): Promise<Recorder> {
  const user = await db.selectFrom("users").select(["name", "email"]).where("id", "=", id).executeTakeFirst();
  return { ...toPerson(id), name: user?.name ?? null, email: user?.email ?? null };
}

/** A person may be in hundreds of workspaces, and each of their logins would be an entry in each. */
const mostChains = 50;

export async function listChainsOf(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom("memberships")
    .select("workspace_id")
    .where("user_id", "=", userId)
    .orderBy("created_at")
    .orderBy("workspace_id")
    .limit(mostChains)
    .execute();
  return rows.map(({ workspace_id }) => workspace_id);
}
