// Every route with every kind of caller: what each must return, and what must not leak or change. Everything is
// made from the route table and the OpenAPI document, so a new route is covered the day it is added.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { version } from "../../src/analyzer/version.ts";
import type { Endpoint } from "../../src/platform/contract/endpoint.ts";
import { routes } from "../../src/server.ts";
import type { Answered, Asked } from "../http/ask.ts";
import type { HttpWorld } from "../http/http-world.ts";
import { keepPace } from "../http/pace.ts";
import { fewOf, sampleOf } from "../lanes.ts";
import {
  type CallerRow,
  callers,
  forgetSessions,
  openScene,
  openSession,
  outcomeOf,
  owners,
  type Scene,
} from "./callers-table.ts";
import { findIds, type IdPlace, nobodys, putId, toSampleBody } from "./foreign-ids.ts";
import { dumpDatabase, idAt, type Place } from "./places.ts";

const endpoints = routes.map(({ endpoint }) => endpoint);
const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;
const named = (some: readonly Endpoint[]) =>
  some.map((endpoint, index) => [nameOf(endpoint), endpoint, index] as const);

/** All others need a caller (src/decisions.md, "Errors"). */
const publicPaths = [
  "/healthz",
  "/readyz",
  "/api/openapi.json",
  "/api/checks",
  "/api/auth/setup",
  "/api/auth/link",
  "/api/auth/login",
  "/api/auth/logout",
  "/api/auth/invite/accept",
  "/api/auth/reset",
  "/api/auth/reset/request",
  "/api/login-ways",
  "/api/oidc/:issuer/start",
  "/api/oidc/:issuer/callback",
  "/api/auth/oidc/link",
  "/api/auth/oidc/logout",
  // Issuers, which sign what they post.
  "/api/oidc/:issuer/logout",
  "/api/auth/second-factor/options",
  "/api/auth/second-factor",
  "/setup",
  "/invite",
  "/reset",
  "/account.js",
  "/api/billing/webhook",
  // The samples' one click (RFC 8058): GET and POST.
  "/unsubscribe",
  "/unsubscribe",
  ...Array<string>(2).fill("/alert-email/confirm/:token"),
  ...Array<string>(2).fill("/alert-email/unsubscribe/:token"),
  "/api/integrations/:provider/callback",
  "/api/integrations/:provider/undo/:undo",
  // Providers, which sign what they post or know its URL.
  "/hooks/:key",
  "/hooks/:key/mime",
  "/s/:token",
  "/s/:token/message",
  // Visitors, if the operator lets them in.
  ...Array<string>(2).fill("/test"),
  "/test/message",
  "/test/challenge",
  "/test/files/:name",
  "/test/:secret",
  "/test/:secret/state",
  "/test/:secret/message",
  "/test/:secret/delete",
];

let scene: Scene;
let world: HttpWorld;
let ours: Place;
let theirs: Place;

beforeAll(async () => {
  scene = await openScene();
  ({ world, ours, theirs } = scene);
});

afterAll(() => world.close());

function asOwner(): { readonly token: string; readonly workspace: string } {
  return { token: ours.token, workspace: ours.workspaceId };
}

/** Some things need a person. */
async function asOwnerOf(endpoint: Pick<Endpoint, "token">): Promise<Asked> {
  return endpoint.token === "person" ? await asPerson() : asOwner();
}

async function asPerson() {
  return { cookie: await openSession(scene, ours.owner), workspace: ours.workspaceId };
}

describe.each(named(endpoints))("the route %s", (_name, endpoint, index) => {
  const isOpen = endpoint.access === "public" || endpoint.access === "metrics";

  test.each(fewOf(callers, index))("a route answers $caller correctly", async (row) => {
    const outcome = outcomeOf(row, endpoint);
    const asked = await row.credentials(scene);
    const isIn = outcome === "in";
    const answer = isIn ? await askForNothing(endpoint, asked) : await refused(endpoint, asked);
    if (isIn) expect([401, 403]).not.toContain(answer.status);
    else expect(answer.status).toBe(outcome === "refused" ? 403 : outcome);
    expect(answer.headers.get("x-assay-version")).toBe(isIn && !isOpen && endpoint.needs === null ? version : null);
    expect(answer.headers.get("www-authenticate")).toBe(outcome === 401 ? "Bearer" : null);
    if (outcome === 403) expect(answer.text).toBe(await answerForNoWorkspace(asked));
    for (const place of row.neverTold(scene)) expectNothingOf(place, answer);
  });

  test.each(fewOf(owners, index))("a route rejects $caller without a workspace or with another one", async (row) => {
    const { credentials } = row;
    for (const workspace of [
      "",
      "wsp_",
      "nonsense",
      nobodys(ours.workspaceId),
      theirs.workspaceId,
      `${ours.workspaceId}, ${theirs.workspaceId}`,
      ours.workspaceId.toUpperCase(),
      undefined,
    ]) {
      const { workspace: _ours, ...asked } = await credentials(scene);
      const named = { ...asked, ...(workspace === undefined ? {} : { workspace }) };
      const outcome = outcomeOfNamed(row, endpoint, named);
      const answer = outcome === "in" ? await askForNothing(endpoint, named) : await refused(endpoint, named);
      if (outcome === "in") expect([401, 403]).not.toContain(answer.status);
      else expect(answer.status).toBe(outcome);
      expectNothingOf(theirs, answer);
    }
  });
});

/** A token that names no workspace means its own. */
function outcomeOfNamed(row: CallerRow, endpoint: Endpoint, { token, workspace }: Asked): 401 | 403 | "in" {
  const { access } = endpoint;
  if (outcomeOf(row, endpoint) === "refused") return 403;
  if (access === "member" || access === "owner") return 403;
  if (access !== "token" || (token !== undefined && workspace === undefined)) return "in";
  return token === undefined ? 401 : 403;
}

const scopedGets = endpoints.filter(
  ({ access, method }) => (access === "member" || access === "owner") && method === "GET",
);

test.each(named(scopedGets))("the route %s opens no other workspace named in its query", async (_name, endpoint) => {
  const path = pathOf(endpoint, () => ours);
  const name = (workspaces: readonly string[]) => `${path}?${workspaces.map((id) => `workspace=${id}`).join("&")}`;
  for (const { credentials } of owners) {
    const { workspace: _ours, ...asked } = await credentials(scene);
    for (const some of [[theirs.workspaceId], [ours.workspaceId, theirs.workspaceId], [""]]) {
      const answer = await world.ask("GET", name(some), asked);
      // A token takes its workspace from the header alone; that it is missing tells nothing of any workspace.
      expect(answer).toMatchObject({ status: 403, json: { error: "forbidden" } });
      for (const secret of theirs.secrets) expect(answer.text).not.toContain(secret);
      const isOfSession = "cookie" in asked;
      if (isOfSession && some[0] === theirs.workspaceId) expect(answer.text).toBe(await answerForNoWorkspace(asked));
    }
  }
});

/** With our true ids and a body that it takes: only the caller is wrong. Nothing may come of it. */
async function refused(endpoint: Endpoint, asked: Asked): Promise<Answered> {
  keepPace(world.clock, endpoint.path);
  const before = await dumpDatabase(world.store);
  const answer = await world.ask(
    endpoint.method,
    pathOf(endpoint, () => ours),
    { ...asked, ...toSampleBody(endpoint, asked.headers) },
  );
  expect(await dumpDatabase(world.store)).toBe(before);
  if (endpoint.method === "GET") {
    const head = await world.ask(
      "HEAD",
      pathOf(endpoint, () => ours),
      asked,
    );
    expect(head.status).toBe(answer.status);
  }
  return answer;
}

/** Whoever is let in is told what is missing, and nothing is changed. */
async function askForNothing({ method, path }: Endpoint, asked: Asked): Promise<Answered> {
  keepPace(world.clock, path);
  const answer = await world.ask(method, path.replace(/:\w+/g, "nothing"), asked);
  if (method !== "GET") forgetSessions();
  return answer;
}

const inPaths = endpoints.flatMap((endpoint) =>
  [...endpoint.path.matchAll(/(\w[\w-]*)\/:(\w+)/g)].map(([place]) => [nameOf(endpoint), place, endpoint] as const),
);

test.each(sampleOf(inPaths))(
  "the route %s does not find another workspace's object at %s",
  async (_name, place, endpoint) => {
    if (idAt(place, ours) === idAt(place, theirs)) return;
    for (const row of owners) {
      if (outcomeOf(row, endpoint) !== "in") continue;
      const asked = { ...(await row.credentials(scene)), ...toSampleBody(endpoint) };
      const askWith = (id: string) =>
        world.ask(
          endpoint.method,
          pathOf(endpoint, () => ours, { [place]: id }),
          asked,
        );
      await expectTheSame(
        () => askWith(idAt(place, theirs)),
        () => askWith(nobodys(idAt(place, theirs))),
      );
      expect((await askWith(idAt(place, theirs))).status).toBe(404);
    }
  },
);

test("a dump of the database shows later writes", async () => {
  const before = await dumpDatabase(world.store);
  const asked = { ...(await asPerson()), body: { name: "Written since" } };
  const { json } = await world.ask("POST", "/api/workspaces", asked);
  expect(await dumpDatabase(world.store)).not.toBe(before);
  await world.ask("DELETE", `/api/workspaces/${json.id}`, { ...asked, workspace: json.id });
});

test("deleting an invitation to another workspace finds nothing", async () => {
  const asked = await asPerson();
  const remove = (id: string) => world.ask("DELETE", `/api/members/${id}`, asked);
  await expectTheSame(
    () => remove(theirs.invitationId),
    () => remove(nobodys(theirs.invitationId)),
  );
  expect((await remove(theirs.invitationId)).status).toBe(404);
});

const ofWorkspaces = endpoints.filter(({ path }) => path === "/api/workspaces/:id");

test.each(named(ofWorkspaces))("the route %s requires an owner of the named workspace", async (...row) => {
  const [, endpoint] = row;
  expect(ofWorkspaces.map(({ access }) => access)).toEqual(["caller", "caller"]);
  for (const asked of [{ token: ours.membersToken }, { cookie: await openSession(scene, ours.member) }]) {
    const answer = await refused(endpoint, asked);
    expect(answer.status).toBe(403);
    expectNothingOf(theirs, answer);
  }
});

const elsewhere = endpoints.flatMap((endpoint) =>
  findIds(endpoint).map((place) => [nameOf(endpoint), place.words, endpoint, place] as const),
);

test.each(sampleOf(elsewhere))(
  "the route %s treats another workspace's ID in the %s like an unknown one",
  async (...row) => {
    const [, , endpoint, place] = row;
    const foreign = theirs.idsByPrefix[place.prefix];
    if (foreign === undefined) throw new Error(`Say in places.ts which ${place.prefix}_ a workspace has.`);
    await expectTheSame(
      () => askElsewhere(endpoint, place, foreign),
      () => askElsewhere(endpoint, place, nobodys(foreign)),
    );
  },
);

async function askElsewhere(endpoint: Endpoint, place: IdPlace, id: string): Promise<Answered> {
  const { query, body } = putId(endpoint, place, id);
  const asked = { ...(await asOwnerOf(endpoint)), ...body };
  return await world.ask(endpoint.method, `${pathOf(endpoint, () => ours)}${query}`, asked);
}

test("the time of another workspace's report finds no report", async () => {
  const [{ analyzed_at: theirTime }] = (
    await world.ask("GET", `/api/tests/${theirs.testId}/reports`, {
      token: theirs.token,
      workspace: theirs.workspaceId,
    })
  ).json.items;
  const askFor = (time: string) =>
    world.ask("GET", `/api/tests/${ours.testId}/compare/${ours.testId}?report=${time}`, asOwner());
  await expectTheSame(
    () => askFor(theirTime),
    () => askFor("2020-01-01T00:00:00.000Z"),
  );
});

test("only the listed routes are public", () => {
  const open = endpoints.filter(({ access }) => access === "public").map(({ path }) => path);
  expect(open.toSorted()).toEqual(publicPaths.toSorted());
});

/** Nobody can tell the two apart, and nothing of theirs is told or changed. */
async function expectTheSame(
  askForTheirs: () => Promise<Answered>,
  askForNobodys: () => Promise<Answered>,
): Promise<void> {
  const before = await dumpDatabase(world.store, theirs);
  const answer = await askForTheirs();
  const unknown = await askForNobodys();
  expect(answer.status).toBe(unknown.status);
  expect(answer.text).toBe(unknown.text);
  expectNothingOf(theirs, answer);
  expect(await dumpDatabase(world.store, theirs)).toBe(before);
}

/** What the same caller gets for a workspace that doesn't exist: nothing may tell it from one that does. */
async function answerForNoWorkspace(asked: Asked): Promise<string> {
  const workspace = nobodys(ours.workspaceId);
  return (await world.ask("GET", "/api/tokens", { ...asked, workspace })).text;
}

function expectNothingOf({ secrets }: Place, { text, headers }: Answered): void {
  const told = `${text}\n${JSON.stringify([...headers])}`;
  for (const secret of secrets) expect(told).not.toContain(secret);
}

/** With the ids of the place that each says, but where `instead` has one. */
function pathOf({ path }: Endpoint, whose: () => Place, instead: Readonly<Record<string, string>> = {}): string {
  return path.replace(/(\w[\w-]*)\/:(\w+)/g, (place, before: string) => {
    return `${before}/${instead[place] ?? idAt(place, whose())}`;
  });
}
