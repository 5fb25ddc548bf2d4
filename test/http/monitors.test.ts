// Expected mail, maintenance and badges by way of the API.

import { describe, expect, test } from "vitest";
import { inWorkspace } from "../../src/store/scope.ts";
import { raiseAlert } from "../../src/tasks/alerts/raise.ts";
import { aDrift, aMonitorChange } from "../alerts/events.ts";
import { worldWithCaller } from "./interface-world.ts";

const backup = {
  name: "Backup",
  schedule: { type: "interval", everyMinutes: 60 },
  match: { sender: "backup@*", subjectContains: "OK" },
};
const toRaw = (subject: string, from = "Backup <backup@corp.example>") =>
  Buffer.from(`From: ${from}\r\nSubject: ${subject}\r\nMessage-ID: <${subject.length}@x>\r\n\r\nHi.\r\n`);

async function open() {
  const world = await worldWithCaller();
  const create = async (wanted: object = {}) =>
    (await world.ask("POST", "/api/monitors/expected", { ...backup, ...wanted })).json;
  const badgeOf = async (path: string) => {
    const answer = await fetch(world.base + path);
    return { status: answer.status, headers: answer.headers, body: await answer.text() };
  };
  return { ...world, create, badgeOf };
}

test("a monitor is created, listed, and changed", async () => {
  const { ask, create } = await open();
  const made = await create();
  expect(made).toMatchObject({
    ...{ kind: "expected", state: "new", enabled: true, reason: null, lastOkAt: null, uptime7d: null },
    ...{ graceMinutes: 30, minCount: 1, alertOnOtherWords: true, badge: null, maintenance: [] },
    match: { sender: "backup@*", subjectContains: "OK", label: null, inboxId: null },
  });
  const { id, dueAt } = made;
  expect((await ask("GET", "/api/monitors")).json.items.map((one: { id: string }) => one.id)).toEqual([id]);
  const renamed = await ask("PATCH", `/api/monitors/expected/${id}`, { name: "Nightly" });
  expect(renamed.json).toMatchObject({ name: "Nightly", dueAt });
  const changed = await ask("PATCH", `/api/monitors/expected/${id}`, { graceMinutes: 60 });
  expect(Date.parse(changed.json.dueAt) - Date.parse(dueAt)).toBe(30 * 60_000);
  expect((await ask("GET", `/api/monitors/expected/${id}`)).json.graceMinutes).toBe(60);
});

test("a monitor is paused and resumed, and its page shows what it expects", async () => {
  const { ask, create, clock, receive, analyzeAll } = await open();
  const { id } = await create();
  await receive(toRaw("Backup OK"));
  await analyzeAll();
  const path = `/api/monitors/expected/${id}`;
  const paused = await ask("PATCH", path, { enabled: false });
  expect(paused.json).toMatchObject({ enabled: false, dueAt: null, state: "up" });
  clock.nowMs += 7_200_000;
  const page = (await ask("GET", `/api/monitors/${id}`)).json;
  expect(page).toMatchObject({
    ...{ kind: "expected", enabled: false, dueAt: null, canary: null, maintenance: [], badge: null },
    expected: { ...{ graceMinutes: 30, minCount: 1 }, match: { sender: "backup@*" } },
  });
  expect(page.runs.filter((one: { endedAt: string | null }) => one.endedAt === null)).toEqual([]);
  const { json } = await ask("PATCH", path, { enabled: true });
  expect(json).toMatchObject({ enabled: true, state: "new" });
  expect(Date.parse(json.dueAt) - clock.nowMs).toBe(90 * 60_000);
});

test("a long window counts in the week in which it ended", async () => {
  const { ask, create, clock, receive, analyzeAll } = await open();
  const { id } = await create({ schedule: { type: "interval", everyMinutes: 12 * 1_440 } });
  clock.nowMs += 12 * 86_400_000;
  await receive(toRaw("Backup OK"));
  await analyzeAll();
  expect((await ask("GET", "/api/monitors")).json.items[0]).toMatchObject({ uptime7d: 1 });
  const { figures } = (await ask("GET", `/api/monitors/${id}`)).json;
  expect(figures).toMatchObject({ day: { runs: 1 }, week: { runs: 1, uptime: 1 }, month: { runs: 1 } });
  clock.nowMs += 8 * 86_400_000;
  expect((await ask("GET", "/api/monitors")).json.items[0]).toMatchObject({ uptime7d: null });
});

test("the share of due times is unknown before the first one, and wrong words aren't one", async () => {
  const { ask, create, clock, receive, analyzeAll } = await open();
  const { id } = await create();
  const send = async (subject: string) => {
    await receive(toRaw(subject));
    await analyzeAll();
  };
  await send("Backup OK");
  await send("Backup FAILED");
  const read = async () => (await ask("GET", `/api/monitors/${id}`)).json;
  expect(await read()).toMatchObject({
    state: "down",
    figures: { week: { runs: 0, failed: 0, wrongWords: 1, uptime: null } },
  });
  const listed = async () => (await ask("GET", "/api/monitors")).json.items[0];
  expect(await listed()).toMatchObject({ uptime7d: null, runs7d: 0 });
  clock.nowMs += 61 * 60_000;
  await send("Backup OK again");
  expect(await read()).toMatchObject({
    state: "up",
    figures: { week: { runs: 1, failed: 0, wrongWords: 1, uptime: 1 } },
  });
  expect(await listed()).toMatchObject({ uptime7d: 1, runs7d: 1 });
});

describe("is refused", () => {
  const daily = { type: "daily", by: "07:00", days: ["mon"], timeZone: "Europe/Berlin" };
  test.each([
    ["without a condition", { match: {} }],
    ["with words alone that must be missing", { match: { subjectLacks: "x" } }],
    ["with an unknown inbox", { match: { inboxId: "sdi_01m8amdxm626ymf8vxnh0chjhr" } }],
    ["without days", { schedule: { ...daily, days: [] } }],
    ["with a day twice", { schedule: { ...daily, days: ["mon", "mon"] } }],
    ["with an unknown time zone", { schedule: { ...daily, timeZone: "Mars/Base" } }],
    ["with a time that isn't one", { schedule: { ...daily, by: "24:00" } }],
    ["with a short interval", { schedule: { type: "interval", everyMinutes: 1 } }],
    ["with both schedules", { schedule: { ...daily, everyMinutes: 60 } }],
    [
      "with maintenance that ends before it begins",
      { maintenance: [{ type: "once", from: "2026-12-01T10:00:00Z", to: "2026-12-01T09:00:00Z" }] },
    ],
  ])("a monitor %s", async (_, wanted) => {
    const { ask } = await open();
    const { status, json } = await ask("POST", "/api/monitors/expected", { ...backup, ...wanted });
    expect([status, json.error]).toEqual([400, "invalid_request"]);
  });
});

test("a preview tells which stored mail would match, and changes nothing", async () => {
  const { ask, receive, analyzeAll } = await open();
  await receive(toRaw("Backup OK"));
  await receive(toRaw("Backup FAILED"));
  await receive(toRaw("Backup OK!", "other@corp.example"));
  await analyzeAll();
  const { status, json } = await ask("POST", "/api/monitors/expected/preview", { match: backup.match });
  expect(status).toBe(200);
  expect(json).toMatchObject({
    ...{ compared: 3, matching: 1, otherWords: 1, isCut: false, isTextSkipped: false },
    newest: [{ subject: "Backup OK", from: "Backup <backup@corp.example>" }],
    newestOther: { subject: "Backup FAILED" },
  });
  expect((await ask("GET", "/api/monitors")).json.items).toEqual([]);
});

test("maintenance is replaced as a whole, and says when it ends", async () => {
  const { ask, create, clock } = await open();
  const { id } = await create();
  const from = new Date(clock.nowMs - 60_000).toISOString();
  const to = new Date(clock.nowMs + 60_000).toISOString();
  const windows = [{ type: "once", from, to }];
  const { json } = await ask("PUT", `/api/monitors/${id}/maintenance`, { windows });
  expect(json).toMatchObject({ maintenance: windows, maintenanceUntil: to });
  expect((await ask("PUT", `/api/monitors/${id}/maintenance`, { windows: [] })).json).toMatchObject({
    ...{ maintenance: [], maintenanceUntil: null },
  });
});

test("maintenance begins now by the server's clock, and removes what is over", async () => {
  const { ask, create, clock } = await open();
  const { id } = await create();
  const toTime = (afterMs: number) => new Date(clock.nowMs + afterMs).toISOString();
  const over = { type: "once", from: toTime(-7_200_000), to: toTime(-3_600_000) };
  const weekly = { type: "weekly", days: ["sun"], from: "02:00", to: "04:00", timeZone: "Europe/Berlin" };
  await ask("PUT", `/api/monitors/${id}/maintenance`, { windows: [over, weekly] });
  const path = `/api/monitors/${id}/maintenance`;
  const { status, json } = await ask("POST", path, { minutes: 60 });
  expect([status, json]).toMatchObject([
    200,
    {
      maintenance: [weekly, { type: "once", from: toTime(0), to: toTime(3_600_000) }],
      maintenanceUntil: toTime(3_600_000),
    },
  ]);
  for (let count = 2; count < 20; count++) await ask("POST", path, { minutes: 60 });
  expect((await ask("POST", path, { minutes: 60 })).json).toMatchObject({
    error: "conflict",
    message: expect.stringContaining("at most 20 maintenance windows"),
  });
  clock.nowMs += 3_600_000;
  expect((await ask("POST", path, { minutes: 5 })).json.maintenance).toHaveLength(2);
});

describe("a badge", () => {
  test("is off until it is created, and shows its name and a word to anyone", async () => {
    const { ask, create, badgeOf, receive, analyzeAll, clock } = await open();
    const { id } = await create({ name: "Secret internal name" });
    const { json } = await ask("PUT", `/api/monitors/${id}/badge`, { name: "Nightly <b>" });
    const path = new URL(json.svgUrl).pathname;
    const fresh = await badgeOf(path);
    expect(fresh.status).toBe(200);
    expect(fresh.body).toContain("Nightly &lt;b&gt;: unknown");
    expect(fresh.body).not.toContain("Secret");
    expect(Object.fromEntries(fresh.headers)).toMatchObject({
      "content-type": "image/svg+xml; charset=utf-8",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
      "cross-origin-resource-policy": "cross-origin",
      "x-content-type-options": "nosniff",
      "cache-control": "public, max-age=60",
    });
    await receive(toRaw("Backup OK"));
    await analyzeAll();
    const { body, headers } = await badgeOf(new URL(json.jsonUrl).pathname);
    expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(JSON.parse(body)).toEqual({
      ...{ schemaVersion: 1, label: "Nightly <b>", message: "up", color: "success" },
    });
    // Nothing has checked it since.
    clock.nowMs += 4 * 3_600_000;
    expect(JSON.parse((await badgeOf(new URL(json.jsonUrl).pathname)).body).message).toBe("unknown");
  });

  test("keeps its URL when it is renamed, and loses it when it ends", async () => {
    const { ask, create, badgeOf } = await open();
    const { id } = await create();
    const first = (await ask("PUT", `/api/monitors/${id}/badge`, { name: "A" })).json.svgUrl;
    expect((await ask("PUT", `/api/monitors/${id}/badge`, { name: "B" })).json.svgUrl).toBe(first);
    expect((await ask("DELETE", `/api/monitors/${id}/badge`)).status).toBe(204);
    expect((await badgeOf(new URL(first).pathname)).status).toBe(404);
    expect((await ask("PUT", `/api/monitors/${id}/badge`, { name: "C" })).json.svgUrl).not.toBe(first);
  });

  test("that doesn't exist gets the same answer, whatever was asked", async () => {
    const { badgeOf } = await open();
    const key = "a".repeat(43);
    const bodies = [];
    for (const file of [`${key}.svg`, `${key}.json`, "x.svg", `${key}.png`, key]) {
      const { status, body } = await badgeOf(`/badges/${file}`);
      bodies.push(`${status} ${body}`);
    }
    expect(new Set(bodies).size).toBe(1);
    expect(bodies[0]).toMatch(/^404 /);
  });

  test("is asked for at most 120 times a minute by one client", async () => {
    const { ask, badgeOf, clock } = await open();
    const statuses = [];
    // Each answer is held against the OpenAPI document.
    for (let n = 0; n < 121; n++) statuses.push((await ask("GET", "/badges/x.svg")).status);
    // Other methods and other paths need no limit, because they read nothing.
    expect((await ask("POST", "/badges/x.svg")).status).toBe(405);
    expect((await ask("GET", "/badges/x/y")).status).toBe(404);
    expect([statuses[119], statuses[120]]).toEqual([404, 429]);
    clock.nowMs += 60_001;
    expect((await badgeOf("/badges/x.svg")).status).toBe(404);
  });
});

test("an alert in quiet hours waits until they end, and alerts about monitors can pass", async () => {
  const { ask, clock, store, system, workspace } = await open();
  clock.nowMs = Date.parse("2026-11-23T22:30:00Z");
  const wanted = {
    kind: "json",
    events: ["domain.drift", "monitor.changed"],
    url: "https://hooks.example/a",
  };
  const quietHours = { from: "22:00", to: "07:00", timeZone: "Europe/Berlin", wakeForMonitors: true };
  const { json } = await ask("POST", "/api/alerts", { ...wanted, label: "Ann", quietHours });
  expect(json.quietHours).toEqual(quietHours);
  const raise = (event: Parameters<typeof raiseAlert>[1]) =>
    store.write((db) => raiseAlert(inWorkspace(db, workspace), event, system));
  const dueAt = async () =>
    (await store.read.selectFrom("deliveries").select("due_at").orderBy("id").execute()).map(({ due_at }) =>
      due_at === null ? null : new Date(due_at).toISOString(),
    );
  await raise(aDrift());
  clock.nowMs += 1;
  await raise(aMonitorChange());
  expect(await dueAt()).toEqual(["2026-11-24T06:00:00.000Z", "2026-11-23T22:30:00.001Z"]);
  // Without them, what waits is due.
  await ask("PATCH", `/api/alerts/${json.id}`, { quietHours: null });
  expect((await dueAt())[0]).toBe("2026-11-23T22:30:00.001Z");
});
