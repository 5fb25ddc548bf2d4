// What the audit log says about people who log in at an organization's issuer.

import { expect, test } from "vitest";
import type { AuditEntry } from "../../../src/features/audit-log/contract.ts";
import { toAuditEntry } from "../../../src/features/audit-log/work/entries.ts";
import { recordFailures } from "../../../src/features/audit-log/work/failures.ts";
import { listChains, listEntries } from "../../../src/platform/audit/rows/log.ts";
import { verifyChain } from "../../../src/platform/audit/rows/verify.ts";
import { serverChain } from "../../../src/platform/audit/rules/entry.ts";
import { serveOrThrow } from "../../../src/platform/work/serve-row.ts";
import { logInAt, loginCookie, readRoles, sessionCookie, toIssuer, worldWithIssuer } from "../../http/oidc-world.ts";
import { goodPassword, resetToken } from "../../http/people.ts";
import { openBrowser, startOrganization } from "../../oidc-issuer.ts";

const ann = { email: "ann@example.com", name: "Ann Marlow", groups: ["assay-admins"] };

async function start() {
  const issuer = await startOrganization();
  issuer.people.set("ann", ann);
  const world = await worldWithIssuer({ company: toIssuer(issuer.url) });
  issuer.callBackAt(world.base);
  const log = async (chain: string): Promise<AuditEntry[]> => {
    const place = { db: world.store.read, chain };
    expect((await verifyChain(place)).broken).toBeNull();
    const rows = await listEntries(place, {}, { limit: 100 });
    return rows
      .filter(({ action }) => action !== "audit.start")
      .map(toAuditEntry)
      .reverse();
  };
  return { world, issuer, browser: openBrowser(), log };
}

const say = (entries: readonly AuditEntry[]) => entries.map(({ summary }) => summary);
const provider = "Example Inc. (login provider)";

test("a first login is recorded, and so are roles that change with groups", async () => {
  const { world, issuer, browser, log } = await start();
  await logInAt(world, browser);
  const [added, login] = await log(world.first);
  expect(say([added, login] as AuditEntry[])).toEqual([
    `${provider} added the member “Ann Marlow”`,
    "Ann Marlow logged in",
  ]);
  expect(added?.details).toEqual({ after: { role: "owner" } });
  expect(login?.details).toEqual({ with: "company", isNewAccount: true });
  issuer.people.set("ann", { ...ann, groups: ["writers", "marketing"] });
  await logInAt(world, browser);
  expect((await log(world.first))[2]).toMatchObject({
    action: "member.change",
    actor: { type: "system", name: "Example Inc." },
    details: { before: { role: "owner" }, after: { role: "member" } },
  });
  expect(say(await log(world.marketing))).toEqual([
    `${provider} added the member “Ann Marlow”`,
    "Ann Marlow logged in",
  ]);
});

test("a login by HEAD is recorded like any other", async () => {
  const { world, browser, log } = await start();
  const isBack = (at: URL) => at.pathname.endsWith("/callback");
  const { at } = await browser.open(`${world.base}/api/oidc/company/start`, isBack);
  const cookie = `${loginCookie}=${browser.cookieOf(world.base, loginCookie)}`;
  const path = at.pathname + at.search;
  const asked = await world.ask("HEAD", path, { headers: { cookie } });
  expect(asked.headers.getSetCookie().some((set) => set.startsWith(sessionCookie))).toBe(true);
  expect(say(await log(serverChain))).toEqual(["Ann Marlow logged in"]);
});

test("a new email address from the issuer is recorded with the login", async () => {
  const { world, issuer, browser, log } = await start();
  await logInAt(world, browser);
  issuer.people.set("ann", { ...ann, email: "ann.marlow@example.com" });
  await logInAt(world, browser);
  expect((await log(world.first)).at(-1)).toMatchObject({
    action: "login.success",
    details: { before: { email: ann.email }, after: { email: "ann.marlow@example.com" } },
  });
});

test("a user who lost their groups is recorded as logged out within a minute", async () => {
  const { world, issuer, browser, log } = await start();
  await logInAt(world, browser);
  issuer.people.set("ann", { ...ann, groups: [] });
  world.clock.nowMs += 60_000;
  expect(await readRoles(world, browser)).toBe(401);
  expect(say((await log(world.first)).slice(2))).toEqual([`${provider} removed the member “Ann Marlow”`]);
  expect((await log(serverChain)).at(-1)).toMatchObject({
    action: "session.end",
    summary: `${provider} ended a session of “Ann Marlow”`,
    details: { why: "no_role" },
  });
});

test("an account disabled at the issuer is logged out within a minute, and recorded", async () => {
  const { world, issuer, browser, log } = await start();
  await logInAt(world, browser);
  issuer.people.delete("ann");
  world.clock.nowMs += 60_000;
  expect(await readRoles(world, browser)).toBe(401);
  expect((await log(serverChain)).at(-1)).toMatchObject({
    action: "session.end",
    object: { name: "Ann Marlow" },
    details: { why: "refused_by_issuer" },
  });
});

test("a user rejected by the issuer's rules is recorded as a failed login", async () => {
  const { world, issuer, browser, log } = await start();
  issuer.people.set("ann", { ...ann, groups: ["others"] });
  expect(await logInAt(world, browser)).toContain("problem=no_role");
  world.clock.nowMs += 60_000;
  await recordFailures(world, serveOrThrow);
  expect(say(await log(serverChain))).toEqual(["Someone failed to log in as “ann@example.com”"]);
  expect(await listChains(world.store.read)).toEqual([serverChain]);
});

test("connecting and disconnecting an account is recorded, including wrong passwords", async () => {
  const { world, browser, log } = await start();
  const { base, first } = world;
  const before = await world.addPerson(first, "member", "Before");
  await world.store.write((db) =>
    db.updateTable("users").set({ email: ann.email }).where("id", "=", before.id).execute(),
  );
  const body = { token: await resetToken(world, ann.email), password: goodPassword };
  await world.ask("POST", "/api/auth/reset", { body });
  expect(await logInAt(world, browser)).toContain("problem=account_exists");
  const link = (password: string) => browser.post(`${base}/api/auth/oidc/link`, { password });
  expect((await link("not the password")).status).toBe(401);
  expect((await link(goodPassword)).status).toBe(200);
  await logInAt(world, browser);
  const cookie = `${sessionCookie}=${browser.cookieOf(base, sessionCookie)}`;
  const ask = (method: string, path: string, asked: object = {}) => world.ask(method, path, { cookie, ...asked });
  const disconnect = async () => {
    const [identity] = (await ask("GET", "/api/identities")).json.items;
    expect((await ask("DELETE", `/api/identities/${identity.id}`)).status).toBe(204);
  };
  const entries = async () => (await log(first)).slice(1);
  expect(say(await entries())).toEqual([
    expect.stringMatching(/^Before connected their account with “http:\/\/127\.0\.0\.1:\d+”$/),
    "Before logged in",
  ]);
  await disconnect();
  // The session began there, so it ended.
  const { headers } = await world.ask("POST", "/api/auth/login", {
    body: { email: ann.email, password: goodPassword },
  });
  const own =
    headers
      .getSetCookie()
      .find((each) => each.startsWith(sessionCookie))
      ?.split(";")[0] ?? "";
  browser.setCookie(base, sessionCookie, own.split("=")[1] ?? "");
  const connect = (password: string) => browser.post(`${base}/api/identities`, { issuer: "company", password });
  expect((await connect("not the password")).status).toBe(401);
  const { path } = JSON.parse((await connect(goodPassword)).text);
  await browser.open(base + path, (url) => url.pathname === "/settings/you");
  world.clock.nowMs += 60_000;
  await recordFailures(world, serveOrThrow);
  const all = await entries();
  expect(all.map(({ action, times, actor }) => [action, times, actor.name])).toEqual([
    ["identity.connect", 1, "Before"],
    ["login.success", 1, "Before"],
    ["identity.disconnect", 1, "Before"],
    ["login.success", 1, "Before"],
    ["identity.connect", 1, "Before"],
    ["login.failure", 2, null],
  ]);
  expect(all.at(-2)).toMatchObject({
    object: { kind: "identity" },
    address: "127.0.0.1",
    details: { after: { email: ann.email } },
  });
});

test("a logout at the issuer ends the other sessions immediately, and both are recorded", async () => {
  const { world, browser, log } = await start();
  await logInAt(world, browser);
  const other = openBrowser();
  other.setCookie(world.base, sessionCookie, browser.cookieOf(world.base, sessionCookie) ?? "");
  // Again in the same session of the issuer, as if in another browser: otherwise the first session would end.
  browser.setCookie(world.base, sessionCookie, "none");
  await logInAt(world, browser);
  const { text } = await browser.post(`${world.base}/api/auth/oidc/logout`, {});
  expect((await log(world.first)).at(-1)).toMatchObject({
    action: "login.end",
    actor: { name: "Ann Marlow" },
    address: "127.0.0.1",
  });
  const { at, text: page } = await browser.open(JSON.parse(text).url);
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(page)?.[1] ?? "";
  await browser.post(`${at.origin}/session/end/confirm`, new URLSearchParams({ xsrf, logout: "yes" }));
  await expect.poll(() => readRoles(world, other)).toBe(401);
  expect((await log(world.first)).at(-1)).toMatchObject({
    action: "session.end",
    summary: `${provider} ended a session of “Ann Marlow”`,
    details: { why: "logout_token" },
  });
});
