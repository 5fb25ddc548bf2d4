// Alerts by email over the API: who must confirm, what is limited, and what the links in the email do.

import { expect, onTestFinished, test } from "vitest";
import { toUnsubscribeToken } from "../../../../src/features/alerts/rules/mail-token.ts";
import { createAlertDeliverer } from "../../../../src/features/alerts/work/deliver.ts";
import { raiseAlert } from "../../../../src/features/alerts/work/raise.ts";
import { type Outgoing, TransportFailure } from "../../../../src/features/sending/work/transports.ts";
import { inWorkspace } from "../../../../src/platform/database/scope.ts";
import type { HttpWorldOptions } from "../../../http/http-world.ts";
import { worldWithCaller } from "../../../http/interface-world.ts";
import { aDrift } from "../rules/events.ts";

const site = "https://assay.example";
const wanted = { label: "Ann", kind: "email", url: "mailto:Ann@Team.example", events: ["domain.drift"] };
const hourMs = 3_600_000;

async function open(settings: Record<string, string> = { ASSAY_BASE_URL: site }, road?: HttpWorldOptions["road"]) {
  const sent: Outgoing[] = [];
  const answer: { failure: TransportFailure | null } = { failure: null };
  const deliver = async (mail: Outgoing) => {
    if (answer.failure !== null) throw answer.failure;
    sent.push(mail);
    return "250 2.0.0 Ok: queued as 4Xyz";
  };
  const world = await worldWithCaller({
    road: road ?? { transport: "relay", deliver, close() {} },
    machine: { settings },
  });
  const { ask, store, workspace, system } = world;
  const textOf = (mail: Outgoing | undefined) =>
    Buffer.from(mail?.raw ?? [])
      .toString("latin1")
      .replace(/=\r\n/g, "");
  const confirmPath = () => /\/alert-email\/confirm\/[\w-]+/.exec(textOf(sent.at(-1)))?.[0] ?? "";
  const follow = (path: string, method = "GET") =>
    fetch(world.base + path, {
      method,
      headers: { accept: "text/html", "content-type": "application/x-www-form-urlencoded" },
      ...(method === "POST" && { body: "" }),
    });
  return {
    ...world,
    sent,
    answer,
    textOf,
    follow,
    confirmPath,
    create: async (changes: object = {}) => (await ask("POST", "/api/alerts", { ...wanted, ...changes })).json,
    stateOf: async (id: string) => (await ask("GET", `/api/alerts/${id}`)).json.email,
    raise: () => store.write((db) => raiseAlert(inWorkspace(db, workspace), aDrift(), system)),
    run: () => {
      const deliverer = createAlertDeliverer({ ...world, baseUrl: () => site });
      onTestFinished(() => deliverer.stop(0));
      deliverer.start();
      return deliverer;
    },
  };
}

test("without a relay, web address, or sender, the response names the missing settings and no alert is created", async () => {
  const road = { transport: "loopback", deliver: async () => "250 OK", close() {} } as const;
  const { ask } = await open({ ASSAY_SEED_DOMAINS: "seed.localhost" }, road);
  const { json } = await ask("GET", "/api/alert-email");
  expect(json).toMatchObject({ ready: false, from: null });
  const settings = json.missing.map(({ setting }: { setting: string }) => setting);
  expect(settings).toEqual(["ASSAY_SEND_SMTP_URL", "ASSAY_BASE_URL", "ASSAY_ALERT_FROM"]);
  const refused = await ask("POST", "/api/alerts", wanted);
  expect([refused.status, refused.json.error]).toEqual([503, "email_not_configured"]);
  for (const setting of settings) expect(refused.json.message).toContain(setting);
  expect((await ask("GET", "/api/alerts")).json.items).toEqual([]);
});

test("the sender is the operator's setting, or alerts@ at the first seed domain", async () => {
  expect((await (await open()).ask("GET", "/api/alert-email")).json).toEqual({
    ready: true,
    from: "alerts@seed.example",
    missing: [],
  });
  const { ask, create, sent, textOf } = await open({
    ASSAY_BASE_URL: site,
    ASSAY_ALERT_FROM: "Mail desk <desk@corp.example>",
  });
  expect((await ask("GET", "/api/alert-email")).json.from).toBe("desk@corp.example");
  await create();
  expect(textOf(sent[0])).toContain("From: Mail desk <desk@corp.example>");
  expect(sent[0]?.mailFrom).toMatch(/^bounce\+[0-9a-z-]{43}@seed\.example$/);
});

test("an address gets only the confirmation email until it is confirmed", async () => {
  const { create, stateOf, raise, sent, follow, confirmPath, ask, run, textOf } = await open();
  const alert = await create();
  expect(alert).toMatchObject({
    url: "mailto:ann@team.example",
    secret: null,
    email: { address: "ann@team.example", state: "pending", problem: null },
  });
  await raise();
  const deliverer = run();
  expect((await ask("GET", `/api/alerts/${alert.id}/deliveries`)).json.items).toEqual([]);
  expect((await ask("POST", `/api/alerts/${alert.id}/test`)).status).toBe(409);
  expect(sent.map(({ rcptTo }) => rcptTo)).toEqual(["ann@team.example"]);
  const path = confirmPath();
  for (const method of ["GET", "HEAD", "GET"]) await follow(path, method);
  expect((await stateOf(alert.id)).state).toBe("pending");
  expect((await follow(path, "POST")).status).toBe(200);
  expect(await stateOf(alert.id)).toMatchObject({ state: "confirmed", confirmedAt: expect.any(String) });
  await raise();
  deliverer.kick();
  await expect.poll(() => sent.length).toBe(2);
  expect(textOf(sent[1])).toContain("Subject: shop.example: DMARC got worse");
  expect(textOf(sent[1])).toContain("List-Unsubscribe-Post: List-Unsubscribe=One-Click");
  const list = async () => (await ask("GET", `/api/alerts/${alert.id}/deliveries`)).json.items;
  await expect
    .poll(list)
    .toMatchObject([{ status: "delivered", httpStatus: null, smtpReply: "250 2.0.0 Ok: queued as 4Xyz" }]);
  expect((await ask("POST", `/api/alerts/${alert.id}/test`)).json).toMatchObject({
    delivered: true,
    status: null,
    smtpReply: "250 2.0.0 Ok: queued as 4Xyz",
  });
});

test("a confirmation link works once within 48 hours, and a newer link replaces it", async () => {
  const { create, follow, confirmPath, clock, ask, stateOf } = await open();
  const { id } = await create();
  const first = confirmPath();
  clock.nowMs += hourMs;
  expect((await ask("POST", `/api/alerts/${id}/confirmation`)).status).toBe(200);
  const second = confirmPath();
  expect((await follow(first, "POST")).status).toBe(400);
  clock.nowMs += 48 * hourMs;
  expect((await follow(second, "POST")).status).toBe(400);
  expect(await (await follow(second)).text()).toContain("This link no longer works");
  await ask("POST", `/api/alerts/${id}/confirmation`);
  expect((await follow(confirmPath(), "POST")).status).toBe(200);
  expect((await follow(confirmPath(), "POST")).status).toBe(400);
  expect((await stateOf(id)).state).toBe("confirmed");
  expect((await ask("POST", `/api/alerts/${id}/confirmation`)).status).toBe(409);
});

test("a mailbox gets one confirmation email per hour and three per day, over all workspaces and spellings", async () => {
  const { create, ask, clock, sent, createWorkspace, issueToken, base } = await open();
  const { id } = await create({ url: "mailto:ann@gmail.com" });
  const again = () => ask("POST", `/api/alerts/${id}/confirmation`);
  const refused = await again();
  expect([refused.status, refused.json.error, refused.headers.get("retry-after")]).toEqual([
    429,
    "rate_limited",
    "3600",
  ]);
  const other = await createWorkspace("Other");
  const { token } = await issueToken(other.id);
  const body = { ...wanted, url: "mailto:a.n.n+flood@googlemail.com" };
  expect((await ask("POST", "/api/alerts", body)).status).toBe(429);
  const theirs = await fetch(`${base}/api/alerts`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "x-workspace-id": other.id, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  expect(theirs.status).toBe(429);
  for (const status of [200, 200, 429]) {
    clock.nowMs += hourMs;
    expect((await again()).status).toBe(status);
  }
  expect(sent).toHaveLength(3);
  clock.nowMs += 24 * hourMs;
  expect((await again()).status).toBe(200);
});

test("a confirmation email that the mail server rejects is not counted, and the reply is shown", async () => {
  const { create, ask, answer, stateOf } = await open();
  answer.failure = new TransportFailure("The relay rejected the recipient: 550 5.1.1 No such user", {
    reply: "550 5.1.1 No such user",
    isRecipient: true,
  });
  const { id } = await create();
  expect(await stateOf(id)).toMatchObject({
    state: "pending",
    problem: "The relay rejected the recipient: 550 5.1.1 No such user",
  });
  answer.failure = null;
  expect((await ask("POST", `/api/alerts/${id}/confirmation`)).json.email.problem).toBeNull();
});

test("a seed address and an invalid address are rejected", async () => {
  const { ask } = await open();
  for (const url of [
    "mailto:w7@seed.example",
    "mailto:bounce@seed.example",
    "ann",
    "https://team.example",
    "mailto:",
  ]) {
    const { status, json } = await ask("POST", "/api/alerts", { ...wanted, url });
    expect([status, json.error, json.field]).toEqual([400, "invalid_email", "url"]);
  }
  // Removed, and refused by name.
  for (const gone of [{ schedule: "daily" }, { quietHours: null }]) {
    const { status, json } = await ask("POST", "/api/alerts", { ...wanted, ...gone });
    expect([status, json.message]).toEqual([400, expect.stringContaining(Object.keys(gone)[0] ?? "")]);
  }
});

async function openConfirmed() {
  const world = await open();
  const { id } = await world.create();
  await world.follow(world.confirmPath(), "POST");
  return { ...world, id };
}

test("unsubscribing needs a click or the email client's one-click, and lasts until the recipient confirms again", async () => {
  const { id, follow, stateOf, ask, raise, store, alertMailKeys, confirmPath, clock, ...world } = await openConfirmed();
  const [{ id: addressId } = { id: "" }] = await store.read.selectFrom("alert_addresses").select("id").execute();
  const path = `/alert-email/unsubscribe/${toUnsubscribeToken(addressId, alertMailKeys)}`;
  expect(await (await follow(path)).text()).toContain("Unsubscribe from alerts?");
  expect((await stateOf(id)).state).toBe("confirmed");
  const form = new FormData();
  form.set("List-Unsubscribe", "One-Click");
  expect((await fetch(world.base + path, { method: "POST", body: form })).status).toBe(200);
  expect(await stateOf(id)).toMatchObject({ state: "unsubscribed" });
  const { json } = await ask("GET", `/api/alerts/${id}`);
  expect(json).toMatchObject({ enabled: false, disabledBecause: expect.stringContaining("unsubscribed") });
  expect((await ask("PATCH", `/api/alerts/${id}`, { enabled: true })).status).toBe(409);
  expect((await world.create()).email.state).toBe("unsubscribed");
  await raise();
  expect((await ask("GET", `/api/alerts/${id}/deliveries`)).json.items).toEqual([]);
  for (const forged of [path.slice(0, -1) + (path.endsWith("0") ? "1" : "0"), "/alert-email/unsubscribe/x"])
    expect((await follow(forged, "POST")).status).toBe(400);
  clock.nowMs += hourMs;
  await ask("POST", `/api/alerts/${id}/confirmation`);
  await follow(confirmPath(), "POST");
  expect((await ask("GET", `/api/alerts/${id}`)).json).toMatchObject({ enabled: true, disabledBecause: null });
});

test("a permanent rejection disables the address, and other failures are retried", async () => {
  const { id, answer, raise, run, ask, stateOf } = await openConfirmed();
  answer.failure = new TransportFailure("The relay could not be reached: ECONNREFUSED");
  await raise();
  run();
  const last = async () => (await ask("GET", `/api/alerts/${id}/deliveries`)).json.items[0];
  await expect.poll(last).toMatchObject({ status: "pending", tries: 1, smtpReply: null });
  expect((await stateOf(id)).state).toBe("confirmed");
  answer.failure = new TransportFailure("The relay rejected the recipient: 550 5.1.1 Gone", {
    reply: "550 5.1.1 Gone",
    isRecipient: true,
  });
  await ask("POST", `/api/alerts/${id}/deliveries/${(await last()).id}/retry`);
  await expect.poll(last).toMatchObject({ status: "dead" });
  expect(await stateOf(id)).toMatchObject({ state: "bounced", problem: expect.stringContaining("550 5.1.1 Gone") });
});

test("a duplicate alert is rejected if the request asks for that", async () => {
  const { create, ask } = await open();
  await create();
  const twin = await ask("POST", "/api/alerts", { ...wanted, label: "Twin", refuseDuplicate: true });
  expect([twin.status, twin.json.error, twin.json.message]).toEqual([
    409,
    "conflict",
    "“Ann” already sends these events there.",
  ]);
  const events = ["email.bounce_complaint"];
  expect((await ask("POST", "/api/alerts", { ...wanted, events, refuseDuplicate: true })).status).toBe(201);
});
