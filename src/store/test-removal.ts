import type { Scope } from "./scope.ts";

/** From the first on, as many as have so many bytes together; one that has more goes alone. */
export function takeFitting<T extends { readonly size_bytes: number }>(
  tests: readonly T[],
  bytes: number,
): T[] {
  let sum = 0;
  const beyond = tests.findIndex(({ size_bytes }, index) => {
    sum += size_bytes;
    return index > 0 && sum > bytes;
  });
  return beyond < 0 ? [...tests] : tests.slice(0, beyond);
}

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
