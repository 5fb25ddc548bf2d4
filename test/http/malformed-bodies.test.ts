// Bodies that no honest client sends, to every route that takes one: each is rejected in the usual error format,
// and nothing is stored. Made from the route table, so a new route is covered the day it is added.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Payments } from "../../src/features/billing/work/payments.ts";
import { type Endpoint, isMedia } from "../../src/platform/contract/endpoint.ts";
import { routes } from "../../src/server.ts";
import { fewOf, sampleOf } from "../lanes.ts";
import { toSampleBody } from "../laws/foreign-ids.ts";
import { dumpDatabase, furnish, type Place } from "../laws/places.ts";
import type { Answered } from "./ask.ts";
import { type HttpWorld, openHttpWorld } from "./http-world.ts";
import { type NastyJson, nastyJson } from "./nasty-json-table.ts";
import { keepPace } from "./pace.ts";

/** Cases of the JSON parsing test suite: y_ is taken, n_ is refused, of i_ each parser thinks for itself. */
const suiteFolder = join(import.meta.dirname, "../../../shared/data/json/test_parsing");
const haveSuite = existsSync(suiteFolder);
if (!haveSuite) console.warn("Skipped: ../shared/data/json is not there.");

const suite = readSuite();

const taking = routes.map(({ endpoint }) => endpoint).filter(({ method }) => method !== "GET");
const named = (some: readonly Endpoint[]) =>
  some.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const);
const takingJson = fewOf(named(taking.filter(({ body }) => !isMedia(body))));
const withFields = sampleOf(
  named(taking.filter((endpoint) => !isMedia(endpoint.body) && toSampleBody(endpoint).body !== undefined)),
);

/** Else nothing would be looked at where they are needed. */
const noPayments: Payments = { createCheckout: never, createPortal: never, readEvent: never };

async function never(): Promise<never> {
  throw new Error("The payment provider was asked.");
}

let world: HttpWorld;
let place: Place;
let cookie: string;

beforeAll(async () => {
  world = await openHttpWorld({ payments: () => noPayments });
  place = await furnish(world, "ours");
  ({ cookie } = await world.openSession(place.owner.id));
});

afterAll(() => world.close());

function send(
  { method, path, token }: Endpoint,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Answered> {
  // No token gets as far as the body where only a person may call.
  const caller = token === "person" ? { cookie } : { token: place.token };
  const asked = { ...caller, workspace: place.workspaceId, body, headers };
  keepPace(world.clock, path);
  return world.ask(method, path.replace(/:\w+/g, "nothing"), asked);
}

describe.each(takingJson)("malformed JSON sent to %s", (_name, endpoint) => {
  test("malformed JSON is rejected if it is invalid or has the wrong shape", async () => {
    await expectBorne(endpoint, nastyJson);
  });

  test.skipIf(!haveSuite)("malformed JSON is rejected for every case of the JSON parsing test suite", async () => {
    await expectBorne(endpoint, suite);
    await expectBorne(endpoint, suite.map(asName));
  });

  test("JSON is accepted up to 1 MiB, to the byte", async () => {
    const padded = (sizeBytes: number) => `{"nothing":"${"x".repeat(sizeBytes - 14)}"}`;
    expect((await send(endpoint, padded(2 ** 20))).status).toBe(400);
    const { status, json } = await send(endpoint, padded(2 ** 20 + 1));
    expect(status).toBe(413);
    expect(json.error).toBe("payload_too_large");
  });

  test("JSON is rejected with another content type", async () => {
    const before = await dumpDatabase(world.store);
    for (const type of otherTypes) {
      const { status, json } = await send(endpoint, "{}", { "content-type": type });
      expect([type, status, json.error]).toEqual([type, 415, "unsupported_media_type"]);
    }
    expect(await dumpDatabase(world.store)).toBe(before);
  });

  test("JSON is rejected with a content encoding", async () => {
    for (const coding of ["gzip", "br", "deflate", "identity, gzip", "x"])
      expect((await send(endpoint, "{}", { "content-encoding": coding })).status, coding).toBe(415);
  });
});

const otherTypes = [
  "text/plain",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "text/json",
  "application/json-patch+json",
  "application/ld+json",
  "application/json, text/plain",
  "*/*",
  "json",
  ";",
];

describe.each(withFields)("the fields of %s", (_name, endpoint) => {
  test("the fields of a body are rejected by name if they are unknown, at any depth", async () => {
    const before = await dumpDatabase(world.store);
    for (const [path, body] of withUnknownField(toSampleBody(endpoint).body)) {
      const { status, json } = await send(endpoint, body);
      expect(status).toBe(400);
      expect(json).toMatchObject({ error: "invalid_request", field: path });
    }
    expect(await dumpDatabase(world.store)).toBe(before);
  });

  test("the fields of a body are named if their value has the wrong type", async () => {
    const before = await dumpDatabase(world.store);
    const sample = toSampleBody(endpoint).body as Record<string, unknown>;
    for (const field of Object.keys(sample))
      for (const wrong of [{}, [[]], { length: 1 }, [null]]) {
        const { status, json } = await send(endpoint, { ...sample, [field]: wrong });
        expect(status).toBe(400);
        expect(json.field).toMatch(new RegExp(`^${field}\\b`));
      }
    expect(await dumpDatabase(world.store)).toBe(before);
  });
});

/** Where others send people to, or what they embed, with parameters of their own. */
const openQueries = ["/api/integrations/:provider/callback", "/api/oidc/:issuer/callback"];

test.each(named(routes.map(({ endpoint }) => endpoint).filter(({ path }) => !openQueries.includes(path))))(
  "the route %s rejects an unknown query parameter by its name",
  async (_name, endpoint) => {
    const path = endpoint.path.replace(/:\w+/g, "nothing");
    const caller = endpoint.token === "person" ? { cookie } : { token: place.token };
    const asked = { ...caller, workspace: place.workspaceId };
    for (const field of ["nothing", "constructor", "limit[]", "token"]) {
      keepPace(world.clock, path);
      const { status, json } = await world.ask(endpoint.method, `${path}?${encodeURIComponent(field)}=1`, asked);
      expect(status).toBe(400);
      expect(json).toMatchObject({ error: "invalid_request", field });
    }
  },
);

async function expectBorne(endpoint: Endpoint, cases: readonly NastyJson[]): Promise<void> {
  const before = await dumpDatabase(world.store);
  await inBatches(
    cases.filter(({ refused }) => refused),
    async ({ what, bytes }) => {
      const { status, json } = await send(endpoint, bytes);
      expect(status, what).toBe(400);
      // Of an object with a field too many and one missing either may be told.
      expect(["invalid_request", "missing_name", "invalid_email", "invalid_url"], what).toContain(json.error);
    },
  );
  expect(await dumpDatabase(world.store)).toBe(before);
  await inBatches(
    cases.filter(({ refused }) => !refused),
    async ({ what, bytes }) => {
      const { status, json } = await send(endpoint, bytes);
      // An answer about the server, which has no mail server here.
      if (json?.error !== "email_not_configured") expect(status, what).toBeLessThan(500);
    },
  );
  expect(world.lines.filter(({ level }) => level === "error")).toEqual([]);
}

async function inBatches<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  for (let first = 0; first < all.length; first += 16) await Promise.all(all.slice(first, first + 16).map(work));
}

function readSuite(): NastyJson[] {
  if (!haveSuite) return [];
  return readdirSync(suiteFolder)
    .filter((file) => /^[yni]_.*\.json$/.test(file))
    .map((file) => ({ what: file, bytes: readFileSync(join(suiteFolder, file)), refused: file.startsWith("n_") }))
    .filter(({ bytes }) => bytes.length > 0);
}

/** An object that is cut short may be whole again with what stands behind it. */
function asName({ what, bytes }: NastyJson): NastyJson {
  return { what, bytes: Buffer.concat([Buffer.from('{"name":'), bytes, Buffer.from("}")]), refused: false };
}

/** The body with one field too many: one body for each object in it. */
function withUnknownField(value: unknown, path: readonly (string | number)[] = []): [string, unknown][] {
  if (typeof value !== "object" || value === null) return [];
  const inner = Object.entries(value).flatMap(([key, member]) =>
    withUnknownField(member, [...path, key]).map(([where, changed]): [string, unknown] => [
      where,
      Array.isArray(value)
        ? value.map((entry, at) => (String(at) === key ? changed : entry))
        : { ...value, [key]: changed },
    ]),
  );
  if (Array.isArray(value)) return inner;
  return [...inner, [[...path, "nothing"].join("."), { ...value, nothing: 1 }]];
}
