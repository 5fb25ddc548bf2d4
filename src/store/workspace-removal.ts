// A workspace on its way out: first what opens it and what brings mail to it, at once; then its messages, some at a time;
// then its row.

import type { Db } from "./schema.ts";
import type { Scope } from "./scope.ts";

/** Nobody gets in and no mail comes from here on. Tokens and invitations of members end with their memberships. */
export async function closeWorkspace(scope: Scope): Promise<void> {
  for (const table of ["seed_inboxes", "api_tokens", "shares", "invitations", "memberships"] as const)
    await scope.deleteFrom(table).execute();
}

export async function listRemovedWorkspaces(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom("workspaces")
    .select("id")
    .where("removed_at", "is not", null)
    .orderBy("removed_at")
    .orderBy("id")
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Some of its messages, of every kind, with their reports; answers how many went. At most `bytes` of them, or one,
 * because to free 200 messages of 25 MB takes seconds in which no other message could be kept.
 */
export async function removeSomeTests(
  scope: Scope,
  { tests, bytes }: { readonly tests: number; readonly bytes: number },
): Promise<number> {
  // The order of an index, so that each step costs its own rows alone.
  const rows = await scope
    .selectFrom("tests")
    .select(["id", "size_bytes"])
    .orderBy("became")
    .orderBy("id")
    .limit(tests)
    .execute();
  let total = 0;
  const fitting = rows.filter(({ size_bytes }, index) => {
    total += size_bytes;
    return index === 0 || total <= bytes;
  });
  const ids = fitting.map(({ id }) => id);
  if (ids.length > 0) await scope.deleteFrom("tests").where("id", "in", ids).execute();
  return ids.length;
}

/** The row of a workspace whose tests are gone: what little is left goes with it. */
export async function removeWorkspaceRow(db: Db, id: string): Promise<void> {
  await db.deleteFrom("workspaces").where("id", "=", id).where("removed_at", "is not", null).execute();
}
