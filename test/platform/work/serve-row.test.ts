import { expect, test } from "vitest";
import { Refusal } from "../../../src/platform/errors.ts";
import { createServeRow, serveTogether } from "../../../src/platform/work/serve-row.ts";
import { testSystem } from "../../test-system.ts";

const minuteMs = 60_000;
const fail = () => Promise.reject(new Error("unreadable"));

test("a row that fails is named in the log once, and tried again after growing pauses of at most an hour", async () => {
  const system = testSystem();
  const serve = createServeRow(system, "checking failed");
  const tries: number[] = [];
  for (let minute = 0; minute < 250; minute++) {
    await serve("bad", () => {
      tries.push(minute);
      return fail();
    });
    system.advance(minuteMs);
  }
  expect(tries).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183, 243]);
  expect(system.logged.map(({ message, fields }) => ({ message, fields }))).toEqual([
    { message: "checking failed", fields: { row: "bad" } },
  ]);
  system.advance(60 * minuteMs);
  expect(await serve("bad", async () => "served")).toBe("served");
  expect(system.logged[1]).toMatchObject({ level: "info", fields: { row: "bad", failures: 10 } });
});

test("a row that is put back is tried whenever it is offered again, because its own time is the pause", async () => {
  const system = testSystem({ now: 0 });
  const serve = createServeRow(system, "checking failed");
  const until: number[] = [];
  const putBack = async (_error: unknown, at: number) => void until.push(at);
  for (let offer = 0; offer < 3; offer++) await serve("bad", fail, putBack);
  expect(until).toEqual([1, 2, 4].map((minutes) => minutes * minuteMs));
});

test("a database that takes no writes is no row's fault, so it ends the loop", async () => {
  const system = testSystem();
  const serve = createServeRow(system, "checking failed");
  const away = new Refusal("overloaded", "The database cannot be reached.");
  await expect(serve("any", () => Promise.reject(away))).rejects.toBe(away);
  expect(system.logged).toEqual([]);
  const damaged = new Refusal("overloaded", "The database is damaged.", { isDamaged: true });
  expect(await serve("on a damaged page", () => Promise.reject(damaged))).toBeUndefined();
});

test("rows that fail for the same reason do not fill the log", async () => {
  const system = testSystem();
  const serve = createServeRow(system, "a chore failed", { chore: "sweep" });
  for (let row = 0; row < 1_000; row++) await serve(`row ${row}`, fail);
  expect(system.logged).toHaveLength(20);
  system.advance(60 * minuteMs);
  await serve("an hour later", fail);
  expect(system.logged.slice(20)).toMatchObject([
    { level: "error", message: "a chore failed", fields: { chore: "sweep", furtherRows: 980 } },
    { level: "error", message: "a chore failed", fields: { chore: "sweep", row: "an hour later" } },
  ]);
});

test("rows that are served together are served alone once one of them fails", async () => {
  const system = testSystem();
  const serve = createServeRow(system, "removing failed");
  const tries: string[] = [];
  const remove = async (ids: readonly string[]) => {
    tries.push(ids.join(" "));
    return ids.includes("bad") ? await fail() : ids;
  };
  expect(await serveTogether(serve, ["a", "bad", "b"], remove)).toEqual(["a", "b"]);
  expect(await serveTogether(serve, ["bad", "c"], remove)).toEqual(["c"]);
  expect(await serveTogether(serve, ["bad"], remove)).toEqual([]);
  expect(tries).toEqual(["a bad b", "a", "bad", "b", "c"]);
  expect(system.logged).toMatchObject([{ message: "removing failed", fields: { row: "bad" } }]);
});

test("rows that fail without end are not all remembered, so that they don't fill the memory", async () => {
  const system = testSystem();
  const serve = createServeRow(system, "checking failed");
  for (let row = 0; row <= 10_000; row++) await serve(`row ${row}`, fail);
  expect(["row 0", "row 1", "row 10000"].map((row) => serve.isPaused?.(row))).toEqual([false, true, true]);
});
