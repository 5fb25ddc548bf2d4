// Every route, asked by everyone who may not. Made from the route table, so that a new route is covered the day it is added:
// one with an id in its path fails here until it says below whose id must stay out of reach.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Access, Endpoint } from "../../src/api/endpoint.ts";
import { routes } from "../../src/http/app.ts";
import { aBounce, anAutoReply, aReport } from "../http/arrivals.ts";
import { type Answered, type HttpWorld, openHttpWorld } from "../http/http-world.ts";
import { addMember } from "../http/people.ts";

const endpoints = routes.map(({ endpoint }) => endpoint);
const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;

/** decisions §2: all others need a caller. */
const publicPaths = [
  "/healthz",
  "/readyz",
  "/api/openapi.json",
  "/",
  "/docs",
  "/api/checks",
  "/docs/checks",
  "/api/billing/webhook",
];

type Place = Awaited<ReturnType<typeof furnish>>;

/** What a route with ids is tried with: those of the other workspace, and a body that it would take. */
const foreign: Readonly<Record<string, (theirs: Place) => { ids: Record<string, string>; body?: unknown }>> =
  {
    "PATCH /api/workspaces/:id": (theirs) => ({ ids: { id: theirs.workspaceId }, body: { name: "Ours" } }),
    "DELETE /api/workspaces/:id": (theirs) => ({ ids: { id: theirs.workspaceId } }),
    "PATCH /api/members/:id": (theirs) => ({ ids: { id: theirs.userId }, body: { role: "owner" } }),
    "DELETE /api/members/:id": (theirs) => ({ ids: { id: theirs.userId } }),
    "DELETE /api/tokens/:id": (theirs) => ({ ids: { id: theirs.tokenId } }),
    "GET /api/tests/:id": (theirs) => ({ ids: { id: theirs.testId } }),
    "GET /api/tests/:id/raw": (theirs) => ({ ids: { id: theirs.testId } }),
    "GET /api/tests/:id/eml": (theirs) => ({ ids: { id: theirs.testId } }),
    "GET /api/tests/:id/attachments/:part": (theirs) => ({ ids: { id: theirs.testId, part: "1" } }),
    "GET /preview/:id": (theirs) => ({ ids: { id: theirs.testId } }),
    "DELETE /api/tests/:id": (theirs) => ({ ids: { id: theirs.testId } }),
    "POST /api/tests/:id/reanalyze": (theirs) => ({ ids: { id: theirs.testId } }),
    "POST /api/tests/:id/what-if": (theirs) => ({
      ids: { id: theirs.testId },
      body: { records: [{ name: "a.example", type: "TXT", values: ["hello"] }] },
    }),
    "GET /api/tests/:id/compare/:other": (theirs) => ({ ids: { id: theirs.testId, other: theirs.testId } }),
    "GET /api/tests/:id/reports": (theirs) => ({ ids: { id: theirs.testId } }),
    "PATCH /api/seed-inboxes/:id": (theirs) => ({ ids: { id: theirs.inboxId }, body: { label: "Ours" } }),
    "DELETE /api/seed-inboxes/:id": (theirs) => ({ ids: { id: theirs.inboxId } }),
    "GET /api/bounces/:id": (theirs) => ({ ids: { id: theirs.bounceId } }),
    "GET /api/bounces/:id/raw": (theirs) => ({ ids: { id: theirs.bounceId } }),
    "GET /api/reports/:id/raw": (theirs) => ({ ids: { id: theirs.mailReportId } }),
    "GET /api/auto-replies/:id/raw": (theirs) => ({ ids: { id: theirs.autoReplyId } }),
  };

type Callers = Readonly<
  Record<"nobody" | "badToken" | "revoked" | "expired" | "outsider" | "owner", string | undefined>
>;

let world: HttpWorld;
let ours: Place;
let theirs: Place;
let callers: Callers;

beforeAll(async () => {
  world = await openHttpWorld();
  ours = await furnish("ours");
  theirs = await furnish("theirs");
  const revoked = await world.issueToken(ours.workspaceId);
  const expired = await world.issueToken(ours.workspaceId, world.clock.nowMs + 1);
  await world.ask("DELETE", `/api/tokens/${revoked.row.id}`, {
    token: ours.token,
    workspace: ours.workspaceId,
  });
  world.clock.nowMs += 1;
  callers = {
    nobody: undefined,
    badToken: `asy_${"z".repeat(40)}`,
    revoked: revoked.token,
    expired: expired.token,
    outsider: theirs.token,
    owner: ours.token,
  };
});

afterAll(() => world.close());

async function furnish(name: string) {
  const workspace = await world.createWorkspace(`${name}-workspace`);
  const { token, row } = await world.issueToken(workspace.id);
  const { userId } = await addMember(world, workspace.id, { email: `${name}@example.com`, role: "owner" });
  const asked = { token, workspace: workspace.id };
  const firstId = async (path: string) => (await world.ask("GET", path, asked)).json.items[0].id as string;
  for (const recognised of [aBounce, aReport, anAutoReply])
    await world.receiveNoTest(workspace.id, { recognised });
  return {
    workspaceId: workspace.id,
    seedAddress: workspace.seed_address,
    token,
    tokenId: row.id,
    userId,
    testId: await world.receive(workspace.id),
    inboxId: await firstId("/api/seed-inboxes"),
    bounceId: await firstId("/api/bounces"),
    mailReportId: await firstId("/api/reports"),
    autoReplyId: await firstId("/api/auto-replies"),
  };
}

describe.each(endpoints.map((endpoint) => [nameOf(endpoint), endpoint] as const))("%s", (_name, endpoint) => {
  const whoGets: Readonly<Record<Access, Readonly<Record<keyof Callers, 401 | 403 | "in">>>> = {
    public: { nobody: "in", badToken: "in", revoked: "in", expired: "in", outsider: "in", owner: "in" },
    // Asked on loopback; who else may is told in health.test.ts.
    metrics: { nobody: "in", badToken: "in", revoked: "in", expired: "in", outsider: "in", owner: "in" },
    caller: { nobody: 401, badToken: 403, revoked: 403, expired: 403, outsider: "in", owner: "in" },
    member: { nobody: 401, badToken: 403, revoked: 403, expired: 403, outsider: 403, owner: "in" },
    owner: { nobody: 401, badToken: 403, revoked: 403, expired: 403, outsider: 403, owner: "in" },
  };

  test.each(Object.entries(whoGets[endpoint.access]))("asked by %s: %s", async (caller, outcome) => {
    const answer = await ask(endpoint, callers[caller as keyof Callers], ours.workspaceId);
    if (outcome === "in") expect([401, 403]).not.toContain(answer.status);
    else expect(answer.status).toBe(outcome);
    const isKnown = outcome === "in" && endpoint.access !== "public" && endpoint.access !== "metrics";
    expect(answer.headers.get("x-assay-version")).toBe(isKnown ? "1.2.3" : null);
    if (caller === "owner") expectNothingOf(theirs, answer);
    if (caller === "outsider") expectNothingOf(ours, answer);
    if (outcome === 403) expect(answer.json).toEqual(await aForbiddenAnswer());
  });

  test("asked by an owner without naming a workspace, or naming what is none", async () => {
    for (const workspace of [
      undefined,
      "",
      "wsp_",
      "nonsense",
      theirs.workspaceId,
      `${ours.workspaceId}, ${theirs.workspaceId}`,
    ]) {
      const answer = await ask(endpoint, callers.owner, workspace);
      const isScoped = endpoint.access === "member" || endpoint.access === "owner";
      expect(answer.status === 403).toBe(isScoped);
      expectNothingOf(theirs, answer);
    }
  });
});

const withIds = endpoints.filter(({ path }) => path.includes(":"));

test.each(withIds.map((endpoint) => [nameOf(endpoint), endpoint] as const))(
  "%s does not find what belongs to another workspace",
  async (_name, endpoint) => {
    const sample = foreign[nameOf(endpoint)]?.(theirs);
    if (sample === undefined)
      throw new Error(`Say in \`foreign\` which ids ${nameOf(endpoint)} is to be tried with.`);
    const asked = { token: ours.token, workspace: ours.workspaceId, body: sample.body };
    const before = await everythingOf(theirs);
    const foreignAnswer = await world.ask(endpoint.method, fill(endpoint.path, sample.ids), asked);
    const nowhere = Object.fromEntries(
      Object.entries(sample.ids).map(([key, id]) => [key, `${id.slice(0, 4)}${"0".repeat(26)}`]),
    );
    const unknownAnswer = await world.ask(endpoint.method, fill(endpoint.path, nowhere), asked);
    expect(foreignAnswer.status).toBe(404);
    expect(foreignAnswer.text).toBe(unknownAnswer.text);
    expect(await everythingOf(theirs)).toEqual(before);
  },
);

test("only these routes are open to anyone", () => {
  const open = endpoints.filter(({ access }) => access === "public").map(({ path }) => path);
  expect(open).toEqual(publicPaths);
});

/** With an empty body: whoever is let in is told what is missing, and nothing is changed. */
function ask(
  endpoint: Endpoint,
  token: string | undefined,
  workspace: string | undefined,
): Promise<Answered> {
  const path = endpoint.path.replace(/:\w+/g, "nothing");
  return world.ask(endpoint.method, path, {
    ...(token === undefined ? {} : { token }),
    ...(workspace === undefined ? {} : { workspace }),
  });
}

async function aForbiddenAnswer(): Promise<unknown> {
  return (await world.ask("GET", "/api/me", { token: "asy_unknown" })).json;
}

/** All that its own owner can read, but when its tokens were used: that is noted behind the answers. */
async function everythingOf({ token, workspaceId }: Place): Promise<string> {
  const lists = endpoints.filter(
    ({ method, path, access }) =>
      method === "GET" && !path.includes(":") && access !== "public" && access !== "metrics",
  );
  const answers = await Promise.all(
    lists.map(({ path }) => world.ask("GET", path, { token, workspace: workspaceId })),
  );
  return JSON.stringify(
    answers.map(({ json }) => json),
    (key, value) => (key === "lastUsedAt" ? undefined : value),
  );
}

function expectNothingOf(place: Place, { text }: Answered): void {
  for (const secret of Object.values(place)) expect(text).not.toContain(secret);
}

function fill(path: string, ids: Readonly<Record<string, string>>): string {
  return path.replace(/:(\w+)/g, (_all, key: string) => ids[key] ?? "missing");
}
