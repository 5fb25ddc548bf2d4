// Authenticator apps, passkeys, and recovery codes.

import type { Db } from "../../../platform/database/schema.ts";
import type { SecondFactorsTable } from "../tables.ts";
import { listIdentities } from "./users.ts";

export async function insertFactor(db: Db, factor: SecondFactorsTable): Promise<void> {
  await db.insertInto("second_factors").values(factor).execute();
}

/** Oldest first. */
export async function listFactors(db: Db, userId: string): Promise<SecondFactorsTable[]> {
  return await db
    .selectFrom("second_factors")
    .selectAll()
    .where("user_id", "=", userId)
    .where("confirmed_at", "is not", null)
    .orderBy("id")
    .execute();
}

/** Whether logging in takes more than the password. */
export async function hasFactor(db: Db, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom("second_factors")
    .select("id")
    .where("user_id", "=", userId)
    .where("confirmed_at", "is not", null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether the user can log in with one, here or at an issuer, which decides what its logins take. */
export async function canUseFactor(db: Db, userId: string): Promise<boolean> {
  return (await hasFactor(db, userId)) || (await listIdentities(db, userId)).length > 0;
}

/** Confirmed or not. */
export async function readFactor(db: Db, userId: string, id: string): Promise<SecondFactorsTable | undefined> {
  return await db
    .selectFrom("second_factors")
    .selectAll()
    .where("user_id", "=", userId)
    .where("id", "=", id)
    .executeTakeFirst();
}

export async function isCredentialKnown(db: Db, credentialId: string): Promise<boolean> {
  const row = await db
    .selectFrom("second_factors")
    .select("id")
    .where("credential_id", "=", credentialId)
    .executeTakeFirst();
  return row !== undefined;
}

type Confirmed = { readonly confirmed_at: number } & Partial<
  Pick<SecondFactorsTable, "last_step" | "passkey" | "credential_id">
>;

/** False if it was confirmed or removed meanwhile. */
export async function confirmFactor(db: Db, id: string, confirmed: Confirmed): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("second_factors")
    .set(confirmed)
    .where("id", "=", id)
    .where("confirmed_at", "is", null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** False if a code of this step or a later one was used before. */
export async function useStep(
  db: Db,
  id: string,
  { step, now }: { readonly step: number; readonly now: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("second_factors")
    .set({ last_step: step, last_used_at: now })
    .where("id", "=", id)
    .where((is) => is.or([is("last_step", "is", null), is("last_step", "<", step)]))
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** False if it was used or removed since it was read. */
export async function usePasskey(
  db: Db,
  { id, passkey: before }: SecondFactorsTable,
  { passkey, now }: { readonly passkey: string; readonly now: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("second_factors")
    .set({ passkey, last_used_at: now })
    .where("id", "=", id)
    .where("passkey", "=", before)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** False if the user has no such factor. */
export async function removeFactor(db: Db, userId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("second_factors")
    .where("user_id", "=", userId)
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
}

/** Those that were begun and never finished. */
export async function removeUnconfirmed(db: Db, userId: string): Promise<void> {
  await db.deleteFrom("second_factors").where("user_id", "=", userId).where("confirmed_at", "is", null).execute();
}

/** Returns the number of factors. */
export async function removeAllFactors(db: Db, userId: string): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom("second_factors")
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  await db.deleteFrom("recovery_codes").where("user_id", "=", userId).execute();
  return Number(numDeletedRows);
}

export async function replaceRecoveryCodes(db: Db, userId: string, hashes: readonly string[]): Promise<void> {
  await db.deleteFrom("recovery_codes").where("user_id", "=", userId).execute();
  const rows = hashes.map((hash) => ({ user_id: userId, hash }));
  if (rows.length > 0) await db.insertInto("recovery_codes").values(rows).execute();
}

export async function countRecoveryCodes(db: Db, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom("recovery_codes")
    .select((is) => is.fn.countAll<number | bigint | string>().as("count"))
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** False if the user has no such code, or it was used. */
export async function takeRecoveryCode(db: Db, userId: string, hash: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("recovery_codes")
    .where("user_id", "=", userId)
    .where("hash", "=", hash)
    .executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
}
