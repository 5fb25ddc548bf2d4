import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { recordFailures } from "../../../../src/features/audit-log/work/failures.ts";
import { countRecoveryCodes } from "../../../../src/features/people/rows/second-factors.ts";
import { removeSessionsOf } from "../../../../src/features/people/rows/sessions.ts";
import { insertIdentity } from "../../../../src/features/people/rows/users.ts";
import type { Store } from "../../../../src/platform/database/store.ts";
import { serveOrThrow } from "../../../../src/platform/work/serve-row.ts";
import { afterEachWrite } from "../../../http/after-each-write.ts";
import { type HttpWorldOptions, startHttpWorld } from "../../../http/http-world.ts";
import { cookieOf, goodPassword, invitationToken, resetToken } from "../../../http/people.ts";
import { createPasskey, fromBase32, usePasskey } from "../../../soft-authenticator.ts";

const hasOathtool = existsSync("/usr/bin/oathtool");
if (!hasOathtool) console.warn("SKIPPED: codes by oathtool (Debian's package oathtool).");

type World = Awaited<ReturnType<typeof startHttpWorld>>;

/** As an authenticator app computes it, independent of our own code where Debian's oathtool is installed. */
async function codeAt(secret: string, nowMs: number): Promise<string> {
  if (hasOathtool) {
    const time = new Date(nowMs).toISOString().slice(0, 19).replace("T", " ");
    return execFileSync("oathtool", ["--totp", "--base32", `--now=${time} UTC`, secret], { encoding: "utf8" }).trim();
  }
  const { totpCode } = await import("../../../../src/features/people/rules/second-factors.ts");
  return totpCode(fromBase32(secret), Math.floor(nowMs / 30_000));
}

async function worldWithApp(options: HttpWorldOptions = {}) {
  const world = await startHttpWorld(options);
  const { id: workspace } = await world.createWorkspace("Ours");
  const person = await world.addPerson(workspace, "owner");
  await world.ask("POST", "/api/auth/reset", {
    body: { token: await resetToken(world, person.email), password: goodPassword },
  });
  const { cookie } = await world.openSession(person.id);
  const body = { kind: "totp", name: "Phone", password: goodPassword };
  const begun = await world.ask("POST", "/api/auth/second-factors", { cookie, body });
  expect(begun.status).toBe(201);
  const { id, secret } = begun.json;
  const code = await codeAt(secret, world.clock.nowMs);
  const confirmed = await world.ask("POST", `/api/auth/second-factors/${id}/confirm`, { cookie, body: { code } });
  expect(confirmed.status).toBe(200);
  world.clock.nowMs += 30_000;
  return { ...world, workspace, person, cookie, id, secret, begun, codes: confirmed.json.recoveryCodes };
}

const beginLogin = async (world: World, email: string, password = goodPassword) => {
  const answer = await world.ask("POST", "/api/auth/login", { body: { email, password } });
  return { ...answer, cookie: answer.headers.getSetCookie().length > 0 ? cookieOf(answer.headers).cookie : "" };
};
const step = (world: World, cookie: string, body: object) =>
  world.ask("POST", "/api/auth/second-factor", { cookie, body });

describe("a login with a second factor", () => {
  test("a login with a second factor takes the password and a code, and the first cookie gives no access", async () => {
    const world = await worldWithApp();
    const { ask, person, workspace, secret, clock } = world;
    const first = await beginLogin(world, person.email);
    expect([first.status, first.json.error]).toEqual([403, "second_factor_required"]);
    expect((await ask("GET", "/api/me", { cookie: first.cookie })).status).toBe(401);
    expect((await ask("GET", "/api/tests", { cookie: first.cookie, workspace })).status).toBe(401);
    const offered = await ask("POST", "/api/auth/second-factor/options", { cookie: first.cookie });
    expect(offered.json).toEqual({ totp: true, passkey: null, recoveryCodesLeft: 10 });
    const second = await step(world, first.cookie, { code: await codeAt(secret, clock.nowMs) });
    expect(second.status).toBe(200);
    const { cookie } = cookieOf(second.headers);
    expect(cookie).not.toBe(first.cookie);
    expect((await ask("GET", "/api/me", { cookie })).json.user.email).toBe(person.email);
    expect((await step(world, first.cookie, { code: "000000" })).status).toBe(409);
  });

  test("a login with a second factor accepts a code once, a recovery code once, and the codes before and after the current one", async () => {
    const world = await worldWithApp();
    const { person, secret, clock, codes } = world;
    const code = await codeAt(secret, clock.nowMs);
    expect((await step(world, (await beginLogin(world, person.email)).cookie, { code })).status).toBe(200);
    const again = await step(world, (await beginLogin(world, person.email)).cookie, { code });
    expect([again.status, again.json.message]).toEqual([401, expect.stringContaining("already used")]);
    const next = await codeAt(secret, clock.nowMs + 30_000);
    const early = await step(world, (await beginLogin(world, person.email)).cookie, {
      code: `${next.slice(0, 3)} ${next.slice(3)}`,
    });
    expect(early.status).toBe(200);
    const far = await codeAt(secret, clock.nowMs + 90_000);
    expect((await step(world, (await beginLogin(world, person.email)).cookie, { code: far })).status).toBe(401);
    const recoveryCode = codes[3].toUpperCase().replaceAll("-", " ");
    for (const status of [200, 401])
      expect((await step(world, (await beginLogin(world, person.email)).cookie, { recoveryCode })).status).toBe(status);
  });

  test("a login with a second factor fails if the login was ended while its code was checked", async () => {
    const meanwhile: { run: ((store: Store) => Promise<unknown>) | undefined } = { run: undefined };
    const world = await worldWithApp({ wrapStore: (store) => afterEachWrite(store, () => meanwhile.run?.(store)) });
    const { person, codes } = world;
    const { cookie } = await beginLogin(world, person.email);
    meanwhile.run = async (store) => {
      if ((await countRecoveryCodes(store.read, person.id)) === 9)
        await store.write((db) => removeSessionsOf(db, person.id));
    };
    const answer = await step(world, cookie, { recoveryCode: codes[0] });
    expect([answer.status, answer.json.message]).toEqual([409, "This login has expired. Log in again."]);
    expect(await world.store.read.selectFrom("sessions").selectAll().execute()).toEqual([]);
  });

  test("a login with a second factor ends after five wrong codes, and is blocked for a day after thirty, except by recovery code", async () => {
    const world = await worldWithApp();
    const { person, secret, clock, codes } = world;
    const wrong = async (cookie: string) => (await step(world, cookie, { code: "000000" })).json.message;
    const first = await beginLogin(world, person.email);
    for (let time = 0; time < 5; time++) expect(await wrong(first.cookie)).toBe("Wrong code.");
    expect(await wrong(first.cookie)).toContain("Too many tries");
    const right = async () => ({ code: await codeAt(secret, clock.nowMs) });
    expect((await step(world, first.cookie, await right())).status).toBe(409);
    for (let login = 0; login < 5; login++) {
      // Past the limit of requests for each client address.
      clock.nowMs += 60_000;
      const { cookie } = await beginLogin(world, person.email);
      await Promise.all(Array.from({ length: 5 }, () => wrong(cookie)));
      for (let time = 0; time < 5; time++) await wrong(cookie);
    }
    clock.nowMs += 60_000;
    const { cookie } = await beginLogin(world, person.email);
    const locked = await step(world, cookie, await right());
    expect([locked.status, locked.json.message]).toEqual([401, expect.stringContaining("recovery code")]);
    expect((await step(world, cookie, { recoveryCode: codes[0] })).status).toBe(200);
  });

  test("a login with a second factor is needed after a password reset and an invitation too", async () => {
    const world = await worldWithApp();
    const { ask, person, createWorkspace } = world;
    const { id: other } = await createWorkspace("Other");
    const token = await invitationToken(world, { workspaceId: other, email: person.email });
    const joined = await ask("POST", "/api/auth/invite/accept", { body: { token, password: goodPassword } });
    expect(joined.json.error).toBe("second_factor_required");
    expect((await ask("GET", "/api/me", { cookie: cookieOf(joined.headers).cookie })).status).toBe(401);
    const reset = { token: await resetToken(world, person.email), password: "another lamp under tundra" };
    const chosen = await ask("POST", "/api/auth/reset", { body: reset });
    expect(chosen.json.error).toBe("second_factor_required");
    expect((await ask("GET", "/api/me", { cookie: cookieOf(chosen.headers).cookie })).status).toBe(401);
  });

  test("a login with a second factor is in the audit log once when it is complete, and a wrong code as a failure", async () => {
    const world = await worldWithApp();
    const { ask, person, workspace, secret, clock, cookie } = world;
    const pending = (await beginLogin(world, person.email)).cookie;
    await step(world, pending, { code: "000000" });
    expect((await step(world, pending, { code: await codeAt(secret, clock.nowMs) })).status).toBe(200);
    const entries = async (action: string) =>
      (await ask("GET", `/api/audit?action=${action}`, { cookie, workspace })).json.items;
    expect(await entries("login.success")).toHaveLength(1);
    clock.nowMs += 60_000;
    await recordFailures(world, serveOrThrow);
    expect(await entries("login.failure")).toMatchObject([
      { summary: expect.stringContaining(person.email), times: 1 },
    ]);
    expect(await entries("second-factor")).toMatchObject([
      { summary: expect.stringContaining("added the second factor “Phone”"), outcome: "done" },
    ]);
  });

  test("a login with a second factor reveals nothing without the right password", async () => {
    const world = await worldWithApp();
    const { ask, person } = world;
    const wrong = await beginLogin(world, person.email, "wrong password indeed");
    expect([wrong.status, wrong.json.error, wrong.cookie]).toEqual([401, "invalid_credentials", ""]);
    expect((await ask("POST", "/api/auth/second-factor/options")).status).toBe(409);
    expect((await step(world, "assay_session=x", { code: "123456" })).status).toBe(409);
  });
});

describe("a second factor", () => {
  test("a second factor is added and removed only with the password, and never with a token", async () => {
    const { ask, cookie, id, workspace, issueToken, person } = await worldWithApp();
    const add = (password: string) =>
      ask("POST", "/api/auth/second-factors", { cookie, body: { kind: "totp", name: "Tablet", password } });
    expect((await add("wrong password indeed")).status).toBe(401);
    const { token } = await issueToken(workspace, null, person.id);
    expect((await ask("GET", "/api/auth/second-factors", { token })).status).toBe(403);
    const remove = (password: string) =>
      ask("POST", `/api/auth/second-factors/${id}/remove`, { cookie, body: { password } });
    expect((await remove("wrong password indeed")).status).toBe(401);
    expect((await remove(goodPassword)).status).toBe(204);
    const { json } = await ask("GET", "/api/auth/second-factors", { cookie });
    expect(json).toMatchObject({ items: [], recoveryCodesLeft: 0 });
    const login = { email: person.email, password: goodPassword };
    expect((await ask("POST", "/api/auth/login", { body: login })).status).toBe(200);
  });

  test("a second factor isn't required before it is confirmed, and an unfinished setup expires", async () => {
    const world = await worldWithApp();
    const { ask, cookie, clock } = world;
    const body = { kind: "totp", name: "Tablet", password: goodPassword };
    const { json } = await ask("POST", "/api/auth/second-factors", { cookie, body });
    expect((await ask("GET", "/api/auth/second-factors", { cookie })).json.items).toHaveLength(1);
    const confirm = async () =>
      await ask("POST", `/api/auth/second-factors/${json.id}/confirm`, {
        cookie,
        body: { code: await codeAt(json.secret, clock.nowMs) },
      });
    clock.nowMs += 31 * 60_000;
    expect((await confirm()).status).toBe(404);
  });

  test("a second factor of another user can't be confirmed or removed", async () => {
    const { ask, id, workspace, addPerson } = await worldWithApp();
    const { cookie } = await addPerson(workspace, "owner");
    const body = { code: "123456" };
    expect((await ask("POST", `/api/auth/second-factors/${id}/confirm`, { cookie, body })).status).toBe(404);
  });

  test("a second factor cannot be a passkey under an IP address", async () => {
    const { ask, cookie } = await worldWithApp();
    const body = { kind: "passkey", name: "Key", password: goodPassword };
    const begun = await ask("POST", "/api/auth/second-factors", { cookie, body });
    expect([begun.status, begun.json.message]).toEqual([409, expect.stringContaining("host name")]);
  });
});

describe("a passkey", () => {
  const host = "assay.example";

  async function worldWithPasskey() {
    const world = await worldWithApp();
    const origin = `http://localhost:${world.port}`;
    const at = { host: `localhost:${world.port}`, origin };
    /** fetch doesn't send another Host. */
    const askAt = (path: string, cookie: string, body: object = {}) => askAs(world, path, { ...at, cookie }, body);
    const begun = await askAt("/api/auth/second-factors", world.cookie, {
      kind: "passkey",
      name: "Laptop",
      password: goodPassword,
    });
    const { challenge } = begun.json.options;
    const { passkey, response } = createPasskey("localhost", { origin, challenge });
    const path = `/api/auth/second-factors/${begun.json.id}/confirm`;
    const confirmed = await askAt(path, world.cookie, { passkey: response });
    expect([confirmed.status, confirmed.json]).toEqual([200, { recoveryCodes: [] }]);
    const login = async () => {
      world.clock.nowMs += 61_000;
      const { cookie } = await beginLogin(world, world.person.email);
      const offered = await askAt("/api/auth/second-factor/options", cookie);
      return { cookie, challenge: offered.json.passkey.challenge as string };
    };
    const answer = (cookie: string, given: unknown) => askAt("/api/auth/second-factor", cookie, { passkey: given });
    return { ...world, origin, askAt, passkey, login, answer };
  }

  test("a passkey logs in, with a challenge that works once", async () => {
    const { passkey, origin, login, answer } = await worldWithPasskey();
    const { cookie, challenge } = await login();
    const response = usePasskey(passkey, { origin, challenge });
    expect((await answer(cookie, response)).status).toBe(200);
    const again = await login();
    expect((await answer(again.cookie, response)).status).toBe(401);
  });

  test("a passkey is rejected for another site, challenge, counter, or signature, and in an invalid form", async () => {
    const { passkey, origin, login, answer } = await worldWithPasskey();
    const other = createPasskey("localhost", { origin, challenge: "x" }).passkey;
    const forged: readonly ((challenge: string) => unknown)[] = [
      (challenge) => usePasskey(passkey, { origin: `https://${host}`, challenge }),
      (challenge) => usePasskey(passkey, { origin, challenge, host }),
      () => usePasskey(passkey, { origin, challenge: "AAAA" }),
      (challenge) => usePasskey({ ...passkey, key: other.key }, { origin, challenge }),
      (challenge) => usePasskey({ ...passkey, id: other.id }, { origin, challenge }),
      () => ({}),
      () => ({ id: 5, response: null }),
      () => ({ id: passkey.id, rawId: passkey.id, type: "public-key", response: { signature: "%" } }),
    ];
    for (const [number, forge] of forged.entries()) {
      const { cookie, challenge } = await login();
      expect([number, (await answer(cookie, forge(challenge))).status]).toEqual([number, 401]);
    }
    const { cookie, challenge } = await login();
    expect((await answer(cookie, usePasskey(passkey, { origin, challenge }))).status).toBe(200);
    // A copy of the key counts from where it was copied.
    const copied = await login();
    passkey.counter = 0;
    const stale = usePasskey(passkey, { origin, challenge: copied.challenge });
    expect((await answer(copied.cookie, stale)).status).toBe(401);
  });
});

async function askAs({ port }: World, path: string, headers: Readonly<Record<string, string>>, body: object) {
  const sent = request({
    host: "127.0.0.1",
    port,
    path,
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
  });
  sent.end(JSON.stringify(body));
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  return { status: answer.statusCode, json: JSON.parse(await text(answer)) };
}

describe("a workspace that requires a second factor", () => {
  test("a workspace that requires a second factor is closed to sessions without one, and says so, while tokens still work", async () => {
    const world = await worldWithApp();
    const { ask, cookie, workspace, addPerson, issueToken } = world;
    const require = { requiresSecondFactor: true };
    const path = `/api/workspaces/${workspace}`;
    const ben = await addPerson(workspace, "owner", "Ben");
    expect((await ask("PATCH", path, { cookie: ben.cookie, body: require })).status).toBe(409);
    expect((await ask("PATCH", path, { cookie, body: require })).json.requiresSecondFactor).toBe(true);
    expect((await ask("GET", "/api/tests", { cookie, workspace })).status).toBe(200);
    const closed = await ask("GET", "/api/tests", { cookie: ben.cookie, workspace });
    expect([closed.status, closed.json.error]).toEqual([403, "second_factor_required"]);
    expect((await ask("GET", "/api/events", { cookie: ben.cookie, workspace })).status).toBe(403);
    expect((await ask("PATCH", path, { cookie: ben.cookie, body: { name: "Mine" } })).status).toBe(404);
    expect((await ask("GET", "/api/workspaces", { cookie: ben.cookie })).json.items).toEqual([]);
    const [mine] = (await ask("GET", "/api/me", { cookie: ben.cookie })).json.workspaces;
    expect(mine).toMatchObject({ id: workspace, secondFactorMissing: true });
    const { token } = await issueToken(workspace);
    expect((await ask("GET", "/api/tests", { token, workspace })).status).toBe(200);
  });

  test("a workspace that requires a second factor can be changed only by a token with full scope whose creator has a second factor", async () => {
    const { ask, workspace, person, issueToken, addPerson } = await worldWithApp();
    const ben = await addPerson(workspace, "owner", "Ben");
    const tokenOf = async (id: string, scope: "admin" | "full") =>
      (await issueToken(workspace, null, id, { scope, label: null })).token;
    const change = async (token: string, requiresSecondFactor: boolean) => {
      const body = { requiresSecondFactor };
      const { status, json } = await ask("PATCH", `/api/workspaces/${workspace}`, { token, body });
      return [status, json.error ?? json.requiresSecondFactor];
    };
    expect(await change(await tokenOf(person.id, "admin"), true)).toEqual([403, "forbidden"]);
    expect(await change(await tokenOf(ben.id, "full"), true)).toEqual([409, "conflict"]);
    const token = await tokenOf(person.id, "full");
    expect(await change(token, true)).toEqual([200, true]);
    expect(await change(token, false)).toEqual([200, false]);
  });

  test("a workspace that requires a second factor limits a token of a user without one to the admin scope", async () => {
    const world = await worldWithApp();
    const { ask, cookie, workspace, person, issueToken, addPerson, store, id } = world;
    const ben = await addPerson(workspace, "owner", "Ben");
    const tokenOf = async (of: string | null, scope: "admin" | "full" = "full") =>
      (await issueToken(workspace, null, of, { scope, label: null })).token;
    const [own, bens, bensAdmin, operators] = [
      await tokenOf(person.id),
      await tokenOf(ben.id),
      await tokenOf(ben.id, "admin"),
      await tokenOf(null),
    ];
    const path = `/api/workspaces/${workspace}`;
    const require = async (token: string, requiresSecondFactor: boolean) =>
      (await ask("PATCH", path, { token, body: { requiresSecondFactor } })).json.error;
    expect(await require(own, true)).toBeUndefined();
    const outcomes = async (token: string) => {
      const body = { name: "another", scope: "read" };
      const { json } = await ask("POST", "/api/tokens", { token, workspace, body });
      return [(await ask("GET", "/api/tokens", { token, workspace })).status, json.error];
    };
    expect(await outcomes(own)).toEqual([200, undefined]);
    expect(await outcomes(operators)).toEqual([200, undefined]);
    expect(await outcomes(bens)).toEqual([200, "second_factor_required"]);
    expect(await outcomes(bensAdmin)).toEqual([200, "forbidden"]);
    expect(await require(bens, false)).toBe("second_factor_required");
    expect((await ask("DELETE", path, { token: bens })).json.error).toBe("second_factor_required");
    await store.write((db) =>
      insertIdentity(db, {
        id: "idn_a",
        user_id: ben.id,
        issuer: "https://login.example",
        subject: "ben",
        email: null,
        created_at: 1,
        last_login_at: 1,
      }),
    );
    expect(await outcomes(bens)).toEqual([200, undefined]);
    const remove = { cookie, body: { password: goodPassword } };
    expect((await ask("POST", `/api/auth/second-factors/${id}/remove`, remove)).status).toBe(204);
    expect(await outcomes(own)).toEqual([200, "second_factor_required"]);
  });

  test("a workspace that requires a second factor closes to sessions of a user who removes their last one", async () => {
    const world = await worldWithApp();
    const { ask, cookie, workspace, person, id, codes } = world;
    const login = await step(world, (await beginLogin(world, person.email)).cookie, { recoveryCode: codes[0] });
    const { cookie: second } = cookieOf(login.headers);
    const body = { requiresSecondFactor: true };
    expect((await ask("PATCH", `/api/workspaces/${workspace}`, { cookie, body })).status).toBe(200);
    const remove = { cookie, body: { password: goodPassword } };
    expect((await ask("POST", `/api/auth/second-factors/${id}/remove`, remove)).status).toBe(204);
    for (const session of [cookie, second]) {
      const closed = await ask("GET", "/api/tests", { cookie: session, workspace });
      expect([closed.status, closed.json.error]).toEqual([403, "second_factor_required"]);
    }
  });
});
