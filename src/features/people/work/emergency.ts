// Emergency accounts: owners who can log in with a password when the organization's issuer is down.

import { recordChange, recordIf } from "../../../platform/audit/rows/recording.ts";
import { inWorkspace } from "../../../platform/database/scope.ts";
import type { Store } from "../../../platform/database/store.ts";
import { Refusal } from "../../../platform/errors.ts";
import { createId } from "../../../platform/ids.ts";
import type { System } from "../../../platform/system/system.ts";
import { changeRole, insertMembership, listRolesOf, removeGrant } from "../rows/memberships.ts";
import { findUserByEmail, insertEmergencyAccount, insertUser, removeEmergencyAccount } from "../rows/users.ts";
import { lockWorkspace, readFirstWorkspaceId } from "../rows/workspaces.ts";

/** Creates the account if there is none, and makes it an owner of the first workspace. */
export async function addEmergencyAccount(
  store: Pick<Store, "write">,
  system: Pick<System, "now" | "random">,
  email: string,
): Promise<{ readonly isNew: boolean; readonly hasPassword: boolean }> {
  const now = system.now();
  const newId = createId("user", now, system.random(16));
  return await store.write(async (db) => {
    const known = await findUserByEmail(db, email);
    const name = email.split("@")[0] ?? "";
    if (!known) await insertUser(db, { id: newId, name, email, password_hash: "", created_at: now });
    const userId = known?.id ?? newId;
    const workspaceId = (await readFirstWorkspaceId(db)) ?? "";
    const scope = inWorkspace(db, workspaceId);
    await lockWorkspace(scope);
    const role = (await listRolesOf(db, userId)).get(workspaceId);
    if (role === undefined) await insertMembership(scope, { user_id: userId, role: "owner", created_at: now });
    else if (role !== "owner") await changeRole(scope, userId, "owner");
    await removeGrant(scope, userId);
    await insertEmergencyAccount(db, userId, now);
    recordChange({
      objectId: userId,
      objectName: known?.name ?? name,
      details: { before: { role: role ?? null }, after: { role: "owner", workspace: workspaceId } },
    });
    return { isNew: known === undefined, hasPassword: (known?.password_hash ?? "") !== "" };
  });
}

/** The account stays, with its roles. */
export async function endEmergencyAccount(store: Pick<Store, "write">, email: string): Promise<void> {
  const isGone = await store.write(async (db) => {
    const user = await findUserByEmail(db, email);
    if (user === undefined) return false;
    return recordIf(await removeEmergencyAccount(db, user.id), { objectId: user.id, objectName: user.name });
  });
  if (!isGone) throw new Refusal("not_found", `${email} is not an emergency account.`);
}
