import { expect, test } from "vitest";
import type { FetchDoor } from "../../../src/analyzer/facts/fetch.ts";
import { parseSessionText } from "../../../src/analyzer/mail/session/session-text.ts";
import { readSession } from "../../../src/features/tests/rows/raw-messages.ts";
import { inWorkspace } from "../../../src/platform/database/scope.ts";
import { type HttpWorldOptions, startHttpWorld } from "../../http/http-world.ts";
import {
  mailgunFailed,
  mailjetBounce,
  multipartType,
  postmarkBounce,
  postmarkMail,
  rawMessage,
  sendgridEvents,
  sendgridKey,
  sendgridMail,
  signMailgun,
  signSendgrid,
  signSns,
  toMultipart,
  topicArn,
  toSesMail,
  vectors,
} from "./rules/calls.ts";

type Posted = { readonly body: string | Buffer; readonly headers?: Readonly<Record<string, string>> };

async function worldWithHooks(options: HttpWorldOptions = {}) {
  const asked: string[] = [];
  const fetchStranger: FetchDoor = async (url) => {
    asked.push(url);
    const body = Buffer.from(url.endsWith(".pem") ? vectors.certificate : "<ConfirmSubscriptionResponse/>");
    return { ok: true, status: 200, headers: {}, body, address: "192.0.2.1" };
  };
  const world = await startHttpWorld({ fetchStranger, ...options });
  const ours = await world.createWorkspace("Ours");
  const { token } = await world.issueToken(ours.id);
  const call = (method: string, path: string, body?: unknown) =>
    world.ask(method, path, { token, workspace: ours.id, ...(body !== undefined && { body }) });
  const create = async (body: object) => {
    const { json } = await call("POST", "/api/incoming-hooks", { label: "Mine", ...body });
    return { id: json.id as string, url: new URL(json.url), json };
  };
  /** As a provider posts to a URL with a password in it. */
  const post = (url: URL, { body, headers = {} }: Posted) => {
    const { username, password, pathname } = url;
    const credentials = Buffer.from(`${username}:${password}`).toString("base64");
    const authorization = password === "" ? {} : { authorization: `Basic ${credentials}` };
    const type = { "content-type": "application/json" };
    return world.ask("POST", pathname, { body, headers: { ...type, ...authorization, ...headers } });
  };
  const hookOf = async (id: string) =>
    (await call("GET", "/api/incoming-hooks")).json.items.find((hook: { id: string }) => hook.id === id);
  return { world, asked, workspace: ours.id, call, create, post, hookOf, inbox: ours.seed_address ?? "" };
}

const json = (value: unknown) => ({ body: JSON.stringify(value) });
const signed = (list: unknown) => {
  const body = JSON.stringify(list);
  return { body, headers: signSendgrid(body) };
};

test("the sample event of each provider becomes one named bounce", async () => {
  const { world, call, create, post, hookOf, workspace } = await worldWithHooks();
  const samples = {
    ses: { hook: { topicArn }, posted: { ...json(vectors.version1), headers: { "content-type": "text/plain" } } },
    sendgrid: { hook: { signingKey: sendgridKey, domain: "Sender.example" }, posted: signed(sendgridEvents) },
    mailgun: {
      hook: { signingKey: vectors.mailgun.key },
      posted: json({ signature: vectors.mailgun, "event-data": mailgunFailed }),
    },
    postmark: { hook: {}, posted: json(postmarkBounce) },
    mailjet: { hook: { domain: "example.com" }, posted: json([mailjetBounce]) },
  };
  for (const [provider, { hook, posted }] of Object.entries(samples)) {
    const { id, url } = await create({ provider, purpose: "feedback", ...hook });
    const received = provider === "sendgrid" ? 3 : 1;
    expect((await post(url, posted)).json, provider).toMatchObject({ received, repeated: 0 });
    expect((await post(url, posted)).json, provider).toMatchObject({ received: 0, repeated: received });
    expect(await hookOf(id)).toMatchObject({
      missing: null,
      received,
      repeated: received,
      refused: 0,
      lastProblem: null,
      lastReceivedAt: "2026-11-21T06:00:00.000Z",
    });
  }
  const { json: list } = await call("GET", "/api/bounces");
  expect(list).toMatchObject({ total: 6, totalIsExact: true });
  const found = list.items.map((bounce: Record<string, unknown>) => [
    bounce.provider,
    bounce.kind,
    bounce.authenticated,
  ]);
  expect(found.toSorted()).toEqual([
    ["mailgun", "bounce", true],
    ["mailjet", "bounce", false],
    ["postmark", "bounce", false],
    ["sendgrid", "bounce", true],
    ["sendgrid", "complaint", true],
    ["ses", "bounce", true],
  ]);
  const volumes = await inWorkspace(world.store.read, workspace)
    .selectFrom("feedback_volumes")
    .select(["provider", "domain", "day", "delivered", "bounced", "complained"])
    .orderBy("provider")
    .execute();
  const day = Date.parse("2026-11-21T00:00:00Z");
  expect(volumes).toEqual([
    { provider: "mailgun", domain: "example.com", day, delivered: 0, bounced: 1, complained: 0 },
    { provider: "mailjet", domain: "example.com", day, delivered: 0, bounced: 1, complained: 0 },
    { provider: "postmark", domain: "example.com", day, delivered: 0, bounced: 1, complained: 0 },
    { provider: "sendgrid", domain: "sender.example", day, delivered: 1, bounced: 1, complained: 1 },
    { provider: "ses", domain: "example.com", day, delivered: 0, bounced: 1, complained: 0 },
  ]);
  const [bounce] = list.items;
  expect((await call("GET", `/api/bounces/${bounce.id}`)).json).toEqual(bounce);
  expect((await call("GET", `/api/bounces/${bounce.id}/raw`)).status).toBe(404);
});

test("a bounce is matched to its test, and raises the same alert as one by email", async () => {
  const { world, call, create, post, workspace } = await worldWithHooks();
  const alert = { label: "A", url: "https://receiver.example/", kind: "json", events: ["email.bounce_complaint"] };
  await call("POST", "/api/alerts", alert);
  const raw = Buffer.from("From: a@sender.example\r\nMessage-ID: <one@sender.example>\r\nSubject: x\r\n\r\nx\r\n");
  const testId = await world.receive(workspace, null, raw);
  await world.analyzeAll();
  const { url } = await create({ provider: "mailgun", purpose: "feedback", signingKey: vectors.mailgun.key });
  await post(url, json({ signature: vectors.mailgun, "event-data": mailgunFailed }));
  expect((await call("GET", "/api/bounces")).json.items).toMatchObject([
    { provider: "mailgun", providerName: "Mailgun", testId },
  ]);
  const events = await inWorkspace(world.store.read, workspace).selectFrom("alert_events").selectAll().execute();
  expect(events).toMatchObject([{ type: "email.bounce_complaint" }]);
  expect(JSON.parse(events[0]?.payload ?? "").bounce).toMatchObject({ provider: "mailgun", testId });
});

test("forged, late, and altered requests are rejected, counted, and logged without content", async () => {
  const { world, call, create, post, hookOf } = await worldWithHooks();
  const { id, url } = await create({ provider: "sendgrid", purpose: "feedback", signingKey: sendgridKey });
  const good = signed(sendgridEvents);
  const refusals = [
    [{ ...good, body: good.body.replace("bounce", "bouncy") }, 403, "bad_signature"],
    [{ body: good.body }, 403, "no_signature"],
    [{ body: good.body, headers: signSendgrid(good.body, "1795000000") }, 403, "too_old"],
    [{ ...good, headers: { ...good.headers, "content-type": "text/html" } }, 415, "wrong_type"],
    [signed({ event: "bounce" }), 400, "unreadable"],
  ] as const;
  for (const [posted, status, problem] of refusals) {
    expect((await post(url, posted)).status, problem).toBe(status);
    expect(await hookOf(id)).toMatchObject({ lastProblem: problem });
  }
  expect(await hookOf(id)).toMatchObject({ refused: 5, received: 0 });
  expect((await call("GET", "/api/bounces")).json.items).toEqual([]);
  const log = world.lines.map((line) => JSON.stringify(line)).filter((line) => line.includes("refused"));
  expect(log).toHaveLength(5);
  expect(log.join()).toContain('"problem":"bad_signature"');
  expect(log.join()).not.toMatch(/example@test\.com|MFkw|550 5/);
  // A pasted key clears what was wrong.
  const changed = await call("PATCH", `/api/incoming-hooks/${id}`, { signingKey: sendgridKey });
  expect(changed.json).toMatchObject({ refused: 5, lastProblem: null });
});

test("a provider without signatures needs the password in its URL", async () => {
  const { create, post, hookOf } = await worldWithHooks();
  const { id, url } = await create({ provider: "postmark", purpose: "feedback" });
  expect(url.password).toHaveLength(43);
  const [none, wrong] = [new URL(url), new URL(url)];
  Object.assign(none, { username: "", password: "" });
  wrong.password = url.password.replace(/^./, (first) => (first === "a" ? "b" : "a"));
  for (const tried of [none, wrong]) expect((await post(tried, json(postmarkBounce))).status).toBe(403);
  expect(await hookOf(id)).toMatchObject({ proof: "password", refused: 2, lastProblem: "wrong_password" });
  expect((await post(url, json(postmarkBounce))).status).toBe(200);
});

test("the page says that complaints of a provider without signatures raise no rate alert", async () => {
  const { create, hookOf } = await worldWithHooks();
  for (const [provider, purpose, isSaid] of [
    ["postmark", "feedback", true],
    ["mailjet", "feedback", true],
    ["postmark", "mail", false],
    ["mailgun", "feedback", false],
  ] as const) {
    const { id } = await create({ provider, purpose });
    const { says } = (await hookOf(id)) as { says: { proof: string } };
    const words = "never raises an alert about a complaint rate";
    expect([provider, purpose, says.proof.includes(words)]).toEqual([provider, purpose, isSaid]);
  }
});

test("an SNS subscription is confirmed only for its own topic at an SNS host", async () => {
  const { asked, create, post, hookOf } = await worldWithHooks();
  const { id, url } = await create({ provider: "ses", purpose: "feedback", topicArn });
  const evil = { SubscribeURL: "http://169.254.169.254/", SigningCertURL: "http://169.254.169.254/a.pem" };
  for (const forged of [
    { ...vectors.confirmation, ...evil },
    signSns({ ...vectors.confirmation, ...evil }),
    signSns({ ...vectors.confirmation, TopicArn: `${topicArn}x` }),
  ])
    expect((await post(url, json(forged))).status).toBe(403);
  expect(asked).toEqual([]);
  expect((await post(url, json(vectors.confirmation))).status).toBe(200);
  expect((await post(url, json(vectors.version1))).status).toBe(200);
  expect(asked.map((each) => new URL(each).host)).toEqual(
    Array.from({ length: 2 }, () => "sns.us-east-1.amazonaws.com"),
  );
  expect(await hookOf(id)).toMatchObject({ received: 1, refused: 3 });
});

test("received mail of each provider becomes a test, with the envelope that the provider reports", async () => {
  const { world, call, create, post, workspace, inbox } = await worldWithHooks();
  const to = inbox.replace("@", "+ci@");
  const form = (fields: Record<string, string>) => ({
    body: toMultipart(fields),
    headers: { "content-type": multipartType },
  });
  const { cloudflare } = vectors;
  const samples = {
    ses: { hook: { topicArn }, posted: json(toSesMail(Buffer.from(rawMessage).toString("base64"), "BASE64")) },
    sendgrid: { hook: {}, posted: form({ ...sendgridMail, envelope: JSON.stringify({ to: [to], from: "" }) }) },
    mailgun: {
      hook: { signingKey: vectors.mailgun.key },
      posted: form({ ...signMailgun("m"), recipient: to, sender: "b@sender.example", "body-mime": rawMessage }),
    },
    postmark: { hook: {}, posted: json({ ...postmarkMail, OriginalRecipient: to }) },
  };
  for (const [provider, { hook, posted }] of Object.entries(samples)) {
    const { url } = await create({ provider, purpose: "mail", ...hook });
    expect((await post(url, posted)).json, provider).toEqual({ received: 1, repeated: 0, ignored: 0 });
    expect((await post(url, posted)).json, provider).toEqual({ received: 0, repeated: 1, ignored: 0 });
  }
  const tests = (await call("GET", "/api/tests")).json.items;
  expect(tests).toHaveLength(4);
  const sessions = await Promise.all(
    tests.map(async ({ id }: { id: string }) =>
      parseSessionText((await readSession(inWorkspace(world.store.read, workspace), id)) ?? ""),
    ),
  );
  const byProvider = Object.fromEntries(sessions.map((session) => [session.door.provider, session]));
  expect(byProvider).toMatchObject({
    ses: {
      mailFrom: "bounce@sender.example",
      clientAddress: null,
      trusted: ["amazonses.com"],
      door: { kind: "webhook", recorded: { spf: "PASS", dmarc: "FAIL" } },
    },
    sendgrid: { mailFrom: "", clientAddress: "192.0.2.10", rcptTo: [to] },
    mailgun: { mailFrom: "b@sender.example", clientAddress: null, rcptTo: [to] },
    postmark: { mailFrom: null, clientAddress: null, rcptTo: [to] },
  });
  const [{ id: inboxId }] = (await call("GET", "/api/seed-inboxes")).json.items;
  expect(tests.map((each: Record<string, unknown>) => [each.seed_inbox_id, each.label])).toEqual(
    Array.from({ length: 4 }, () => [inboxId, "ci"]),
  );
  const raw = await call("GET", `/api/tests/${tests[0].id}/raw`);
  expect(raw.text).toBe(rawMessage);
  await world.analyzeAll();
  const doors = await Promise.all(
    tests.map(async ({ id }: { id: string }) => (await call("GET", `/api/tests/${id}`)).json.transport.door),
  );
  expect(doors.map(({ provider, verdicts_say }) => [provider, verdicts_say]).toSorted()).toEqual([
    ["mailgun", null],
    ["postmark", null],
    ["sendgrid", "Recorded by SendGrid, not checked by Assay: SPF pass, DKIM @sender.example : pass"],
    ["ses", "Recorded by Amazon SES, not checked by Assay: SPF pass, DKIM gray, DMARC fail, spam pass, virus pass"],
  ]);
  // The secret of the vectors isn't this webhook's.
  const { url, json: made } = await create({ provider: "cloudflare", purpose: "mail" });
  expect(made.secret).toMatch(/^whsec_/);
  const headers = { "content-type": "application/octet-stream", "webhook-id": cloudflare.id };
  const all = { ...headers, "webhook-timestamp": cloudflare.timestamp, "webhook-signature": cloudflare.signature };
  expect((await post(url, { body: cloudflare.body, headers: all })).status).toBe(403);
});

test("received mail never reaches another workspace, and has the limits of an upload", async () => {
  const { world, call, create, post, inbox, hookOf } = await worldWithHooks();
  const other = await world.createWorkspace("Other");
  const { id, url } = await create({ provider: "postmark", purpose: "mail" });
  const to = (OriginalRecipient: string, more: object = {}) =>
    json({ ...postmarkMail, MessageID: `id ${OriginalRecipient}`, OriginalRecipient, ...more });
  expect((await post(url, to(other.seed_address ?? ""))).status).toBe(200);
  world.clock.nowMs += 1;
  expect((await post(url, to("anyone+news@elsewhere.example"))).status).toBe(200);
  const { json: tests } = await call("GET", "/api/tests");
  const [{ id: inboxId }] = (await call("GET", "/api/seed-inboxes")).json.items;
  expect(tests.items.map((each: Record<string, unknown>) => [each.seed_inbox_id, each.label])).toEqual([
    [inboxId, "news"],
    [inboxId, null],
  ]);
  const { token } = await world.issueToken(other.id);
  expect((await world.ask("GET", "/api/tests", { token, workspace: other.id })).json.items).toEqual([]);
  for (const [posted, status, problem] of [
    [to("", {}), 400, "no_recipient"],
    [to("a@b\r\nX: y"), 400, "no_recipient"],
    [to(inbox, { RawEmail: `Subject: x\r\n\r\n${"x".repeat(100_000)}` }), 413, "too_large"],
    [to(inbox, { RawEmail: undefined }), 400, "not_raw"],
    [{ body: Buffer.alloc(50_000_000, 0x20) }, 413, "too_large"],
  ] as const) {
    expect((await post(url, posted)).status, problem).toBe(status);
    expect(await hookOf(id)).toMatchObject({ lastProblem: problem });
  }
  world.intakeRoom.has = false;
  expect((await post(url, to(`second.${inbox}`))).status).toBe(503);
});

test("a request to an unknown URL is rejected before its body is read, and many at once are limited", async () => {
  const { world, create, post } = await worldWithHooks();
  const strange = await world.ask("POST", `/hooks/${"x".repeat(43)}`, { body: Buffer.alloc(200_000) });
  expect(strange.status).toBe(404);
  const { url } = await create({ provider: "mailjet", purpose: "feedback" });
  const statuses = new Set<number>();
  const request = { method: "POST", headers: { "content-type": "a/b" }, body: "x" };
  for (let batch = 0; batch < 61; batch += 1) {
    const answers = Array.from({ length: 20 }, () => fetch(world.base + url.pathname, request));
    for (const { status } of await Promise.all(answers)) statuses.add(status);
  }
  expect([...statuses].toSorted()).toEqual([403, 429]);
  expect((await post(url, json(mailjetBounce))).status).toBe(429);
  world.clock.nowMs += 61_000;
  expect((await post(url, json(mailjetBounce))).status).toBe(200);
});

test("two equal simultaneous requests count once", async () => {
  const { create, post, call, inbox } = await worldWithHooks();
  const { url } = await create({ provider: "mailgun", purpose: "feedback", signingKey: vectors.mailgun.key });
  const event = json({ signature: vectors.mailgun, "event-data": mailgunFailed });
  // The signature doesn't cover the event, so a token is taken once whatever comes with it.
  const replayed = json({ signature: vectors.mailgun, "event-data": { ...mailgunFailed, id: "other" } });
  const answers = await Promise.all([event, event, event, replayed].map((posted) => post(url, posted)));
  expect(answers.map(({ json: answer }) => answer.received).toSorted()).toEqual([0, 0, 0, 1]);
  expect((await call("GET", "/api/bounces")).json.total).toBe(1);
  const { url: mailUrl } = await create({ provider: "postmark", purpose: "mail" });
  const mail = json({ ...postmarkMail, OriginalRecipient: inbox });
  const taken = await Promise.all([mail, mail, mail].map((posted) => post(mailUrl, posted)));
  expect(taken.map(({ json: answer }) => answer.received).toSorted()).toEqual([0, 0, 1]);
  expect((await call("GET", "/api/tests")).json.total).toBe(1);
});

test("a webhook shows its missing settings, and can be changed, replaced, and deleted", async () => {
  const { call, create, post, hookOf } = await worldWithHooks();
  const { id, url } = await create({ provider: "sendgrid", purpose: "feedback" });
  expect(await hookOf(id)).toMatchObject({ missing: "signingKey", proof: "signature" });
  expect((await post(url, signed(sendgridEvents))).status).toBe(409);
  const refuse = async (body: object, field: string) =>
    expect((await call("PATCH", `/api/incoming-hooks/${id}`, body)).json).toMatchObject({ field });
  await refuse({ signingKey: "no key" }, "signingKey");
  await refuse({ topicArn }, "topicArn");
  await refuse({ domain: "no domain" }, "domain");
  await refuse({ newSecret: true }, "newSecret");
  const wrong = { provider: "mailjet", purpose: "mail", label: "x" };
  expect((await call("POST", "/api/incoming-hooks", wrong)).json).toMatchObject({ field: "purpose" });
  expect((await call("PATCH", `/api/incoming-hooks/${id}`, {})).status).toBe(200);
  const changed = await call("PATCH", `/api/incoming-hooks/${id}`, {
    label: "News",
    signingKey: ` ${sendgridKey}\n`,
    domain: "EXAMPLE.com",
    newUrl: true,
  });
  expect(changed.json).toMatchObject({ label: "News", missing: null, domain: "example.com", lastProblem: null });
  expect(changed.text).not.toContain(sendgridKey.slice(0, 40));
  expect((await post(url, signed(sendgridEvents))).status).toBe(404);
  const next = new URL(changed.json.url);
  expect((await post(next, signed(sendgridEvents))).status).toBe(200);
  expect((await call("DELETE", `/api/incoming-hooks/${id}`)).status).toBe(204);
  expect((await call("DELETE", `/api/incoming-hooks/${id}`)).status).toBe(404);
  expect((await post(next, signed(sendgridEvents))).status).toBe(404);
  // What it reported stays.
  expect((await call("GET", "/api/bounces")).json).toMatchObject({ total: 2, items: [{}, {}] });
});
