import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { readAlert, updateAlert } from "../../../../src/features/alerts/rows/alerts.ts";
import { raiseAlert } from "../../../../src/features/alerts/work/raise.ts";
import { parsePlans } from "../../../../src/features/people/rules/plans.ts";
import { removeWorkspaces } from "../../../../src/features/people/work/workspaces.ts";
import { inWorkspace } from "../../../../src/platform/database/scope.ts";
import type { HttpWorldOptions } from "../../../http/http-world.ts";
import { worldWithCaller } from "../../../http/interface-world.ts";
import { startReceiver } from "../../../http/receiver.ts";
import { dumpDatabase } from "../../../laws/places.ts";
import { expectDiscordMessage, expectSlackMessage } from "../rules/chat-laws.ts";
import { aDrift, aLowScore } from "../rules/events.ts";

const onCall = {
  label: "On call",
  url: "https://hooks.example/assay?token=s3cret",
  kind: "json",
  events: ["domain.drift", "test.low_score"],
};
const slackUrl = "https://hooks.slack.com/services/T0123/B4567/abcdefghijkl";
const secretForm = /^whsec_[A-Za-z0-9+/]{43}=$/;

async function open(options: HttpWorldOptions = {}) {
  const world = await worldWithCaller(options);
  const { ask, store, workspace, system } = world;
  return {
    ...world,
    create: async (wanted: object = {}) => (await ask("POST", "/api/alerts", { ...onCall, ...wanted })).json,
    raise: (event: ReturnType<typeof aDrift>) =>
      store.write((db) => raiseAlert(inWorkspace(db, workspace), event, system)),
    /** As the server does it for a receiver that is gone. */
    switchOff: (id: string) =>
      store.write((db) =>
        updateAlert(inWorkspace(db, workspace), id, { enabled: 0, disabled_because: "It answered 410." }),
      ),
  };
}

const anywhere = { privateTargets: { all: true, networks: [] } };

describe("an alert webhook", () => {
  test("an alert webhook is created with a secret that is shown only once", async () => {
    const { ask } = await open();
    const { status, json } = await ask("POST", "/api/alerts", onCall);
    expect(status).toBe(201);
    const { secret, ...record } = json;
    expect(secret).toMatch(secretForm);
    expect(record).toEqual({
      ...onCall,
      id: expect.stringMatching(/^alr_/),
      thresholdScore: 70,
      enabled: true,
      disabledBecause: null,
      createdAt: "2026-11-21T06:00:00.000Z",
      preset: null,
      email: null,
      lastDelivery: null,
    });
    expect((await ask("GET", `/api/alerts/${json.id}`)).json).toEqual(record);
    expect((await ask("GET", "/api/alerts")).json.items).toEqual([record]);
  });

  test("an alert webhook is encrypted in the database, including URL and secret", async () => {
    const { create, store } = await open();
    const { secret } = await create();
    await create({ kind: "slack", url: slackUrl });
    const rows = await dumpDatabase(store);
    for (const text of [secret.slice(6), "s3cret", "abcdefghijkl", "B4567"]) expect(rows).not.toContain(text);
  });

  test("an alert webhook of a chat service has a masked URL and no secret", async () => {
    const { ask, create } = await open();
    const slack = await create({ kind: "slack", url: slackUrl });
    expect(slack).toMatchObject({ url: "https://hooks.slack.com/services/T…/…", secret: null });
    const discord = await create({ kind: "discord", url: "https://discord.com/api/webhooks/123/s3cretword" });
    expect(discord).toMatchObject({ url: "https://discord.com/api/webhooks/…/…", secret: null });
    const other = await create({ kind: "slack", url: "https://chat.example/hooks/s3cretword?a=b" });
    expect(other.url).toBe("https://chat.example/…");
    expect((await ask("GET", "/api/alerts")).text).not.toMatch(/s3cretword|B4567/);
    const { status, json } = await ask("POST", `/api/alerts/${slack.id}/rotate-secret`);
    expect([status, json.error]).toEqual([409, "conflict"]);
  });

  test.each([undefined, "", "   ", null])(
    "an alert webhook without a label (%j) is rejected with missing_name",
    async (label) => {
      const { ask } = await open();
      const { json } = await ask("POST", "/api/alerts", { ...onCall, label });
      expect(json).toMatchObject({ error: "missing_name", field: "label" });
    },
  );

  test.each([
    ["kind", "teams"],
    ["kind", undefined],
    ["events", []],
    ["events", undefined],
    ["events", ["domain.drift", "domain.drift"]],
    ["events", "domain.drift"],
    ["thresholdScore", -1],
    ["thresholdScore", 100.5],
    ["thresholdScore", "70"],
  ])("an alert webhook with the field %s set to %j is rejected", async (field, value) => {
    const { ask } = await open();
    const { status, json } = await ask("POST", "/api/alerts", { ...onCall, [field]: value });
    expect(status).toBe(400);
    expect(json).toMatchObject({ error: "invalid_request", field });
  });

  test("an alert webhook with an unknown field is rejected", async () => {
    const { ask } = await open();
    const { json } = await ask("POST", "/api/alerts", { ...onCall, threshold: 60 });
    expect(json).toMatchObject({ error: "invalid_request", field: "threshold" });
  });

  test("an alert webhook keeps a threshold for any events, and gets the default only with the event that uses it", async () => {
    const { ask, create } = await open();
    const drift = { ...onCall, events: ["domain.drift"] };
    expect((await ask("POST", "/api/alerts", drift)).json.thresholdScore).toBeNull();
    expect((await ask("POST", "/api/alerts", { ...drift, thresholdScore: null })).status).toBe(201);
    const whole = await ask("POST", "/api/alerts", { ...drift, thresholdScore: 60 });
    expect(whole).toMatchObject({ status: 201, json: { events: ["domain.drift"], thresholdScore: 60 } });
    const { id } = await create({ thresholdScore: 42.5 });
    const change = async (body: object) => (await ask("PATCH", `/api/alerts/${id}`, body)).json;
    expect(await change({ label: "Other" })).toMatchObject({ thresholdScore: 42.5 });
    expect(await change({ events: ["domain.drift"] })).toMatchObject({ thresholdScore: 42.5 });
    expect(await change({ thresholdScore: 10 })).toMatchObject({ thresholdScore: 10 });
    expect(await change({ events: ["test.low_score"] })).toMatchObject({ thresholdScore: 10 });
  });

  test("an alert webhook that was disabled shows the reason until it is enabled", async () => {
    const { ask, create, switchOff } = await open();
    const { id } = await create();
    await switchOff(id);
    const off = { enabled: false, disabledBecause: "It answered 410." };
    expect((await ask("GET", `/api/alerts/${id}`)).json).toMatchObject(off);
    expect((await ask("PATCH", `/api/alerts/${id}`, { label: "Other" })).json).toMatchObject(off);
    const { json } = await ask("PATCH", `/api/alerts/${id}`, { enabled: true });
    expect(json).toMatchObject({ enabled: true, disabledBecause: null });
  });

  test("an alert webhook gets a new secret when it becomes a JSON webhook, and loses it when it becomes a chat webhook", async () => {
    const { ask, create } = await open();
    const { id, secret } = await create();
    const change = async (body: object) => (await ask("PATCH", `/api/alerts/${id}`, body)).json;
    expect(await change({ kind: "json" })).not.toHaveProperty("secret");
    const slack = await change({ kind: "slack" });
    expect(slack).not.toHaveProperty("secret");
    expect(slack.url).toBe("https://hooks.example/…");
    const again = await change({ kind: "json", url: onCall.url });
    expect(again.secret).toMatch(secretForm);
    expect(again.secret).not.toBe(secret);
    expect(again.url).toBe(onCall.url);
  });

  test("an alert webhook of a chat service does not reveal its URL by becoming a JSON webhook", async () => {
    const { ask, create } = await open();
    const { id, url } = await create({ kind: "slack", url: slackUrl });
    for (const body of [{ kind: "json" }, { kind: "json", url }]) {
      const { status, json } = await ask("PATCH", `/api/alerts/${id}`, body);
      expect([status, json]).toMatchObject([400, { error: "invalid_url", field: "url" }]);
    }
    expect((await ask("GET", `/api/alerts/${id}`)).json).toMatchObject({ kind: "slack", url });
  });

  test("an alert webhook keeps its receiver's requested delay when it is saved with a change", async () => {
    const { ask, create, store, workspace } = await open();
    const { id } = await create();
    const paused = { not_before: 1, failing_since: 1 };
    await store.write((db) => updateAlert(inWorkspace(db, workspace), id, paused));
    await ask("PATCH", `/api/alerts/${id}`, { label: "Other", enabled: true });
    expect(await readAlert(inWorkspace(store.read, workspace), id)).toMatchObject(paused);
  });

  test("an alert webhook keeps its URL when it is saved with the masked one", async () => {
    const receiver = await startReceiver();
    const { ask, create } = await open(anywhere);
    const { id, url } = await create({ kind: "slack", url: receiver.url });
    await ask("PATCH", `/api/alerts/${id}`, { label: "Other", url });
    expect((await ask("POST", `/api/alerts/${id}/test`)).json.delivered).toBe(true);
    expect(receiver.received).toMatchObject([{ path: "/hook" }]);
  });

  test("an alert webhook is limited to 100 per workspace", async () => {
    const { ask, create } = await open();
    for (let count = 0; count < 100; count++) await create();
    const { status, json } = await ask("POST", "/api/alerts", onCall);
    expect([status, json.error]).toEqual([409, "conflict"]);
  });

  test("an alert webhook over the plan's limit is rejected, and webhooks count in the workspace's usage", async () => {
    const reading = parsePlans(JSON.stringify({ plans: { small: { alerts: 1 } }, default: "small" }));
    if (!reading.ok) throw new Error(reading.problems.join());
    const { ask } = await open({ plans: reading.plans });
    const answers = await Promise.all([1, 2, 3].map(() => ask("POST", "/api/alerts", onCall)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 402, 402]);
    expect((await ask("GET", "/api/billing")).json.use.alerts).toBe(1);
    expect((await ask("POST", "/api/alerts", onCall)).json).toMatchObject({
      error: "plan_limit",
      message: expect.stringContaining("alert webhooks"),
    });
  });

  test("an alert webhook is deleted with its deliveries, pending ones too", async () => {
    const { ask, create, raise, store } = await open();
    const { id } = await create();
    await raise(aDrift());
    expect((await ask("DELETE", `/api/alerts/${id}`)).status).toBe(204);
    expect((await ask("DELETE", `/api/alerts/${id}`)).json.error).toBe("not_found");
    expect((await ask("GET", `/api/alerts/${id}/deliveries`)).json.error).toBe("not_found");
    expect(await store.read.selectFrom("deliveries").selectAll().execute()).toEqual([]);
  });

  test("an alert webhook stops and is deleted with its workspace, including its delivery history", async () => {
    const { askAs, addPerson, store, createWorkspace, clock } = await open();
    clock.nowMs += 1_000;
    const { id: workspace } = await createWorkspace("Theirs");
    const { cookie } = await addPerson(workspace, "owner");
    const asked = { workspace, cookie };
    expect((await askAs("POST", "/api/alerts", { ...asked, body: onCall })).status).toBe(201);
    expect((await askAs("DELETE", `/api/workspaces/${workspace}`, { cookie })).status).toBe(204);
    const read = () => store.read.selectFrom("alerts").selectAll().execute();
    expect(await read()).toMatchObject([{ enabled: 0 }]);
    await removeWorkspaces(store, { now: () => clock.nowMs });
    expect(await read()).toEqual([]);
  });
});

describe("a test alert", () => {
  test("a test alert to a JSON webhook is signed with its secret, and with the new secret after a change", async () => {
    const receiver = await startReceiver();
    const { ask, create, workspace, clock } = await open(anywhere);
    // The reference library refuses what is not of now.
    clock.nowMs = Date.now();
    const { id, secret } = await create({ url: receiver.url });
    const { status, json } = await ask("POST", `/api/alerts/${id}/test`);
    expect(status).toBe(200);
    expect(json).toEqual({
      delivered: true,
      status: 200,
      smtpReply: null,
      durationMs: expect.any(Number),
      error: null,
    });
    const [{ headers, body, method } = { headers: {}, body: "", method: "" }] = receiver.received;
    expect(method).toBe("POST");
    expect(new Webhook(secret).verify(body, headers)).toMatchObject({
      type: "alert.ping",
      data: { workspaceId: workspace, alert: { id, label: "On call" } },
    });
    const rotated = (await ask("POST", `/api/alerts/${id}/rotate-secret`)).json.secret;
    await ask("POST", `/api/alerts/${id}/test`);
    const [, second] = receiver.received;
    expect(new Webhook(rotated).verify(second?.body ?? "", second?.headers ?? {})).toBeTruthy();
    expect(() => new Webhook(secret).verify(second?.body ?? "", second?.headers ?? {})).toThrow();
  });

  test.each([
    ["slack", expectSlackMessage],
    ["discord", expectDiscordMessage],
  ] as const)("a test alert to %s has the format of that service", async (kind, expectMessage) => {
    const receiver = await startReceiver();
    const { ask, create, base } = await open(anywhere);
    const { id } = await create({ kind, url: receiver.url, label: "<!channel> @everyone" });
    expect((await ask("POST", `/api/alerts/${id}/test`)).json.delivered).toBe(true);
    expectMessage(receiver.received[0]?.body ?? "", base);
  });

  test("a test alert is sent to a disabled webhook too, and stores nothing", async () => {
    const receiver = await startReceiver();
    const { ask, create, switchOff, store } = await open(anywhere);
    const { id } = await create({ url: receiver.url });
    await switchOff(id);
    const before = await dumpDatabase(store);
    expect((await ask("POST", `/api/alerts/${id}/test`)).json.delivered).toBe(true);
    expect(await dumpDatabase(store)).toBe(before);
  });

  test.each([204, 299])("a test alert that is answered with %i counts as delivered", async (status) => {
    const receiver = await startReceiver(() => ({ status }));
    const { ask, create } = await open(anywhere);
    const { id } = await create({ url: receiver.url });
    expect((await ask("POST", `/api/alerts/${id}/test`)).json).toMatchObject({ delivered: true, status });
  });

  test.each([400, 404, 410, 500])(
    "a test alert that is answered with %i counts as failed, and the response body is not shown",
    async (status) => {
      const receiver = await startReceiver(() => ({ status, body: "inside knowledge" }));
      const { ask, create } = await open(anywhere);
      const { id } = await create({ url: receiver.url });
      const { json, text } = await ask("POST", `/api/alerts/${id}/test`);
      expect(json).toMatchObject({ delivered: false, status, error: expect.stringContaining(`${status}`) });
      expect(text).not.toContain("inside knowledge");
      expect(receiver.received).toHaveLength(1);
    },
  );

  test("a test alert to a closed port reports the connection error", async () => {
    const { ask, create } = await open(anywhere);
    const { id } = await create({ url: "http://127.0.0.1:1/" });
    expect((await ask("POST", `/api/alerts/${id}/test`)).json).toMatchObject({
      delivered: false,
      status: null,
      error: "127.0.0.1 refused the connection.",
    });
  });

  test("a test alert is limited to five at the same time per workspace", async () => {
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const receiver = await startReceiver(() => held.then(() => ({ status: 200 })));
    const { ask, create, createWorkspace, issueToken, askAs } = await open(anywhere);
    const { id } = await create({ url: receiver.url });
    const five = Array.from({ length: 5 }, () => ask("POST", `/api/alerts/${id}/test`));
    await expect.poll(() => receiver.received.length).toBe(5);
    const { status, json, headers } = await ask("POST", `/api/alerts/${id}/test`);
    expect([status, json.error, headers.get("retry-after")]).toEqual([429, "rate_limited", "10"]);
    const other = (await createWorkspace("Theirs")).id;
    const asked = { workspace: other, token: (await issueToken(other)).token };
    const theirs = (await askAs("POST", "/api/alerts", { ...asked, body: { ...onCall, url: receiver.url } })).json;
    const sixth = askAs("POST", `/api/alerts/${theirs.id}/test`, asked);
    await expect.poll(() => receiver.received.length).toBe(6);
    letGo();
    for (const answer of [...(await Promise.all(five)), await sixth]) expect(answer.json.delivered).toBe(true);
    expect((await ask("POST", `/api/alerts/${id}/test`)).status).toBe(200);
  });
});

describe("the deliveries of a webhook", () => {
  test("the deliveries of a webhook are listed newest first, and the webhook shows the last one", async () => {
    const { ask, create, raise, clock } = await open();
    const { id } = await create();
    await raise(aDrift());
    clock.nowMs += 1_000;
    await raise(aLowScore());
    const { items } = (await ask("GET", `/api/alerts/${id}/deliveries`)).json;
    expect(items).toMatchObject([
      { type: "test.low_score", status: "pending", createdAt: "2026-11-21T06:00:01.000Z" },
      { type: "domain.drift", status: "pending", createdAt: "2026-11-21T06:00:00.000Z" },
    ]);
    expect(items[0]).toEqual({
      id: expect.stringMatching(/^dlv_/),
      smtpReply: null,
      eventId: expect.stringMatching(/^evt_/),
      type: "test.low_score",
      status: "pending",
      tries: 0,
      httpStatus: null,
      problem: null,
      createdAt: "2026-11-21T06:00:01.000Z",
      lastTriedAt: null,
      deliveredAt: null,
      nextTryAt: "2026-11-21T06:00:01.000Z",
      durationMs: null,
      toldWith: null,
    });
    expect((await ask("GET", `/api/alerts/${id}`)).json.lastDelivery).toEqual({
      id: items[0].id,
      at: "2026-11-21T06:00:01.000Z",
      status: "pending",
      httpStatus: null,
    });
  });

  test("the deliveries of a webhook are limited to the last hundred", async () => {
    const { ask, create, raise } = await open();
    const { id } = await create();
    for (let count = 0; count < 101; count++) await raise(aDrift());
    expect((await ask("GET", `/api/alerts/${id}/deliveries`)).json.items).toHaveLength(100);
  });

  test("the deliveries of a webhook can be sent again with the same event", async () => {
    const { ask, create, raise, store, clock } = await open();
    const { id } = await create();
    await raise(aDrift());
    const path = `/api/alerts/${id}/deliveries`;
    const [{ id: deliveryId, eventId }] = (await ask("GET", path)).json.items;
    const dead = { status: "dead", due_at: null, tries: 9, http_status: 500 } as const;
    await store.write((db) => db.updateTable("deliveries").set(dead).execute());
    clock.nowMs += 60_000;
    const { status, json } = await ask("POST", `${path}/${deliveryId}/retry`);
    expect(status).toBe(200);
    expect(json).toMatchObject({ id: deliveryId, eventId, status: "pending", nextTryAt: "2026-11-21T06:01:00.000Z" });
  });

  test("the deliveries of a webhook are not sent again to a disabled webhook or through another webhook", async () => {
    const { ask, create, raise, switchOff } = await open();
    const { id } = await create();
    await raise(aDrift());
    const other = await create();
    const [{ id: deliveryId }] = (await ask("GET", `/api/alerts/${id}/deliveries`)).json.items;
    const retry = async (alertId: string) =>
      (await ask("POST", `/api/alerts/${alertId}/deliveries/${deliveryId}/retry`)).json.error;
    expect(await retry(other.id)).toBe("not_found");
    await switchOff(id);
    expect(await retry(id)).toBe("conflict");
  });
});
