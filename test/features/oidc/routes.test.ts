// Login at an organization's real issuer: roles by groups, logout in both directions, and existing accounts.

import { expect, test } from "vitest";
import { insertFactor } from "../../../src/features/people/rows/second-factors.ts";
import { findSession } from "../../../src/features/people/rows/sessions.ts";
import { parsePlans } from "../../../src/features/people/rules/plans.ts";
import { addEmergencyAccount } from "../../../src/features/people/work/emergency.ts";
import { hashSecret } from "../../../src/platform/contract/secrets.ts";
import { follow } from "../../http/event-client.ts";
import { logInAt, readRoles, sessionCookie, toIssuer, worldWithIssuer } from "../../http/oidc-world.ts";
import { goodPassword, resetToken } from "../../http/people.ts";
import { openBrowser, startOrganization } from "../../oidc-issuer.ts";

const ann = { email: "Ann@Example.com", name: "Ann Marlow", groups: ["assay-admins"] };

async function start(options: Parameters<typeof worldWithIssuer>[1] = {}, refreshes = true) {
  const issuer = await startOrganization({ refreshes });
  issuer.people.set("ann", ann);
  const world = await worldWithIssuer({ company: toIssuer(issuer.url) }, options);
  issuer.callBackAt(world.base);
  return { world, issuer, browser: openBrowser() };
}

type Started = Awaited<ReturnType<typeof start>>;

/** Then only the end of a right ends its event streams. */
const withoutChecks = { eventBounds: { checkMs: 3_600_000 } };

async function followAs({ base }: Pick<Started["world"], "base">, browser: Started["browser"], workspace: string) {
  const stream = await follow(base, { cookie: `${sessionCookie}=${browser.cookieOf(base, sessionCookie)}`, workspace });
  expect(stream.status).toBe(200);
  return stream;
}

/** An account with a password, as it was here before. */
async function addPasswordAccount(world: Started["world"], email: string): Promise<string> {
  const person = await world.addPerson(world.first, "member", "Before");
  await world.store.write((db) => db.updateTable("users").set({ email }).where("id", "=", person.id).execute());
  const body = { token: await resetToken(world, email), password: goodPassword };
  expect((await world.ask("POST", "/api/auth/reset", { body })).status).toBe(200);
  return person.id;
}

test("groups give roles at the first login, and change them at the next", async () => {
  const { world, issuer, browser } = await start();
  expect(await logInAt(world, browser, { query: "?next=%2Fdomains%3Fa%3Db" })).toBe("/domains?a=b");
  expect(await readRoles(world, browser)).toEqual({ Server: "owner" });
  const { user } = (await browser.read(`${world.base}/api/me`)).json;
  expect(user).toMatchObject({ name: "Ann Marlow", email: "ann@example.com" });
  issuer.people.set("ann", { ...ann, email: "ann.moss@example.com", groups: ["writers", "marketing"] });
  expect(await logInAt(world, browser)).toBe("/");
  expect(await readRoles(world, browser)).toEqual({ Server: "member", Marketing: "member" });
  const again = (await browser.read(`${world.base}/api/me`)).json.user;
  expect(again).toMatchObject({ id: user.id, email: "ann.moss@example.com" });
  issuer.people.set("ann", { ...ann, groups: ["marketing", "others"] });
  await logInAt(world, browser);
  expect(await readRoles(world, browser)).toEqual({ Marketing: "member" });
});

test("a user without a matching group sees an explanation and gets no account", async () => {
  const { world, issuer, browser } = await start();
  issuer.people.set("ann", { ...ann, groups: ["others"] });
  expect(await logInAt(world, browser)).toBe("/login?problem=no_role&at=company");
  expect(await readRoles(world, browser)).toBe(401);
  expect(await world.store.read.selectFrom("users").selectAll().execute()).toEqual([]);
});

test("a user who lost all groups loses the workspace and tokens, and is logged out", async () => {
  const { world, issuer, browser } = await start();
  await logInAt(world, browser);
  const { id } = (await browser.read(`${world.base}/api/me`)).json.user;
  const { token } = await world.issueToken(world.first, null, id);
  const other = openBrowser();
  await logInAt(world, other);
  issuer.people.set("ann", { ...ann, groups: [] });
  expect(await logInAt(world, browser)).toBe("/login?problem=no_role&at=company");
  for (const one of [browser, other]) expect(await readRoles(world, one)).toBe(401);
  expect((await world.ask("GET", "/api/me", { token })).status).toBe(403);
});

test("a session is confirmed at the issuer once a minute, and a revoked user is logged out within a minute", async () => {
  const { world, issuer, browser } = await start();
  await logInAt(world, browser);
  const countTokens = () => issuer.asked.filter((one) => one === "POST /token").length;
  expect(countTokens()).toBe(1);
  world.clock.nowMs += 59_000;
  await readRoles(world, browser);
  expect(countTokens()).toBe(1);
  issuer.people.set("ann", { ...ann, groups: ["writers"] });
  world.clock.nowMs += 1_000;
  const many = await Promise.all(Array.from({ length: 8 }, () => readRoles(world, browser)));
  expect(many).toEqual(Array.from({ length: 8 }, () => ({ Server: "member" })));
  expect(countTokens()).toBe(2);
  issuer.people.delete("ann");
  world.clock.nowMs += 30_000;
  expect(await readRoles(world, browser)).toEqual({ Server: "member" });
  world.clock.nowMs += 30_000;
  expect(await readRoles(world, browser)).toBe(401);
  expect(countTokens()).toBe(3);
});

test("an issuer outage logs no one out for half a day, and then everyone unconfirmed", async () => {
  const { world, issuer, browser } = await start();
  await logInAt(world, browser);
  issuer.stop();
  world.clock.nowMs += 6 * 3_600_000;
  expect(await readRoles(world, browser)).toEqual({ Server: "owner" });
  world.clock.nowMs += 6 * 3_600_000 + 1;
  expect(await readRoles(world, browser)).toBe(401);
});

test("without refresh tokens, a login lasts half a day", async () => {
  const { world, issuer, browser } = await start({}, false);
  await logInAt(world, browser);
  for (let hours = 0; hours < 12; hours += 4) {
    expect(await readRoles(world, browser)).toEqual({ Server: "owner" });
    world.clock.nowMs += 4 * 3_600_000;
  }
  world.clock.nowMs += 1;
  expect(await readRoles(world, browser)).toBe(401);
  expect(issuer.asked.filter((one) => one === "POST /token")).toHaveLength(1);
});

test("a logout leads to the issuer's logout and ends the other sessions of this login", async () => {
  const { world, browser } = await start(withoutChecks);
  await logInAt(world, browser);
  const other = openBrowser();
  const secret = browser.cookieOf(world.base, sessionCookie) ?? "";
  // Otherwise the second login would end it.
  browser.setCookie(world.base, sessionCookie, "none");
  await logInAt(world, browser);
  // The first session of the same login, as if it were in another browser of the same device.
  other.setCookie(world.base, sessionCookie, secret);
  expect(await readRoles(world, other)).toEqual({ Server: "owner" });
  const stranger = openBrowser();
  await logInAt(world, stranger);
  const stream = await followAs(world, other, world.first);
  const { text } = await browser.post(`${world.base}/api/auth/oidc/logout`, {});
  expect(await readRoles(world, browser)).toBe(401);
  const { at, text: page } = await browser.open(JSON.parse(text).url);
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(page)?.[1] ?? "";
  const fields = new URLSearchParams({ xsrf, logout: "yes" });
  const { location } = await browser.post(`${at.origin}/session/end/confirm`, fields);
  expect(location).toBe(`${world.base}/login?out=1`);
  await stream.ended;
  expect(await readRoles(world, other)).toBe(401);
  // Another login of the same person goes on.
  expect(await readRoles(world, stranger)).toEqual({ Server: "owner" });
});

test("a group that is missing at a login ends the event streams of its workspace immediately", async () => {
  const { world, issuer, browser } = await start(withoutChecks);
  issuer.people.set("ann", { ...ann, groups: ["writers", "marketing"] });
  await logInAt(world, browser);
  const stream = await followAs(world, browser, world.marketing);
  issuer.people.set("ann", { ...ann, groups: ["writers"] });
  await logInAt(world, openBrowser());
  await stream.ended;
});

test("when the issuer is down, the login page says so, and only an emergency account can use its password", async () => {
  const { world, issuer, browser } = await start({ login: "oidc" });
  await addPasswordAccount(world, "ben@example.com").catch(() => {});
  await addEmergencyAccount(world.store, world.system, "root@example.com");
  const reset = { token: await resetToken(world, "root@example.com"), password: goodPassword };
  expect((await world.ask("POST", "/api/auth/reset", { body: reset })).status).toBe(200);
  issuer.stop();
  expect(await logInAt(world, browser)).toBe("/login?problem=silent&at=company");
  const logIn = (email: string, password = goodPassword) =>
    world.ask("POST", "/api/auth/login", { body: { email, password } });
  const emergency = await logIn("root@example.com");
  expect(emergency.json).toMatchObject({ workspaces: [{ name: "Server", role: "owner" }] });
  const logged = world.lines.filter(({ level }) => level === "warn").map((line) => JSON.stringify(line));
  expect(logged.filter((line) => line.includes("An emergency account logged in"))).toHaveLength(1);
  const [other, wrong] = [await logIn("ben@example.com"), await logIn("root@example.com", "wrong password")];
  expect(other.json).toEqual(wrong.json);
  expect(other.status).toBe(401);
});

test("with logins only through issuers, there are no password links, invitations, or setup pages", async () => {
  const { world, browser } = await start({ login: "oidc" });
  const person = await world.addPerson(world.first, "owner");
  const asOwner = { cookie: person.cookie, workspace: world.first };
  // A session that began with a password.
  expect((await world.ask("GET", "/api/me", asOwner)).status).toBe(401);
  await logInAt(world, browser);
  const cookie = `${sessionCookie}=${browser.cookieOf(world.base, sessionCookie)}`;
  const invited = await world.ask("POST", "/api/members", {
    cookie,
    workspace: world.first,
    body: { email: "new@example.com", role: "member" },
  });
  expect(invited.json.error).toBe("conflict");
  const body = { token: await resetToken(world, person.email), password: goodPassword };
  expect((await world.ask("POST", "/api/auth/reset", { body })).json.error).toBe("conflict");
  expect((await world.ask("GET", "/api/login-ways")).json).toEqual({
    passwords: "emergency",
    resetByEmail: false,
    issuers: [{ name: "company", label: "Example Inc.", path: "/api/oidc/company/start" }],
  });
  expect((await fetch(`${world.base}/tests`, { redirect: "manual" })).status).not.toBe(302);
});

test("an email address with an account needs its password once to be connected", async () => {
  const { world, issuer, browser } = await start();
  const userId = await addPasswordAccount(world, "ann@example.com");
  issuer.people.set("ann", { ...ann, verified: false });
  expect(await logInAt(world, browser)).toBe("/login?problem=unverified_email&at=company");
  issuer.people.set("ann", ann);
  expect(await logInAt(world, browser, { query: "?next=/alerts" })).toBe(
    "/login?problem=account_exists&at=company&next=%2Falerts",
  );
  expect(await readRoles(world, browser)).toBe(401);
  const link = (password: string, by = browser) => by.post(`${world.base}/api/auth/oidc/link`, { password });
  expect((await link("not the password")).status).toBe(401);
  expect((await link(goodPassword, openBrowser())).status).toBe(400);
  const { path } = JSON.parse((await link(goodPassword)).text);
  expect(path).toBe("/api/oidc/company/start?next=%2Falerts");
  expect(await logInAt(world, browser, { query: "?next=/alerts" })).toBe("/alerts");
  expect((await browser.read(`${world.base}/api/me`)).json.user.id).toBe(userId);
  // The role that an owner gave stays.
  expect(await readRoles(world, browser)).toEqual({ Server: "member" });
});

test("an account with a second factor isn't connected with its password alone", async () => {
  const { world, browser } = await start();
  const userId = await addPasswordAccount(world, "ann@example.com");
  const now = world.clock.nowMs;
  const empty = { last_used_at: null, last_step: null, secret: null, passkey: null, credential_id: null };
  const factor = { ...empty, id: "fac_1", user_id: userId, kind: "totp", name: "Phone" } as const;
  await world.store.write((db) => insertFactor(db, { ...factor, created_at: now, confirmed_at: now }));
  expect(await logInAt(world, browser)).toBe("/login?problem=account_exists&at=company");
  const link = (password: string) => browser.post(`${world.base}/api/auth/oidc/link`, { password });
  expect((await link("not the password")).status).toBe(401);
  const refused = await link(goodPassword);
  expect([refused.status, JSON.parse(refused.text).message]).toEqual([
    403,
    "This account needs a second factor. Log in with your password and the second factor, and then connect Example Inc. under Settings, Account.",
  ]);
  expect(await world.store.read.selectFrom("identities").selectAll().execute()).toEqual([]);
  expect(await readRoles(world, browser)).toBe(401);
});

test("an account is connected on its own page with its password, and disconnected if another login remains", async () => {
  const { world, issuer, browser } = await start(withoutChecks);
  const userId = await addPasswordAccount(world, "me@example.com");
  const { base } = world;
  await browser.post(`${base}/api/auth/login`, { email: "me@example.com", password: goodPassword });
  const connect = (password: string) => browser.post(`${base}/api/identities`, { issuer: "company", password });
  expect((await connect("not the password")).status).toBe(401);
  const { path } = JSON.parse((await connect(goodPassword)).text);
  const isThere = (at: URL) => at.origin === base && !at.pathname.startsWith("/api/");
  // Another person's browser can't be led through it.
  const stranger = openBrowser();
  issuer.people.set("eve", { email: "eve@example.com", groups: ["writers"] });
  issuer.next.subject = "eve";
  await logInAt(world, stranger);
  expect((await stranger.open(base + path, isThere)).at.search).toBe("?problem=other_person&at=company");
  issuer.next.subject = "ann";
  expect((await browser.open(base + path, isThere)).at.pathname).toBe("/settings/you");
  const { items, password, connectable } = (await browser.read(`${base}/api/identities`)).json;
  expect({ items, password, connectable }).toMatchObject({
    items: [{ issuer: "company", label: "Example Inc.", email: "ann@example.com" }],
    password: true,
    connectable: [],
  });
  const other = openBrowser();
  await logInAt(world, other);
  expect((await other.read(`${base}/api/me`)).json.user.id).toBe(userId);
  const stream = await followAs(world, other, world.first);
  const cookie = `${sessionCookie}=${browser.cookieOf(base, sessionCookie)}`;
  expect((await world.ask("DELETE", `/api/identities/${items[0].id}`, { cookie })).status).toBe(204);
  await stream.ended;
  expect(await readRoles(world, other)).toBe(401);
  const only = `${sessionCookie}=${stranger.cookieOf(base, sessionCookie)}`;
  const theirs = (await world.ask("GET", "/api/identities", { cookie: only })).json;
  expect(theirs).toMatchObject({ password: false, items: [{ email: "eve@example.com" }] });
  const refused = await world.ask("DELETE", `/api/identities/${theirs.items[0].id}`, { cookie: only });
  expect(refused.json.error).toBe("conflict");
});

test("a login starts a new session and ends the browser's old one", async () => {
  const { world, browser } = await start();
  const person = await world.addPerson(world.first, "owner");
  const [, before = ""] = person.cookie.split("=");
  browser.setCookie(world.base, sessionCookie, before);
  await logInAt(world, browser);
  const after = browser.cookieOf(world.base, sessionCookie) ?? "";
  expect(after).not.toBe(before);
  expect(await findSession(world.store.read, hashSecret(before), world.clock.nowMs)).toBeUndefined();
});

test("a role that came from a group cannot be changed in the members list", async () => {
  const { world, browser } = await start();
  await logInAt(world, browser);
  const { id } = (await browser.read(`${world.base}/api/me`)).json.user;
  const { cookie } = await world.addPerson(world.first, "owner");
  const asked = { cookie, workspace: world.first, body: { role: "member" } };
  expect((await world.ask("PATCH", `/api/members/${id}`, asked)).json.error).toBe("conflict");
});

test("a full workspace accepts no new member, and logs no one out", async () => {
  const reading = parsePlans(JSON.stringify({ plans: { small: { members: 1 } }, default: "small" }));
  if (!reading.ok) throw new Error(reading.problems.join());
  const { world, issuer, browser } = await start({ plans: reading.plans });
  await world.addPerson(world.first, "owner");
  expect(await logInAt(world, browser)).toBe("/login?problem=no_room&at=company");
  issuer.people.set("ann", { ...ann, groups: ["marketing"] });
  await logInAt(world, browser);
  issuer.people.set("ann", { ...ann, groups: ["marketing", "writers"] });
  for (let times = 0; times < 2; times++) {
    world.clock.nowMs += 60_000;
    expect(await readRoles(world, browser)).toEqual({ Marketing: "member" });
  }
});
