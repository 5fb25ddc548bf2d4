import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Dns } from "../../../../src/analyzer/dns/answer.ts";
import { unanswered } from "../../../../src/analyzer/dns/answer.ts";
import { createZoneDns } from "../../../../src/analyzer/dns/zone.ts";
import { createDnsRetries } from "../../../../src/features/tests/work/dns-retries.ts";
import { createReanalyzer } from "../../../../src/features/tests/work/reanalyze.ts";
import { serveOrThrow } from "../../../../src/platform/work/serve-row.ts";
import { type HttpWorld, openHttpWorld } from "../../../http/http-world.ts";

const minuteMs = 60_000;
const zone = { "sender.example": { TXT: ["v=spf1 ip4:192.0.2.1 -all"] } };
const state = { isDead: false, asked: 0 };
let world: HttpWorld;
let workspaceId: string;
let token: string;

beforeAll(async () => {
  const alive = createZoneDns(zone);
  const dns: Dns = {
    query: async (name, type) => {
      state.asked += 1;
      return state.isDead ? unanswered(name, type, "timeout", 0) : await alive.query(name, type);
    },
  };
  world = await openHttpWorld({ dns });
  ({ id: workspaceId } = await world.createWorkspace("Ours"));
  ({ token } = await world.issueToken(workspaceId));
});

afterAll(() => world.close());
beforeEach(() => {
  state.isDead = false;
});

const raw = Buffer.from("From: a@sender.example\r\nMessage-ID: <1@sender.example>\r\nSubject: x\r\n\r\nHi.\r\n");

async function receive(): Promise<string> {
  const id = await world.receive(workspaceId, null, raw);
  await world.analyzeAll();
  return id;
}

const read = async (id: string) => (await world.ask("GET", `/api/tests/${id}`, { token, workspace: workspaceId })).json;

async function runChore(isPostponed = false, thread = world.thread): Promise<void> {
  const { reanalyze } = createReanalyzer({ ...world, thread, leaseMs: 10_000, publish() {}, onAnalyzed() {} });
  const chore = createDnsRetries({ ...world, reanalyze, isPostponed: () => isPostponed });
  await chore.run(new AbortController().signal, serveOrThrow);
}

test("a test with missing DNS answers is updated once DNS answers, and shows its previous score", async () => {
  state.isDead = true;
  const id = await receive();
  const before = await read(id);
  expect(before).toMatchObject({ spf: "temperror", dns_update: null });

  await runChore();
  expect((await read(id)).analyzed_at).toBe(before.analyzed_at); // not due yet

  state.isDead = false;
  world.clock.nowMs += 5 * minuteMs;
  await runChore(true);
  expect((await read(id)).dns_update).toBeNull(); // other work comes first
  await runChore();
  const after = await read(id);
  expect(after.spf).toBe("pass");
  expect(after.dns_update).toEqual({
    at: after.analyzed_at,
    first_analyzed_at: before.analyzed_at,
    first_composite: before.composite,
  });
  const asked = state.asked;
  world.clock.nowMs += 24 * 60 * minuteMs;
  await runChore();
  expect(state.asked).toBe(asked); // once is enough
});

test("an update that stalls on a busy machine keeps the report, and is retried later", async () => {
  state.isDead = true;
  const id = await receive();
  const before = await read(id);
  state.isDead = false;
  world.clock.nowMs += 5 * minuteMs;
  const stalled = async () => ({ outcome: "stalled", during: "while parsing the message" }) as const;
  await runChore(false, { ...world.thread, run: stalled });
  expect(await read(id)).toMatchObject({ status: "analyzed", analyzed_at: before.analyzed_at });
  await runChore();
  expect((await read(id)).dns_update).toBeNull(); // not again at once
  world.clock.nowMs += 15 * minuteMs;
  await runChore();
  expect(await read(id)).toMatchObject({ status: "analyzed", spf: "pass" });
});

test("while DNS is down, one test is tried and the others wait", async () => {
  state.isDead = true;
  const ids = [await receive(), await receive(), await receive()];
  for (let tries = 0; tries < 8; tries++) {
    world.clock.nowMs += 11 * minuteMs;
    await runChore();
  }
  const reports = async () =>
    await Promise.all(
      ids.map(async (id) => {
        const answer = await world.ask("GET", `/api/tests/${id}/reports`, { token, workspace: workspaceId });
        return answer.json.items.length as number;
      }),
    );
  const tried = (await reports()).reduce((sum, count) => sum + count - 1, 0);
  expect(tried).toBe(8);
  state.isDead = false;
  world.clock.nowMs += 11 * minuteMs;
  await runChore();
  for (const id of ids) expect((await read(id)).dns_update).not.toBeNull();
});

test("an update after a DNS outage raises no alert", async () => {
  const made = await world.ask("POST", "/api/alerts", {
    token,
    workspace: workspaceId,
    body: { label: "All", url: "https://9.9.9.9/x", kind: "json", events: ["test.low_score"], thresholdScore: 100 },
  });
  expect(made.json).toMatchObject({ id: expect.any(String) });
  state.isDead = true;
  const id = await receive();
  const events = async () => (await world.store.read.selectFrom("alert_events").selectAll().execute()).length;
  const before = await events();
  state.isDead = false;
  world.clock.nowMs += 5 * minuteMs;
  await runChore();
  expect((await read(id)).dns_update).not.toBeNull();
  expect(await events()).toBe(before);
});
