import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createDeferrals } from "../../../../src/features/server/readiness/deferrals.ts";
import { testSystem } from "../../../test-system.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function openWorld() {
  const lines: { message: string; fields: unknown }[] = [];
  const counted: string[] = [];
  const over = new Set<string>();
  const note = (message: string, fields: unknown) => void lines.push({ message, fields });
  const log = { ...testSystem().log, warn: note, info: note };
  const deferrals = createDeferrals({
    system: { now: Date.now, log },
    isOver: async ({ code }) => over.has(code),
    count: (reason) => void counted.push(reason),
  });
  return { lines, counted, over, deferrals };
}

test("a flood of deferred mail is logged once at its start and once at its end, with the count", async () => {
  const { lines, counted, over, deferrals } = openWorld();
  for (let message = 0; message < 23_000; message++) deferrals.note("disk_full");
  expect(counted).toHaveLength(23_000);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(lines).toEqual([
    { message: "new mail is deferred", fields: expect.objectContaining({ reason: "disk_full" }) },
  ]);
  expect(deferrals.episodes()).toMatchObject([{ code: "disk_full", deferred: 23_000 }]);
  over.add("disk_full");
  await vi.advanceTimersByTimeAsync(5_000);
  expect(lines[1]).toEqual({
    message: "mail is accepted again",
    fields: { reason: "disk_full", workspace: undefined, deferred: 23_000, seconds: 65 },
  });
  expect(deferrals.episodes()).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});

test("a full connection limit ends only when no client was rejected for a while", async () => {
  const { lines, over, deferrals } = openWorld();
  over.add("connections_full");
  deferrals.note("connections_full");
  await vi.advanceTimersByTimeAsync(10_000);
  deferrals.note("connections_full");
  await vi.advanceTimersByTimeAsync(10_000);
  expect(lines).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(lines[1]?.fields).toMatchObject({ reason: "connections_full", deferred: 2 });
});

test("a deferral because of one client's limit is counted, but not logged", () => {
  const { lines, counted, deferrals } = openWorld();
  deferrals.note("client_rate");
  expect(counted).toEqual(["client_rate"]);
  expect(lines).toEqual([]);
  expect(deferrals.episodes()).toEqual([]);
});

test("each workspace with too many messages has its own episode", async () => {
  const { lines, deferrals } = openWorld();
  deferrals.note("workspace_backlog_full", { workspaceId: "wsp_a" });
  deferrals.note("workspace_backlog_full", { workspaceId: "wsp_b" });
  deferrals.note("workspace_backlog_full", { workspaceId: "wsp_a" });
  expect(lines.map(({ message }) => message)).toEqual(["some mail is deferred", "some mail is deferred"]);
  expect(deferrals.episodes().map(({ deferred }) => deferred)).toEqual([2, 1]);
});
