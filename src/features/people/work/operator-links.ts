// Links that the server's operator hands out. A person who forgot their password gets a link instead of a new password,
// so no one else ever knows the password and a used link in a chat or terminal is worthless. The old password and all
// sessions end at once, because the account may be compromised.

import { recordChange } from "../../../platform/audit/rows/recording.ts";
import { createSecret, hashSecret, secretBytes } from "../../../platform/contract/secrets.ts";
import type { Db } from "../../../platform/database/schema.ts";
import { inWorkspace } from "../../../platform/database/scope.ts";
import type { Store } from "../../../platform/database/store.ts";
import { Refusal } from "../../../platform/errors.ts";
import { createId } from "../../../platform/ids.ts";
import type { System } from "../../../platform/system/system.ts";
import { hasOwner } from "../rows/memberships.ts";
import { addSetUpLink, replacePasswordReset, replaceSetUpLink } from "../rows/one-time-links.ts";
import { removeAllFactors } from "../rows/second-factors.ts";
import { removeSessionsOf } from "../rows/sessions.ts";
import { findUserByEmail, updatePassword } from "../rows/users.ts";
import { lockWorkspace, readFirstWorkspaceId } from "../rows/workspaces.ts";
import { links } from "../rules/links.ts";
import type { UsersTable } from "../tables.ts";

/** `secret` goes into the link and is not stored. */
type OperatorLink = { readonly secret: string; readonly expiresAt: number };

/** So that each of as many processes can print a link that works. */
const mostSetUpLinks = 16;

/**
 * Earlier links stop working, unless other processes may just have printed them (`isAlone` false). All of them end with the
 * first owner. Null: the server already has an owner.
 */
export async function createSetUpLink(
  store: Store,
  system: Pick<System, "now" | "random">,
  isAlone = true,
): Promise<OperatorLink | null> {
  const now = system.now();
  const secret = createSecret(system.random(secretBytes));
  const expiresAt = now + links.setUp.lifeMs;
  const id = createId("invitation", now, system.random(16));
  return await store.write(async (db) => {
    const workspaceId = (await readFirstWorkspaceId(db)) ?? "";
    const scope = inWorkspace(db, workspaceId);
    await lockWorkspace(scope);
    if (await hasOwner(scope)) return null;
    const link = { id, hash: hashSecret(secret), created_at: now, expires_at: expiresAt };
    if (isAlone) await replaceSetUpLink(db, link);
    else await addSetUpLink(db, link, mostSetUpLinks - 1);
    recordChange();
    return { secret, expiresAt };
  });
}

/** `email` must be normalized. */
export async function createPasswordReset(
  store: Store,
  system: Pick<System, "now" | "random">,
  email: string,
): Promise<OperatorLink & { readonly userId: string }> {
  const now = system.now();
  const secret = createSecret(system.random(secretBytes));
  const expiresAt = now + links.passwordReset.lifeMs;
  return await store.write(async (db) => {
    const user = await requireUser(db, email);
    recordChange({ objectId: user.id, objectName: user.name });
    await updatePassword(db, user.id, "");
    await removeSessionsOf(db, user.id);
    const reset = { user_id: user.id, hash: hashSecret(secret), created_at: now, expires_at: expiresAt };
    await replacePasswordReset(db, reset);
    return { secret, expiresAt, userId: user.id };
  });
}

/** For a person who lost their phone. Ends their sessions, too. Returns the number of factors. */
export async function resetSecondFactors(
  store: Store,
  email: string,
): Promise<{ readonly removed: number; readonly userId: string }> {
  return await store.write(async (db) => {
    const user = await requireUser(db, email);
    recordChange({ objectId: user.id, objectName: user.name, isOnlyNamed: true });
    await removeSessionsOf(db, user.id);
    return { removed: await removeAllFactors(db, user.id), userId: user.id };
  });
}

async function requireUser(db: Db, email: string): Promise<UsersTable> {
  const user = await findUserByEmail(db, email);
  if (user !== undefined) return user;
  throw new Refusal("not_found", `No user has the email address ${email}. To list all users: assay user list.`);
}
