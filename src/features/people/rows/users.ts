import type { Role } from "../../../platform/contract/roles.ts";
import type { Db } from "../../../platform/database/schema.ts";
import type { IdentitiesTable, UsersTable } from "../tables.ts";

/** False if the email address already has an account. */
export async function insertUser(db: Db, user: UsersTable): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("users")
    .values(user)
    .onConflict((conflict) => conflict.column("email").doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

export async function findUserByEmail(db: Db, email: string): Promise<UsersTable | undefined> {
  return await db.selectFrom("users").selectAll().where("email", "=", email).executeTakeFirst();
}

export async function readUser(db: Db, id: string): Promise<UsersTable | undefined> {
  return await db.selectFrom("users").selectAll().where("id", "=", id).executeTakeFirst();
}

/** The address must be free. */
export async function updateEmail(db: Db, id: string, email: string): Promise<void> {
  await db.updateTable("users").set({ email }).where("id", "=", id).execute();
}

/** Ends an open reset link, which was for the old password. */
export async function updatePassword(db: Db, id: string, passwordHash: string): Promise<void> {
  await db.updateTable("users").set({ password_hash: passwordHash }).where("id", "=", id).execute();
  await db.deleteFrom("password_resets").where("user_id", "=", id).execute();
}

/** False if the password was changed since `hash` was read. It can't be changed until the transaction ends. */
export async function holdPassword(db: Db, id: string, hash: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("users")
    .set({ password_hash: hash })
    .where("id", "=", id)
    .where("password_hash", "=", hash)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** The same password, hashed at the current cost. Does nothing if it was changed meanwhile. */
export async function replacePasswordHash(
  db: Db,
  id: string,
  { old, fresh }: { readonly old: string; readonly fresh: string },
): Promise<void> {
  await db
    .updateTable("users")
    .set({ password_hash: fresh })
    .where("id", "=", id)
    .where("password_hash", "=", old)
    .execute();
}

/** All users of the server with their workspaces, for the server's operator. */
export async function listUsers(db: Db): Promise<UserRow[]> {
  const users = await db.selectFrom("users").selectAll().orderBy("created_at").orderBy("id").execute();
  const memberships = await db
    .selectFrom("memberships")
    .innerJoin("workspaces", "workspaces.id", "memberships.workspace_id")
    .select(["memberships.user_id", "workspaces.id", "workspaces.name", "memberships.role"])
    .orderBy("workspaces.created_at")
    .orderBy("workspaces.id")
    .execute();
  const emergency = await db.selectFrom("emergency_accounts").select("user_id").execute();
  const emergencyIds = new Set(emergency.map(({ user_id }) => user_id));
  const workspacesOf = Map.groupBy(memberships, ({ user_id }) => user_id);
  return users.map((user) => ({
    ...user,
    emergency: emergencyIds.has(user.id),
    workspaces: (workspacesOf.get(user.id) ?? []).map(({ id, name, role }) => ({ id, name, role })),
  }));
}

type UserRow = UsersTable & {
  /** May use a password where only issuers log people in. */
  readonly emergency: boolean;
  readonly workspaces: readonly { readonly id: string; readonly name: string; readonly role: Role }[];
};

/** Counts a try before its result is known, so that simultaneous tries all count. Returns the count. */
export async function countLoginTry(
  db: Db,
  account: string,
  { now, forgottenBefore }: { readonly now: number; readonly forgottenBefore: number },
): Promise<number> {
  const { failures } = await db
    .insertInto("login_failures")
    .values({ account, failures: 1, last_failed_at: now })
    .onConflict((conflict) =>
      conflict.column("account").doUpdateSet(({ case: when, ref, eb }) => ({
        failures: when()
          .when(ref("login_failures.last_failed_at"), "<", forgottenBefore)
          .then(1)
          .else(eb("login_failures.failures", "+", 1))
          .end(),
        last_failed_at: now,
      })),
    )
    .returning("failures")
    .executeTakeFirstOrThrow();
  return failures;
}

export async function forgetLoginFailures(db: Db, account: string): Promise<void> {
  await db.deleteFrom("login_failures").where("account", "=", account).execute();
}

/** False if the person at the issuer already has an account. */
export async function insertIdentity(db: Db, identity: IdentitiesTable): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("identities")
    .values(identity)
    .onConflict((conflict) => conflict.columns(["issuer", "subject"]).doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

export async function findIdentity(db: Db, issuer: string, subject: string): Promise<IdentitiesTable | undefined> {
  return await db
    .selectFrom("identities")
    .selectAll()
    .where("issuer", "=", issuer)
    .where("subject", "=", subject)
    .executeTakeFirst();
}

/** Oldest first. */
export async function listIdentities(db: Db, userId: string): Promise<IdentitiesTable[]> {
  return await db.selectFrom("identities").selectAll().where("user_id", "=", userId).orderBy("id").execute();
}

export async function updateIdentity(
  db: Db,
  id: string,
  change: Partial<Pick<IdentitiesTable, "email" | "last_login_at">>,
): Promise<void> {
  await db.updateTable("identities").set(change).where("id", "=", id).execute();
}

export async function insertEmergencyAccount(db: Db, userId: string, now: number): Promise<void> {
  await db
    .insertInto("emergency_accounts")
    .values({ user_id: userId, created_at: now })
    .onConflict((conflict) => conflict.column("user_id").doNothing())
    .execute();
}

export async function removeEmergencyAccount(db: Db, userId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("emergency_accounts")
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
}

export async function isEmergencyAccount(db: Db, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom("emergency_accounts")
    .select("user_id")
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return row !== undefined;
}
