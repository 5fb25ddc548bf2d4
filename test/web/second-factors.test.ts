// A user protects their account with an app and with a passkey, and logs in with each. The passkey is in Chromium's
// virtual authenticator.

import { once } from "node:events";
import { request } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { publicName } from "../../scripts/browser.ts";
import { totpCode } from "../../src/features/people/rules/second-factors.ts";
import { createSelfSigned } from "../../src/platform/system/self-signed.ts";
import { goodPassword, resetToken } from "../http/people.ts";
import { fromBase32 } from "../soft-authenticator.ts";
import { expectUsableByEveryone } from "./axe.ts";
import { addReader, hasBrowser, openWebWorld, soon, type WebWorld } from "./web-world.ts";

const held: { world?: WebWorld } = {};
const worldOf = () => held.world as WebWorld;

beforeAll(async () => {
  if (hasBrowser) held.world = await openWebWorld();
});
afterAll(() => held.world?.closeAll());

async function addPerson(world = worldOf()) {
  const reader = await addReader(world);
  const token = await resetToken(world, reader.email);
  await world.ask("POST", "/api/auth/reset", { body: { token, password: goodPassword } });
  return { ...reader, cookie: (await world.openSession(reader.id)).cookie };
}

/** Passkeys need a name, and this one needs no certificate. */
const atLocalhost = () => worldOf().base.replace("127.0.0.1", "localhost");

async function openAtLocalhost(cookie: string): Promise<Page> {
  const page = await worldOf().openPage(null, { alsoAt: atLocalhost() });
  const [name = "", value = ""] = cookie.split("=");
  await page.context().addCookies([{ name, value, url: atLocalhost() }]);
  return page;
}

async function addVirtualAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

async function logIn(page: Page, email: string): Promise<void> {
  await page.getByLabel("Email address").fill(email);
  await page.getByLabel("Password").fill(goodPassword);
  await page.getByRole("button", { name: "Log in" }).click();
  await soon(() => page.getByRole("heading", { name: "Second factor" }).count()).toBe(1);
}

async function addPasskey(page: Page, at: string): Promise<void> {
  await page.goto(`${at}/settings/you`);
  await page.getByRole("button", { name: "Add passkey" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Laptop");
  await dialog.getByLabel("Your password").fill(goodPassword);
  await dialog.getByRole("button", { name: "Create passkey" }).click();
  await soon(() => page.getByText("Save your recovery codes").count()).toBe(1);
  await page.getByRole("button", { name: "I’ve saved them" }).click();
}

/** As an operator puts one in front of the server. `toHost` makes the Host header that it passes on. */
async function startTlsProxy(toHost: (host: string) => string, headers: Readonly<Record<string, string>>) {
  let target = "";
  const proxy = createServer(createSelfSigned([publicName], Date.now()), (incoming, answer) => {
    const { method, url, headers: sent } = incoming;
    const passed = { ...sent, "x-forwarded-for": "198.51.100.7", ...headers, host: toHost(sent.host ?? "") };
    const outgoing = request(`${target}${url}`, { method, headers: passed }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    outgoing.on("error", () => answer.destroy());
    incoming.pipe(outgoing);
  });
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => proxy.closeAllConnections());
  onTestFinished(() => void proxy.close());
  const origin = `https://${publicName}:${(proxy.address() as AddressInfo).port}`;
  const forwardTo = (base: string) => {
    target = base;
  };
  return { origin, forwardTo };
}

describe.skipIf(!hasBrowser)("a second factor in the app", () => {
  test("a second factor in the app can be an authenticator app with codes and a recovery code", async () => {
    const world = worldOf();
    const { cookie, email } = await addPerson();
    const page = await world.openPage(cookie);
    await page.goto(`${world.base}/settings/you`);
    await page.getByRole("button", { name: "Add authenticator app" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Your password").fill(goodPassword);
    await dialog.getByRole("button", { name: "Continue" }).click();
    await soon(() => dialog.getByRole("img", { name: "QR code of the key" }).count()).toBe(1);
    await expectUsableByEveryone(page);
    await dialog.getByText("Can’t scan it?").click();
    const secret = fromBase32((await dialog.locator("code").innerText()).trim());
    const code = (steps: number) => totpCode(secret, Math.floor(world.clock.nowMs / 30_000) + steps);
    await dialog.getByLabel("Code", { exact: true }).fill(code(0));
    await dialog.getByRole("button", { name: "Add app" }).click();
    const codes = page.getByRole("status").filter({ hasText: "Save your recovery codes" });
    const [recovery = ""] = (await codes.locator("pre").innerText()).split("\n");
    expect(recovery).toMatch(/^\w{4}-\w{4}-\w{4}-\w{4}$/);
    await expectUsableByEveryone(page);

    for (const way of ["code", "recovery"] as const) {
      const other = await world.openPage(null);
      await other.goto(`${world.base}/login`);
      await logIn(other, email);
      await soon(() => other.getByLabel("Code", { exact: true }).count()).toBe(1);
      await expectUsableByEveryone(other);
      if (way === "recovery") {
        await other.getByText("Log in another way").click();
        await other.getByRole("button", { name: "Use a recovery code" }).click();
        await other.getByLabel("Recovery code").fill(recovery);
      } else await other.getByLabel("Code", { exact: true }).fill(code(1));
      await other.getByRole("button", { name: "Log in" }).click();
      await soon(() => other.getByRole("navigation").count()).toBeGreaterThan(0);
    }
  });

  test("a second factor in the app can be a passkey, which logs in and can be removed", async () => {
    const { cookie, email } = await addPerson();
    const page = await openAtLocalhost(cookie);
    await addVirtualAuthenticator(page);
    await addPasskey(page, atLocalhost());
    await page.context().clearCookies();
    await page.goto(`${atLocalhost()}/login`);
    await logIn(page, email);
    await page.getByRole("button", { name: "Use your passkey" }).click();
    await soon(() => page.getByRole("navigation").count()).toBeGreaterThan(0);
    await page.goto(`${atLocalhost()}/settings/you`);
    await page.getByRole("button", { name: "Remove Laptop" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Your password").fill(goodPassword);
    await dialog.getByRole("button", { name: "Remove" }).click();
    await soon(() => page.getByText("You log in with your password alone.").count()).toBe(1);
  });

  test.each([
    ["names the host without its port", (host: string) => host.replace(/:.*/, ""), { "x-forwarded-proto": "https" }],
    ["doesn't say that it serves HTTPS", (host: string) => host, {}],
  ])("a passkey works through a TLS proxy that %s, with a base URL", async (_says, toHost, headers) => {
    const { origin, forwardTo } = await startTlsProxy(toHost, headers);
    const settings = { ASSAY_BASE_URL: origin, ASSAY_TRUSTED_PROXIES: "127.0.0.1" };
    const world = await openWebWorld({ machine: { settings }, trustedProxies: ["127.0.0.1/32"] });
    onTestFinished(world.closeAll);
    forwardTo(world.base);
    const { email } = await addPerson(world);
    const page = await world.openPage(null, { alsoAt: origin, takesAnyCertificate: true });
    await addVirtualAuthenticator(page);
    await page.goto(`${origin}/login`);
    await page.getByLabel("Email address").fill(email);
    await page.getByLabel("Password").fill(goodPassword);
    await page.getByRole("button", { name: "Log in" }).click();
    await soon(() => page.getByRole("navigation").count()).toBeGreaterThan(0);
    await addPasskey(page, origin);
    await page.context().clearCookies();
    await page.goto(`${origin}/login`);
    await logIn(page, email);
    await page.getByRole("button", { name: "Use your passkey" }).click();
    await soon(() => page.getByRole("navigation").count()).toBeGreaterThan(0);
  });

  test("a second factor in the app is required by a workspace before it shows anything", async () => {
    const world = worldOf();
    const { cookie, workspaceId } = await addPerson();
    await world.store.write((db) =>
      db.updateTable("workspaces").set({ requires_second_factor: 1 }).where("id", "=", workspaceId).execute(),
    );
    const page = await world.openPage(cookie);
    await page.goto(`${world.base}/tests`);
    await soon(() => page.getByRole("heading", { name: "Letters requires a second factor" }).count()).toBe(1);
    await soon(() => page.getByRole("button", { name: "Add authenticator app" }).count()).toBe(1);
    await expectUsableByEveryone(page);
  });
});
