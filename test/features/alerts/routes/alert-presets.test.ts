// Webhook presets for services with their own JSON format: which fields they need, and which secrets are never
// shown again.

import { expect, onTestFinished, test } from "vitest";
import type { AlertEvent } from "../../../../src/features/alerts/rules/alert-event.ts";
import { createAlertDeliverer } from "../../../../src/features/alerts/work/deliver.ts";
import { raiseAlert } from "../../../../src/features/alerts/work/raise.ts";
import { inWorkspace } from "../../../../src/platform/database/scope.ts";
import { worldWithCaller } from "../../../http/interface-world.ts";
import { startReceiver } from "../../../http/receiver.ts";
import { dumpDatabase } from "../../../laws/places.ts";
import { aDrift } from "../rules/events.ts";

const events = ["domain.drift"];
const botToken = "123456:AAbbCCddEEffGGhhIIjjKKllMMnn";
const routingKey = "0123456789abcdef0123456789abcdef";

async function open() {
  const world = await worldWithCaller({ privateTargets: { all: true, networks: [] } });
  const { ask, store, workspace, system } = world;
  return {
    ...world,
    create: (wanted: object) => ask("POST", "/api/alerts", { label: "Phone", kind: "json", events, ...wanted }),
    tell: async (event: AlertEvent) => {
      await store.write((db) => raiseAlert(inWorkspace(db, workspace), event, system));
      const deliverer = createAlertDeliverer({ ...world, baseUrl: () => "https://assay.example" });
      onTestFinished(() => deliverer.stop(0));
      deliverer.start();
    },
  };
}

test("each preset is created with its required fields, and its secrets are never shown or stored in plain text", async () => {
  const { create, ask, store } = await open();
  const { url } = await startReceiver();
  const wanted = {
    ntfy: { url: `${url}/secret-topic`, credentials: { token: "tk_s3cretword" } },
    teams: { url: `${url}/workflows/s3cretword?sig=abc` },
    "google-chat": { url: `${url}/v1/spaces/A/messages?key=s3cretword` },
    telegram: { url, credentials: { botToken, chatId: "-1001234" } },
    pagerduty: { url, credentials: { routingKey } },
  };
  for (const [preset, more] of Object.entries(wanted)) {
    const { status, json } = await create({ preset, ...more });
    expect({ preset, status, shown: json.preset }).toEqual({ preset, status: 201, shown: preset });
    expect(json).toMatchObject({ url: `${new URL(url).origin}/…`, secret: null });
    expect((await ask("POST", `/api/alerts/${json.id}/test`)).json).toMatchObject({ delivered: true });
    expect((await ask("POST", `/api/alerts/${json.id}/rotate-secret`)).status).toBe(409);
  }
  const told = (await ask("GET", "/api/alerts")).text + (await dumpDatabase(store));
  for (const secret of ["s3cretword", "secret-topic", botToken, routingKey, "-1001234"])
    expect(told).not.toContain(secret);
});

test("a missing field of a preset is named", async () => {
  const { create } = await open();
  const url = "https://hooks.example/x";
  const wrong: [object, string, string][] = [
    [{ preset: "telegram", credentials: { chatId: "1" } }, "credentials", "botToken"],
    [{ preset: "telegram", credentials: { botToken, chatId: "my chat" } }, "credentials", "chatId"],
    [{ preset: "pagerduty", credentials: { routingKey: "short" } }, "credentials", "routingKey"],
    [{ preset: "ntfy", url: "https://ntfy.sh/" }, "url", "topic"],
    [{ preset: "teams" }, "url", "required"],
    [{ preset: "teams", url: "https://outlook.office.com/webhook/a@b/IncomingWebhook/c/d" }, "url", "Workflows"],
    [{ preset: "teams", url: "https://OUTLOOK.office365.com/webhook/a" }, "url", "no longer works"],
    [{ kind: "slack", preset: "teams", url }, "preset", "json"],
    [{ preset: "smoke-signals", url }, "preset", ""],
    [{}, "url", "required"],
  ];
  for (const [wanted, field, word] of wrong) {
    const { status, json } = await create(wanted);
    expect({ status, field: json.field }).toEqual({ status: 400, field });
    expect(json.message).toContain(word);
  }
});

test("a private address is rejected for every preset", async () => {
  const { ask } = await worldWithCaller();
  for (const preset of ["ntfy", "teams", "google-chat"]) {
    const body = { label: "x", kind: "json", preset, events, url: "http://127.0.0.1:8080/topic" };
    const { status, json } = await ask("POST", "/api/alerts", body);
    expect([status, json.error]).toEqual([400, "invalid_url"]);
  }
});

test("a new ntfy token or topic keeps the other settings, and no token goes to another host", async () => {
  const { create, ask } = await open();
  const receiver = await startReceiver();
  const other = await startReceiver();
  const token = "tk_s3cretword";
  const wanted = { preset: "ntfy", url: `${receiver.url}/ntfy/one`, credentials: { token } };
  const { id } = (await create(wanted)).json;
  const change = async (changes: object) => expect((await ask("PATCH", `/api/alerts/${id}`, changes)).status).toBe(200);
  const told = async () => {
    const before = receiver.received.length + other.received.length;
    expect((await ask("POST", `/api/alerts/${id}/test`)).json).toMatchObject({ delivered: true });
    expect(receiver.received.length + other.received.length).toBe(before + 1);
  };
  await change({ credentials: { token: "tk_next" } });
  await told();
  expect(receiver.received.at(-1)).toMatchObject({ headers: { authorization: "Bearer tk_next" } });
  expect(JSON.parse(receiver.received.at(-1)?.body ?? "")).toMatchObject({ topic: "one" });
  await change({ url: `${receiver.url}/ntfy/two` });
  await told();
  expect(receiver.received.at(-1)).toMatchObject({ headers: { authorization: "Bearer tk_next" } });
  await change({ url: `${other.url}/two` });
  await told();
  expect(other.received.at(-1)?.headers).not.toHaveProperty("authorization");
});

test("new credentials keep the preset, and changing the kind is rejected", async () => {
  const { create, ask, tell } = await open();
  const receiver = await startReceiver();
  const { url } = receiver;
  const { id } = (await create({ preset: "telegram", url, credentials: { botToken, chatId: "1" } })).json;
  const next = { credentials: { botToken: botToken.replace("123456", "654321"), chatId: "@room" } };
  expect((await ask("PATCH", `/api/alerts/${id}`, next)).status).toBe(200);
  for (const kind of ["slack", "email"]) expect((await ask("PATCH", `/api/alerts/${id}`, { kind })).status).toBe(409);
  expect((await ask("PATCH", `/api/alerts/${id}`, { kind: "json", label: "Room" })).json.label).toBe("Room");
  await tell(aDrift());
  await expect.poll(() => receiver.received.length).toBe(1);
  expect(JSON.parse(receiver.received[0]?.body ?? "")).toMatchObject({
    chat_id: "@room",
    text: expect.stringContaining("shop.example: DMARC got worse"),
  });
});
