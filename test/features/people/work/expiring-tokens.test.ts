import { expect, test } from "vitest";
import { noticeExpiringTokens } from "../../../../src/features/people/work/expiring-tokens.ts";
import { serveOrThrow } from "../../../../src/platform/work/serve-row.ts";
import { worldWithCaller } from "../../../http/interface-world.ts";

const dayMs = 86_400_000;

test("an alert is sent a week and a day before a token expires", async () => {
  const world = await worldWithCaller();
  const { ask, clock, store, system, workspace } = world;
  const body = { label: "Ops", kind: "json", url: "https://ops.example/", events: ["token.expiring"] };
  expect((await ask("POST", "/api/alerts", body)).status).toBe(201);
  const limits = { scope: "read", label: "ci" } as const;
  const { row } = await world.issueToken(workspace, clock.nowMs + 8 * dayMs, null, limits);
  await world.issueToken(workspace, clock.nowMs + dayMs);
  await world.issueToken(workspace);
  const told = async () => {
    await noticeExpiringTokens({ store, system }, serveOrThrow);
    await noticeExpiringTokens({ store, system }, serveOrThrow);
    const rows = await store.read.selectFrom("alert_events").selectAll().orderBy("id").execute();
    return rows.map(({ type, payload }) => ({ type, ...JSON.parse(payload).token }));
  };
  expect(await told()).toEqual([]);
  clock.nowMs += dayMs;
  const expiresAt = new Date(row.expires_at ?? 0).toISOString();
  const notice = { type: "token.expiring", id: row.id, name: "a token", ...limits, expiresAt, lastUsedAt: null };
  expect(await told()).toEqual([notice]);
  clock.nowMs += 5 * dayMs;
  expect(await told()).toHaveLength(1);
  clock.nowMs += dayMs;
  expect(await told()).toEqual([notice, notice]);
  clock.nowMs += dayMs;
  expect(await told()).toHaveLength(2);
});
