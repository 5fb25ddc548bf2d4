import { describe, expect, test } from "vitest";
import { findUserByEmail, updatePassword } from "../../../../src/features/people/rows/users.ts";
import { createSecret } from "../../../../src/platform/contract/secrets.ts";
import { afterEachWrite } from "../../../http/after-each-write.ts";
import { follow } from "../../../http/event-client.ts";
import { type HttpWorldOptions, startHttpWorld } from "../../../http/http-world.ts";
import {
  browserCookieOf,
  cookieOf,
  goodPassword,
  invitationToken,
  resetToken,
  setUpToken,
} from "../../../http/people.ts";

const ann = { name: "Ann", email: "ann@people.example", password: goodPassword };
const another = "granite velvet otter";
const aDayMs = 86_400_000;

async function freshWorld(options?: HttpWorldOptions) {
  const world = await startHttpWorld(options);
  const workspace = await world.createWorkspace("Default");
  return { ...world, workspace: workspace.id };
}

/** With Ann as its owner, logged in once. */
async function worldWithAnn(options?: HttpWorldOptions) {
  const world = await freshWorld(options);
  const token = await setUpToken(world);
  const answer = await world.ask("POST", "/api/auth/setup", { body: { token, ...ann } });
  const logIn = (changes: object = {}) =>
    world.ask("POST", "/api/auth/login", { body: { email: ann.email, password: ann.password, ...changes } });
  return { ...world, answer, cookie: cookieOf(answer.headers).cookie, logIn };
}

describe("POST /api/auth/setup", () => {
  test("POST /api/auth/setup creates the first owner and logs them in", async () => {
    const { answer, ask, cookie, workspace } = await worldWithAnn();
    const who = {
      via: "session",
      user: { id: expect.stringMatching(/^usr_/), name: "Ann", email: "ann@people.example" },
      hasPlans: false,
      workspaces: [expect.objectContaining({ id: workspace, name: "Default", role: "owner", operator: true })],
    };
    expect(answer.status).toBe(201);
    expect(answer.json).toEqual(who);
    expect((await ask("GET", "/api/me", { cookie })).json).toEqual(who);
    expect((await ask("GET", "/api/tests", { cookie, workspace })).status).toBe(200);
  });

  test("POST /api/auth/setup accepts an email address in any spelling for its account", async () => {
    const world = await freshWorld();
    const body = { token: await setUpToken(world), ...ann, email: " Ann@Bücher.Example " };
    const { json } = await world.ask("POST", "/api/auth/setup", { body });
    expect(json.user.email).toBe("ann@xn--bcher-kva.example");
    const credentials = { email: "ANN@xn--bcher-kva.EXAMPLE", password: ann.password };
    expect((await world.ask("POST", "/api/auth/login", { body: credentials })).status).toBe(200);
  });

  test("POST /api/auth/setup rejects a link that is unknown, used, a day old, or replaced", async () => {
    const world = await freshWorld();
    const setUp = (token: string) => world.ask("POST", "/api/auth/setup", { body: { token, ...ann } });
    const replaced = await setUpToken(world);
    const old = await setUpToken(world);
    world.clock.nowMs += aDayMs;
    const answers = [await setUp(old)];
    const used = await setUpToken(world);
    for (const token of [createSecret(Buffer.alloc(32)), "nonsense", "", replaced]) answers.push(await setUp(token));
    expect((await setUp(used)).status).toBe(201);
    answers.push(await setUp(used));
    for (const { status, json, text } of answers) {
      expect(status).toBe(400);
      expect(json.error).toBe("invalid_link");
      expect(text).toBe(answers[0]?.text);
    }
  });

  test("POST /api/auth/setup creates one owner if two browsers use the link at once", async () => {
    const world = await freshWorld();
    const token = await setUpToken(world);
    const answers = await Promise.all(
      ["one", "two", "three"].map((name) =>
        world.ask("POST", "/api/auth/setup", { body: { ...ann, token, name, email: `${name}@x.example` } }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
    const [user, ...others] = await world.store.read.selectFrom("users").select("email").execute();
    expect(others).toEqual([]);
    expect(answers.find(({ status }) => status === 201)?.json.user.email).toBe(user?.email);
  });

  test.each([
    [{ email: "ann" }, "invalid_email", "email"],
    [{ email: "" }, "invalid_email", "email"],
    [{ email: undefined }, "invalid_email", "email"],
    [{ email: "ann@people.example\r\nBcc: x" }, "invalid_email", "email"],
    [{ name: " " }, "missing_name", "name"],
    [{ name: undefined }, "missing_name", "name"],
    [{ password: "too short" }, "invalid_request", "password"],
    [{ password: "password123" }, "invalid_request", "password"],
    [{ password: "ann@people.example" }, "invalid_request", "password"],
    [{ password: "x".repeat(201) }, "invalid_request", "password"],
    [{ password: undefined }, "invalid_request", "password"],
    [{ role: "owner" }, "invalid_request", "role"],
  ])("POST /api/auth/setup rejects %j as %s, and the link stays valid", async (changes, error, field) => {
    const world = await freshWorld();
    const token = await setUpToken(world);
    const { status, json } = await world.ask("POST", "/api/auth/setup", { body: { token, ...ann, ...changes } });
    expect(status).toBe(400);
    expect(json).toMatchObject({ error, field });
    expect((await world.ask("POST", "/api/auth/setup", { body: { token, ...ann } })).status).toBe(201);
  });
});

describe("POST /api/auth/login", () => {
  test("POST /api/auth/login returns the user, and sets a cookie that no script can read and no other site can send", async () => {
    const { ask, logIn } = await worldWithAnn();
    const { status, json, headers } = await logIn();
    expect(status).toBe(200);
    expect(json.user.email).toBe(ann.email);
    const { cookie, attributes } = cookieOf(headers);
    expect(cookie).toMatch(/^assay_session=[\w-]{43}$/);
    expect(attributes).toBe("Path=/; Max-Age=1209600; HttpOnly; SameSite=Lax");
    expect((await ask("GET", "/api/me", { cookie })).status).toBe(200);
  });

  test("POST /api/auth/login sets a secure cookie only if a trusted proxy uses HTTPS, and then ignores others", async () => {
    const { ask, logIn, base } = await worldWithAnn({ trustedProxies: ["127.0.0.1/32"] });
    const headers = { "x-forwarded-proto": "https", origin: base };
    const body = { email: ann.email, password: ann.password };
    const { cookie, attributes } = cookieOf((await ask("POST", "/api/auth/login", { headers, body })).headers);
    expect(cookie).toMatch(/^__Host-assay_session=[\w-]{43}$/);
    expect(attributes).toBe("Path=/; Max-Age=1209600; HttpOnly; SameSite=Lax; Secure");
    expect((await ask("GET", "/api/me", { headers, cookie })).status).toBe(200);
    const plain = cookieOf((await logIn()).headers).cookie;
    expect((await ask("GET", "/api/me", { headers, cookie: plain })).status).toBe(401);
  });

  test("POST /api/auth/login answers a wrong password and an unknown account alike", async () => {
    const { logIn, pauses } = await worldWithAnn();
    const wrong = await logIn({ password: "wrong horse battery" });
    const unknown = await logIn({ email: "bob@people.example" });
    expect(wrong.status).toBe(401);
    expect(wrong.json.error).toBe("invalid_credentials");
    expect(unknown.text).toBe(wrong.text);
    expect([...unknown.headers.keys()]).toEqual([...wrong.headers.keys()]);
    expect(wrong.headers.get("www-authenticate")).toBeNull();
    expect(wrong.headers.getSetCookie()).toEqual([]);
    expect(pauses).toEqual([]);
  });

  test.each([
    ["an account", ann.email],
    ["an address without one", "bob@people.example"],
  ])(
    "POST /api/auth/login delays %s increasingly after ten failures, up to 30 s, without locking anyone out",
    async (_, email) => {
      const { logIn, pauses, clock } = await worldWithAnn();
      const fail = async () => {
        clock.nowMs += 2_001;
        expect((await logIn({ email, password: "wrong horse battery" })).status).toBe(401);
      };
      for (let tries = 0; tries < 10; tries++) await fail();
      expect(pauses).toEqual([]);
      for (let tries = 0; tries < 8; tries++) await fail();
      expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
      clock.nowMs += 2_001;
      expect((await logIn({ email })).status).toBe(email === ann.email ? 200 : 401);
      pauses.length = 0;
      await fail();
      expect(pauses).toEqual(email === ann.email ? [] : [30_000]);
    },
  );

  test("POST /api/auth/login doesn't delay a browser that logged in before, which has its own attempts", async () => {
    const { ask, logIn, pauses, clock } = await worldWithAnn();
    const browser = browserCookieOf((await logIn()).headers);
    const logInFrom = (cookie: string, password = ann.password, email: string = ann.email) => {
      clock.nowMs += 2_501;
      return ask("POST", "/api/auth/login", { cookie, body: { email, password } });
    };
    for (let tries = 0; tries < 12; tries++) await logInFrom("", "wrong horse battery");
    pauses.length = 0;
    for (let tries = 0; tries < 4; tries++) expect((await logInFrom(browser, "wrong horse battery")).status).toBe(401);
    expect((await logInFrom(browser)).status).toBe(200);
    expect(pauses).toEqual([]);
    // Others wait as before, and so does a cookie that was changed or is another account's.
    await logInFrom("", "wrong horse battery");
    await logInFrom(`${browser}x`, "wrong horse battery");
    expect(pauses).toEqual([4_000, 8_000]);
    for (let tries = 0; tries < 11; tries++) await logInFrom(browser, "x", "bob@people.example");
    expect(pauses).toHaveLength(3);
    pauses.length = 0;
    for (let tries = 0; tries < 6; tries++) await logInFrom(browser, "wrong horse battery");
    expect(pauses).toEqual([16_000]);
    clock.nowMs += 180 * aDayMs;
    for (let tries = 0; tries < 11; tries++) await logInFrom(browser, "wrong horse battery");
    expect(pauses).toHaveLength(2);
  });

  test("POST /api/auth/login forgets failures after a day without any", async () => {
    const { logIn, pauses, clock } = await worldWithAnn();
    for (let tries = 0; tries < 10; tries++) await logIn({ password: "wrong horse battery" });
    clock.nowMs += aDayMs + 1;
    await logIn({ password: "wrong horse battery" });
    expect(pauses).toEqual([]);
  });

  test("POST /api/auth/login counts simultaneous attempts", async () => {
    const { logIn, pauses } = await worldWithAnn();
    await Promise.all(Array.from({ length: 20 }, () => logIn({ password: "wrong horse battery" })));
    expect(pauses.toSorted((a, b) => a - b)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, ...Array(5).fill(30_000)]);
  });

  test("POST /api/auth/login ends the browser's previous session", async () => {
    const { ask, cookie } = await worldWithAnn();
    const body = { email: ann.email, password: ann.password };
    const { headers } = await ask("POST", "/api/auth/login", { cookie, body });
    expect((await ask("GET", "/api/me", { cookie })).status).toBe(401);
    expect((await ask("GET", "/api/me", { cookie: cookieOf(headers).cookie })).status).toBe(200);
  });
});

/** The requests that ask for Ann's password. */
const askForPassword: Readonly<
  Record<string, (world: Awaited<ReturnType<typeof worldWithAnn>>) => Promise<{ readonly status: number }>>
> = {
  login: ({ logIn }) => logIn(),
  "password change": ({ ask, cookie }) =>
    ask("POST", "/api/auth/password", { cookie, body: { current: goodPassword, next: another } }),
  invitation: async (world) => {
    const { id } = await world.createWorkspace("Other");
    const token = await invitationToken(world, { workspaceId: id, email: ann.email });
    return await world.ask("POST", "/api/auth/invite/accept", { body: { token, password: goodPassword } });
  },
};

test.each(Object.keys(askForPassword))("the old password is rejected if it was changed during a %s", async (kind) => {
  let isArmed = false;
  let tries = 0;
  const world = await worldWithAnn({
    wrapStore: (store) =>
      afterEachWrite(store, async () => {
        const failures = await store.read.selectFrom("login_failures").selectAll().execute();
        if (failures.length > 0) tries += 1;
        // The try is forgotten once the password was found to be right.
        if (!isArmed || tries === 0 || failures.length > 0) return;
        isArmed = false;
        const user = await findUserByEmail(store.read, ann.email);
        await store.write((db) => updatePassword(db, user?.id ?? "", "changed meanwhile"));
      }),
  });
  const before = (await world.store.read.selectFrom("sessions").selectAll().execute()).length;
  isArmed = true;
  expect((await askForPassword[kind]?.(world))?.status).toBe(401);
  expect(isArmed).toBe(false);
  const user = await findUserByEmail(world.store.read, ann.email);
  expect(user?.password_hash).toBe("changed meanwhile");
  expect(await world.store.read.selectFrom("sessions").selectAll().execute()).toHaveLength(before);
});

describe("POST /api/auth/logout", () => {
  test("POST /api/auth/logout ends the session and its cookie, and a repeated call ends nothing", async () => {
    const { ask, cookie, logIn } = await worldWithAnn();
    const other = cookieOf((await logIn()).headers).cookie;
    for (let times = 0; times < 2; times++) {
      const { status, headers } = await ask("POST", "/api/auth/logout", { cookie });
      expect(status).toBe(204);
      expect(headers.getSetCookie()).toEqual(["assay_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax"]);
    }
    const gone = await ask("GET", "/api/me", { cookie });
    expect(gone.status).toBe(401);
    expect(gone.json.error).toBe("missing_token");
    expect((await ask("GET", "/api/me", { cookie: other })).status).toBe(200);
  });
});

describe("POST /api/auth/password", () => {
  test("POST /api/auth/password changes the password and ends all other sessions", async () => {
    const { ask, cookie, logIn, base, workspace } = await worldWithAnn();
    const other = cookieOf((await logIn()).headers).cookie;
    const body = { current: ann.password, next: another };
    const stream = await follow(base, { cookie: other, workspace });
    expect((await ask("POST", "/api/auth/password", { cookie, body })).status).toBe(204);
    await stream.ended;
    expect((await ask("GET", "/api/me", { cookie })).status).toBe(200);
    expect((await ask("GET", "/api/me", { cookie: other })).status).toBe(401);
    expect((await logIn()).status).toBe(401);
    expect((await logIn({ password: another })).status).toBe(200);
  });

  test("POST /api/auth/password requires the current password, and rejects a common one", async () => {
    const { ask, cookie, logIn } = await worldWithAnn();
    const wrong = await ask("POST", "/api/auth/password", {
      cookie,
      body: { current: "wrong horse battery", next: another },
    });
    expect(wrong.status).toBe(401);
    expect(wrong.json.error).toBe("invalid_credentials");
    const weak = await ask("POST", "/api/auth/password", {
      cookie,
      body: { current: ann.password, next: "Ann12345678" },
    });
    expect(weak.status).toBe(400);
    expect(weak.json).toMatchObject({ error: "invalid_request", field: "next" });
    expect((await logIn()).status).toBe(200);
  });

  test("POST /api/auth/password rejects API tokens", async () => {
    const { ask, workspace, issueToken } = await worldWithAnn();
    const { token } = await issueToken(workspace);
    const body = { current: ann.password, next: another };
    expect((await ask("POST", "/api/auth/password", { token, body })).status).toBe(403);
  });
});

describe("POST /api/auth/invite/accept", () => {
  const bob = { name: "Bob", password: another };

  test("POST /api/auth/invite/accept creates an account and a membership, and logs the user in", async () => {
    const world = await worldWithAnn();
    const { workspace, ask } = world;
    const token = await invitationToken(world, { workspaceId: workspace, email: "bob@people.example" });
    const { status, json, headers } = await ask("POST", "/api/auth/invite/accept", { body: { token, ...bob } });
    expect(status).toBe(201);
    expect(json.user).toMatchObject({ name: "Bob", email: "bob@people.example" });
    expect(json.workspaces).toMatchObject([{ id: workspace, name: "Default", role: "member" }]);
    const { cookie } = cookieOf(headers);
    expect((await ask("GET", "/api/tests", { cookie, workspace })).status).toBe(200);
  });

  test("POST /api/auth/invite/accept logs in a user with an account by password, which it never changes", async () => {
    const world = await worldWithAnn();
    const { ask, logIn } = world;
    world.clock.nowMs += 1;
    const { id: workspaceId } = await world.createWorkspace("Second");
    const token = await invitationToken(world, { workspaceId, email: ann.email, role: "owner" });
    const wrong = await ask("POST", "/api/auth/invite/accept", { body: { token, ...bob } });
    expect(wrong.status).toBe(401);
    expect(wrong.json).toMatchObject({ error: "invalid_credentials", field: "password" });
    expect(wrong.json.message).toMatch(/^You already have an account here, with another password\./);
    const { json } = await ask("POST", "/api/auth/invite/accept", { body: { token, password: ann.password } });
    expect(json.user.name).toBe("Ann");
    expect(json.workspaces.map(({ name }: { name: string }) => name)).toEqual(["Default", "Second"]);
    expect((await logIn()).status).toBe(200);
  });

  test("POST /api/auth/invite/accept says who is already a member, and keeps the invitation", async () => {
    const world = await worldWithAnn();
    const token = await invitationToken(world, { workspaceId: world.workspace, email: ann.email });
    const body = { token, password: ann.password };
    for (let times = 0; times < 2; times++) {
      const { status, json } = await world.ask("POST", "/api/auth/invite/accept", { body });
      expect(status).toBe(409);
      expect(json.error).toBe("conflict");
    }
  });

  test("POST /api/auth/invite/accept requires a name from a new user", async () => {
    const world = await worldWithAnn();
    const token = await invitationToken(world, { workspaceId: world.workspace, email: "bob@x.example" });
    const { json } = await world.ask("POST", "/api/auth/invite/accept", { body: { token, password: another } });
    expect(json).toMatchObject({ error: "missing_name", field: "name" });
  });

  test("POST /api/auth/invite/accept accepts one of two simultaneous calls", async () => {
    const world = await worldWithAnn();
    const token = await invitationToken(world, { workspaceId: world.workspace, email: "bob@x.example" });
    const answers = await Promise.all(
      ["Bob", "Bobby"].map((name) =>
        world.ask("POST", "/api/auth/invite/accept", { body: { token, name, password: another } }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400]);
    expect(answers.find(({ status }) => status === 400)?.json.error).toBe("invalid_link");
  });

  test("POST /api/auth/invite/accept rejects an invitation that is unknown, used, a week old, or a setup link, and vice versa", async () => {
    const world = await freshWorld();
    const { workspace, ask, clock } = world;
    const invite = (email: string) => invitationToken(world, { workspaceId: workspace, email });
    const accept = (token: string) => ask("POST", "/api/auth/invite/accept", { body: { token, ...bob } });
    const used = await invite("bob@x.example");
    expect((await accept(used)).status).toBe(201);
    const old = await invite("eve@x.example");
    clock.nowMs += 7 * aDayMs;
    const setUp = await setUpToken(world);
    for (const token of ["nonsense", createSecret(Buffer.alloc(32)), used, old, setUp])
      expect((await accept(token)).json.error).toBe("invalid_link");
    const token = await invite("eve@x.example");
    const asSetUp = await ask("POST", "/api/auth/setup", { body: { token, ...ann } });
    expect(asSetUp.json.error).toBe("invalid_link");
  });

  test("POST /api/auth/invite/accept rejects an invitation whose inviter is no longer a member", async () => {
    const world = await worldWithAnn();
    const { workspace, ask, store } = world;
    const eve = await world.addPerson(workspace, "owner", "Eve");
    const invited = { workspaceId: workspace, email: "bob@x.example", role: "owner" } as const;
    const token = await invitationToken(world, invited, eve.id);
    await store.write((db) => db.deleteFrom("memberships").where("user_id", "=", eve.id).execute());
    const { json } = await ask("POST", "/api/auth/invite/accept", { body: { token, ...bob } });
    expect(json.error).toBe("invalid_link");
  });
});

describe("POST /api/auth/reset", () => {
  test("POST /api/auth/reset sets a new password once, and until then the old one and all sessions are invalid", async () => {
    const world = await worldWithAnn();
    const { ask, cookie, logIn } = world;
    const token = await resetToken(world, ann.email);
    expect((await ask("GET", "/api/me", { cookie })).status).toBe(401);
    expect((await logIn()).status).toBe(401);
    const { status, json, headers } = await ask("POST", "/api/auth/reset", { body: { token, password: another } });
    expect(status).toBe(200);
    expect(json.user.email).toBe(ann.email);
    expect((await ask("GET", "/api/me", { cookie: cookieOf(headers).cookie })).status).toBe(200);
    expect((await logIn({ password: another })).status).toBe(200);
    const again = await ask("POST", "/api/auth/reset", { body: { token, password: goodPassword } });
    expect(again.json.error).toBe("invalid_link");
  });

  test("POST /api/auth/reset rejects a link that is a day old or replaced", async () => {
    const world = await worldWithAnn();
    const replaced = await resetToken(world, ann.email);
    const old = await resetToken(world, ann.email);
    const reset = (token: string) => world.ask("POST", "/api/auth/reset", { body: { token, password: another } });
    expect((await reset(replaced)).json.error).toBe("invalid_link");
    world.clock.nowMs += aDayMs;
    expect((await reset(old)).json.error).toBe("invalid_link");
  });
});
