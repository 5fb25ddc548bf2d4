import type { Scope } from "./scope.ts";

/** Answers which went. Their messages and their reports go with them; what turned out to be no test stays. */
export async function removeTests(scope: Scope, ids: readonly string[]): Promise<string[]> {
  const rows = await scope
    .deleteFrom("tests")
    .where("became", "=", "test")
    .where("id", "in", ids)
    .returning("id")
    .execute();
  return rows.map(({ id }) => id);
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
