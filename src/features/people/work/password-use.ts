// Who may use a password. Where only issuers log people in, these are the emergency accounts, for the time when an issuer
// is down.

import type { Db } from "../../../platform/database/schema.ts";
import type { Store } from "../../../platform/database/store.ts";
import { Refusal } from "../../../platform/errors.ts";
import type { Config } from "../../../platform/settings/config.ts";
import type { System } from "../../../platform/system/system.ts";
import { holdPassword, isEmergencyAccount } from "../rows/users.ts";
import type { UsersTable } from "../tables.ts";
import type { Browser } from "./sessions.ts";

type PasswordUseTerms = { readonly store: Pick<Store, "read">; readonly login: Config["login"] };

/** The answer is that for a wrong password, so a stranger can't tell which accounts are for emergencies. */
export async function requirePasswordLogin(
  { store, system, login }: PasswordUseTerms & { readonly system: Pick<System, "log"> },
  userId: string,
  { address }: Browser,
): Promise<void> {
  const isEmergency = await isEmergencyAccount(store.read, userId);
  if (!isEmergency && login === "oidc") throw wrongPassword();
  if (isEmergency) system.log.warn("An emergency account logged in with its password.", { userId, address });
}

/** Elsewhere a password would open nothing. */
export async function requirePasswordUse({ store, login }: PasswordUseTerms, userId: string | null): Promise<void> {
  if (login !== "oidc" || (userId !== null && (await isEmergencyAccount(store.read, userId)))) return;
  throw new Refusal("conflict", "This server has no passwords. Log in with your organization instead.");
}

/** In the write that a password was checked for: it may have been changed since, and then the old one opens nothing. */
export async function requireSamePassword(
  db: Db,
  { id, password_hash: hash }: Pick<UsersTable, "id" | "password_hash">,
): Promise<void> {
  if (!(await holdPassword(db, id, hash))) throw wrongPassword();
}

export function wrongPassword(): Refusal {
  return new Refusal("invalid_credentials", "Wrong email or password.");
}
