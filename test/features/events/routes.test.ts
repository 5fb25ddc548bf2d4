import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { version } from "../../../src/analyzer/version.ts";
import { removeMembership } from "../../../src/features/people/rows/memberships.ts";
import { inWorkspace } from "../../../src/platform/database/scope.ts";
import { askRawAndEnd } from "../../http/ask-raw.ts";
import { follow } from "../../http/event-client.ts";
import { holdReadiness } from "../../http/held-readiness.ts";
import { type HttpWorldOptions, startHttpWorld } from "../../http/http-world.ts";

const aDeliveryReport = Buffer.from(
  [
    "From: MAILER-DAEMON@mx.sender.example",
    "Subject: Undelivered Mail Returned to Sender",
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
    "",
    "--b",
    "Content-Type: text/plain",
    "",
    "Nobody of this name is here.",
    "--b",
    "Content-Type: message/delivery-status",
    "",
    "Reporting-MTA: dns; mx.sender.example",
    "",
    "Final-Recipient: rfc822; ann@there.example",
    "Action: failed",
    "Status: 5.1.1",
    "",
    "--b--",
    "",
  ].join("\r\n"),
);

const followAs = ({ token, workspace }: { token: string; workspace: string }) =>
  `GET /api/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nX-Workspace-Id: ${workspace}\r\n\r\n`;

const idOf = (number: number) => `tst_${String(number).padStart(26, "0")}`;

async function listening(options: HttpWorldOptions = {}) {
  const world = await startHttpWorld(options);
  const { id: workspace } = await world.createWorkspace("Ours");
  const { token, row } = await world.issueToken(workspace);
  const access = { token, workspace };
  return { ...world, access, tokenId: row.id, follow: (more = {}) => follow(world.base, { ...access, ...more }) };
}

describe("GET /api/events", () => {
  test("GET /api/events reports a test that is received, analyzed, re-analyzed, and deleted", async () => {
    const { access, ask, receive, analyzeAll, clock, ...world } = await listening();
    const stream = await world.follow();
    const id = await receive(access.workspace, "welcome");
    await analyzeAll();
    clock.nowMs += 1_000;
    await ask("POST", `/api/tests/${id}/reanalyze`, access);
    await ask("DELETE", `/api/tests/${id}`, access);
    await stream.until(({ length }) => length === 4);
    const composite = expect.any(Number);
    expect(stream.events).toEqual([
      { type: "test.received", id, label: "welcome" },
      { type: "test.analyzed", id, label: "welcome", composite, reanalyzed: false },
      { type: "test.analyzed", id, label: "welcome", composite, reanalyzed: true },
      { type: "test.deleted", id },
    ]);
  });

  test("GET /api/events reports a failed test", async () => {
    const { access, receive, store, analyzeAll, ...world } = await listening();
    const stream = await world.follow();
    const id = await receive(access.workspace);
    await store.write((db) => db.deleteFrom("raw_messages").execute());
    await analyzeAll();
    await stream.until(({ length }) => length === 2);
    expect(stream.events[1]).toEqual({ type: "test.failed", id, label: null });
  });

  test("GET /api/events reports a message that turned out to be a bounce", async () => {
    const { access, receive, analyzeAll, ...world } = await listening();
    const stream = await world.follow();
    const id = await receive(access.workspace, null, aDeliveryReport);
    await analyzeAll();
    await stream.until(({ length }) => length === 2);
    expect(stream.events[1]).toEqual({ type: "test.recognised", id, became: "bounce" });
  });

  test("GET /api/events has its media type, and asks proxies not to buffer", async () => {
    const { headers } = await (await listening()).follow();
    expect(headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("x-accel-buffering")).toBe("no");
    expect(headers.get("x-assay-version")).toBe(version);
  });

  test("GET /api/events reports nothing of another workspace", async () => {
    const { access, createWorkspace, receive, ...world } = await listening();
    const theirs = await createWorkspace("Theirs");
    const stream = await world.follow();
    await receive(theirs.id);
    const id = await receive(access.workspace);
    await stream.until(({ length }) => length > 0);
    expect(stream.events).toEqual([{ type: "test.received", id, label: null }]);
  });

  test("GET /api/events answers HEAD with only headers, without counting it as a stream", async () => {
    const { access, ask, events } = await listening();
    expect((await ask("HEAD", "/api/events", access)).status).toBe(200);
    expect(events.countFollowers()).toBe(0);
  });
});

describe("a Last-Event-ID", () => {
  test("a Last-Event-ID continues after that event", async () => {
    const { access, receive, ...world } = await listening();
    const first = await world.follow();
    await receive(access.workspace, "one");
    await first.until(({ length }) => length === 1);
    first.leave();
    await first.ended;
    await receive(access.workspace, "two");
    const second = await world.follow({ lastEventId: first.lastId() });
    await receive(access.workspace, "three");
    await second.until(({ length }) => length === 2);
    expect(second.events.map((event) => "label" in event && event.label)).toEqual(["two", "three"]);
  });

  test("a Last-Event-ID is known from the start, before the first event", async () => {
    const { access, receive, ...world } = await listening();
    const first = await world.follow();
    for (let tries = 0; first.lastId() === "" && tries < 100; tries++) await pause(10);
    expect(first.lastId()).toMatch(/^evt_[0-9a-hjkmnp-tv-z]{26}$/);
    first.leave();
    await first.ended;
    await receive(access.workspace, "one");
    const second = await world.follow({ lastEventId: first.lastId() });
    await second.until(({ length }) => length === 1);
    expect(second.events).toMatchObject([{ type: "test.received", label: "one" }]);
  });

  test.each([
    ["nonsense", "nonsense"],
    ["an ID of another process", `evt_${"0".repeat(26)}`],
    ["a long text", "x".repeat(5_000)],
  ])("a Last-Event-ID answers %s with one reset, followed by new events", async (_name, lastEventId) => {
    const { access, receive, ...world } = await listening();
    const stream = await world.follow({ lastEventId });
    await receive(access.workspace);
    await stream.until(({ length }) => length === 2);
    expect(stream.events.map(({ type }) => type)).toEqual(["reset", "test.received"]);
  });

  test("a Last-Event-ID answers an ID that was never sent with a reset", async () => {
    const { access, receive, ...world } = await listening();
    const first = await world.follow();
    await receive(access.workspace);
    await first.until(({ length }) => length === 1);
    const future = first.lastId().replace(/.$/, "9");
    const second = await world.follow({ lastEventId: future });
    await second.until(({ length }) => length === 1);
    expect(second.events).toEqual([{ type: "reset" }]);
  });

  test("a Last-Event-ID answers an ID that is no longer stored with one reset", async () => {
    const { access, receive, ...world } = await listening({ eventBounds: { keptEvents: 2 } });
    const first = await world.follow();
    await receive(access.workspace, "0");
    await first.until(({ length }) => length === 1);
    first.leave();
    await first.ended;
    for (let number = 1; number <= 5; number++) await receive(access.workspace, String(number));
    const second = await world.follow({ lastEventId: first.lastId() });
    await second.until(({ length }) => length === 1);
    expect(second.events).toEqual([{ type: "reset" }]);
  });

  test("a Last-Event-ID answers with one reset if the workspace's last listener left long ago", async () => {
    const { events, ...world } = await listening({ eventBounds: { keptForMs: 1 } });
    const first = await world.follow();
    for (let tries = 0; first.lastId() === "" && tries < 100; tries++) await pause(10);
    first.leave();
    for (let tries = 0; events.countFollowers() > 0 && tries < 100; tries++) await pause(10);
    await pause(20);
    const second = await world.follow({ lastEventId: first.lastId() });
    await second.until(({ length }) => length === 1);
    expect(second.events).toEqual([{ type: "reset" }]);
  });
});

test("tests deleted together are reported one by one", async () => {
  const { access, ask, receive, clock, ...world } = await listening();
  const ids = [await receive(access.workspace)];
  clock.nowMs += 1;
  ids.push(await receive(access.workspace));
  const stream = await world.follow();
  const body = { ids: [...ids, `tst_${"0".repeat(26)}`] };
  expect((await ask("POST", "/api/tests/delete", { ...access, body })).json).toEqual({ deleted: 2 });
  await stream.until(({ length }) => length === 2);
  const told = stream.events.map((event) => "id" in event && event.type === "test.deleted" && event.id);
  expect(told.sort()).toEqual(ids.sort());
});

describe("the load of event streams", () => {
  test("the load of event streams stays low, because hundreds of events are combined into few writes", async () => {
    const { access, events, ...world } = await listening();
    const stream = await world.follow();
    for (let number = 0; number < 500; number++)
      events.publish(access.workspace, { type: "test.received", id: idOf(number), label: null });
    await stream.until(({ length }) => length === 500);
    expect(stream.chunks()).toBeLessThan(20);
  });

  test("the load of event streams is limited by disconnecting a client that does not read, without delaying others", async () => {
    const bounds = { keptEvents: 2_000, wakeEveryMs: 1 };
    const { access, events, port, ...world } = await listening({ eventBounds: bounds });
    const stream = await world.follow();
    const slow = connect(port, "127.0.0.1");
    slow.on("error", () => {});
    slow.write(followAs(access));
    slow.pause();
    for (let tries = 0; events.countFollowers() < 2 && tries < 100; tries++) await pause(10);
    expect(events.countFollowers()).toBe(2);
    const label = "x".repeat(2_000);
    let told = 0;
    for (let turn = 0; turn < 100 && events.countFollowers() > 1; turn++) {
      for (let number = 0; number < 200; number++, told++)
        events.publish(access.workspace, { type: "test.received", id: idOf(told), label });
      await stream.until(({ length }) => length === told);
    }
    expect(events.countFollowers()).toBe(1);
    slow.destroy();
  });

  test("the load of event streams is limited per caller, until one of its streams ends", async () => {
    const { access, ask, ...world } = await listening({ eventBounds: { perFollower: 2 } });
    const [first] = [await world.follow(), await world.follow()];
    const refused = await ask("GET", "/api/events", access);
    expect(refused).toMatchObject({ status: 429, json: { error: "rate_limited" } });
    expect(refused.headers.get("retry-after")).toBe("30");
    const { token } = await world.issueToken(access.workspace);
    expect((await world.follow({ token })).status).toBe(200);
    first.leave();
    for (let tries = 0; world.events.countFollowers() > 2 && tries < 100; tries++) await pause(10);
    expect((await world.follow()).status).toBe(200);
  });

  test("the load of event streams is limited for the whole server", async () => {
    const { access, ask, ...world } = await listening({ eventBounds: { followers: 1 } });
    await world.follow();
    const refused = await ask("GET", "/api/events", access);
    expect(refused).toMatchObject({ status: 503, json: { error: "overloaded" } });
    expect(refused.headers.get("retry-after")).toBe("5");
  });
});

describe("an event stream ends", () => {
  test("an event stream ends if its client disconnected before it started", async () => {
    const { readiness, asked, release } = holdReadiness();
    const world = await listening({ readiness, eventBounds: { beatMs: 60_000 } });
    const heard = askRawAndEnd(world.port, `GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n${followAs(world.access)}`);
    await asked;
    await world.ask("GET", "/metrics"); // so that the server has seen the end
    release();
    expect(await heard).toContain("retry: ");
    expect(world.events.countFollowers()).toBe(0);
  });

  test("an event stream ends if its client disconnects", async () => {
    const { access, events, port } = await listening({ eventBounds: { beatMs: 60_000 } });
    const client = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    client.write(followAs(access));
    await once(client, "data");
    expect(events.countFollowers()).toBe(1);
    client.end();
    client.on("error", () => {}).resume();
    await once(client, "close");
    for (let tries = 0; events.countFollowers() > 0 && tries < 100; tries++) await pause(10);
    expect(events.countFollowers()).toBe(0);
  });

  test("an event stream ends if its token is revoked", async () => {
    const { access, tokenId, ask, addPerson, ...world } = await listening();
    const { cookie } = await addPerson(access.workspace, "owner");
    const stream = await world.follow();
    await ask("DELETE", `/api/tokens/${tokenId}`, { cookie, workspace: access.workspace });
    await stream.ended;
    expect(world.events.countFollowers()).toBe(0);
  });

  test("an event stream ends immediately if its user logs out, loses the session, or is removed", async () => {
    const { access, ask, addPerson, ...world } = await listening();
    const { workspace } = access;
    const { cookie: byOwner } = await addPerson(workspace, "owner", "Ann");
    type Person = Awaited<ReturnType<typeof addPerson>>;
    const sessionOf = async ({ cookie }: Person) =>
      (await ask("GET", "/api/sessions", { cookie })).json.items[0].id as string;
    const leaves: ((person: Person) => Promise<{ readonly status: number }>)[] = [
      ({ cookie }) => ask("POST", "/api/auth/logout", { cookie }),
      async (person) => ask("DELETE", `/api/sessions/${await sessionOf(person)}`, { cookie: person.cookie }),
      ({ id }) => ask("DELETE", `/api/members/${id}`, { cookie: byOwner, workspace }),
    ];
    for (const leave of leaves) {
      const person = await addPerson(workspace, "member");
      const stream = await follow(world.base, { cookie: person.cookie, workspace });
      expect((await leave(person)).status).toBe(204);
      await stream.ended;
    }
    expect(world.events.countFollowers()).toBe(0);
  });

  test("an event stream continues if another user loses a right", async () => {
    const { access, ask, addPerson, receive, issueToken, ...world } = await listening();
    const { workspace } = access;
    const { cookie } = await addPerson(workspace, "owner");
    const stream = await world.follow();
    const { row } = await issueToken(workspace);
    expect((await ask("DELETE", `/api/tokens/${row.id}`, { cookie, workspace })).status).toBe(204);
    await receive(workspace);
    await stream.until(({ length }) => length === 1);
    expect(world.events.countFollowers()).toBe(1);
  });

  test("an event stream ends if its token expires", async () => {
    const { access, issueToken, clock, ...world } = await listening({ eventBounds: { checkMs: 20 } });
    const { token } = await issueToken(access.workspace, clock.nowMs + 5_000);
    const stream = await world.follow({ token });
    clock.nowMs += 5_000;
    await stream.ended;
  });

  test("an event stream ends soon after another process ends its session or removes its user", async () => {
    const { access, addPerson, store, ...world } = await listening({ eventBounds: { checkMs: 20 } });
    const leaves = [
      (id: string) => store.write((db) => db.deleteFrom("sessions").where("user_id", "=", id).execute()),
      (id: string) => store.write((db) => removeMembership(inWorkspace(db, access.workspace), id)),
    ];
    for (const leave of leaves) {
      const { id, cookie } = await addPerson(access.workspace, "member");
      const stream = await follow(world.base, { cookie, workspace: access.workspace });
      expect(stream.status).toBe(200);
      await leave(id);
      await stream.ended;
    }
  });

  test("an event stream continues while its caller may listen, with regular heartbeats", async () => {
    const stream = await (await listening({ eventBounds: { beatMs: 20 } })).follow();
    for (let tries = 0; stream.comments() < 3 && tries < 200; tries++) await pause(10);
    expect(stream.comments()).toBeGreaterThanOrEqual(3);
  });

  test("an event stream ends immediately when the server stops", async () => {
    const { events, server, access, ask, ...world } = await listening();
    const stream = await world.follow();
    events.endAll();
    await stream.ended;
    expect((await ask("GET", "/api/events", access)).status).toBe(503);
    await server.stop(60_000);
  });
});
