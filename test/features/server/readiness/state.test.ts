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
