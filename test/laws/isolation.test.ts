// Every route, asked by everyone who may not. Made from the route table, so that a new route is covered the day it is added:
// one with an id in its path fails here until it says below whose id must stay out of reach.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Endpoint } from "../../src/api/endpoint.ts";
import { routes } from "../../src/http/app.ts";
import { inWorkspace } from "../../src/store/scope.ts";
import { aBounce, anAutoReply, aReport } from "../http/arrivals.ts";
import { type Answered, type Asked, type HttpWorld, openHttpWorld } from "../http/http-world.ts";

const endpoints = routes.map(({ endpoint }) => endpoint);
const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;

/** decisions §2: all others need a caller. */
const publicPaths = [
  ...["/healthz", "/readyz", "/api/openapi.json", "/", "/docs", "/api/checks", "/docs/checks"],
  ...["/api/auth/setup", "/api/auth/login", "/api/auth/logout", "/api/auth/invite/accept", "/api/auth/reset"],
  ...["/setup", "/invite", "/reset", "/account.js"],
  "/api/billing/webhook",
  "/s/:token",
];

type Place = Awaited<ReturnType<typeof furnish>>;

/** What a route with ids is tried with: those of the other workspace, and a body that it would take. */
const foreign: Readonly<Record<string, (theirs: Place) => { ids: Record<string, string>; body?: unknown }>> =
  {
    "PATCH /api/workspaces/:id": (theirs) => ({ ids: { id: theirs.workspaceId }, body: { name: "Ours" } }),
    "DELETE /api/workspaces/:id": (theirs) => ({ ids: { id: theirs.workspaceId } }),
    "PATCH /api/members/:id": (theirs) => ({ ids: { id: theirs.ownerId }, body: { role: "owner" } }),
    "DELETE /api/members/:id": (theirs) => ({ ids: { id: theirs.ownerId } }),
    "DELETE /api/sessions/:id": (theirs) => ({ ids: { id: theirs.sessionId } }),
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
    "POST /api/tests/:id/shares": (theirs) => ({ ids: { id: theirs.testId } }),
    "GET /api/tests/:id/shares": (theirs) => ({ ids: { id: theirs.testId } }),
    "DELETE /api/shares/:id": (theirs) => ({ ids: { id: theirs.shareId } }),
    "PATCH /api/seed-inboxes/:id": (theirs) => ({ ids: { id: theirs.inboxId }, body: { label: "Ours" } }),
    "DELETE /api/seed-inboxes/:id": (theirs) => ({ ids: { id: theirs.inboxId } }),
    "GET /api/bounces/:id": (theirs) => ({ ids: { id: theirs.bounceId } }),
    "GET /api/bounces/:id/raw": (theirs) => ({ ids: { id: theirs.bounceId } }),
    "GET /api/reports/:id/raw": (theirs) => ({ ids: { id: theirs.mailReportId } }),
    "GET /api/auto-replies/:id/raw": (theirs) => ({ ids: { id: theirs.autoReplyId } }),
  };

/** Each makes anew what it comes with: what is asked may end a session. */
type Callers = Readonly<Record<CallerName, () => Asked | Promise<Asked>>>;
type CallerName =
  | ("nobody" | "badToken" | "revoked" | "expired" | "outsider" | "owner" | "memberToken" | "leaver")
  | ("outsiderSession" | "ownerSession" | "memberSession" | "endedSession" | "otherPage" | "noPage");

/** 403 is the one sentence for all that does not open; "refused" is 403 with a sentence of its own. */
type Outcome = 401 | 403 | "in" | "refused";

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
  const member = await world.addPerson(ours.workspaceId, "member");
  const memberToken = await world.issueToken(ours.workspaceId, null, member.id);
  const ended = (await world.openSession(ours.ownerId)).cookie;
  await world.ask("POST", "/api/auth/logout", { cookie: ended });
  const ownersFrom = async (headers: Record<string, string>) => {
    const { cookie } = await world.openSession(ours.ownerId);
    return { headers: { cookie, ...headers } };
  };
  callers = {
    nobody: () => ({}),
    badToken: () => ({ token: `asy_${"z".repeat(40)}` }),
    revoked: () => ({ token: revoked.token }),
    expired: () => ({ token: expired.token }),
    outsider: () => ({ token: theirs.token }),
    owner: () => ({ token: ours.token }),
    memberToken: () => ({ token: memberToken.token }),
    leaver: () => ({ token: ours.leaversToken }),
    outsiderSession: () => world.openSession(theirs.ownerId),
    ownerSession: () => world.openSession(ours.ownerId),
    memberSession: () => world.openSession(member.id),
    endedSession: () => ({ cookie: ended }),
    otherPage: () => ownersFrom({ origin: "https://elsewhere.example" }),
    noPage: () => ownersFrom({}),
  };
});

afterAll(() => world.close());

async function furnish(name: string) {
  const workspace = await world.createWorkspace(`${name}-workspace`);
  const { token, row } = await world.issueToken(workspace.id);
  const person = await world.addPerson(workspace.id, "owner", `${name}-person`);
  const { sessionId } = await world.openSession(person.id);
  // Of somebody else, because a person keeps only so many sessions, and those above are to stay.
  const { id: ownerId } = await world.addPerson(workspace.id, "owner", `${name}-owner`);
  const leaver = await world.addPerson(workspace.id, "owner", `${name}-leaver`);
  const leavers = await world.issueToken(workspace.id, null, leaver.id);
  await world.store.write((db) =>
    inWorkspace(db, workspace.id).deleteFrom("memberships").where("user_id", "=", leaver.id).execute(),
  );
  const asked = { token, workspace: workspace.id };
  const firstId = async (path: string) => (await world.ask("GET", path, asked)).json.items[0].id as string;
  for (const recognised of [aBounce, aReport, anAutoReply])
    await world.receiveNoTest(workspace.id, { recognised });
  const testId = await world.receive(workspace.id);
  return {
    workspaceId: workspace.id,
    seedAddress: workspace.seed_address,
    token,
    tokenId: row.id,
    ownerId,
    personsName: person.name,
    cookie: person.cookie,
    sessionId,
    leaversToken: leavers.token,
    testId,
    shareId: (await world.ask("POST", `/api/tests/${testId}/shares`, asked)).json.id as string,
    inboxId: await firstId("/api/seed-inboxes"),
    bounceId: await firstId("/api/bounces"),
    mailReportId: await firstId("/api/reports"),
    autoReplyId: await firstId("/api/auto-replies"),
  };
}

describe.each(endpoints.map((endpoint) => [nameOf(endpoint), endpoint] as const))("%s", (_name, endpoint) => {
  test.each(Object.entries(whoGets(endpoint)))("asked by %s: %s", async (caller, outcome) => {
    const answer = await ask(endpoint, await callers[caller as CallerName](), ours.workspaceId);
    if (outcome === "in") expect([401, 403]).not.toContain(answer.status);
    else expect(answer.status).toBe(outcome === "refused" ? 403 : outcome);
    const isKnown = outcome === "in" && endpoint.access !== "public" && endpoint.access !== "metrics";
    expect(answer.headers.get("x-assay-version")).toBe(isKnown ? "1.2.3" : null);
    expectNothingOf(caller.startsWith("outsider") ? ours : theirs, answer);
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
      const answer = await ask(endpoint, await callers.owner(), workspace);
      const isScoped = endpoint.access === "member" || endpoint.access === "owner";
      expect(answer.status === 403).toBe(isScoped);
      expectNothingOf(theirs, answer);
    }
  });
});

/** A share link is for anyone who has it: shares.test.ts. */
const withIds = endpoints.filter(({ path, access }) => path.includes(":") && access !== "public");
const usedAt = new Set(["lastUsedAt", "lastSeenAt", "expiresAt"]);

test.each(withIds.map((endpoint) => [nameOf(endpoint), endpoint] as const))(
  "%s does not find what belongs to another workspace",
  async (_name, endpoint) => {
    const sample = foreign[nameOf(endpoint)]?.(theirs);
    if (sample === undefined)
      throw new Error(`Say in \`foreign\` which ids ${nameOf(endpoint)} is to be tried with.`);
    const before = await everythingOf(theirs);
    const nowhere = Object.fromEntries(
      Object.entries(sample.ids).map(([key, id]) => [key, `${id.slice(0, 4)}${"0".repeat(26)}`]),
    );
    for (const caller of [await callers.owner(), await callers.ownerSession()]) {
      const asked = { ...caller, workspace: ours.workspaceId, body: sample.body };
      const foreignAnswer = await world.ask(endpoint.method, fill(endpoint.path, sample.ids), asked);
      const unknownAnswer = await world.ask(endpoint.method, fill(endpoint.path, nowhere), asked);
      expect(foreignAnswer.status).toBe(404);
      expect(foreignAnswer.text).toBe(unknownAnswer.text);
    }
    expect(await everythingOf(theirs)).toEqual(before);
  },
);

test("only these routes are open to anyone", () => {
  const open = endpoints.filter(({ access }) => access === "public").map(({ path }) => path);
  expect(open).toEqual(publicPaths);
});

function whoGets({ access, method }: Endpoint): Readonly<Record<CallerName, Outcome>> {
  const everyone = { nobody: "in", badToken: "in", revoked: "in", expired: "in", leaver: "in" } as const;
  const insiders = { owner: "in", ownerSession: "in", memberToken: "in", memberSession: "in" } as const;
  const outsiders = { outsider: "in", outsiderSession: "in", endedSession: "in" } as const;
  // A browser sends the cookie for any page, so that what changes something must say that it comes from one of ours.
  const page = method === "GET" ? "in" : "refused";
  const pages = { otherPage: page, noPage: page } as const;
  // Asked on loopback; who else may see the figures is told in health.test.ts.
  if (access === "public" || access === "metrics")
    return { ...everyone, ...insiders, ...outsiders, ...pages };
  const strangers = { nobody: 401, badToken: 403, revoked: 403, expired: 403, leaver: 403 } as const;
  const known = { ...strangers, ...insiders, ...outsiders, endedSession: 401, ...pages } as const;
  if (access === "caller") return known;
  const ofHere = { ...known, outsider: 403, outsiderSession: 403 } as const;
  return access === "member" ? ofHere : { ...ofHere, memberToken: "refused", memberSession: "refused" };
}

/** With an empty body: whoever is let in is told what is missing, and nothing is changed. */
function ask(endpoint: Endpoint, caller: Asked, workspace: string | undefined): Promise<Answered> {
  const path = endpoint.path.replace(/:\w+/g, "nothing");
  // As slowly as the limit there allows.
  if (path.startsWith("/api/auth/")) world.clock.nowMs += 2_001;
  return world.ask(endpoint.method, path, { ...caller, ...(workspace === undefined ? {} : { workspace }) });
}

async function aForbiddenAnswer(): Promise<unknown> {
  return (await world.ask("GET", "/api/me", { token: "asy_unknown" })).json;
}

/** All that its own owner can read, but when its tokens and sessions were used: that is noted behind the answers. */
async function everythingOf({ cookie, workspaceId }: Place): Promise<string> {
  const lists = endpoints.filter(
    ({ method, path, access }) =>
      method === "GET" && !path.includes(":") && access !== "public" && access !== "metrics",
  );
  const answers = await Promise.all(
    lists.map(({ path }) => world.ask("GET", path, { cookie, workspace: workspaceId })),
  );
  return JSON.stringify(
    answers.map(({ json }) => json),
    (key, value) => (usedAt.has(key) ? undefined : value),
  );
}

function expectNothingOf(place: Place, { text }: Answered): void {
  for (const secret of Object.values(place)) expect(text).not.toContain(secret);
}

function fill(path: string, ids: Readonly<Record<string, string>>): string {
  return path.replace(/:(\w+)/g, (_all, key: string) => ids[key] ?? "missing");
}
