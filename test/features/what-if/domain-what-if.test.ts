import { expect, test } from "vitest";
import type { JobThread } from "../../../src/features/tests/analysis/job-thread.ts";
import type { HttpWorldOptions } from "../../http/http-world.ts";
import { worldWithCaller } from "../../http/interface-world.ts";

/** Mail of the world comes from 192.0.2.1 in the name of sender.example. */
const zone = {
  "sender.example": { TXT: ["v=spf1 ip4:198.51.100.9 -all"], MX: [{ preference: 1, exchange: "mx.example" }] },
  "_dmarc.sender.example": { TXT: ["v=DMARC1; p=none"] },
};
const letter = (subject: string, from = "ann@sender.example") =>
  Buffer.from(
    `From: Ann <${from}>\r\nTo: bob@seed.example\r\nDate: Sat, 21 Nov 2026 06:00:00 +0000\r\n` +
      `Message-ID: <${subject.replaceAll(" ", "")}@sender.example>\r\nSubject: ${subject}\r\n\r\nHi Bob, see you at noon.\r\n`,
  );
const spf = (value: string) => ({ records: [{ name: "sender.example", type: "TXT", values: [value] }] });
const mended = spf("v=spf1 ip4:192.0.2.1 -all");

async function worldWithMail(subjects: readonly string[], options: HttpWorldOptions = {}) {
  const world = await worldWithCaller(options);
  world.internet.zone = zone;
  for (const subject of subjects) await world.receive(letter(subject));
  await world.receive(letter("Another's", "bob@other.example"));
  while ((await world.ask("GET", "/api/tests?status=received")).json.items.length > 0) {
    world.clock.nowMs += 1_000;
    await world.analyzeAll();
  }
  const { id } = (await world.ask("POST", "/api/domains", { domain: "sender.example" })).json;
  const whatIf = (body: unknown) => world.ask("POST", `/api/domains/${id}/what-if`, body);
  return { ...world, id, whatIf };
}

test("a DNS preview shows the effect on the domain and each of its messages, and stores nothing", async () => {
  const { ask, id, whatIf } = await worldWithMail(["First", "Second"]);
  const paths = [`/api/domains/${id}`, "/api/tests", `/api/domains/${id}/history`];
  const read = () => Promise.all(paths.map(async (path) => (await ask("GET", path)).json));
  const before = await read();
  const { status, json } = await whatIf(mended);
  expect(status).toBe(200);
  expect(json.before).toMatchObject({ spf: "pass", dmarc: "warn" });
  expect(json.messages).toMatchObject({
    total: 2,
    totalIsExact: true,
    seen: 2,
    unclear: 0,
    leftOut: 0,
    better: 2,
    worse: 0,
    otherwise: 0,
    unchanged: 0,
  });
  expect(json.messages.changes).toMatchObject([
    { subject: "Second", from: "Ann <ann@sender.example>", before: { spf: "fail" }, after: { spf: "pass" } },
    { subject: "First" },
  ]);
  const [{ before: was, after: is, says }] = json.messages.changes;
  expect(is.composite).toBeGreaterThan(was.composite);
  expect(says[0]).toMatch(/^The score rose from/);
  expect(await read()).toEqual(before);
});

test("a DNS preview equals the result of a real change", async () => {
  const { ask, id, whatIf, internet, clock } = await worldWithMail(["First"]);
  const records = [
    { name: "_dmarc.sender.example", type: "TXT", values: ["v=DMARC1; p=reject; rua=mailto:d@sender.example"] },
  ];
  const { json } = await whatIf({ records });
  internet.zone = { ...zone, "_dmarc.sender.example": { TXT: records[0]?.values ?? [] } };
  clock.nowMs += 1_000;
  const truly = (await ask("POST", `/api/domains/${id}/recheck`)).json;
  const { spf, dkim, dmarc, bimi, score } = truly;
  expect(json.after).toEqual({ spf, dkim, dmarc, bimi, score });
  expect(json.findings).toEqual(truly.findings);
  expect(json.plan).toEqual(truly.plan);
  expect(json.gone.map(({ id }: { id: string }) => id)).toContain("dmarc-policy.none");
  const [test] = (await ask("GET", "/api/tests?from_domain=sender.example")).json.items;
  const again = (await ask("POST", `/api/tests/${test.id}/reanalyze`)).json;
  expect(json.messages.changes[0].after).toEqual({
    spf: again.spf,
    dkim: again.dkim,
    dmarc: again.dmarc,
    composite: again.composite,
    inbox_rate: again.inbox_rate,
    spam_rate: again.spam_rate,
    promo_rate: again.promo_rate,
    dmarcAction: "reject",
  });
});

test("a record that does not affect the mail changes nothing, even after a new release", async () => {
  const { whatIf, store } = await worldWithMail(["First"]);
  // As an earlier program might have judged it.
  await store.write((db) => db.updateTable("tests").set({ composite: 1 }).execute());
  const { json } = await whatIf({ records: [{ name: "www.sender.example", type: "A", values: ["192.0.2.8"] }] });
  expect(json.after).toEqual(json.before);
  expect(json).toMatchObject({ gone: [], added: [], messages: { seen: 1, unchanged: 1, changes: [] } });
});

test("a worse result is counted as worse", async () => {
  const { whatIf, ask, internet, clock } = await worldWithMail(["First"]);
  internet.zone = { ...zone, "sender.example": { ...zone["sender.example"], TXT: ["v=spf1 ip4:192.0.2.1 -all"] } };
  clock.nowMs += 1_000;
  const [{ id }] = (await ask("GET", "/api/tests?from_domain=sender.example")).json.items;
  expect((await ask("POST", `/api/tests/${id}/reanalyze`)).json.dmarc).toBe("pass");
  const { json } = await whatIf({ records: [{ name: "sender.example", type: "TXT", values: ["v=spf1 -all"] }] });
  expect(json.messages).toMatchObject({ better: 0, worse: 1 });
  expect(json.messages.changes[0]).toMatchObject({ before: { spf: "pass" }, after: { spf: "fail" } });
});

test("the newest 50 messages are previewed, and the others are counted", async () => {
  const subjects = Array.from({ length: 52 }, (_, n) => `Number ${n}`);
  const { whatIf } = await worldWithMail(subjects);
  const { messages } = (await whatIf(mended)).json;
  expect(messages).toMatchObject({ total: 52, seen: 50, leftOut: 2, better: 50 });
  expect(messages.changes[0].subject).toBe("Number 51");
  expect(messages.changes.at(-1).subject).toBe("Number 2");
});

test("a message with a missing or old report counts as unclear", async () => {
  const { whatIf, store } = await worldWithMail(["First", "Second"]);
  await store.write((db) => db.deleteFrom("reports").execute());
  expect((await whatIf(mended)).json.messages).toMatchObject({ total: 2, seen: 0, unclear: 2, leftOut: 0 });
});

test("invalid records, unknown domains, and unchecked domains are rejected", async () => {
  const { ask, id, whatIf, store } = await worldWithMail([]);
  for (const [body, field] of [
    [{}, "records"],
    [{ records: [] }, "records"],
    [{ records: [{ name: "a.example", type: "MX", values: ["mx.a.example"] }] }, "records.0.values.0"],
    [{ ...mended, more: 1 }, "more"],
  ] as const)
    expect((await whatIf(body)).json).toMatchObject({ error: "invalid_request", field });
  expect((await ask("POST", "/api/domains/dom_nothing/what-if", mended)).status).toBe(404);
  await store.write((db) => db.deleteFrom("domain_reports").execute());
  const { status, json } = await whatIf(mended);
  expect([status, json.error]).toEqual([409, "conflict"]);
  expect((await ask("GET", `/api/domains/${id}`)).status).toBe(200);
});

test("a message that stalls the analyzer affects no other, and a thread that ends is reported", async () => {
  let outcome: "stalled" | "interrupted" = "stalled";
  const thread: JobThread = {
    warmUp: async () => {},
    run: async () => ({ outcome, during: "while running the checks" }),
    close: async () => {},
  };
  const { whatIf } = await worldWithMail([], { askedThread: thread });
  for (outcome of ["stalled", "interrupted"] as const) {
    const { status, json } = await whatIf(mended);
    expect([status, json.error]).toEqual([503, "overloaded"]);
  }
});
