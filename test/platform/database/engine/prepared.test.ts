import { expect, test } from "vitest";
import { prepare } from "../../../../src/platform/database/engine/prepared.ts";
import { eachDialect } from "../each-dialect.ts";

const putMeta = prepare<{ key: string; value: string }>((db, { key, value }) =>
  db
    .insertInto("meta")
    .values({ key, value })
    .onConflict((conflict) => conflict.column("key").doUpdateSet({ value })),
);
const getMeta = prepare<{ key: string; limit: number }, { value: string }>((db, { key, limit }) =>
  db.selectFrom("meta").select("value").where("key", "=", key).limit(limit),
);

eachDialect("a prepared query", (open) => {
  test("a prepared query is built once and runs with the values of each call", async () => {
    const store = await open();
    for (const value of ["one", "two"]) {
      const { changed } = await store.write((db) => putMeta(db, { key: "key", value }));
      expect(changed).toBe(1);
      expect((await getMeta(store.read, { key: "key", limit: 1 })).rows).toEqual([{ value }]);
    }
    expect((await getMeta(store.read, { key: "none", limit: 1 })).rows).toEqual([]);
  });
});
