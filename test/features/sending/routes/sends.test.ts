// What send-test accepts, rejects, and returns, over a real socket. Its SMTP side:
// test/features/sending/work/transports.test.ts.

import { expect, test } from "vitest";
import { type MailTransport, TransportFailure } from "../../../../src/features/sending/work/transports.ts";
import type { HttpWorldOptions } from "../../../http/http-world.ts";
import { worldWithCaller } from "../../../http/interface-world.ts";
import { insertDomain } from "../../../platform/database/nouns.ts";

async function open(options: HttpWorldOptions = {}) {
  const world = await worldWithCaller(options);
  const inboxes = (await world.ask("GET", "/api/seed-inboxes")).json.items;
  const seed: string = inboxes[0].address;
  const send = (changes: object = {}) =>
    world.ask("POST", "/api/tests/send-test", { subject: "Hello", from: seed, ...changes });
  const onlyTest = async () => {
    await world.analyzeAll();
    const { items } = (await world.ask("GET", "/api/tests")).json;
    return (await world.ask("GET", `/api/tests/${items[0].id}`)).json;
  };
  /** As the hourly sweep does when it has seen the token in DNS. */
  const verify = (domain: string) =>
    world.store.write(async (db) => {
      const id = `dom_${domain}`;
      await insertDomain(db, { id, workspaceId: world.workspace, domain, createdAt: world.clock.nowMs });
      await db.updateTable("domains").set({ verified_at: 1 }).where("id", "=", id).execute();
    });
  return { ...world, seed, send, onlyTest, verify };
}

function blocked(words: string): MailTransport {
  return { transport: "relay", deliver: () => Promise.reject(new TransportFailure(words)), close() {} };
}

test("POST /api/tests/send-test sends a sample with the given subject and From to the active seed address", async () => {
  const { ask, send, seed, onlyTest } = await open();
  const { status, json } = await send({ subject: "Does it work?" });
  expect(status).toBe(202);
  expect(json).toEqual({
    id: expect.stringMatching(/^snd_/),
    to: seed,
    from: seed,
    messageId: expect.stringMatching(/^[0-9a-z-]{43}@seed\.example$/),
    transport: "loopback",
    queuedAt: expect.any(String),
  });
  expect(await onlyTest()).toMatchObject({
    subject: "Does it work?",
    send_id: json.id,
    status: "analyzed",
    to: [seed],
    seed_inbox_id: expect.stringMatching(/^sdi_/),
  });
  const { json: other } = await ask("POST", "/api/seed-inboxes", { localPart: "other" });
  await ask("PATCH", `/api/seed-inboxes/${other.id}`, { active: true });
  expect((await send()).json.to).toBe("other@seed.example");
});

test("POST /api/tests/send-test accepts a From only at a domain that the workspace may use", async () => {
  const { send, verify } = await open();
  const from = "Ann <ann@shop.example>";
  expect(await send({ from })).toMatchObject({ status: 400, json: { error: "invalid_email", field: "from" } });
  await verify("shop.example");
  expect(await send({ from })).toMatchObject({ status: 202, json: { from } });
  expect((await send({ from: "ann@below.shop.example" })).status).toBe(400);
  expect((await send({ from: "nobody@seed.example" })).status).toBe(400);
});

test("a sample sent by send-test is received and analyzed like any other message", async () => {
  const { ask, send, onlyTest } = await open();
  await send();
  const report = await onlyTest();
  expect(report).toMatchObject({ status: "analyzed", kind: "bulk", grade: null });
  const { json: eml } = await ask("GET", `/api/tests/${report.id}/eml`);
  expect(eml.body.text).toContain("A sample from your own server");
  expect(eml.images).toMatchObject([{ kind: "cid", alt: "A row of eight bars, with the last one tallest" }]);
  expect(eml.tracking_pixels).toEqual([]);
});

test("a looped sample says so, and makes no claim about an IP that it was not sent from", async () => {
  const { send, onlyTest, ask } = await open();
  await send();
  const report = await onlyTest();
  expect(report.transport.looped).toBe(true);
  const said = report.findings.find(({ id }: { id: string }) => id === "source-address.looped");
  expect(said.summary).toContain("This server sent the sample to itself, not over the internet");
  const skipped = report.skipped.map(({ check }: { check: string }) => check);
  expect(skipped).toEqual(expect.arrayContaining(["ptr-record", "fcrdns", "helo-name", "spf-result"]));
  const [notice] = report.notices;
  expect(notice.title).toBe("Authentication isn’t tested yet.");
  const again = await ask("POST", `/api/tests/${report.id}/reanalyze`);
  expect(again.json.transport.looped).toBe(true);
  expect(again.json.findings.map(({ id }: { id: string }) => id)).toContain("source-address.looped");
});

test("another message with the token of a looped sample is an ordinary one", async () => {
  const { ask, send, receive, analyzeAll, onlyTest } = await open();
  const { json } = await send();
  const token = json.messageId.split("@")[0];
  const { id } = await onlyTest();
  const copy = `From: a@b.example\r\nMessage-ID: <${json.messageId}>\r\nX-Assay-Id: ${token}\r\nSubject: Copy\r\n\r\nHi.\r\n`;
  const copied = await receive(Buffer.from(copy));
  await analyzeAll();
  const { json: report } = await ask("GET", `/api/tests/${copied}`);
  expect(report).toMatchObject({ send_id: null, transport: { looped: false } });
  expect((await ask("GET", `/api/sends/${json.id}`)).json.testId).toBe(id);
});

test("sends are listed newest first with their results", async () => {
  const { ask, send, clock, onlyTest } = await open();
  const first = (await send({ label: "first" })).json;
  clock.nowMs += 1_000;
  const second = (await send({ subject: "Again" })).json;
  const { json } = await ask("GET", "/api/sends?limit=1");
  expect(json).toMatchObject({ total: 2, items: [{ id: second.id, subject: "Again", status: "sent" }] });
  const { json: rest } = await ask("GET", `/api/sends?cursor=${json.next}`);
  expect(rest.items).toMatchObject([{ id: first.id, label: "first", problem: null, bounceId: null }]);
  await onlyTest();
  const { json: shown } = await ask("GET", `/api/sends/${first.id}`);
  expect(shown).toMatchObject({ id: first.id, from: first.from, to: first.to, messageId: first.messageId });
  expect((await ask("GET", `/api/tests/${shown.testId}`)).json).toMatchObject({ send_id: first.id, label: "first" });
  expect((await ask("GET", `/api/sends/snd_${"0".repeat(26)}`)).status).toBe(404);
});

test("the given html and text replace the sample's content", async () => {
  const { ask, send, onlyTest } = await open();
  expect((await send({ html: "<p>Only\nthis</p>" })).status).toBe(202);
  const { id } = await onlyTest();
  const { body, attachments } = (await ask("GET", `/api/tests/${id}/eml`)).json;
  expect(body).toMatchObject({ text: null, html: expect.stringContaining("Only") });
  expect(attachments).toEqual([]);
});

const breaks = ["\r", "\n", "\r\n", "\0", "\u0085", "\u2028", "%0d%0a", "%0A", "%00"].map((mark) => [
  JSON.stringify(mark),
  `a${mark}Bcc: b@c.example`,
]);
const words = [
  "=?utf-8?q?a=0D=0ABcc:_x?=",
  "=?utf-8?b?YQ0KQmNjOiB4?=",
  "=?utf-8?q?a=00?=",
  // As careless readers take them: with spaces inside, and in the other order of bytes.
  "=?utf-8?q?a =0D=0ABcc: x?=",
  "=?utf-16?b?AA0ACg==?=",
].map((word) => [word, word]);

test.each([...breaks, ...words])("the text %s is rejected in every header field", async (_, text) => {
  const { ask, send, seed } = await open();
  const fields = { subject: text, from: `"${text}" <${seed}>`, to: `${text}${seed}`, label: text };
  for (const [field, value] of Object.entries(fields)) {
    const { status, json } = await send({ [field]: value });
    expect({ status, json }).toMatchObject({ status: 400, json: { error: "invalid_request", field } });
  }
  expect((await ask("GET", "/api/sends")).json.total).toBe(0);
});

test("NUL and lone surrogates are rejected in html and text", async () => {
  const { send } = await open();
  for (const field of ["html", "text"])
    for (const text of ["a\0b", "a\ud800b"])
      expect(await send({ [field]: text })).toMatchObject({ status: 400, json: { error: "invalid_request", field } });
});

const refused = [
  ["no address", "Ann"],
  ["two addresses", "ann@shop.example, bob@shop.example"],
  ["a group", "all: ann@shop.example;"],
  ["nothing behind the @", "ann@"],
  ["no address in the brackets", "Ann <>"],
  ["two addresses in brackets", "Ann <bob@other.example> <ann@shop.example>"],
  ["words behind the brackets", "Ann <ann@shop.example> Lee"],
  ["a space before the @", "ann lee@shop.example"],
  ["an address literal", "ann@[192.0.2.1]"],
  ["a local part beyond ASCII (EAI)", "änn@shop.example"],
  ["a local part that is too long", `${"a".repeat(65)}@shop.example`],
  ["quotes in a quoted local part", String.raw`"a\"b"@shop.example`],
  ["a domain in letters that stand for others", "ann@ｓhop.example"],
] as const;

test.each(refused)("%s is rejected as sender", async (_, from) => {
  const { send, verify } = await open();
  await verify("shop.example");
  expect(await send({ from })).toMatchObject({ status: 400, json: { error: "invalid_email", field: "from" } });
});

const taken = [
  ["a bare address", "ann@shop.example", "ann@shop.example"],
  ["a name", "Ann Lee <ann@shop.example>", "Ann Lee <ann@shop.example>"],
  ["a name with a comma, in quotes", '"Lee, Ann" <ann@shop.example>', '"Lee, Ann" <ann@shop.example>'],
  ["a name in another script", "Änn <ann@shop.example>", "Änn <ann@shop.example>"],
  ["brackets in quotes", '"Ann <x>" <ann@shop.example>', '"Ann <x>" <ann@shop.example>'],
  ["a quoted local part that needs its quotes", '"ann lee"@shop.example', '<"ann lee"@shop.example>'],
  ["one that does not", '"ann"@shop.example', "ann@shop.example"],
  ["a domain in capital letters", "ann@SHOP.example", "ann@shop.example"],
  ["a domain in its own script", "ann@bücher.example", "ann@xn--bcher-kva.example"],
] as const;

test.each(taken)("%s is accepted as sender", async (_, from, shown) => {
  const { send, verify, onlyTest } = await open();
  await verify("shop.example");
  await verify("xn--bcher-kva.example");
  expect((await send({ from })).status).toBe(202);
  const report = await onlyTest();
  expect(report.from.replaceAll(/=\?UTF-8\?Q\?=C3=84nn\?=/g, "Änn")).toBe(shown);
});

test("a domain that the operator allows can be used only by the given workspace", async () => {
  const verifiedDomains = [
    { domain: "first.example", workspaceId: null },
    { domain: "other.example", workspaceId: "wsp_other" },
  ];
  const { ask, send, clock, createWorkspace, issueToken, askAs } = await open({ verifiedDomains });
  expect((await send({ from: "a@first.example" })).status).toBe(202);
  expect((await send({ from: "a@other.example" })).status).toBe(400);
  expect((await ask("GET", "/api/sends")).json.total).toBe(1);
  clock.nowMs += 1_000;
  const { id } = await createWorkspace("Second");
  const { token } = await issueToken(id);
  const body = { subject: "Hello", from: "a@first.example" };
  expect((await askAs("POST", "/api/tests/send-test", { token, workspace: id, body })).status).toBe(400);
});

test("a recipient must be one of the workspace's own seed addresses", async () => {
  const { send, seed, ask, createWorkspace, onlyTest } = await open();
  const { seed_address: foreign } = await createWorkspace("Second");
  for (const to of [foreign, "nobody@seed.example", "ann@shop.example", "bounce+x@seed.example", "x"])
    expect(await send({ to })).toMatchObject({ status: 400, json: { error: "invalid_email", field: "to" } });
  const labelled = seed.replace("@", "+mine@");
  expect(await send({ to: labelled.toUpperCase() })).toMatchObject({ status: 202 });
  expect((await onlyTest()).label).toBe("MINE");
  const run = seed.replace("@", "+ci+0123456789@");
  expect(await send({ to: run })).toMatchObject({ status: 202, json: { to: run } });
  expect((await ask("GET", "/api/sends")).json.total).toBe(2);
});

test("a rejection is reported in the relay's words, and listed", async () => {
  const words = "The relay rejected the recipient: 550 5.1.1 No such user";
  const { ask, send } = await open({ road: blocked(words) });
  expect(await send()).toMatchObject({ status: 502, json: { error: "send_failed", message: words } });
  const { items } = (await ask("GET", "/api/sends")).json;
  expect(items).toMatchObject([{ status: "failed", problem: words, transport: "relay", testId: null }]);
  expect(items[0].finishedAt).not.toBeNull();
});

test("a plan's limit of tests applies to samples", async () => {
  const plan = { name: "small", label: "Small", ceilings: { testsPerMonth: 1 }, stripePriceId: null };
  const { send } = await open({ plans: { list: [plan], fallback: plan } });
  expect((await send()).status).toBe(202);
  expect(await send()).toMatchObject({ status: 402, json: { error: "plan_limit" } });
});

test("the unsubscribe link of samples accepts a click and does nothing", async () => {
  const { base } = await open();
  const opened = await fetch(`${base}/unsubscribe`);
  expect({ status: opened.status, type: opened.headers.get("content-type") }).toEqual({
    status: 200,
    type: "text/plain; charset=utf-8",
  });
  const body = new URLSearchParams({ "List-Unsubscribe": "One-Click" });
  const clicked = await fetch(`${base}/unsubscribe`, { method: "POST", body });
  expect(await clicked.text()).toContain("nothing was changed");
});

test("a sample goes to a seed address with an active domain, or the error says what to do", async () => {
  const { ask, send, verify, store } = await open();
  await verify("news.example");
  // As if ASSAY_SEED_DOMAINS had named another domain before.
  await store.write((db) => db.updateTable("seed_inboxes").set({ domain: "old.example" }).execute());
  const shown = async () => [
    (await ask("GET", "/api/workspaces")).json.items[0].seedAddress,
    (await ask("GET", "/api/seed-list")).json.items[0]?.address ?? null,
  ];
  expect(await shown()).toEqual([null, null]);
  for (const refused of [await send({ from: "a@news.example" }), await ask("POST", "/api/laboratory", {})]) {
    expect(refused).toMatchObject({ status: 404, json: { error: "not_found" } });
    expect(refused.json.message).toContain("Create one at seed.example");
  }
  const { json: made } = await ask("POST", "/api/seed-inboxes", { localPart: "anew" });
  expect(made.active).toBe(false);
  expect(await shown()).toEqual(["anew@seed.example", "anew@seed.example"]);
  expect((await send({ from: "anew@seed.example" })).json.to).toBe("anew@seed.example");
  expect((await ask("POST", "/api/laboratory", { ids: ["unsigned"] })).json.sent).toBe(1);
});
