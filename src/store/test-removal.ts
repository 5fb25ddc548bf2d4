import type { Scope } from "./scope.ts";

/** Answers how many went. Their messages and their reports go with them; what turned out to be no test stays. */
export async function removeTests(scope: Scope, ids: readonly string[]): Promise<number> {
  const { numDeletedRows } = await scope
    .deleteFrom("tests")
    .where("became", "=", "test")
    .where("id", "in", ids)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** Of those that are tests of the workspace. */
export async function listTestSizes(
  scope: Scope,
  ids: readonly string[],
): Promise<{ readonly id: string; readonly size_bytes: number }[]> {
  return await scope
    .selectFrom("tests")
    .where("became", "=", "test")
    .where("id", "in", ids)
    .select(["id", "size_bytes"])
    .execute();
}
