// Every route, asked by everyone: what each must be answered, what must not leak, what must not change. All of it is made
// from the route table and the OpenAPI document, so that a new route is covered the day it is added.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Access, Endpoint } from "../../src/api/endpoint.ts";
import { routes } from "../../src/http/app.ts";
import type { Answered, Asked } from "../http/ask.ts";
import { type HttpWorld, openHttpWorld } from "../http/http-world.ts";
import { findIds, type IdPlace, nobodys, putId, toSampleBody } from "./foreign-ids.ts";
import { dumpDatabase, furnish, idAt, type Place } from "./places.ts";

const endpoints = routes.map(({ endpoint }) => endpoint);
const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;
const named = (some: readonly Endpoint[]) => some.map((endpoint) => [nameOf(endpoint), endpoint] as const);

/** decisions §2: all others need a caller. */
const publicPaths = ["/healthz", "/readyz", "/api/openapi.json", "/", "/docs", "/api/checks", "/docs/checks"];

let world: HttpWorld;
let ours: Place;
let theirs: Place;
let revoked: string;
let expired: string;

type Outcome = 401 | 403 | "in";

type CallerRow = {
  readonly caller: string;
  /** How they ask for what is ours. */
  readonly credentials: () => Asked;
  readonly gets: Readonly<Record<Access, Outcome>>;
  /** Whose things no answer to them may tell of. */
  readonly neverTold: () => readonly Place[];
};

const nothingOpen = { public: "in", metrics: "in", caller: 403, member: 403, owner: 403 } as const;
const withToken = (token: () => string) => () => ({ token: token(), workspace: ours.workspaceId });
const all = () => [ours, theirs];

/** Metrics are asked for on loopback; who else may is told in health.test.ts. */
const callers: readonly CallerRow[] = [
  {
    caller: "nobody",
    credentials: () => ({ workspace: ours.workspaceId }),
    gets: { ...nothingOpen, caller: 401, member: 401, owner: 401 },
    neverTold: all,
  },
  {
    caller: "somebody with another scheme",
    credentials: () => ({ workspace: ours.workspaceId, headers: { authorization: `Basic ${btoa("a:b")}` } }),
    gets: nothingOpen,
    neverTold: all,
  },
  {
    caller: "a token that nobody issued",
    credentials: withToken(() => `asy_${"z".repeat(40)}`),
    gets: nothingOpen,
    neverTold: all,
  },
  { caller: "a revoked token", credentials: withToken(() => revoked), gets: nothingOpen, neverTold: all },
  { caller: "an expired token", credentials: withToken(() => expired), gets: nothingOpen, neverTold: all },
  {
    caller: "a token of another workspace",
    credentials: withToken(() => theirs.token),
    gets: { ...nothingOpen, caller: "in" },
    neverTold: () => [ours],
  },
  {
    caller: "an owner's token",
    credentials: withToken(() => ours.token),
    gets: { public: "in", metrics: "in", caller: "in", member: "in", owner: "in" },
    neverTold: () => [theirs],
  },
];

beforeAll(async () => {
  world = await openHttpWorld();
  ours = await furnish(world, "ours");
  theirs = await furnish(world, "theirs");
  const toRevoke = await world.issueToken(ours.workspaceId);
  const toExpire = await world.issueToken(ours.workspaceId, world.clock.nowMs + 1);
  await world.ask("DELETE", `/api/tokens/${toRevoke.row.id}`, asOwner());
  world.clock.nowMs += 1;
  revoked = toRevoke.token;
  expired = toExpire.token;
});

afterAll(() => world.close());

function asOwner(): { readonly token: string; readonly workspace: string } {
  return { token: ours.token, workspace: ours.workspaceId };
}

describe.each(named(endpoints))("%s", (_name, endpoint) => {
  const isOpen = endpoint.access === "public" || endpoint.access === "metrics";

  test.each(callers)("asked by $caller", async ({ credentials, gets, neverTold }) => {
    const outcome = gets[endpoint.access];
    const asked = credentials();
    const answer = outcome === "in" ? await askForNothing(endpoint, asked) : await refused(endpoint, asked);
    if (outcome === "in") expect([401, 403]).not.toContain(answer.status);
    else expect(answer.status).toBe(outcome);
    expect(answer.headers.get("x-assay-version")).toBe(outcome === "in" && !isOpen ? "1.2.3" : null);
    expect(answer.headers.get("www-authenticate")).toBe(outcome === 401 ? "Bearer" : null);
    if (outcome === 403) expect(answer.text).toBe(await aForbiddenAnswer());
    for (const place of neverTold()) expectNothingOf(place, answer);
  });

  test("asked by an owner without naming a workspace, or naming what is none of theirs", async () => {
    const isScoped = endpoint.access === "member" || endpoint.access === "owner";
    for (const workspace of [
      ...["", "wsp_", "nonsense", nobodys(ours.workspaceId), theirs.workspaceId],
      ...[`${ours.workspaceId}, ${theirs.workspaceId}`, ours.workspaceId.toUpperCase(), undefined],
    ]) {
      const asked = { token: ours.token, ...(workspace === undefined ? {} : { workspace }) };
      const answer = isScoped ? await refused(endpoint, asked) : await askForNothing(endpoint, asked);
      expect(answer.status === 403).toBe(isScoped);
      expectNothingOf(theirs, answer);
    }
  });
});

/** With our true ids and a body that it takes: only the caller is wrong. Nothing may come of it. */
async function refused(endpoint: Endpoint, asked: Asked): Promise<Answered> {
  const before = await dumpDatabase(world.store);
  const answer = await world.ask(
    endpoint.method,
    pathOf(endpoint, () => ours),
    {
      ...asked,
      ...toSampleBody(endpoint, asked.headers),
    },
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
function askForNothing({ method, path }: Endpoint, asked: Asked): Promise<Answered> {
  return world.ask(method, path.replace(/:\w+/g, "nothing"), asked);
}

const inPaths = endpoints.flatMap((endpoint) =>
  [...endpoint.path.matchAll(/(\w[\w-]*)\/:(\w+)/g)].map(
    ([place]) => [nameOf(endpoint), place, endpoint] as const,
  ),
);

test.each(inPaths)(
  "%s does not find what belongs to another workspace at %s",
  async (_name, place, endpoint) => {
    if (idAt(place, ours) === idAt(place, theirs)) return;
    const askWith = async (id: string) =>
      await world.ask(
        endpoint.method,
        pathOf(endpoint, () => ours, { [place]: id }),
        { ...asOwner(), ...toSampleBody(endpoint) },
      );
    await expectTheSame(
      () => askWith(idAt(place, theirs)),
      () => askWith(nobodys(idAt(place, theirs))),
    );
    expect((await askWith(idAt(place, theirs))).status).toBe(404);
  },
);

const elsewhere = endpoints.flatMap((endpoint) =>
  findIds(endpoint).map((place) => [nameOf(endpoint), place.words, endpoint, place] as const),
);

test.each(elsewhere)(
  "%s treats another workspace's id in the %s like one that nobody bears",
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

function askElsewhere(endpoint: Endpoint, place: IdPlace, id: string): Promise<Answered> {
  const { query, body } = putId(endpoint, place, id);
  return world.ask(endpoint.method, `${pathOf(endpoint, () => ours)}${query}`, { ...asOwner(), ...body });
}

test("the time of another workspace's report is no report of ours", async () => {
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

test("only these routes are open to anyone", () => {
  const open = endpoints.filter(({ access }) => access === "public").map(({ path }) => path);
  expect(open).toEqual(publicPaths);
});

/** Nobody can tell the two apart, and nothing of theirs is told or changed. */
async function expectTheSame(
  askForTheirs: () => Promise<Answered>,
  askForNobodys: () => Promise<Answered>,
): Promise<void> {
  const before = await dumpDatabase(world.store, theirs.workspaceId);
  const answer = await askForTheirs();
  const unknown = await askForNobodys();
  expect(answer.status).toBe(unknown.status);
  expect(answer.text).toBe(unknown.text);
  expectNothingOf(theirs, answer);
  expect(await dumpDatabase(world.store, theirs.workspaceId)).toBe(before);
}

async function aForbiddenAnswer(): Promise<string> {
  return (await world.ask("GET", "/api/me", { token: "asy_unknown" })).text;
}

function expectNothingOf({ secrets }: Place, { text, headers }: Answered): void {
  const told = `${text}\n${JSON.stringify([...headers])}`;
  for (const secret of secrets) expect(told).not.toContain(secret);
}

/** With the ids of the place that each says, but where `instead` has one. */
function pathOf(
  { path }: Endpoint,
  whose: () => Place,
  instead: Readonly<Record<string, string>> = {},
): string {
  return path.replace(/(\w[\w-]*)\/:(\w+)/g, (place, before: string) => {
    return `${before}/${instead[place] ?? idAt(place, whose())}`;
  });
}
