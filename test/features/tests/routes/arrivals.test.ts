import { expect, test } from "vitest";
import { aBounce, anAutoReply, aReport, notice, report } from "../../../http/arrivals.ts";
import { startHttpWorld } from "../../../http/http-world.ts";
import { insertDomain } from "../../../platform/database/nouns.ts";

async function worldWithArrivals() {
  const world = await startHttpWorld();
  const { id: workspace } = await world.createWorkspace("Ours");
  const { token } = await world.issueToken(workspace);
  const get = (path: string) => world.ask("GET", path, { token, workspace });
  const testId = await world.receive(workspace);
  const ids: string[] = [];
  const complaint = { kind: "complaint", notice: { ...notice, feedbackType: "abuse" } } as const;
  for (const recognised of [aBounce, complaint, aReport, anAutoReply]) {
    world.clock.nowMs += 1;
    const envelope = { subject: `A ${recognised.kind}`, from: "mx@receiver.example" };
    ids.push(await world.receiveNoTest(workspace, { recognised, ...envelope, authenticated: true }));
  }
  return { get, testId, ids };
}

test("a message that is not a test is in no list of tests", async () => {
  const { get, testId, ids } = await worldWithArrivals();
  expect((await get("/api/tests")).json.items).toMatchObject([{ id: testId }]);
  for (const id of ids) {
    expect((await get(`/api/tests/${id}`)).status).toBe(404);
    expect((await get(`/api/tests/${id}/raw`)).status).toBe(404);
  }
});

test("GET /api/bounces lists bounces and complaints newest first, each with its source", async () => {
  const { get } = await worldWithArrivals();
  const { json } = await get("/api/bounces?limit=1");
  expect(json).toMatchObject({ items: [{ kind: "complaint", feedbackType: "abuse" }], limit: 1, offset: 0 });
  const [bounce] = (await get(`/api/bounces?cursor=${json.next}`)).json.items;
  expect(bounce).toEqual({
    id: expect.stringMatching(/^bnc_/),
    kind: "bounce",
    receivedAt: "2026-11-21T06:00:00.001Z",
    provider: null,
    providerName: null,
    authenticated: true,
    reportingMta: "mx.receiver.example",
    recipients: notice.recipients.map((recipient) => ({
      ...recipient,
      do: "suppress",
      advice: "Suppress it: remove the address from your list.",
    })),
    feedbackType: null,
    sourceIp: null,
    originalMessageId: null,
    sendId: null,
    testId: null,
  });
  expect((await get("/api/bounces?offset=1")).json.items).toEqual([bounce]);
  expect((await get(`/api/bounces/${bounce.id}`)).json).toEqual(bounce);
  const raw = await get(`/api/bounces/${bounce.id}/raw`);
  expect(raw.text).toBe("Subject: Hello\r\n\r\nHi.\r\n");
  expect(raw.headers.get("content-disposition")).toBe(`attachment; filename="${bounce.id}.eml"`);
});

test("GET /api/reports and /api/auto-replies list their kinds of messages", async () => {
  const { get, ids } = await worldWithArrivals();
  const [report, ...others] = (await get("/api/reports")).json.items;
  expect(others).toEqual([]);
  expect(report).toMatchObject({
    id: expect.stringMatching(/^rpt_/),
    type: "dmarc",
    domain: "sender.example",
    beginsAt: "1970-01-01T00:00:01.000Z",
    total: 10,
    failed: 1,
    counted: true,
  });
  expect((await get(`/api/reports/${report.id}`)).json).toEqual({
    ...report,
    policy: null,
    sources: [],
    tlsPolicies: [],
  });
  expect((await get(`/api/reports/${report.id}/raw`)).status).toBe(200);
  const replies = (await get("/api/auto-replies")).json.items;
  expect(replies).toEqual([
    {
      id: ids[3],
      receivedAt: "2026-11-21T06:00:00.004Z",
      from: "mx@receiver.example",
      subject: "A auto-reply",
      to: ["anyone@seed.example"],
    },
  ]);
  expect((await get(`/api/auto-replies/${ids[3]}/raw`)).status).toBe(200);
  expect((await get(`/api/auto-replies/${ids[0]}/raw`)).status).toBe(404);
});

test("GET /api/reports lists each report of a message, with the message that contained it", async () => {
  const world = await startHttpWorld();
  const { id: workspace } = await world.createWorkspace("Ours");
  const { token } = await world.issueToken(workspace);
  await world.receiveNoTest(workspace, { recognised: { ...aReport, more: [{ ...report, reportId: "2" }] } });
  const { total, items } = (await world.ask("GET", "/api/reports", { token, workspace })).json;
  expect([total, items.length]).toEqual([2, 2]);
  for (const { id } of items)
    expect((await world.ask("GET", `/api/reports/${id}/raw`, { token, workspace })).text).toContain("Subject: Hello");
});

test("GET /api/reports/domains sums the authenticated DMARC reports of the last days, monitored domains first", async () => {
  const world = await startHttpWorld();
  const { id: workspace } = await world.createWorkspace("Ours");
  const { token } = await world.issueToken(workspace);
  const domainId = `dom_${"b".repeat(26)}`;
  await world.store.write((db) => insertDomain(db, { id: domainId, workspaceId: workspace, domain: "b.example" }));
  const receive = (changed: Partial<typeof report>, authenticated = true) =>
    world.receiveNoTest(workspace, {
      recognised: { kind: "report", report: { ...report, ...changed } },
      sender: { domain: "receiver.example", authenticated },
    });
  await receive({ domain: "old.example" });
  world.clock.nowMs += 8 * 86_400_000;
  await receive({ domain: "a.example", reportId: "2", total: 100, failed: 50 });
  for (const reportId of ["3", "4", "4"]) await receive({ domain: "b.example", reportId, total: 20, failed: 5 });
  await receive({ domain: "b.example", reportId: "5", type: "tls", failed: 9 });
  const forged = { total: 100_000_000_000, failed: 100_000_000_000 };
  await receive({ domain: "b.example", reportId: "6", ...forged }, false);
  for (let at = 0; at < 100; at++) await receive({ domain: `invented-${at}.example`, ...forged }, false);
  const list = async (path: string) => (await world.ask("GET", path, { token, workspace })).json.items;
  const none = { reports: 0, messages: 0, failed: 0 };
  const [first, second, ...others] = await list("/api/reports/domains?days=7");
  expect([first, second]).toEqual([
    {
      domain: "b.example",
      domainId,
      reports: 2,
      messages: 40,
      failed: 10,
      unauthenticated: { reports: 1, messages: forged.total, failed: forged.failed },
    },
    { domain: "a.example", domainId: null, reports: 1, messages: 100, failed: 50, unauthenticated: none },
  ]);
  expect(others).toHaveLength(98);
  expect(others[0]).toMatchObject({ ...none, unauthenticated: { reports: 1 } });
  expect((await list("/api/reports/domains")).map(({ domain }: { domain: string }) => domain)).toContain("old.example");
});

test.each(["/api/bounces", "/api/reports", "/api/auto-replies"])(
  "GET %s rejects an invalid cursor like the list of tests",
  async (path) => {
    const { get } = await worldWithArrivals();
    const refused = await get("/api/tests?cursor=cut-short");
    expect(refused).toMatchObject({ status: 400, json: { error: "invalid_request", field: "cursor" } });
    const { status, json } = await get(`${path}?cursor=cut-short`);
    expect({ status, json }).toEqual({ status: refused.status, json: refused.json });
  },
);
