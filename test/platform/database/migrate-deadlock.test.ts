import { expect, test } from "vitest";
import { migrate } from "../../../src/platform/database/migrate.ts";
import type { Store } from "../../../src/platform/database/store.ts";
import { testSystem } from "../../test-system.ts";

/** Fails as often as it has errors. */
function storeThatFails(errors: Error[]): Pick<Store, "dialect" | "write"> {
  const write = async () => {
    const error = errors.shift();
    if (error) throw error;
    return undefined;
  };
  return { dialect: "postgres", write: write as Store["write"] };
}

const withCode = (code: string) => Object.assign(new Error("deadlock detected"), { code });

test("a migration that fails because of a PostgreSQL deadlock is retried", async () => {
  const errors = [withCode("40P01"), withCode("40P01")];
  await migrate(storeThatFails(errors), { migrations: [], system: testSystem() });
  expect(errors).toEqual([]);
});

test("any other error ends the start", async () => {
  const errors = [withCode("42P01"), withCode("40P01")];
  const terms = { migrations: [], system: testSystem() };
  await expect(migrate(storeThatFails(errors), terms)).rejects.toMatchObject({ code: "42P01" });
});
