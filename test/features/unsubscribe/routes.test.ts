// Unsubscribing, against a real HTTPS server and a real SMTP relay on loopback.

import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { createRelayTransport } from "../../../src/features/sending/work/transports.ts";
import { insertUnsubscribe } from "../../../src/features/unsubscribe/rows.ts";
import { createUnsubscriber } from "../../../src/features/unsubscribe/work/unsubscribe.ts";
import { storeOf } from "../../../src/platform/database/scope.ts";
import { type Letter, openUnsubscribeWorld, startListServer } from "../../http/unsubscribe-world.ts";
import { startRelay } from "../sending/work/relay-server.ts";

const day = 86_400_000;
const login = '<html><form action="/login"><input name=u><input type="password" name=p></form></html>';

test("no unsubscribe request is sent without a click: not on arrival, analysis, reading, export, or sharing", async () => {
  const list = await startListServer((_, response) => response.end("ok"));
  const { ask, arrive, read, click, base } = await openUnsubscribeWorld();
  const id = await arrive({ unsubscribe: `<https://unsub.example:${list.port}/u>, <mailto:u@news.example>` });
  await ask("GET", `/api/tests/${id}`);
  await ask("GET", `/api/tests/${id}/eml`);
  await ask("GET", `/preview/${id}?images=1`);
  await ask("POST", `/api/tests/${id}/reanalyze`);
  const { url } = (await ask("POST", `/api/tests/${id}/shares`, {})).json;
  await fetch(url.startsWith("http") ? url : base + url);
  const before = await read(id);
  expect(before).toMatchObject({
    recipient: "anyone@seed.example",
    attempts: [],
    earlier: null,
    ways: [
      { method: "one-click", possible: true, signedBy: "news.example" },
      { method: "mailto", possible: false, target: "u@news.example", why: expect.stringContaining("relay") },
    ],
  });
  expect(list.connections()).toBe(0);
  await click(id);
  expect(list.connections()).toBe(1);
  expect(list.heard).toEqual([
    {
      method: "POST",
      path: "/u",
      body: "List-Unsubscribe=One-Click",
      headers: expect.objectContaining({ "content-type": "application/x-www-form-urlencoded" }),
    },
  ]);
  expect(list.heard[0]?.headers).not.toHaveProperty("cookie");
  expect(list.heard[0]?.headers).not.toHaveProperty("authorization");
});

test("POST /api/tests/:id/unsubscribe shows the list server's response", async () => {
  const answers: Record<string, [number, Record<string, string>, string]> = {
    fine: [200, {}, "done"],
    empty: [202, {}, ""],
    moved: [302, { location: "https://unsub.example/elsewhere" }, ""],
    broken: [500, {}, "oops"],
    denied: [401, {}, ""],
    login: [200, { "content-type": "text/html", "set-cookie": "sid=1" }, login],
    header: [200, { "content-type": "text/html" }, `You have been unsubscribed.${login}`],
    form: [200, { "content-type": "text/html" }, "<form method=post><button>Yes</button></form>"],
    cookie: [200, { "content-type": "text/plain", "set-cookie": "sid=1" }, "bye"],
    large: [200, { "content-type": "text/plain" }, "x".repeat(400_000)],
  };
  const list = await startListServer((request, response) => {
    const [status, headers, body] = answers[request.url?.slice(1) ?? ""] ?? [404, {}, ""];
    response.writeHead(status, headers).end(body);
  });
  const world = await openUnsubscribeWorld();
  const askFor = async (path: string) => {
    const id = await world.arrive({ unsubscribe: `<https://unsub.example:${list.port}/${path}>` });
    world.clock.nowMs += 61_000;
    const { status, json } = await world.click(id);
    expect(status).toBe(200);
    const { result, says, requirements, ...rest } = json.attempts[0];
    const met = Object.fromEntries(requirements.map((row: { id: string; met: boolean }) => [row.id, row.met]));
    return { result, says, met, ...rest };
  };
  expect(await askFor("fine")).toMatchObject({
    result: "accepted",
    status: 200,
    bodyBytes: 4,
    met: { tls: true, status: true, redirect: true, login: true, cookie: true, time: true },
  });
  expect(await askFor("empty")).toMatchObject({ result: "accepted", status: 202, bodyBytes: 0 });
  expect(await askFor("moved")).toMatchObject({
    result: "rejected",
    location: "https://unsub.example/elsewhere",
    met: { status: false, redirect: false },
  });
  expect(list.heard.map(({ path }) => path)).not.toContain("/elsewhere");
  expect(await askFor("broken")).toMatchObject({ result: "rejected", status: 500, met: { status: false } });
  expect(await askFor("denied")).toMatchObject({ result: "rejected", met: { login: false } });
  expect(await askFor("login")).toMatchObject({
    result: "unclear",
    says: expect.stringContaining("a login page"),
    met: { login: false, cookie: null },
  });
  const header = await askFor("header");
  expect(header).toMatchObject({ result: "unclear", met: { login: null } });
  expect(header.says).not.toContain("login");
  const form = await askFor("form");
  expect(form).toMatchObject({ result: "unclear", met: { login: null } });
  expect(form.says).not.toContain("login page");
  expect(await askFor("cookie")).toMatchObject({ result: "accepted", met: { cookie: null, login: true } });
  expect(await askFor("large")).toMatchObject({ result: "accepted", bodyBytes: 262_144 });
});

test("an invalid certificate, a private address, and a closed port are named", async () => {
  const list = await startListServer((_, response) => response.end());
  const open = await openUnsubscribeWorld();
  const { port } = list;
  const wrongName = await open.arrive({ unsubscribe: `<https://other.example:${port}/u>` });
  expect((await open.click(wrongName)).json.attempts[0]).toMatchObject({
    result: "unreachable",
    requirements: [{ id: "tls", met: false }],
  });
  const closed = await open.arrive({ unsubscribe: "<https://unsub.example:1/u>" });
  expect((await open.click(closed)).json.attempts[0]).toMatchObject({ result: "unreachable", status: null });
  const guarded = await openUnsubscribeWorld({ privateTargets: { all: false, networks: [] } });
  for (const host of ["unsub.example", "127.0.0.1", "[::1]", "169.254.169.254"]) {
    const id = await guarded.arrive({ unsubscribe: `<https://${host}:${port}/u>` });
    guarded.clock.nowMs += 61_000;
    expect((await guarded.click(id)).json.attempts[0]).toMatchObject({
      result: "refused",
      says: expect.stringContaining("not sent"),
    });
  }
  expect(list.heard).toEqual([]);
});

test("a slow server times out, and the row says that the request may have been processed", async () => {
  const list = await startListServer(() => {});
  const world = await openUnsubscribeWorld();
  const id = await world.arrive({ unsubscribe: `<https://unsub.example:${list.port}/slow>` });
  const { system, store, workspace } = world;
  const impatient = createUnsubscriber({
    system: { ...system, fetchStranger: (url, request) => system.fetchStranger(url, { ...request, timeoutMs: 300 }) },
    sign: async (_scope, _domain, raw) => raw,
    road: { transport: "loopback", deliver: async () => "", close() {} },
  });
  await impatient.ask(storeOf(store, workspace), { testId: id, again: false, userId: null });
  expect((await world.read(id)).attempts[0]).toMatchObject({
    result: "unreachable",
    says: expect.stringContaining("may have processed"),
    requirements: [{ id: "time", met: false }],
  });
});

describe("a request that RFC 8058 §4 forbids is rejected with the reason", () => {
  const url = "<https://unsub.example:1/u>";
  test.each([
    ["no header", {}, true, "no List-Unsubscribe header"],
    ["no valid DKIM signature", { unsubscribe: url }, false, "No DKIM signature passes"],
    ["no List-Unsubscribe-Post", { unsubscribe: url, post: null }, true, "List-Unsubscribe-Post"],
    ["another value", { unsubscribe: url, post: "List-Unsubscribe=Yes" }, true, "List-Unsubscribe-Post"],
    ["only http", { unsubscribe: "<http://unsub.example:1/u>" }, true, "no https URL"],
    ["two https URLs", { unsubscribe: `${url}, ${url}` }, true, "more than one https URL"],
    ["a password", { unsubscribe: "<https://a:b@unsub.example/u>" }, true, "not a valid https URL"],
    ["two headers", { unsubscribe: `${url}\r\nList-Unsubscribe: ${url}` }, true, "more than one"],
  ])("an unsubscribe request is rejected with the reason for %s", async (_, letter, isSigned, why) => {
    const world = await openUnsubscribeWorld();
    const id = await world.arrive(letter, isSigned);
    const { status, json } = await world.click(id);
    expect([status, json.error]).toEqual([409, "conflict"]);
    expect(json.message).toContain(why);
    expect((await world.read(id)).attempts).toEqual([]);
  });

  test("an unsubscribe request for a header that was added after signing is rejected", async () => {
    const list = await startListServer((_, response) => response.end());
    const world = await openUnsubscribeWorld();
    const { signLetter, toLetter } = await import("../../http/unsubscribe-world.ts");
    const signed = signLetter(toLetter({ post: null })).toString("latin1");
    const added = `List-Unsubscribe: <https://unsub.example:${list.port}/u>\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n${signed}`;
    const id = await world.receive(Buffer.from(added, "latin1"));
    await world.analyzeAll();
    expect((await world.click(id)).status).toBe(409);
    expect(list.connections()).toBe(0);
  });
});

test("a second request needs a confirmation, and requests are limited", async () => {
  const list = await startListServer((_, response) => response.end());
  const world = await openUnsubscribeWorld();
  const id = await world.arrive({ unsubscribe: `<https://unsub.example:${list.port}/u>` });
  expect((await world.click(id)).status).toBe(200);
  const second = await world.click(id);
  expect(second.status).toBe(409);
  expect(second.json.message).toContain("2026-11-21");
  expect(list.heard).toHaveLength(1);
  for (let count = 0; count < 4; count++) expect((await world.click(id, { again: true })).status).toBe(200);
  const refused = await world.click(id, { again: true });
  expect([refused.status, refused.json.error]).toEqual([429, "rate_limited"]);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(list.heard).toHaveLength(5);
  world.clock.nowMs += 61_000;
  expect((await world.click(id, { again: true })).json.attempts).toHaveLength(6);
});

test("two simultaneous clicks make one request", async () => {
  const list = await startListServer((_, response) => setTimeout(() => response.end(), 50));
  const world = await openUnsubscribeWorld();
  const id = await world.arrive({ unsubscribe: `<https://unsub.example:${list.port}/u>` });
  const clicks = await Promise.all([world.click(id), world.click(id), world.click(id)]);
  expect(clicks.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  expect(list.heard).toHaveLength(1);
});

test("the row is stored before the request is sent", async () => {
  const seen: string[] = [];
  const list = await startListServer(async (_, response) => {
    const [attempt] = (await world.read(id)).attempts;
    seen.push(attempt.result, String(attempt.finishedAt));
    response.end();
  });
  const world = await openUnsubscribeWorld();
  const id = await world.arrive({ unsubscribe: `<https://unsub.example:${list.port}/u>` });
  expect((await world.click(id)).json.attempts[0].result).toBe("accepted");
  expect(seen).toEqual(["pending", "null"]);
});

test("a request interrupted by a crash is unknown, never accepted", async () => {
  const world = await openUnsubscribeWorld();
  const id = await world.arrive({ unsubscribe: "<https://unsub.example/u>" });
  const row = {
    id: "uns_01jd4m3xk2v9q8w7e6r5t4y3z2",
    test_id: id,
    created_at: world.clock.nowMs,
    created_by: null,
    method: "one-click" as const,
    target: "https://unsub.example/u",
    recipient: "anyone@seed.example",
    list_id: null,
    from_domain: "news.example",
  };
  await storeOf(world.store, world.workspace).write((scope) => insertUnsubscribe(scope, row));
  expect((await world.read(id)).attempts[0].result).toBe("pending");
  world.clock.nowMs += 200_000;
  expect((await world.read(id)).attempts[0]).toMatchObject({
    result: "unknown",
    finishedAt: null,
    says: expect.stringContaining("may have been sent"),
  });
});

describe("the check after unsubscribing", () => {
  async function unsubscribed(first: Letter = {}) {
    const list = await startListServer((_, response) => response.end());
    const world = await openUnsubscribeWorld();
    const unsubscribe = `<https://unsub.example:${list.port}/u>`;
    const id = await world.arrive({ unsubscribe, ...first });
    world.clock.nowMs += 60_000;
    await world.click(id);
    const proof = async () => (await world.read(id)).attempts[0].proof;
    const later = async (ms: number, letter: object = {}) => {
      world.clock.nowMs += ms;
      return await world.arrive({ unsubscribe, number: Math.round(world.clock.nowMs / 1_000), ...letter });
    };
    return { ...world, id, proof, later };
  }

  test("the check after unsubscribing allows mail within two days, and reports later mail in both reports", async () => {
    const world = await unsubscribed();
    expect(await world.proof()).toMatchObject({ state: "waiting" });
    const soon = await world.later(day);
    expect(await world.proof()).toMatchObject({
      state: "allowed",
      within: [{ testId: soon }],
      says: expect.stringContaining("still within the allowed time"),
    });
    expect((await world.read(soon)).earlier).toMatchObject({ testId: world.id, late: false });
    const late = await world.later(day + 1_000);
    expect(await world.proof()).toMatchObject({
      state: "receiving",
      after: [{ testId: late }],
      says: expect.stringContaining("You still receive this list"),
    });
    expect((await world.read(late)).earlier).toMatchObject({
      testId: world.id,
      late: true,
      says: expect.stringContaining("You still receive this list: unsubscribed on 2026-11-21"),
    });
    expect((await world.read(world.id)).earlier).toBeNull();
  });

  test("the check after unsubscribing says that no mail arrived", async () => {
    const world = await unsubscribed();
    world.clock.nowMs += 3 * day;
    expect(await world.proof()).toMatchObject({
      state: "quiet",
      says: expect.stringContaining("No mail from this list since"),
    });
  });

  test("the check after unsubscribing ignores another list of the same sender, and other senders", async () => {
    const world = await unsubscribed();
    const other = await world.later(3 * day, { listId: "daily.news.example" });
    await world.later(1_000, { from: "Shop <shop@shop.example>", listId: "x.shop.example" });
    expect(await world.proof()).toMatchObject({
      state: "quiet",
      otherLists: [{ testId: other }],
      says: expect.stringContaining("One message from news.example with another List-Id, or without one, arrived"),
    });
    expect((await world.read(other)).earlier).toBeNull();
  });

  test("the check after unsubscribing ignores a receipt of the same sender", async () => {
    const world = await unsubscribed();
    const receipt = { unsubscribe: undefined, post: null, listId: null };
    await world.later(day, receipt);
    expect(await world.proof()).toMatchObject({ state: "waiting" });
    const late = await world.later(2 * day, receipt);
    expect(await world.proof()).toMatchObject({ state: "quiet", otherLists: [{ testId: late }] });
    expect((await world.read(late)).earlier).toBeNull();
  });

  test("the check after unsubscribing counts the sender's list mail without List-Id, and says that it may be another list", async () => {
    const world = await unsubscribed({ listId: null });
    await world.later(3 * day, { unsubscribe: undefined, post: null, listId: null });
    expect(await world.proof()).toMatchObject({ state: "quiet" });
    const late = await world.later(1_000, { listId: null });
    expect(await world.proof()).toMatchObject({
      state: "receiving",
      after: [{ testId: late }],
      says: expect.stringContaining("it may be another list"),
    });
    expect((await world.read(late)).earlier.says).toContain("it may be another list");
  });
});

describe("unsubscribing by a mailto address", () => {
  async function withRelay() {
    const relay = await startRelay();
    const road = createRelayTransport(`smtp://127.0.0.1:${relay.port}`, "assay.example");
    const world = await openUnsubscribeWorld({ road });
    return { relay, ...world };
  }

  test("unsubscribing by a mailto address sends a message through the relay, from the subscribed address", async () => {
    const { relay, arrive, click } = await withRelay();
    const id = await arrive({
      unsubscribe: "<mailto:leave-42+x@news.example?subject=unsubscribe%20me&body=Please%0D%0Astop>",
      post: null,
    });
    const { json } = await click(id);
    expect(json.attempts[0]).toMatchObject({
      method: "mailto",
      result: "accepted",
      target: "leave-42+x@news.example",
      reply: expect.stringContaining("250"),
    });
    const [taken] = relay.taken;
    expect(taken).toMatchObject({ from: "anyone@seed.example", to: ["leave-42+x@news.example"] });
    const text = taken?.bytes.toString("latin1") ?? "";
    expect(text).toContain("Subject: unsubscribe me\r\n");
    expect(text).toContain("Please\r\nstop");
  });

  test("unsubscribing by a mailto address cannot add headers, recipients, or a second message", async () => {
    const { relay, arrive, click, clock } = await withRelay();
    const hostile = [
      "<mailto:u@news.example?subject=hi%0D%0ABcc:%20victim@example.com>",
      "<mailto:u@news.example?subject=hi%0ABcc:%20victim@example.com%0A%0Abody>",
      "<mailto:u@news.example?bcc=victim@example.com&cc=victim@example.com&to=victim@example.com&subject=hi>",
      "<mailto:u@news.example?subject=%E2%80%A8Bcc:%20victim@example.com>",
      "<mailto:u@news.example?subject==?utf-8?q?a=0D=0ABcc:_victim@example.com?=>",
      "<mailto:u@news.example?body=hi%0D%0A.%0D%0AMAIL%20FROM:%3Cx@y.example%3E>",
      "<mailto:u@news.example?from=boss@example.com&x-evil=1&attach=/etc/passwd>",
    ];
    for (const unsubscribe of hostile) {
      const id = await arrive({ unsubscribe, post: null });
      clock.nowMs += 61_000;
      const { status } = await click(id);
      expect(status).toBe(200);
    }
    expect(relay.taken).toHaveLength(hostile.length);
    for (const { to, bytes } of relay.taken) {
      expect(to).toEqual(["u@news.example"]);
      const [head = ""] = bytes.toString("latin1").split("\r\n\r\n");
      expect(head).not.toMatch(/^(?:bcc|cc|x-evil)\s*:/im);
      expect(head.match(/^To:/gim)).toHaveLength(1);
      expect(head).toMatch(/^From: anyone@seed\.example$/m);
      expect(bytes.toString("latin1")).not.toContain("root:");
    }
  });

  test.each([
    "<mailto:u@news.example,victim@example.com>",
    "<mailto:u@news.example%0D%0ABcc:victim@example.com>",
    "<mailto:%3Cu@news.example%3E%20x@y.example>",
    "<mailto:u@>",
    "<mailto:?to=u@news.example>",
    "<mailto:u@news.example%00>",
  ])("unsubscribing by a mailto address is rejected if it is not one plain address: %s", async (unsubscribe) => {
    const { relay, arrive, click } = await withRelay();
    const id = await arrive({ unsubscribe, post: null });
    expect((await click(id)).status).toBe(409);
    await pause(0);
    expect(relay.connections()).toBe(0);
  });

  test("unsubscribing by a mailto address sends at most ten messages an hour to an address, from all workspaces together", async () => {
    const { arrive, click, clock, relay } = await withRelay();
    const id = await arrive({ unsubscribe: "<mailto:leave@unsub.example>" });
    for (let count = 0; count < 10; count++) {
      expect((await click(id, { again: true })).status).toBe(200);
      clock.nowMs += 30_000;
    }
    const refused = await click(id, { again: true });
    expect([refused.status, refused.json.message]).toEqual([429, expect.stringContaining("same target")]);
    expect(relay.taken).toHaveLength(10);
    clock.nowMs += 3_600_000;
    expect((await click(id, { again: true })).status).toBe(200);
  });

  test("unsubscribing by a mailto address sends nothing without a relay or a signature", async () => {
    const world = await openUnsubscribeWorld();
    const signed = await world.arrive({ unsubscribe: "<mailto:u@news.example>", post: null });
    expect((await world.click(signed)).json.message).toContain("ASSAY_SEND_SMTP_URL");
    const { arrive, click, relay } = await withRelay();
    const unsigned = await arrive({ unsubscribe: "<mailto:u@news.example>", post: null }, false);
    expect((await click(unsigned)).json.message).toContain("No DKIM signature passes");
    expect(relay.connections()).toBe(0);
  });

  test("unsubscribing by a mailto address quotes a rejection by the relay", async () => {
    const relay = await startRelay({
      onRcptTo: (_address, _session, done) => done(Object.assign(new Error("5.1.1 unknown"), { responseCode: 550 })),
    });
    const road = createRelayTransport(`smtp://127.0.0.1:${relay.port}`, "assay.example");
    const { arrive, click } = await openUnsubscribeWorld({ road });
    const id = await arrive({ unsubscribe: "<mailto:u@news.example>", post: null });
    expect((await click(id)).json.attempts[0]).toMatchObject({
      result: "rejected",
      reply: expect.stringContaining("5.1.1 unknown"),
    });
  });
});
