// The API as it is specified, one test per statement (test/laws/interface-table.ts): tests and the dashboard.

import { expect, test } from "vitest";
import { createId } from "../../src/platform/ids.ts";
import { base64, letter, multipart, ordinaryHead, part } from "../analyzer/mail/letter.ts";
import { insertTests } from "../platform/database/test-rows.ts";
import { worldWithCaller } from "./interface-world.ts";

const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => {
    const receivedAt = Date.parse("2026-11-21T05:00:00Z") + index;
    const id = createId("test", receivedAt, new Uint8Array(16));
    return { id, received_at: receivedAt, subject: `Number ${index}` };
  });
const idsOf = (items: readonly { readonly id: string }[]) => items.map(({ id }) => id);

test("GET /api/tests lists the workspace's tests, most recent first", async () => {
  const { ask, receive } = await worldWithCaller();
  const oldest = await receive();
  const newest = await receive();
  expect(idsOf((await ask("GET", "/api/tests")).json.items)).toEqual([newest, oldest]);
});

test("GET /api/tests takes a limit from 1 to 100, which is 50 by default", async () => {
  const { ask, receive } = await worldWithCaller();
  for (let count = 0; count < 101; count++) await receive();
  const sizeOf = async (query: string) => (await ask("GET", `/api/tests${query}`)).json.items.length;
  expect(await sizeOf("")).toBe(50);
  expect(await sizeOf("?limit=1")).toBe(1);
  expect(await sizeOf("?limit=100")).toBe(100);
  for (const limit of ["0", "101", "-1", "1.5", "x", ""]) {
    const { status, json } = await ask("GET", `/api/tests?limit=${limit}`);
    expect(status).toBe(400);
    expect(json).toMatchObject({ error: "invalid_request", field: "limit" });
  }
});

test("GET /api/tests takes an offset", async () => {
  const { ask, receive } = await worldWithCaller();
  const ids = [await receive(), await receive(), await receive()];
  expect((await ask("GET", "/api/tests")).json.offset).toBe(0);
  expect(idsOf((await ask("GET", "/api/tests?offset=2")).json.items)).toEqual([ids[0]]);
  expect((await ask("GET", "/api/tests?offset=3")).json.items).toEqual([]);
});

test("a test has the export's twelve fields with the same names", async () => {
  const { ask, receive, analyzeAll, internet } = await worldWithCaller();
  internet.zone = { "sender.example": { TXT: ["v=spf1 ip4:192.0.2.1 -all"] } };
  const id = await receive(Buffer.from("From: Ann <ann@sender.example>\r\nSubject: Hello\r\n\r\nHi.\r\n"));
  await analyzeAll();
  const twelve = {
    id,
    received_at: expect.stringMatching(/^2026-11-21T06:00:00\.\d{3}Z$/),
    from: "Ann <ann@sender.example>",
    subject: "Hello",
    status: "analyzed",
    composite: expect.any(Number),
    inbox_rate: expect.any(Number),
    spam_rate: expect.any(Number),
    promo_rate: expect.any(Number),
    spf: "pass",
    dkim: "none",
    dmarc: "none",
  };
  const [listed] = (await ask("GET", "/api/tests")).json.items;
  expect(listed).toMatchObject(twelve);
  expect((await ask("GET", `/api/tests/${id}`)).json).toMatchObject(twelve);
  expect(listed.inbox_rate + listed.spam_rate + listed.promo_rate).toBeCloseTo(1);
});

test("GET /api/tests/:id has findings, category scores, placement results, delivery timeline, and raw headers", async () => {
  const { ask, receive, analyzeAll } = await worldWithCaller();
  const id = await receive(Buffer.from("Subject: Hello\r\nX-Odd:  two  spaces\r\n\r\nHi.\r\n"));
  await analyzeAll();
  const { json } = await ask("GET", `/api/tests/${id}`);
  expect(json.findings.length).toBeGreaterThan(0);
  expect(json.category_scores.map(({ id: area }: { id: string }) => area)).toContain("authentication");
  const providers = json.placement_results.map(({ provider }: { provider: string }) => provider);
  expect(providers).toEqual(expect.arrayContaining(["gmail", "outlook", "yahoo", "icloud"]));
  expect(json.delivery_timeline).toMatchObject({ hops: expect.any(Array), smtp: expect.any(Array) });
  expect(json.raw_headers).toMatch(/^Subject: Hello\r\nX-Odd: {2}two {2}spaces\r\n/);
});

test("GET /api/tests/:id/eml has the parsed body, attachments, embedded images, and tracking pixels", async () => {
  const { ask, receive } = await worldWithCaller();
  const page =
    '<p>Hi.</p><img src="https://img.sender.example/shoe.png" alt="Shoe" width="300" height="200">' +
    '<img src="https://u1.ct.sendgrid.net/wf/open?upn=u001.abc" width="1" height="1" alt="">';
  const raw = letter(
    ...ordinaryHead,
    multipart(
      "mixed",
      "m",
      part(["Content-Type: text/html; charset=utf-8"], page),
      part(
        [
          "Content-Type: text/csv",
          "Content-Disposition: attachment; filename=list.csv",
          "Content-Transfer-Encoding: base64",
        ],
        base64("a,b\n"),
      ),
    ),
  );
  const { json } = await ask("GET", `/api/tests/${await receive(raw)}/eml`);
  expect(json.body.html).toContain("<p>Hi.</p>");
  expect(json.attachments).toMatchObject([{ filename: "list.csv", size_bytes: 4 }]);
  expect(json.images).toMatchObject([
    { src: expect.stringContaining("shoe.png"), kind: "remote", alt: "Shoe" },
    { src: expect.stringContaining("upn=u001.abc") },
  ]);
  expect(json.tracking_pixels).toMatchObject([{ host: "u1.ct.sendgrid.net" }]);
});

test("POST /api/tests/:id/reanalyze analyzes the stored message again, without a body and without sending it", async () => {
  const { ask, receive, analyzeAll, internet, clock } = await worldWithCaller();
  const id = await receive();
  await analyzeAll();
  expect((await ask("GET", `/api/tests/${id}`)).json.spf).toBe("none");
  internet.zone = { "sender.example": { TXT: ["v=spf1 ip4:192.0.2.1 -all"] } };
  clock.nowMs += 1_000;
  const { status, json } = await ask("POST", `/api/tests/${id}/reanalyze`);
  expect(status).toBe(200);
  expect(json).toMatchObject({ id, spf: "pass", findings: expect.any(Array) });
  expect((await ask("GET", "/api/tests")).json.items).toHaveLength(1);
});

test("a test has a status from received to analyzed, which a re-analysis repeats", async () => {
  const { ask, receive, analyzeAll } = await worldWithCaller();
  const path = `/api/tests/${await receive()}`;
  expect((await ask("GET", path)).json).toMatchObject({ status: "received", composite: null });
  await analyzeAll();
  expect((await ask("GET", path)).json).toMatchObject({ status: "analyzed", composite: expect.any(Number) });
  await ask("POST", `${path}/reanalyze`);
  expect((await ask("GET", path)).json).toMatchObject({ status: "analyzed", composite: expect.any(Number) });
});

test("GET /api/tests/export.csv streams the workspace's tests with the twelve columns in order", async () => {
  const { ask, receive, analyzeAll } = await worldWithCaller();
  const oldest = await receive(Buffer.from("From: Ann <ann@sender.example>\r\nSubject: Hello\r\n\r\nHi.\r\n"));
  await analyzeAll();
  const newest = await receive();
  const { status, headers, text } = await ask("GET", "/api/tests/export.csv");
  expect(status).toBe(200);
  expect(headers.get("content-type")).toMatch(/^text\/csv;/);
  const [columns, ...rows] = text.trimEnd().split("\r\n");
  expect(columns).toBe("id,received_at,from,subject,status,composite,inbox_rate,spam_rate,promo_rate,spf,dkim,dmarc");
  expect(rows.map((row) => row.split(",").slice(0, 5))).toEqual([
    [newest, expect.stringMatching(/^2026-11-21T06:00:00\.\d{3}Z$/), "", "Hello", "received"],
    [oldest, expect.any(String), "Ann <ann@sender.example>", "Hello", "analyzed"],
  ]);
});

test("GET /api/tests/export.csv has at most 5,000 rows", async () => {
  const { ask, store, workspace } = await worldWithCaller();
  await insertTests(store, workspace, numbered(5_001));
  const { text } = await ask("GET", "/api/tests/export.csv");
  const rows = text.trimEnd().split("\r\n").slice(1);
  expect(rows).toHaveLength(5_000);
  expect(rows[0]).toContain("Number 5000");
});

test("GET /api/tests/export.csv takes a limit below the maximum, but not above it", async () => {
  const { ask, store, workspace } = await worldWithCaller();
  await insertTests(store, workspace, numbered(5_001));
  const countOf = async (limit: string) =>
    (await ask("GET", `/api/tests/export.csv?limit=${limit}`)).text.trimEnd().split("\r\n").length - 1;
  expect(await countOf("3")).toBe(3);
  expect(await countOf("5001")).toBe(5_000);
  expect(await countOf("1000000")).toBe(5_000);
  for (const limit of ["0", "-1", "1.5", "x", ""]) {
    const { status, json } = await ask("GET", `/api/tests/export.csv?limit=${limit}`);
    expect(status).toBe(400);
    expect(json).toMatchObject({ error: "invalid_request", field: "limit" });
  }
});

test("GET /api/dashboard/summary has the deliverability score and the inbox, spam, and promo rates", async () => {
  const { ask, receive, analyzeAll } = await worldWithCaller();
  const id = await receive();
  await analyzeAll();
  const { composite, inbox_rate, spam_rate, promo_rate } = (await ask("GET", `/api/tests/${id}`)).json;
  expect((await ask("GET", "/api/dashboard/summary")).json).toMatchObject({
    deliverabilityScore: composite,
    inboxRate: expect.closeTo(inbox_rate),
    spamRate: expect.closeTo(spam_rate),
    promoRate: expect.closeTo(promo_rate),
  });
});

test("GET /api/dashboard/summary has the trend, recent tests, and the top issues of the week", async () => {
  const { ask, receive, analyzeAll } = await worldWithCaller();
  const ids = [await receive(), await receive()];
  await analyzeAll();
  const { trend, recentTests, topIssues } = (await ask("GET", "/api/dashboard/summary")).json;
  expect(trend.at(-1)).toMatchObject({ date: "2026-11-21", tests: 2, score: expect.any(Number) });
  expect(idsOf(recentTests)).toEqual(ids.toReversed());
  expect(topIssues[0]).toMatchObject({ id: expect.stringMatching(/^[\w-]+\.[\w-]+$/), tests: 2, share: 1 });
});
