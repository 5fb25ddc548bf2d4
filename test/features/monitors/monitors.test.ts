// Expected mail monitors through the API.

import { describe, expect, test } from "vitest";
import { worldWithCaller } from "../../http/interface-world.ts";

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
  return { ...world, create };
}

test("a monitor is created, listed, and changed", async () => {
  const { ask, create } = await open();
  const made = await create();
  expect(made).toMatchObject({
    kind: "expected",
    state: "new",
    enabled: true,
    reason: null,
    lastOkAt: null,
    uptime7d: null,
    graceMinutes: 30,
    minCount: 1,
    alertOnOtherWords: true,
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

test("a monitor is paused and resumed, and shows what it expects", async () => {
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
    kind: "expected",
    enabled: false,
    dueAt: null,
    canary: null,
    expected: { graceMinutes: 30, minCount: 1, match: { sender: "backup@*" } },
  });
  expect(page.runs.filter((one: { endedAt: string | null }) => one.endedAt === null)).toEqual([]);
  const { json } = await ask("PATCH", path, { enabled: true });
  expect(json).toMatchObject({ enabled: true, state: "new" });
  expect(Date.parse(json.dueAt) - clock.nowMs).toBe(90 * 60_000);
});

test("a long window counts in the week in which it ends", async () => {
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

test("the share of messages on time is unknown before the first deadline, and ignores wrong words", async () => {
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

describe("the API rejects", () => {
  const daily = { type: "daily", by: "07:00", days: ["mon"], timeZone: "Europe/Berlin" };
  test.each([
    ["without a condition", { match: {} }],
    ["with only forbidden words", { match: { subjectLacks: "x" } }],
    ["with an unknown inbox", { match: { inboxId: "sdi_01m8amdxm626ymf8vxnh0chjhr" } }],
    ["without days", { schedule: { ...daily, days: [] } }],
    ["with a day twice", { schedule: { ...daily, days: ["mon", "mon"] } }],
    ["with an unknown time zone", { schedule: { ...daily, timeZone: "Mars/Base" } }],
    ["with a time that isn't one", { schedule: { ...daily, by: "24:00" } }],
    ["with a short interval", { schedule: { type: "interval", everyMinutes: 1 } }],
    ["with both schedules", { schedule: { ...daily, everyMinutes: 60 } }],
    ["with maintenance, which was removed", { maintenance: [] }],
  ])("the API rejects a monitor %s", async (_, wanted) => {
    const { ask } = await open();
    const { status, json } = await ask("POST", "/api/monitors/expected", { ...backup, ...wanted });
    expect([status, json.error]).toEqual([400, "invalid_request"]);
  });
});

test("a preview shows which stored messages would match, and changes nothing", async () => {
  const { ask, receive, analyzeAll } = await open();
  await receive(toRaw("Backup OK"));
  await receive(toRaw("Backup FAILED"));
  await receive(toRaw("Backup OK!", "other@corp.example"));
  await analyzeAll();
  const { status, json } = await ask("POST", "/api/monitors/expected/preview", { match: backup.match });
  expect(status).toBe(200);
  expect(json).toMatchObject({
    compared: 3,
    matching: 1,
    otherWords: 1,
    isCut: false,
    isTextSkipped: false,
    newest: [{ subject: "Backup OK", from: "Backup <backup@corp.example>" }],
    newestOther: { subject: "Backup FAILED" },
  });
  expect((await ask("GET", "/api/monitors")).json.items).toEqual([]);
});
