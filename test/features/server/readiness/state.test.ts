import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { createServiceState } from "../../../../src/features/server/readiness/state.ts";
import { Refusal } from "../../../../src/platform/errors.ts";
import { testSystem } from "../../../test-system.ts";

type Options = Parameters<typeof createServiceState>[0];

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const quiet = {
  room: { readTroubles: async () => [], isCrowded: () => false } as unknown as Options["room"],
  guard: { isFull: () => false },
  load: () => ({ isPostponed: () => false, postponed: () => [] }),
  count: () => {},
  onDiskFull: () => {},
  system: testSystem(),
};

test("a damaged database remains the reason until a restart, even if other tables can be written", async () => {
  const store = {
    dialect: "sqlite",
    write: async () => {},
    messages: { findTrouble: async () => null },
  } as unknown as Options["store"];
  const state = createServiceState({ ...quiet, store });
  state.note("database_damaged");
  state.note("not_stored");
  expect(state.episodes()).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(state.episodes()).toMatchObject([{ code: "database_damaged" }]);
  state.stop();
});

test("a damaged database is given as the reason if it can't be read", async () => {
  const unreadable = (error: Error) =>
    ({
      dialect: "postgres",
      read: new Proxy(
        {},
        {
          get: () => () => {
            throw error;
          },
        },
      ),
    }) as unknown as Options["store"];
  const look = async (error: Error) => {
    const state = createServiceState({ ...quiet, store: unreadable(error) });
    onTestFinished(state.stop);
    return (await state.look()).map(({ code }) => code);
  };
  const damaged = new Refusal("overloaded", "Damaged.", { isDamaged: true });
  expect(await look(damaged)).toEqual(["database_damaged"]);
  expect(await look(new Error("away"))).toEqual(["database_unavailable"]);
});

test("refused clients make the server not ready, logged once, until a minute without refusals", async () => {
  const lines: unknown[] = [];
  const note = (message: string, fields: unknown) => void lines.push([message, fields]);
  const store = { dialect: "sqlite" } as unknown as Options["store"];
  const system = { ...testSystem(), now: Date.now, log: { ...testSystem().log, warn: note, info: note } };
  const state = createServiceState({ ...quiet, system, store });
  onTestFinished(state.stop);
  state.note("connections_full");
  for (let refused = 0; refused < 30; refused += 1) {
    state.note("connections_refused");
    await vi.advanceTimersByTimeAsync(10_000);
  }
  const codes = () => state.episodes().map(({ code }) => code);
  expect(codes()).toEqual(["connections_full", "connections_refused"]);
  await vi.advanceTimersByTimeAsync(40_000);
  expect(codes()).toEqual(["connections_full", "connections_refused"]);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(codes()).toEqual([]);
  expect(lines).toEqual([
    ["some mail is deferred", expect.objectContaining({ reason: "connections_full" })],
    ["new mail is deferred", expect.objectContaining({ reason: "connections_refused" })],
    ["mail is accepted again", expect.objectContaining({ reason: "connections_refused", deferred: 30 })],
    ["mail is accepted again", expect.objectContaining({ reason: "connections_full", deferred: 1 })],
  ]);
});
