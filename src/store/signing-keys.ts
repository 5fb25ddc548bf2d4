import type { Scope } from "./scope.ts";
import type { SigningKeysTable } from "./send-schema.ts";

/** Oldest first. */
export async function listSigningKeys(scope: Scope, domain?: string): Promise<SigningKeysTable[]> {
  return await scope
    .selectFrom("signing_keys")
    .selectAll()
    .$if(domain !== undefined, (all) => all.where("domain", "=", domain ?? ""))
    .orderBy("id")
    .execute();
}

export async function countSigningKeys(scope: Scope): Promise<number> {
  const row = await scope
    .selectFrom("signing_keys")
    .select((count) => count.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return row.total;
}

export async function insertSigningKey(
  scope: Scope,
  row: Omit<SigningKeysTable, "workspace_id">,
): Promise<void> {
  await scope.insertInto("signing_keys", row).execute();
}

/** False when there is none. */
export async function removeSigningKey(scope: Scope, id: string): Promise<boolean> {
  const { numDeletedRows } = await scope
    .deleteFrom("signing_keys")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
}
