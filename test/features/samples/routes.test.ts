// The sample gallery through the API: what samples do not affect, and who cannot receive them.

import { expect, test } from "vitest";
import { preparedMessages } from "../../../src/analyzer/samples/messages-table.ts";
import { parsePlans } from "../../../src/features/people/rules/plans.ts";
import { type Outgoing, TransportFailure } from "../../../src/features/sending/work/transports.ts";
import { startHttpWorld } from "../../http/http-world.ts";

async function openLaboratory(options: Parameters<typeof startHttpWorld>[0] = {}) {
  const world = await startHttpWorld(options);
  const openWorkspace = async (name: string) => {
    const { id } = await world.createWorkspace(name);
    const { token } = await world.issueToken(id);
    return { token, workspace: id };
  };
  const asked = await openWorkspace("Ours");
  return { ...world, asked, openWorkspace };
}

const path = "/api/laboratory";

test("some samples are sent by name, and each shows its newest test", async () => {
  const { ask, asked, analyzeAll, clock } = await openLaboratory();
  const body = { ids: ["unsigned", "newsletter", "unsigned"] };
  expect(await ask("POST", path, { ...asked, body })).toMatchObject({ status: 202, json: { sent: 2 } });
  clock.nowMs += 1_000;
  await ask("POST", path, { ...asked, body: { ids: ["unsigned"] } });
  await analyzeAll();
  const { json } = await ask("GET", path, asked);
  const sent = json.items.filter(({ test: of }: { test: unknown }) => of !== null);
  expect(sent).toMatchObject([
    { id: "newsletter", finding: null, severity: null, test: { label: "lab-newsletter", sample: true } },
    { id: "unsigned", finding: "dkim-present.missing", severity: "major", test: { status: "analyzed" } },
  ]);
  expect(sent[1].test.received_at).toBe(new Date(clock.nowMs).toISOString());
});

test("an unknown sample is rejected by name, and nothing is sent", async () => {
  const { ask, asked } = await openLaboratory();
  const refused = await ask("POST", path, { ...asked, body: { ids: ["newsletter", "nonsense"] } });
  expect(refused).toMatchObject({ status: 400, json: { error: "invalid_request", field: "ids.1" } });
  expect((await ask("GET", "/api/tests", asked)).json.total).toBe(0);
});

test("samples reveal nothing about a sender, raise no alert, and reach no other workspace", async () => {
  const { ask, asked, analyzeAll, store, openWorkspace } = await openLaboratory();
  const others = await openWorkspace("Theirs");
  const webhook = { url: "https://192.0.2.9/hook", kind: "json", events: ["test.low_score"], thresholdScore: 100 };
  await ask("POST", "/api/alerts", { ...asked, body: webhook });
  await ask("POST", path, { ...asked, body: {} });
  await analyzeAll();
  expect(await store.read.selectFrom("seen_senders").selectAll().execute()).toEqual([]);
  expect(await store.read.selectFrom("alert_events").selectAll().execute()).toEqual([]);
  expect((await ask("GET", "/api/tests", others)).json.total).toBe(0);
  expect((await ask("DELETE", path, others)).json).toEqual({ deleted: 0 });
  expect((await ask("DELETE", path, asked)).json).toEqual({ deleted: preparedMessages.length });
});

test("samples don't count in a plan's usage, but are rejected in a full month", async () => {
  const file = { plans: { small: { testsPerMonth: 1 } }, default: "small" };
  const reading = parsePlans(JSON.stringify(file));
  if (!reading.ok) throw new Error(reading.problems.join());
  const { ask, asked, receive } = await openLaboratory({ plans: reading.plans });
  expect((await ask("POST", path, { ...asked, body: {} })).status).toBe(202);
  expect((await ask("POST", path, { ...asked, body: {} })).status).toBe(202);
  await receive(asked.workspace);
  const refused = await ask("POST", path, { ...asked, body: {} });
  expect(refused).toMatchObject({ status: 402, json: { error: "plan_limit" } });
});

test("a listener's rejection is quoted with the sample that it rejected", async () => {
  const deliver = () =>
    Promise.reject(new TransportFailure("This server's SMTP listener rejected the message: 452 No room."));
  const road = { transport: "loopback", deliver, close() {} } as const;
  const { ask, asked } = await openLaboratory({ road });
  const refused = await ask("POST", path, { ...asked, body: { ids: ["order"] } });
  expect(refused).toMatchObject({ status: 502, json: { error: "send_failed" } });
  expect(refused.json.message).toBe(
    "“Healthy order confirmation” was not sent. This server's SMTP listener rejected the message: 452 No room.",
  );
});

test("a workspace keeps a limited number of samples until it deletes them", async () => {
  const { ask, asked } = await openLaboratory();
  const send = () => ask("POST", path, { ...asked, body: {} });
  const times = Math.floor(500 / preparedMessages.length);
  for (let time = 0; time < times; time++) expect((await send()).status).toBe(202);
  const message = "A workspace can keep at most 500 samples. Delete them first.";
  expect(await send()).toMatchObject({ status: 409, json: { error: "conflict", message } });
  await ask("DELETE", path, asked);
  expect((await send()).status).toBe(202);
});

test("a workspace's second request waits for another workspace's first", async () => {
  const sent: string[] = [];
  const deliver = async ({ mark }: Outgoing) => {
    // The first takes long enough that the others come meanwhile.
    if (sent.push(mark.workspaceId) === 1) await new Promise((resolve) => setTimeout(resolve, 500));
    return "250 OK";
  };
  const road = { transport: "loopback", deliver, close() {} } as const;
  const { ask, asked, openWorkspace } = await openLaboratory({ road });
  const others = await openWorkspace("Theirs");
  const body = { ids: ["order"] };
  const first = [ask("POST", path, { ...asked, body }), ask("POST", path, { ...asked, body })];
  await expect.poll(() => sent.length, { interval: 5 }).toBe(1);
  await Promise.all([...first, ask("POST", path, { ...others, body })]);
  expect(sent).toEqual([asked.workspace, others.workspace, asked.workspace]);
});
