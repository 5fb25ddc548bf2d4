import { describe, expect, test } from "vitest";
import { createMoveWatcher } from "../../../src/features/streams/work/stream-moves.ts";
import { startHttpWorld } from "../../http/http-world.ts";

const zone = {
  "sender.example": { TXT: ["v=spf1 ip4:192.0.2.1 -all"], MX: [{ preference: 1, exchange: "mail.sender.example" }] },
  "_dmarc.sender.example": { TXT: ["v=DMARC1; p=none"] },
  "1.2.0.192.in-addr.arpa": { PTR: ["mail.sender.example"] },
  "mail.sender.example": { A: ["192.0.2.1"] },
};
const withoutSpf = { ...zone, "sender.example": { ...zone["sender.example"], TXT: ["v=spf1 -all"] } };

let number = 0;
const letter = (text: string) => {
  number += 1;
  return Buffer.from(
    `From: news@sender.example\r\nTo: bob@seed.example\r\nSubject: News ${number}\r\nMessage-ID: <${number}@sender.example>\r\n` +
      `Date: Sat, 21 Nov 2026 06:00:00 +0000\r\n\r\n${text} ${number}.\r\n`,
  );
};

async function startWorld() {
  const world = await startHttpWorld();
  const { id: workspace } = await world.createWorkspace("Ours");
  const { token } = await world.issueToken(workspace);
  world.internet.zone = zone;
  const as = { token, workspace };
  const ask = (method: string, path: string, body?: unknown) =>
    world.ask(method, `/api/${path}`, { ...as, ...(body !== undefined && { body }) });
  const send = async (label: string | null, text = "Hello, this is the news") => {
    world.clock.nowMs += 60_000;
    const id = await world.receive(workspace, label, letter(text));
    await world.analyzeAll();
    return id;
  };
  return { ...world, callRaw: world.ask, as, ask, send };
}

describe("streams", () => {
  test("streams form by sender domain and label, with the usual score", async () => {
    const { ask, send } = await startWorld();
    for (let count = 0; count < 3; count++) await send("weekly");
    await send(null);
    const { status, json } = await ask("GET", "streams");
    expect(status).toBe(200);
    expect(json.total).toBe(2);
    expect(json.items.map(({ name, label }: { name: string; label: string | null }) => [name, label])).toEqual([
      ["sender.example · weekly", "weekly"],
      ["sender.example · bulk mail", null],
    ]);
    expect(json.items[1].usualScore).toBeNull();
    const { id, composite } = (await ask("GET", "tests?label=weekly")).json.items[0];
    expect(json.items[0]).toMatchObject({ usualScore: composite, spread: 0, lastMove: null });
    const { steps } = (await ask("GET", `streams/${json.items[0].id}`)).json;
    expect(steps.at(-1)).toMatchObject({ testId: id, score: composite });
  });

  test("streams show the test at which DNS changed, and the drop of the score", async () => {
    const { ask, send, internet } = await startWorld();
    const usual = [];
    for (let count = 0; count < 4; count++) usual.push(await send("weekly"));
    internet.zone = withoutSpf;
    const moved = await send("weekly");
    const [{ id, lastMove }] = (await ask("GET", "streams?movedWithinDays=7")).json.items;
    expect(lastMove).toMatchObject({ testId: moved, comparedWith: usual.at(-1), causes: null });
    expect(lastMove.points).toBeLessThan(-4);
    expect(lastMove.changes).toEqual([{ what: "dns", says: "DNS changed: TXT sender.example." }]);
    const { steps } = (await ask("GET", `streams/${id}`)).json;
    expect(steps.map(({ testId }: { testId: string }) => testId)).toEqual([...usual, moved]);
    expect(steps.slice(0, 4).flatMap(({ changes }: { changes: unknown[] }) => changes)).toEqual([]);
    expect(steps[4]).toMatchObject({ points: lastMove.points, isNew: true, changes: lastMove.changes });
  });

  test("streams have the same usual score everywhere for a test that was analyzed late", async () => {
    const { ask, send, internet, store, clock, receive, analyzeAll, as } = await startWorld();
    clock.nowMs += 60_000;
    const late = await receive(as.workspace, "weekly", letter("Hello, this is the news"));
    const wait = (due_at: number) =>
      store.write((db) => db.updateTable("tests").set({ due_at }).where("id", "=", late).execute());
    await wait(clock.nowMs + 86_400_000);
    for (let count = 0; count < 3; count++) await send("weekly");
    await wait(clock.nowMs);
    internet.zone = withoutSpf;
    await analyzeAll();
    const [{ id, lastMove }] = (await ask("GET", "streams?movedWithinDays=7")).json.items;
    expect(lastMove).toMatchObject({ testId: late, points: expect.any(Number) });
    const { steps } = (await ask("GET", `streams/${id}`)).json;
    const { usualScore, points } = lastMove;
    expect(steps[0]).toMatchObject({ testId: late, usualScore, points, isNew: true });
    expect(steps[1]).toMatchObject({ usualScore: null, points: null });

    internet.zone = zone;
    expect((await ask("POST", `tests/${late}/reanalyze`)).status).toBe(200);
    const again = (await ask("GET", `streams/${id}`)).json;
    expect(again.steps[0]).toMatchObject({ testId: late, score: usualScore, usualScore, points: null });
    expect(again.lastMove).toBeNull();
    expect((await ask("GET", "dashboard/summary")).json.movedStreams).toEqual([]);
  });

  test("streams compare a change with an earlier test if the newest one was deleted", async () => {
    const { ask, send, internet } = await startWorld();
    const usual = [];
    for (let count = 0; count < 4; count++) usual.push(await send("weekly"));
    expect((await ask("DELETE", `tests/${usual[3]}`)).status).toBe(204);
    internet.zone = withoutSpf;
    const moved = await send("weekly");
    const [{ id, lastMove }] = (await ask("GET", "streams?movedWithinDays=7")).json.items;
    expect(lastMove).toMatchObject({ testId: moved, comparedWith: usual[2] });
    await send("once");
    const { streams } = (await ask("GET", "dashboard/summary")).json;
    const { steps } = (await ask("GET", `streams/${id}`)).json;
    expect(streams).toMatchObject([{ stream: { id, lastMove: { testId: moved } } }]);
    expect(streams[0].scores).toEqual(steps.map(({ score }: { score: number }) => score));
  });

  test("streams show no change whose test was deleted", async () => {
    const { ask, send, internet } = await startWorld();
    for (let count = 0; count < 4; count++) await send("weekly");
    internet.zone = withoutSpf;
    const moved = await send("weekly");
    const [{ id }] = (await ask("GET", "streams?movedWithinDays=7")).json.items;
    expect((await ask("DELETE", `tests/${moved}`)).status).toBe(204);
    expect((await ask("GET", "streams?movedWithinDays=7")).json.items).toEqual([]);
    expect((await ask("GET", "streams")).json.items).toMatchObject([{ id, lastMove: null }]);
    expect((await ask("GET", `streams/${id}`)).json).toMatchObject({ lastMove: null });
    expect((await ask("GET", "dashboard/summary")).json.movedStreams).toEqual([]);
  });

  test("streams are separate for each kind of mail without a label", async () => {
    const { ask, send } = await startWorld();
    for (let count = 0; count < 3; count++) {
      await send(null);
      await send(null, "Your order 1234 has shipped. Tracking number: 1Z999AA10123456784. Total: $12.00");
    }
    const { items } = (await ask("GET", "streams")).json;
    const listed = items.map(({ name, kind }: { name: string; kind: string }) => [name, kind]);
    expect(Object.fromEntries(listed)).toEqual({
      "sender.example · bulk mail": "bulk",
      "sender.example · transactional": "transactional",
    });
    for (const { usualScore } of items) expect(usualScore).toEqual(expect.any(Number));
  });

  test("streams say since when the usual score has changed", async () => {
    const { ask, send, internet } = await startWorld();
    for (let count = 0; count < 4; count++) await send("weekly");
    const [{ id, usualScore: before }] = (await ask("GET", "streams")).json.items;
    expect((await ask("GET", `streams/${id}`)).json.usualSince).toBeNull();
    internet.zone = withoutSpf;
    const first = await send("weekly");
    for (let count = 0; count < 2; count++) await send("weekly");
    const { usualScore, usualSince, steps } = (await ask("GET", `streams/${id}`)).json;
    expect(usualScore).toBeLessThan(before);
    expect(usualSince).toEqual({ testId: first, at: steps[4].receivedAt, before });
  });

  test("streams exclude rehearsals", async () => {
    const { ask, send } = await startWorld();
    await send("as-gmail");
    expect((await ask("GET", "streams")).json.items).toEqual([]);
  });

  test("streams exclude uploads", async () => {
    const { ask, callRaw, as, analyzeAll } = await startWorld();
    const headers = { "content-type": "message/rfc822" };
    const asked = { ...as, body: letter("Hello"), headers };
    expect((await callRaw("POST", "/api/tests/upload", asked)).status).toBe(201);
    await analyzeAll();
    expect((await ask("GET", "streams")).json.items).toEqual([]);
  });

  test("streams follow the workspace's rules", async () => {
    const { ask, send } = await startWorld();
    const rule = await ask("POST", "stream-rules", { name: "All receipts", label: "receipt-*" });
    expect(rule.status).toBe(201);
    await send("receipt-1");
    await send("receipt-2");
    const { items } = (await ask("GET", "streams")).json;
    expect(items).toHaveLength(1);
    expect(items[0]).toMatchObject({ name: "All receipts", ruleId: rule.json.id, fromDomain: null });
    expect((await ask("DELETE", `stream-rules/${rule.json.id}`)).status).toBe(204);
    await send("receipt-3");
    const names = (await ask("GET", "streams")).json.items.map(({ name }: { name: string }) => name);
    expect(names).toEqual(["sender.example · receipt-3", "Deleted rule"]);
  });

  test("streams reject a rule that matches everything", async () => {
    const { ask } = await startWorld();
    expect(await ask("POST", "stream-rules", { name: "All" })).toMatchObject({ status: 400 });
  });
});

describe("a stream whose score changed", () => {
  test("a stream whose score changed raises one alert with the causes, and no further one while it lasts", async () => {
    const { ask, send, internet, store, system, thread } = await startWorld();
    const alert = await ask("POST", "alerts", {
      label: "Ours",
      kind: "json",
      url: "https://hooks.sender.example/x",
      events: ["stream.moved"],
    });
    expect(alert.status).toBe(201);
    const watcher = createMoveWatcher({ store, system, owner: "test", thread });
    for (let count = 0; count < 4; count++) await send("weekly");
    internet.zone = withoutSpf;
    for (let count = 0; count < 4; count++) await send("weekly");
    await watcher.untilIdle();
    internet.zone = zone;
    await send("weekly");
    await watcher.untilIdle();
    const events = await store.read.selectFrom("alert_events").select(["type", "payload"]).orderBy("id").execute();
    const told = events.map(({ payload }) => JSON.parse(payload));
    expect(events.map(({ type }) => type)).toEqual(["stream.moved", "stream.moved"]);
    const [fell, rose] = told;
    expect(fell.causes).toEqual([{ cause: "dns", points: fell.points }]);
    expect(fell.usualScore + fell.points).toBeCloseTo(fell.test.score);
    expect(rose.points).toBe(-fell.points);
    expect((await ask("GET", "streams")).json.items[0].lastMove.causes).toEqual(rose.causes);
  });
});
