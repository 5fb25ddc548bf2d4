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

export type PasswordUseTerms = { readonly store: Pick<Store, "read">; readonly config: Pick<Config, "login"> };

/** The answer is that for a wrong password, so a stranger can't tell which accounts are for emergencies. */
export async function requirePasswordLogin(
  { store, system, config }: PasswordUseTerms & { readonly system: Pick<System, "log"> },
  userId: string,
  { address }: Browser,
): Promise<void> {
  const isEmergency = await isEmergencyAccount(store.read, userId);
  if (!isEmergency && config.login === "oidc") throw wrongPassword();
  if (isEmergency) system.log.warn("An emergency account logged in with its password.", { userId, address });
}

/** For other accounts a password would open nothing. Null: an account that isn't there yet. */
export async function mayUsePassword({ store, config }: PasswordUseTerms, userId: string | null): Promise<boolean> {
  return config.login !== "oidc" || (userId !== null && (await isEmergencyAccount(store.read, userId)));
}

/** One that works on this server. */
export async function hasPassword(
  terms: PasswordUseTerms,
  user: Pick<UsersTable, "id" | "password_hash"> | undefined,
): Promise<boolean> {
  return user !== undefined && user.password_hash !== "" && (await mayUsePassword(terms, user.id));
}

export async function requirePasswordUse(terms: PasswordUseTerms, userId: string | null): Promise<void> {
  if (await mayUsePassword(terms, userId)) return;
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
