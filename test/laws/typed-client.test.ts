// The compiler alone checks the app's calls. `refusals` never runs: `tsc` fails if one of its lines becomes valid,
// because then a renamed path or field in the API would no longer break the app's build.

import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { readSources } from "../../scripts/imports.ts";
import { addressOf, call, readText, setCaller } from "../../src/web/client/call.ts";
import type { AnswerTo, BodyOf, Call, QueryOf } from "../../src/web/client/endpoints.ts";

type IsAny<T> = 0 extends T & 1 ? true : false;
type Unchecked = {
  [C in Call]: true extends IsAny<AnswerTo<C>> | IsAny<BodyOf<C>> | IsAny<QueryOf<C>> ? C : never;
}[Call];

/** A part whose type is `any` would accept everything. */
const isChecked: [Unchecked] extends [never] ? true : false = true;

async function refusals(id: string): Promise<void> {
  const params = { id };
  const label = "On call";
  const url = "https://hooks.example/assay";
  const [kind, events] = ["json", ["domain.drift"]] as const;

  // @ts-expect-error an unknown path
  await call("GET /api/alert");
  // @ts-expect-error a method that the path does not have
  await call("PUT /api/tests/:id", { params });
  // @ts-expect-error a file, which is not JSON
  await call("GET /api/tests/:id/raw", { params });
  // @ts-expect-error JSON, which a link can't show
  addressOf("/api/tests/:id", { params });

  // @ts-expect-error no parameters
  await call("GET /api/tests/:id");
  // @ts-expect-error another parameter
  await call("GET /api/tests/:id", { params: { testId: id } });
  // @ts-expect-error one parameter too many
  await call("GET /api/tests/:id", { params: { id, other: id } });
  // @ts-expect-error one parameter of two
  await call("POST /api/alerts/:id/deliveries/:deliveryId/retry", { params });
  // @ts-expect-error another parameter in a link
  addressOf("/api/bounces/:id/raw", { params: { bounce: id } });
  // @ts-expect-error another parameter of a file that is read
  await readText("/api/tests/:id/raw", { params: { test: id }, signal: new AbortController().signal }, 1);

  // @ts-expect-error an unknown query field
  await call("GET /api/tests", { query: { max: 1 } });
  const query = { limit: 1, page: 2 };
  // @ts-expect-error the same in a query that was put together before
  await call("GET /api/domains", { query });
  // @ts-expect-error a value that the query field does not have
  await call("GET /api/tests", { query: { status: "new" } });
  // @ts-expect-error a query where there is none
  await call("GET /api/alerts", { query: { limit: 1 } });
  // @ts-expect-error a value that the query field of a frame does not have
  addressOf("/preview/:id", { params, query: { images: "2" } });

  // @ts-expect-error no body
  await call("POST /api/domains");
  // @ts-expect-error a body without a required field
  await call("POST /api/alerts", { body: { label, url, kind } });
  // @ts-expect-error an unknown field in the body
  await call("POST /api/domains", { body: { domain: "example.com", selector: null } });
  const body = { label, url, kind, events, threshold: 70 };
  // @ts-expect-error the same in a body that was put together before
  await call("POST /api/alerts", { body });
  const records = [{ name: "example.com", type: "TXT", values: [], ttl: 60 }] as const;
  // @ts-expect-error the same deep inside it
  await call("POST /api/tests/:id/what-if", { params, body: { records } });
  // @ts-expect-error a value that the body's field does not have
  await call("PATCH /api/members/:id", { params, body: { role: "admin" } });
  // @ts-expect-error another media type than the endpoint reads
  await call("POST /api/tests/upload", { body: "", mediaType: "text/plain" });

  // @ts-expect-error an unknown field of the answer
  (await call("GET /api/tests/:id", { params })).score;
  // @ts-expect-error an unknown field in a list
  (await call("GET /api/domains")).items[0]?.name;
  // @ts-expect-error an answer that there is not
  (await call("DELETE /api/alerts/:id", { params })).id;
}

const fetched = vi.fn();

afterEach(() => {
  vi.unstubAllGlobals();
  fetched.mockReset();
  setCaller(null, () => {});
});

function answerWith(body: string | null, init: ResponseInit): void {
  fetched.mockImplementation(async () => new Response(body, init));
  vi.stubGlobal("fetch", fetched);
}

const json = { status: 200, headers: { "content-type": "application/json" } };

test("invalid API calls do not compile", () => {
  expect([isChecked, typeof refusals]).toEqual([true, "function"]);
});

test("a call fills in the path, the query, and the body", async () => {
  answerWith('{"id":"tst_1"}', json);
  await call("GET /api/tests/:id/compare/:other", { params: { id: "a/../b", other: "ä ?#" }, query: {} });
  expect(fetched).toHaveBeenLastCalledWith("/api/tests/a%2F..%2Fb/compare/%C3%A4%20%3F%23", {
    method: "GET",
    headers: {},
  });
  await call("GET /api/tests", { query: { limit: 5, q: "a&b", cursor: undefined } });
  expect(fetched.mock.lastCall?.[0]).toBe("/api/tests?limit=5&q=a%26b");
  setCaller("wsp_1", () => {});
  await call("PATCH /api/alerts/:id", { params: { id: "alr_1" }, body: { enabled: false } });
  expect(fetched).toHaveBeenLastCalledWith("/api/alerts/alr_1", {
    method: "PATCH",
    headers: { "x-workspace-id": "wsp_1", "content-type": "application/json" },
    body: '{"enabled":false}',
  });
});

test("a response without a body is null, and one that is not JSON is an error", async () => {
  answerWith(null, { status: 204 });
  expect(await call("POST /api/auth/logout")).toBeNull();
  answerWith("<h1>Bad gateway</h1>", { status: 502, headers: { "content-type": "text/html" } });
  await expect(call("GET /api/alerts")).rejects.toMatchObject({ name: "Error", status: 502 });
});

test("an address contains the workspace", () => {
  setCaller("wsp_1", () => {});
  expect(addressOf("/api/events")).toBe("/api/events?workspace=wsp_1");
  expect(addressOf("/preview/:id", { params: { id: "tst_1" }, query: { images: "1" } })).toBe(
    "/preview/tst_1?images=1&workspace=wsp_1",
  );
  expect(addressOf("/api/tests/:id/attachments/:part", { params: { id: "tst_1", part: "1.2" } })).toBe(
    "/api/tests/tst_1/attachments/1.2?workspace=wsp_1",
  );
});

test("the app calls the server only through the typed client", () => {
  const untyped = /\bfetch\(|\bXMLHttpRequest\b|sendBeacon|(?<!\b(?:addressOf|readText)\(\s*)["`]\/(?:api|preview)\//;
  const past = readSources(join(import.meta.dirname, "..", "..", "src", "web"))
    .filter(({ path, text }) => !/^client\/(?:call|endpoints)\.ts$/.test(path) && untyped.test(text))
    .map(({ path }) => path);
  expect(past).toEqual([]);
});
