import { expect, test } from "vitest";
import { eachDialect } from "./each-dialect.ts";

eachDialect("a database store", (open) => {
  test("a database store returns the written data", async () => {
    const store = await open();
    await store.write(async (db) => {
      await db.insertInto("meta").values({ key: "colour", value: "green" }).execute();
    });
    const query = (db: typeof store.read) => db.selectFrom("meta").selectAll().execute();
    expect(await query(store.read)).toEqual([{ key: "colour", value: "green" }]);
    expect(await query(store.readInWorker)).toEqual([{ key: "colour", value: "green" }]);
  });

  test("a database store rejects writes through its readers", async () => {
    const store = await open();
    for (const reader of [store.read, store.readInWorker]) {
      const insert = reader.insertInto("meta").values({ key: "colour", value: "green" }).execute();
      await expect(insert).rejects.toThrow(/read-?only/);
    }
  });
});
