// Who acts. Names are recorded as they are at that time, because people and tokens are removed later.

import type { Db } from "../../database/schema.ts";

/** `userId`: the person, or who created the token. */
export type Recorder = {
  readonly type: "person" | "token" | "command" | "system" | "unknown";
  readonly id: string | null;
  readonly name: string | null;
  readonly email: string | null;
  readonly userId?: string | null;
};

/** Adds what the database knows. */
export async function findActor(db: Db, by: Recorder): Promise<Recorder> {
  if (by.type === "person" && by.name === null && by.id !== null) return await findPerson(db, by.id);
  if (by.type !== "token" || by.email !== null || !by.userId) return by;
  const { email } = await findPerson(db, by.userId);
  return { ...by, email };
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
