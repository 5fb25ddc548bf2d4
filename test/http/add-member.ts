// Members of a workspace, each with a token and a session.

import { insertMembership } from "../../src/features/people/rows/memberships.ts";
import { insertUser } from "../../src/features/people/rows/users.ts";
import { issueToken } from "../../src/features/people/work/tokens.ts";
import type { Role } from "../../src/platform/contract/roles.ts";
import { inWorkspace, storeOf } from "../../src/platform/database/scope.ts";
import { createId } from "../../src/platform/ids.ts";
import type { HttpWorld } from "./http-world.ts";

export type Person = {
  readonly userId: string;
  readonly token: string;
  readonly tokenId: string;
  readonly cookie: string;
};

export async function addMember(
  world: Pick<HttpWorld, "store" | "system" | "openSession">,
  workspaceId: string,
  { email, role }: { readonly email: string; readonly role: Role },
): Promise<Person> {
  const { store, system } = world;
  const now = system.now();
  const id = createId("user", now, system.random(16));
  await store.write(async (db) => {
    await insertUser(db, { id, name: email.split("@")[0] ?? "", email, password_hash: "", created_at: now });
    await insertMembership(inWorkspace(db, workspaceId), { user_id: id, role, created_at: now });
  });
  const wanted = { name: email, createdBy: id, expiresAt: null, scope: "admin", label: null } as const;
  const { token, row } = await issueToken(storeOf(store, workspaceId), system, wanted);
  const { cookie } = await world.openSession(id);
  return { userId: id, token, tokenId: row.id, cookie };
}
