// Background work that stopped: nothing of it runs here, so that what waits is late as soon as the clock says so.

import { expect, test } from "vitest";
import { examineLateWork } from "../../../../src/features/server/doctor/own-server.ts";
import { features } from "../../../../src/server.ts";
import { type HttpWorld, startHttpWorld } from "../../../http/http-world.ts";

const hourMs = 3_600_000;

async function openLateWorld() {
  const world = await startHttpWorld();
  const first = await world.createWorkspace("First");
  world.clock.nowMs += 1;
  const second = await world.createWorkspace("Second");
  const askFor = async ({ id }: { id: string }, path: string) =>
    await world.ask("GET", path, { token: (await world.issueToken(id)).token, workspace: id });
  const expectMail = async ({ id }: { id: string }) => {
    const { token } = await world.issueToken(id);
    const body = { name: "Backup", schedule: { type: "interval", everyMinutes: 60 }, match: { label: "backup" } };
    await world.ask("POST", "/api/monitors/expected", { token, workspace: id, body });
  };
  const pass = async (ms: number) => {
    world.clock.nowMs += ms;
    await world.lateWork.untilIdle();
  };
  return { ...world, first, second, askFor, expectMail, pass };
}

async function examine(world: HttpWorld, metrics: string) {
  const system = {
    ...world.system,
    fetchOperator: async () => ({ ok: true, status: 200, body: Buffer.from(metrics), headers: {} }) as never,
  };
  const probes = { knock: async () => ({ state: "answered" }) } as never;
  const config = { ...world.config, httpPort: world.port };
  return await examineLateWork(features)({ config, system, probes, hostName: "mx.acme.net" });
}

test("a monitor that nothing judges shows in the metrics, the server check, the app, the log, and /readyz", async () => {
  const world = await openLateWorld();
  const { first, second, ask, askFor, expectMail, pass } = world;
  await expectMail(second);
  await pass(hourMs);
  expect((await ask("GET", "/readyz")).json).toEqual({ status: "ready" });
  await pass(3 * hourMs);

  const { text } = await ask("GET", "/metrics");
  expect(text).toMatch(/^assay_overdue_seconds\{work="expected mail"\} 9000$/m);
  expect(text).toMatch(/^assay_overdue_seconds\{work="analyses"\} 0$/m);
  const says = "Background work is late: expected mail (since 2026-11-21 07:30 UTC).";
  expect(await examine(world, text)).toMatchObject({ id: "late-work", state: "red", says });
  const state = await askFor(first, "/api/server-state");
  expect(state.json.items).toMatchObject([{ code: "work_late", message: says, since: "2026-11-21T07:30:00.001Z" }]);
  expect(state.headers.get("x-assay-trouble")).toBe("work_late");
  // The operator's line, and not of every workspace.
  const other = await askFor(second, "/api/server-state");
  expect([other.json.items, other.headers.get("x-assay-trouble")]).toEqual([[], null]);
  const ready = await ask("GET", "/readyz");
  expect([ready.status, ready.json.reasons]).toEqual([200, [{ code: "work_late", message: says }]]);
  await pass(hourMs);
  const heard = world.lines.filter(({ message }) => message.startsWith("background work"));
  expect(heard).toMatchObject([{ level: "error", fields: { work: "expected mail" } }]);
});

test("a server check of background work that is in time says so", async () => {
  const world = await openLateWorld();
  const { text } = await world.ask("GET", "/metrics");
  expect(await examine(world, text)).toMatchObject({ state: "green" });
});

test("a server that analyzes nothing gets no more mail, but a single message that waits is not its fault", async () => {
  const { ask, first, receive, analyzeAll, store, clock, pass } = await openLateWorld();
  await receive(first.id);
  await pass(2 * hourMs);
  const { status, json } = await ask("GET", "/readyz");
  expect([status, json.reasons[0].code]).toEqual([200, "work_late"]);
  await receive(first.id);
  await pass(hourMs);
  const stuck = await ask("GET", "/readyz");
  expect([stuck.status, stuck.json.reasons[0].code]).toEqual([503, "analyses_stuck"]);
  expect((await ask("GET", "/readyz?for=web")).status).toBe(200);
  // Someone else's message waits for as long as that, and this one was analyzed.
  await analyzeAll();
  const [oldest] = await store.read.selectFrom("tests").select("id").orderBy("id").execute();
  const again = { due_at: clock.nowMs - 3 * hourMs, analyzed_at: null };
  await store.write((db) =>
    db
      .updateTable("tests")
      .set(again)
      .where("id", "=", oldest?.id ?? "")
      .execute(),
  );
  await pass(0);
  expect((await ask("GET", "/readyz")).status).toBe(200);
});
