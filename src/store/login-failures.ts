import type { Db } from "./schema.ts";

/** Counts a try before its outcome is known, so that tries at the same time all count; answers how many there are. */
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
