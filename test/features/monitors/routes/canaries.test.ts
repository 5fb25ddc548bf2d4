// Canaries from the first send to the alert: what is sent, when it counts as missing, and how the monitor's state
// changes.

import { expect, test } from "vitest";
import { lostUrl } from "../../../../src/features/monitors/work/relays.ts";
import { type Outgoing, TransportFailure } from "../../../../src/features/sending/work/transports.ts";
import { inWorkspace } from "../../../../src/platform/database/scope.ts";
import { type HttpWorld, startHttpWorld } from "../../../http/http-world.ts";

const minuteMs = 60_000;

/** A relay that keeps what it accepts, or fails. */
function createRelayRoad() {
  const taken: Omit<Outgoing, "mark">[] = [];
  const state: { failure: Error | null } = { failure: null };
  return {
    taken,
    fail: (failure: Error | null) => {
      state.failure = failure;
    },
    road: {
      transport: "relay" as const,
      deliver: async ({ mark: _, ...outgoing }: Outgoing) => {
        if (state.failure) throw state.failure;
        taken.push(outgoing);
        return "250 2.0.0 Ok";
      },
      close() {},
    },
  };
}

async function openCanaryWorld() {
  const relay = createRelayRoad();
  const world = await startHttpWorld({ road: relay.road });
  const workspace = await world.createWorkspace("Shop");
  const { token } = await world.issueToken(workspace.id);
  const asked = { token, workspace: workspace.id };
  await world.ask("POST", "/api/alerts", {
    ...asked,
    body: { label: "Ops", kind: "json", url: "https://ops.example/", events: ["monitor.changed"] },
  });
  const post = async (path: string, body?: object) => world.ask("POST", path, { ...asked, body });
  const create = async (body: object = {}) =>
    (
      await post("/api/monitors/canaries", {
        name: "Path",
        relayId: null,
        schedule: { everyMinutes: 5 },
        objectiveSeconds: 60,
        ...body,
      })
    ).json;
  return {
    world,
    relay,
    asked,
    post,
    create,
    read: async (id: string) => (await world.ask("GET", `/api/monitors/${id}`, asked)).json,
    /** Lets time pass and does what is due then. */
    pass: async (ms: number) => {
      world.clock.nowMs += ms;
      await world.canarySender.untilIdle();
    },
    /** What the relay took last comes back. */
    comeBack: async (index = -1) => {
      const mail = relay.taken.at(index);
      if (!mail) throw new Error("Nothing was sent.");
      await world.receive(workspace.id, null, Buffer.from(mail.raw), { mailFrom: mail.mailFrom });
      await world.analyzeAll();
    },
    events: () => listEvents(world, workspace.id),
    workspaceId: workspace.id,
  };
}

async function listEvents(world: HttpWorld, workspaceId: string) {
  const rows = await inWorkspace(world.store.read, workspaceId)
    .selectFrom("alert_events")
    .select(["payload", "id"])
    .orderBy("id")
    .execute();
  return rows.map(({ payload }) => {
    const { state, reason } = JSON.parse(payload);
    return `${state}: ${reason.code}: ${reason.says}`;
  });
}

test("a canary that returns in time is OK, and appears in no list of tests, sends, or counts", async () => {
  const { world, create, read, pass, comeBack, events, asked, relay } = await openCanaryWorld();
  const { id, state } = await create();
  expect(state).toBe("new");
  await pass(0);
  expect(relay.taken.length).toBe(1);
  world.clock.nowMs += 3_000;
  await comeBack();
  const monitor = await read(id);
  expect(monitor).toMatchObject({ state: "up", enabled: true, figures: { day: { runs: 1, uptime: 1, p50Ms: 3_000 } } });
  expect(monitor.runs).toMatchObject([
    { outcome: "ok", delayMs: 3_000, says: "Back after 3 s. Where it waited is unknown." },
  ]);
  const report = await world.ask("GET", `/api/tests/${monitor.runs[0].testId}`, asked);
  expect(report.status).toBe(200);
  for (const path of ["/api/tests", "/api/sends"])
    expect((await world.ask("GET", path, asked)).json).toMatchObject({ items: [], total: 0 });
  expect((await world.ask("GET", "/api/streams", asked)).json.total).toBe(0);
  expect(await events()).toEqual([]);
});

test("a missing canary becomes late, then lost, and the monitor is reported down and up once", async () => {
  const { create, read, pass, comeBack, events } = await openCanaryWorld();
  const { id } = await create();
  await pass(0);
  await comeBack();
  await pass(5 * minuteMs);
  await pass(minuteMs);
  expect(await read(id)).toMatchObject({ state: "down", reason: { code: "late" } });
  await pass(4 * minuteMs);
  await pass(minuteMs);
  for (let hour = 0; hour < 12; hour++) await pass(5 * minuteMs);
  const { runs } = await read(id);
  expect(runs.map(({ outcome }: { outcome: string }) => outcome)).toContain("lost");
  await comeBack();
  expect(await read(id)).toMatchObject({ state: "up", reason: null });
  expect((await events()).map((text) => text.split(":").slice(0, 2).join(":"))).toEqual(["down: late", "up: ok"]);
});

test("a canary that returns late keeps its delay, and an old one doesn't end a newer problem", async () => {
  const { create, read, pass, comeBack } = await openCanaryWorld();
  const { id } = await create();
  await pass(0);
  await pass(minuteMs + 5_000);
  await comeBack();
  const { state, runs } = await read(id);
  expect(state).toBe("down");
  expect(runs).toMatchObject([
    {
      outcome: "late",
      delayMs: 65_000,
      says: "Back after 1 min 5 s. Expected within 1 min. Where it waited is unknown.",
    },
  ]);
  await pass(4 * minuteMs);
  await comeBack();
  expect((await read(id)).state).toBe("up");
});

test("the relay's reply distinguishes rejected, deferred, and unreachable", async () => {
  const { create, read, pass, relay, post } = await openCanaryWorld();
  const failures = [
    new TransportFailure("The relay rejected the recipient: 550 5.1.1 No such user", {
      reply: "550 5.1.1 No such user",
      isRecipient: true,
    }),
    new TransportFailure("The relay rejected the message: 451 4.7.1 Later", {
      reply: "451 4.7.1 Later",
      isRecipient: false,
    }),
    new TransportFailure("The relay could not be reached: connect ECONNREFUSED"),
  ];
  relay.fail(failures[0] ?? null);
  const { id } = await create();
  await pass(0);
  for (const failure of failures.slice(1)) {
    relay.fail(failure);
    await pass(5 * minuteMs);
  }
  const { runs, reason } = await read(id);
  expect(runs.map(({ outcome, says }: { outcome: string; says: string }) => [outcome, says])).toEqual([
    ["unreachable", "The relay could not be reached: connect ECONNREFUSED"],
    ["deferred", "The relay rejected the message: 451 4.7.1 Later"],
    ["refused", "The relay rejected the recipient: 550 5.1.1 No such user"],
  ]);
  expect(reason.code).toBe("unreachable");
  relay.fail(null);
  await pass(20_000);
  expect((await post(`/api/monitors/canaries/${id}/run`)).status).toBe(202);
  await pass(0);
  expect(relay.taken.length).toBe(1);
  expect((await post(`/api/monitors/canaries/${id}/run`)).status).toBe(429);
});

test("an interrupted SMTP session may still deliver the canary", async () => {
  const { create, read, pass, relay } = await openCanaryWorld();
  relay.fail(new TransportFailure("The relay did not finish, but may have accepted the message: gone", null, true));
  const { id } = await create();
  await pass(0);
  expect((await read(id)).runs).toMatchObject([{ outcome: null }]);
  await pass(minuteMs);
  const [run] = (await read(id)).runs;
  expect(run.outcome).toBe("late");
  expect(run.says).toContain("may have accepted");
});

test.each([
  [{ everyMinutes: 0 }, '"schedule.everyMinutes" must be at least 1.'],
  [{ cron: "0 7 * * *", timeZone: "Berlin" }, '"schedule.timeZone" must be an IANA time zone, such as Europe/Berlin.'],
  [{ cron: "0 7 * * *" }, '"schedule.timeZone" is required.'],
  [{ everyMinutes: 5, cron: "0 7 * * *" }, 'Unknown field "schedule.cron".'],
  ["hourly", '"schedule" is not valid.'],
])("the schedule %j is rejected with a reason", async (schedule, message) => {
  const { post } = await openCanaryWorld();
  const { status, json } = await post("/api/monitors/canaries", { name: "Path", relayId: null, schedule });
  expect([status, json.message]).toEqual([400, message]);
});

test("a schedule missed while the server was down is caught up once", async () => {
  const { create, pass, relay } = await openCanaryWorld();
  await create();
  await pass(0);
  await pass(24 * 60 * minuteMs);
  expect(relay.taken.length).toBe(2);
});

test("a paused canary sends nothing, and sends immediately when it is resumed", async () => {
  const { create, pass, relay, world, asked } = await openCanaryWorld();
  const { id } = await create();
  await pass(0);
  const change = (body: object) => world.ask("PATCH", `/api/monitors/canaries/${id}`, { ...asked, body });
  expect((await change({ enabled: false })).json).toMatchObject({ enabled: false, nextAt: null });
  await pass(30 * minuteMs);
  expect(relay.taken.length).toBe(1);
  await change({ enabled: true });
  await pass(0);
  expect(relay.taken.length).toBe(2);
});

test("a canary with a failure threshold goes down only after several failures in a row", async () => {
  const { create, read, pass, relay, events } = await openCanaryWorld();
  relay.fail(new TransportFailure("The relay could not be reached: no"));
  const { id } = await create({ failuresBeforeAlert: 3 });
  await pass(0);
  await pass(5 * minuteMs);
  expect((await read(id)).state).toBe("new");
  await pass(5 * minuteMs);
  expect((await read(id)).state).toBe("down");
  expect((await events()).length).toBe(1);
});

test("without a server relay, a canary needs a relay of the workspace", async () => {
  const world = await startHttpWorld();
  const workspace = await world.createWorkspace("Shop");
  const { token } = await world.issueToken(workspace.id);
  const answer = await world.ask("POST", "/api/monitors/canaries", {
    token,
    workspace: workspace.id,
    body: { name: "Path", relayId: null, schedule: { everyMinutes: 5 } },
  });
  expect(answer.status).toBe(409);
  expect(answer.json.message).toContain("ASSAY_SEND_SMTP_URL");
});

test("a cron expression and its time zone are validated", async () => {
  const { post } = await openCanaryWorld();
  const create = async (schedule: object) =>
    (await post("/api/monitors/canaries", { name: "Path", relayId: null, schedule })).json;
  expect(await create({ cron: "30 6 * * 1-5", timeZone: "Europe/Berlin" })).toMatchObject({
    canary: { schedule: { cron: "30 6 * * 1-5", timeZone: "Europe/Berlin" } },
  });
  expect(await create({ cron: "* * * * * *", timeZone: "UTC" })).toMatchObject({ field: "schedule.cron" });
  expect(await create({ cron: "0 0 31 2 *", timeZone: "UTC" })).toMatchObject({ field: "schedule.cron" });
  expect(await create({ cron: "0 7 * * *", timeZone: "Mars/Olympus" })).toMatchObject({ error: "invalid_request" });
});

test("a relay whose login was lost with the secret key is unreachable until its URL is entered again", async () => {
  const { world, create, read, pass, post, asked } = await openCanaryWorld();
  const url = "smtp://relay.shop.example:2525/";
  const relay = (await post("/api/relays", { name: "Relay", url, mailFrom: "a@shop.example" })).json;
  await world.store.write((db) => db.updateTable("relays").set({ url: lostUrl }).execute());
  const { id } = await create({ relayId: relay.id });
  await pass(0);
  const { runs } = await read(id);
  expect(runs).toMatchObject([{ outcome: "unreachable", says: expect.stringContaining("was lost with") }]);
  const tried = await post(`/api/relays/${relay.id}/test`);
  expect(tried.json).toMatchObject({ works: false, problem: expect.stringContaining("was lost with") });
  await world.ask("PATCH", `/api/relays/${relay.id}`, { ...asked, body: { url } });
  expect((await post(`/api/relays/${relay.id}/test`)).json.problem).not.toContain("was lost with");
});
