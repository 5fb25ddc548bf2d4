import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createServiceState } from "../../../src/tasks/readiness/state.ts";
import { testSystem } from "../../test-system.ts";

type Options = Parameters<typeof createServiceState>[0];

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a damaged database stays the reason until a restart, although other tables can be written", async () => {
  const store = {
    dialect: "sqlite",
    write: async () => {},
    messages: { findTrouble: async () => null },
  } as unknown as Options["store"];
  const room = { readTroubles: async () => [], isCrowded: () => false } as unknown as Options["room"];
  const state = createServiceState({
    store,
    room,
    system: testSystem(),
    guard: { isFull: () => false },
    load: () => ({ isPostponed: () => false, postponed: () => [] }),
    count: () => {},
    onDiskFull: () => {},
  });
  state.note("database_damaged");
  state.note("not_stored");
  expect(state.episodes()).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(state.episodes()).toMatchObject([{ code: "database_damaged" }]);
  state.stop();
});
