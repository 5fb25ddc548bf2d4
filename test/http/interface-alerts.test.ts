// The API as it is specified, one test per statement (test/laws/interface-table.ts): alert webhooks and events.

import { Webhook } from "standardwebhooks";
import { expect, onTestFinished, test } from "vitest";
import type { AlertEvent } from "../../src/features/alerts/rules/alert-event.ts";
import { createAlertDeliverer } from "../../src/features/alerts/work/deliver.ts";
import { raiseAlert } from "../../src/features/alerts/work/raise.ts";
import { inWorkspace } from "../../src/platform/database/scope.ts";
import { expectDiscordMessage, expectSlackMessage } from "../features/alerts/rules/chat-laws.ts";
import { aBounce, aDrift, aLowScore } from "../features/alerts/rules/events.ts";
import { worldWithCaller } from "./interface-world.ts";
import { startReceiver } from "./receiver.ts";

const everyEvent = ["domain.drift", "test.low_score", "email.bounce_complaint"];
const wanted = {
  label: "On call",
  url: "https://hooks.example/",
  kind: "json",
  events: everyEvent,
  thresholdScore: 60,
};
const anywhere = { all: true, networks: [] };

async function open() {
  const world = await worldWithCaller({ privateTargets: anywhere });
  const { store, system, workspace, base, ask, clock } = world;
  // Receivers refuse what is not of now.
  clock.nowMs = Date.now();
  return {
    ...world,
    create: async (changes: object = {}) => (await ask("POST", "/api/alerts", { ...wanted, ...changes })).json,
    /** Raises it, and sends what is to be sent of it. */
    tell: async (...events: AlertEvent[]) => {
      for (const event of events) {
        clock.nowMs += 1;
        await store.write((db) => raiseAlert(inWorkspace(db, workspace), event, system));
      }
      const deliverer = createAlertDeliverer({ ...world, baseUrl: () => base });
      onTestFinished(() => deliverer.stop(0));
      deliverer.start();
      const waiting = () => store.read.selectFrom("deliveries").select("id").where("status", "=", "pending").execute();
      await expect.poll(async () => (await waiting()).length).toBe(0);
    },
  };
}

test("GET /api/alerts lists the alert webhooks", async () => {
  const { ask, create } = await open();
  const ids = [(await create()).id, (await create()).id].sort();
  expect((await ask("GET", "/api/alerts")).json.items.map(({ id }: { id: string }) => id)).toEqual(ids);
});

test("POST /api/alerts takes label, url, kind, events, and thresholdScore", async () => {
  const { ask } = await open();
  const { status, json } = await ask("POST", "/api/alerts", wanted);
  expect(status).toBe(201);
  expect(json).toMatchObject(wanted);
});

test("an alert webhook is for one of two chat services, or receives JSON", async () => {
  const { ask, create, tell, base } = await open();
  const receivers = { slack: await startReceiver(), discord: await startReceiver(), json: await startReceiver() };
  for (const [kind, { url }] of Object.entries(receivers)) await create({ kind, url });
  await tell(aDrift());
  const bodyOf = (kind: keyof typeof receivers) => receivers[kind].received[0]?.body ?? "";
  expectSlackMessage(bodyOf("slack"), base);
  expectDiscordMessage(bodyOf("discord"), base);
  for (const kind of ["slack", "discord"] as const) expect(bodyOf(kind)).toContain("DMARC got worse");
  expect(JSON.parse(bodyOf("json")).type).toBe("domain.drift");
  expect((await ask("POST", "/api/alerts", { ...wanted, kind: "teams" })).json.field).toBe("kind");
});

test("an alert webhook takes domain.drift, test.low_score, email.bounce_complaint, and no unknown event", async () => {
  const { ask, create } = await open();
  for (const event of everyEvent)
    expect((await create({ events: [event], thresholdScore: null })).events).toEqual([event]);
  for (const events of [["test.received"], [...everyEvent, "domain.checked"], ["*"], []]) {
    const { status, json } = await ask("POST", "/api/alerts", { ...wanted, events });
    expect(status).toBe(400);
    expect(json).toMatchObject({ error: "invalid_request", field: expect.stringMatching(/^events/) });
  }
});

test("PATCH /api/alerts/:id changes an alert webhook", async () => {
  const { ask, create } = await open();
  const { id } = await create();
  const changes = {
    label: "Night shift",
    url: "https://other.example/",
    events: ["test.low_score"],
    thresholdScore: 33.3,
    enabled: false,
  };
  const { status, json } = await ask("PATCH", `/api/alerts/${id}`, changes);
  expect(status).toBe(200);
  expect(json).toMatchObject({ id, ...changes });
  expect((await ask("GET", `/api/alerts/${id}`)).json).toEqual(json);
});

test("DELETE /api/alerts/:id deletes an alert webhook", async () => {
  const { ask, create } = await open();
  const { id } = await create();
  expect((await ask("DELETE", `/api/alerts/${id}`)).status).toBe(204);
  expect((await ask("GET", "/api/alerts")).json.items).toEqual([]);
});

test("POST /api/alerts/:id/test sends one ping to the webhook's URL", async () => {
  const receiver = await startReceiver(() => ({ status: 500 }));
  const { ask, create } = await open();
  const { id } = await create({ url: `${receiver.url}?a=b` });
  const { status, json } = await ask("POST", `/api/alerts/${id}/test`);
  expect(status).toBe(200);
  expect(json).toMatchObject({ delivered: false, status: 500 });
  expect(receiver.received).toMatchObject([{ method: "POST", path: "/hook?a=b" }]);
});

test("domain.drift reports that a monitored domain's verdicts changed", async () => {
  const receiver = await startReceiver();
  const { create, tell, workspace } = await open();
  const { secret } = await create({ url: receiver.url });
  await tell(aDrift());
  const [{ body, headers } = { body: "", headers: {} }] = receiver.received;
  expect(new Webhook(secret).verify(body, headers)).toMatchObject({
    type: "domain.drift",
    data: {
      workspaceId: workspace,
      domain: { domain: "shop.example" },
      changes: [{ mechanism: "dmarc", before: { verdict: "pass" }, after: { verdict: "warn" } }],
    },
  });
});

test("test.low_score reports that a test scored below the webhook's thresholdScore", async () => {
  const receiver = await startReceiver();
  const { create, tell } = await open();
  const { secret } = await create({ url: receiver.url });
  await tell(aLowScore());
  const [{ body, headers } = { body: "", headers: {} }] = receiver.received;
  expect(new Webhook(secret).verify(body, headers)).toMatchObject({
    type: "test.low_score",
    data: { test: { composite: 43.5, subject: "Hello" }, thresholdScore: 60 },
  });
});

test("email.bounce_complaint reports a bounce or a complaint", async () => {
  const receiver = await startReceiver();
  const { create, tell } = await open();
  const { secret } = await create({ url: receiver.url });
  await tell(aBounce(), aBounce({ kind: "complaint", feedbackType: "abuse" }));
  const told = receiver.received.map(({ body, headers }) => new Webhook(secret).verify(body, headers));
  expect(told).toMatchObject([
    { type: "email.bounce_complaint", data: { bounce: { kind: "bounce" } } },
    { type: "email.bounce_complaint", data: { bounce: { kind: "complaint", feedbackType: "abuse" } } },
  ]);
});

test("a webhook gets only the events in its list", async () => {
  const receivers = await Promise.all(everyEvent.map(() => startReceiver()));
  const { create, tell, ask } = await open();
  for (const [index, event] of everyEvent.entries())
    await create({ url: receivers[index]?.url, events: [event], thresholdScore: null });
  const off = await startReceiver();
  const { id } = await create({ url: off.url });
  await ask("PATCH", `/api/alerts/${id}`, { enabled: false });
  await tell(aDrift(), aLowScore(), aBounce());
  const typesOf = ({ received }: (typeof receivers)[number]) => received.map(({ body }) => JSON.parse(body).type);
  expect(receivers.map(typesOf)).toEqual(everyEvent.map((event) => [event]));
  expect(off.received).toEqual([]);
});

test("an invalid URL returns invalid_url with 400", async () => {
  const { ask } = await worldWithCaller();
  for (const url of ["", "hooks.example", "ftp://hooks.example/", "http://127.0.0.1/"]) {
    const { status, json } = await ask("POST", "/api/alerts", { ...wanted, url });
    expect(status).toBe(400);
    expect(json).toMatchObject({ error: "invalid_url", field: "url" });
  }
});
