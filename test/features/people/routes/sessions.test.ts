import { describe, expect, test } from "vitest";
import { askRaw } from "../../../http/ask-raw.ts";
import { type HttpWorldOptions, startHttpWorld } from "../../../http/http-world.ts";
import { cookieOf } from "../../../http/people.ts";

const aDayMs = 86_400_000;

async function worldWithPerson(options?: HttpWorldOptions) {
  const world = await startHttpWorld(options);
  const { id: workspace } = await world.createWorkspace("Ours");
  const person = await world.addPerson(workspace, "member");
  return { ...world, workspace, person, cookie: person.cookie };
}

describe("a session", () => {
  test("a session lasts 14 days after its last use, which is stored at most once a minute", async () => {
    const { ask, cookie, clock } = await worldWithPerson();
    const read = async () => (await ask("GET", "/api/sessions", { cookie })).json.items[0];
    const startedMs = clock.nowMs;
    clock.nowMs += 59_999;
    expect((await ask("GET", "/api/me", { cookie })).headers.getSetCookie()).toEqual([]);
    expect((await read()).lastSeenAt).toBe(new Date(startedMs).toISOString());
    clock.nowMs += 1;
    const { headers } = await ask("GET", "/api/me", { cookie });
    expect(cookieOf(headers).cookie).toBe(cookie);
    expect(cookieOf(headers).attributes).toContain("Max-Age=1209600");
    await expect.poll(async () => (await read()).lastSeenAt).toBe(new Date(clock.nowMs).toISOString());
    expect((await read()).expiresAt).toBe(new Date(clock.nowMs + 14 * aDayMs).toISOString());
    clock.nowMs += 14 * aDayMs - 1;
    expect((await ask("GET", "/api/me", { cookie })).status).toBe(200);
    await expect.poll(async () => (await read()).lastSeenAt).toBe(new Date(clock.nowMs).toISOString());
    clock.nowMs += 14 * aDayMs;
    expect((await ask("GET", "/api/me", { cookie })).status).toBe(401);
  });

  test("a session has its user's current role and workspaces", async () => {
    const { ask, cookie, workspace, person, store } = await worldWithPerson();
    const membership = () =>
      store.write((db) => db.deleteFrom("memberships").where("user_id", "=", person.id).execute());
    expect((await ask("GET", "/api/tests", { cookie, workspace })).status).toBe(200);
    await membership();
    expect((await ask("GET", "/api/tests", { cookie, workspace })).status).toBe(403);
    expect((await ask("GET", "/api/me", { cookie })).json.workspaces).toEqual([]);
    expect((await ask("GET", "/api/workspaces", { cookie })).json.items).toEqual([]);
  });

  test("a session is ignored if there is an Authorization header, valid or not", async () => {
    const { ask, cookie, workspace, issueToken } = await worldWithPerson();
    const { token } = await issueToken(workspace);
    expect((await ask("GET", "/api/me", { cookie, token })).json.via).toBe("token");
    expect((await ask("GET", "/api/me", { cookie, token: "asy_unknown" })).status).toBe(403);
  });

  test("a session is found among other cookies, and rejected if two contradict each other", async () => {
    const { ask, cookie } = await worldWithPerson();
    const ask2 = async (header: string) => (await ask("GET", "/api/me", { headers: { cookie: header } })).status;
    expect(await ask2(`a=b; ${cookie}; xassay_session=c`)).toBe(200);
    expect(await ask2(`${cookie}; ${cookie}`)).toBe(200);
    expect(await ask2(`${cookie}; assay_session=${"A".repeat(43)}`)).toBe(401);
    for (const odd of ["", "=", ";;", "assay_session", "assay_session=", `${cookie}x`, "assay_session=%00"])
      expect(await ask2(odd)).toBe(401);
  });
});

describe("the workspace of a session", () => {
  test("the workspace of a session may be in the query of a GET", async () => {
    const { ask, cookie, workspace } = await worldWithPerson();
    const { status } = await ask("GET", `/api/tests?limit=1&workspace=${workspace}`, { cookie });
    expect(status).toBe(200);
  });

  test("the workspace of a session is rejected in the query if it is another user's, repeated, or empty", async () => {
    const { ask, cookie, workspace, createWorkspace } = await worldWithPerson();
    const other = await createWorkspace("Theirs");
    const queries = [other.id, "", `${workspace}&workspace=${workspace}`, `${workspace}&workspace=${other.id}`];
    for (const query of queries)
      expect((await ask("GET", `/api/tests?workspace=${query}`, { cookie })).status).toBe(403);
  });

  test("the workspace of a session is ignored in the query for a token, and for a request that changes something", async () => {
    const { ask, cookie, workspace, issueToken } = await worldWithPerson();
    const { token } = await issueToken(workspace);
    const path = `/api/tokens?workspace=${workspace}`;
    expect((await ask("GET", path, { token })).status).toBe(403);
    expect((await ask("GET", path, { token, workspace })).json).toMatchObject({
      error: "invalid_request",
      field: "workspace",
    });
    expect((await ask("POST", path, { cookie, body: { name: "x" } })).status).toBe(403);
    expect((await ask("GET", `/api/me?workspace=${workspace}`, { cookie })).status).toBe(400);
  });
});

describe("a change in a session must come from this server's pages", () => {
  const outcomes: [string, Record<string, string>, number][] = [
    ["from another site", { origin: "https://elsewhere.example" }, 403],
    ["from a page that hides its origin", { origin: "null" }, 403],
    ["from another port of this host", { origin: "http://127.0.0.1:1" }, 403],
    ["from no address at all", { origin: "nonsense" }, 403],
    ["from a file", { origin: "file://127.0.0.1" }, 403],
    ["without a word of where it comes from", {}, 403],
    ["by a browser that says another site", { "sec-fetch-site": "cross-site" }, 403],
    ["by a browser that says another host of the site", { "sec-fetch-site": "same-site" }, 403],
    ["by a browser that says this very origin", { "sec-fetch-site": "same-origin" }, 201],
  ];

  test.each(outcomes)(
    "a change in a session is allowed or rejected correctly if sent %s",
    async (_name, headers, status) => {
      const { ask, cookie, workspace } = await worldWithPerson();
      const body = { name: "a token" };
      const answer = await ask("POST", "/api/tokens", { workspace, body, headers: { ...headers, cookie } });
      expect(answer.status).toBe(status);
      if (status === 403)
        expect(answer.json.message).toMatch(
          /^This request was sent (?:from a page on another site|without an Origin header),/,
        );
      expect((await ask("GET", "/api/tokens", { cookie, workspace, headers })).status).toBe(200);
    },
  );

  test("a session cannot load images, so that a message in a frame of this origin cannot use it", async () => {
    const { ask, cookie, workspace, issueToken } = await worldWithPerson();
    const load = async (dest: string, as: { cookie?: string; token?: string }) =>
      (await ask("GET", "/api/tests", { ...as, workspace, headers: { "sec-fetch-dest": dest } })).status;
    expect(await load("image", { cookie })).toBe(403);
    expect(await load("empty", { cookie })).toBe(200);
    expect(await load("image", { token: (await issueToken(workspace)).token })).toBe(200);
  });

  test("a change in a session is allowed under the host name that the browser uses, with or without the default port", async () => {
    const origin = "https://assay.example";
    const { ask, cookie, workspace, port } = await worldWithPerson({
      trustedProxies: ["127.0.0.1/32"],
      machine: { settings: { ASSAY_BASE_URL: origin } },
    });
    const post = async (headers: Record<string, string>) =>
      (await ask("POST", "/api/tokens", { cookie, workspace, body: { name: "x" }, headers })).status;
    expect(await post({ origin, "x-forwarded-host": "assay.example" })).toBe(201);
    expect(await post({ origin, "x-forwarded-host": "assay.example:443" })).toBe(201);
    // Some proxies pass on another port. The base URL says which one its pages have.
    expect(await post({ origin, "x-forwarded-host": "assay.example:8443" })).toBe(201);
    expect(await post({ origin: `${origin}:9443`, "x-forwarded-host": "assay.example:8443" })).toBe(403);
    expect(await post({ origin, "x-forwarded-host": "assay.example, inner.example" })).toBe(403);
    expect(await post({ origin: `http://127.0.0.1:${port}` })).toBe(201);
  });

  test("a change in a session must come from this server's pages regardless of an untrusted proxy's headers", async () => {
    const { ask, cookie, workspace } = await worldWithPerson();
    const headers = { origin: "https://elsewhere.example", "x-forwarded-host": "elsewhere.example" };
    const { status } = await ask("POST", "/api/tokens", { cookie, workspace, body: { name: "x" }, headers });
    expect(status).toBe(403);
  });

  test("a login must come from this server's pages, except from a script without a cookie", async () => {
    const { ask, cookie } = await worldWithPerson();
    const logIn = async (headers: Record<string, string>) => {
      const body = { email: "ann@people.example", password: "wrong horse battery" };
      return (await ask("POST", "/api/auth/login", { body, headers })).status;
    };
    expect(await logIn({})).toBe(401);
    expect(await logIn({ origin: "https://elsewhere.example" })).toBe(403);
    expect(await logIn({ "sec-fetch-site": "cross-site" })).toBe(403);
    expect(await logIn({ cookie })).toBe(403);
  });

  test("a change in a session with an invalid Host is rejected", async () => {
    const { port, cookie } = await worldWithPerson();
    for (const host of ["", "a b", "a/b", "x@127.0.0.1"]) {
      const heard = await askRaw(
        port,
        `POST /api/auth/logout HTTP/1.1\r\nHost: ${host}\r\nOrigin: http://127.0.0.1\r\nCookie: ${cookie}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
      );
      expect(heard).toMatch(/^HTTP\/1\.1 (403|400) /);
    }
  });
});

describe("GET /api/sessions", () => {
  test("GET /api/sessions lists the caller's logins, newest first, and marks the current session", async () => {
    const { ask, cookie, person, clock, openSession } = await worldWithPerson();
    clock.nowMs += 1;
    await openSession(person.id);
    const { json, text } = await ask("GET", "/api/sessions", { cookie });
    expect(json.items.map(({ current }: { current: boolean }) => current)).toEqual([false, true]);
    expect(json.items[1]).toMatchObject({
      id: expect.stringMatching(/^ses_/),
      address: "192.0.2.7",
      agent: "a browser",
    });
    expect(text).not.toContain("hash");
    expect(text).not.toContain(cookie.split("=")[1]);
  });

  test("GET /api/sessions rejects API tokens, even of the same user", async () => {
    const { ask, workspace, person, issueToken } = await worldWithPerson();
    const { token } = await issueToken(workspace, null, person.id);
    expect((await ask("GET", "/api/sessions", { token })).status).toBe(403);
  });

  test("GET /api/sessions has at most a hundred sessions, and the oldest are ended", async () => {
    const { ask, person, cookie, clock, openSession } = await worldWithPerson();
    let newest = cookie;
    for (let count = 0; count < 100; count++) {
      clock.nowMs += 1;
      newest = (await openSession(person.id)).cookie;
    }
    expect((await ask("GET", "/api/me", { cookie })).status).toBe(401);
    expect((await ask("GET", "/api/sessions", { cookie: newest })).json.items).toHaveLength(100);
  });
});

describe("DELETE /api/sessions/:id", () => {
  test("DELETE /api/sessions/:id ends a session of the caller, and the cookie with the current one", async () => {
    const { ask, cookie, person, openSession } = await worldWithPerson();
    const other = await openSession(person.id);
    const ended = await ask("DELETE", `/api/sessions/${other.sessionId}`, { cookie });
    expect(ended.status).toBe(204);
    expect(ended.headers.getSetCookie()).toEqual([]);
    expect((await ask("GET", "/api/me", { cookie: other.cookie })).status).toBe(401);
    expect((await ask("DELETE", `/api/sessions/${other.sessionId}`, { cookie })).status).toBe(404);
    const [own] = (await ask("GET", "/api/sessions", { cookie })).json.items;
    const last = await ask("DELETE", `/api/sessions/${own.id}`, { cookie });
    expect(cookieOf(last.headers).attributes).toContain("Max-Age=0");
    expect((await ask("GET", "/api/me", { cookie })).status).toBe(401);
  });

  test("DELETE /api/sessions/:id does not find another user's session, even in a shared workspace", async () => {
    const { ask, cookie, workspace, addPerson, openSession } = await worldWithPerson();
    const other = await openSession((await addPerson(workspace, "owner", "Bob")).id);
    expect((await ask("DELETE", `/api/sessions/${other.sessionId}`, { cookie })).status).toBe(404);
    expect((await ask("GET", "/api/me", { cookie: other.cookie })).status).toBe(200);
  });
});

describe("a user's API token", () => {
  test("a user's API token shows the user, has their current role, and is revoked with their membership", async () => {
    const { ask, cookie, workspace, person, store } = await worldWithPerson();
    const { json } = await ask("POST", "/api/tokens", { cookie, workspace, body: { name: "x" } });
    expect(json.createdBy).toBe(person.id);
    const me = () => ask("GET", "/api/me", { token: json.token });
    expect((await me()).json.user).toEqual({ id: person.id, name: "Ann", email: person.email });
    expect((await me()).json.workspaces[0].role).toBe("member");
    await store.write((db) =>
      db.updateTable("memberships").set({ role: "owner" }).where("user_id", "=", person.id).execute(),
    );
    expect((await me()).json.workspaces[0].role).toBe("owner");
    await store.write((db) => db.deleteFrom("memberships").where("user_id", "=", person.id).execute());
    expect((await me()).status).toBe(403);
  });
});
