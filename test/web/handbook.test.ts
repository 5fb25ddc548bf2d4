// The pages below /docs in a browser: without scripts, by keyboard, on a phone and a desktop, in light and dark.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectUsableByEveryone } from "./axe.ts";
import { addReader, hasBrowser, openWebWorld, soon, type WebWorld } from "./web-world.ts";

const paths = [
  "/docs",
  "/docs?q=reverse+dns",
  "/docs/fix-reverse-dns",
  "/docs/settings",
  "/docs/alerts",
  "/docs/production",
  "/docs/api",
  "/docs/api/alerts",
];

describe.skipIf(!hasBrowser)("the handbook in a browser", () => {
  let world: WebWorld;
  beforeAll(async () => {
    world = await openWebWorld();
  });
  afterAll(() => world.closeAll());

  test.each(paths)("the handbook in a browser is accessible at every width, in light and dark: %s", async (path) => {
    const page = await world.openPage(null);
    await page.goto(world.base + path);
    await expectUsableByEveryone(page);
  });

  test("the handbook in a browser has a search that opens with Enter and leads to the page", async () => {
    const page = await world.openPage(null);
    await page.goto(`${world.base}/docs`);
    const field = page.getByRole("banner").getByRole("searchbox");
    await field.fill("PTR");
    await field.press("Enter");
    await page.getByRole("link", { name: "Fix reverse DNS (PTR)", exact: true }).first().click();
    expect(await page.locator("h1").innerText()).toBe("Fix reverse DNS (PTR)");
  });

  test("the handbook in a browser shows the list of pages on a wide screen, and on request on a phone", async () => {
    const wide = await world.openPage(null);
    await wide.goto(`${world.base}/docs/fix-spf`);
    const nav = wide.getByRole("navigation", { name: "Handbook" });
    expect(await nav.getByRole("link", { name: "Fix SPF", exact: true }).isVisible()).toBe(true);
    const phone = await world.openPage(null, { width: 390, height: 844 });
    await phone.goto(`${world.base}/docs/fix-spf`);
    const link = phone.getByRole("navigation", { name: "Handbook" }).getByText("Fix SPF", { exact: true });
    expect(await link.isVisible()).toBe(false);
    await phone.getByText("All pages").click();
    expect(await link.isVisible()).toBe(true);
  });

  test("the handbook in a browser sends requests from the API reference with the user's login, and shows the response", async () => {
    const { cookie, workspaceId } = await addReader(world);
    await world.receive(workspaceId, "from-try-it", Buffer.from("Subject: Hi\r\n\r\nHello.\r\n"));
    const page = await world.openPage(cookie);
    await page.goto(`${world.base}/docs/api/tests`);
    const list = page.locator("#getTests");
    await list.getByText("Try it", { exact: true }).click();
    await list.getByLabel("limit").fill("1");
    await list.getByRole("button", { name: "Send request" }).click();
    const shown = list.getByRole("status");
    await soon(() => shown.innerText()).toMatch(/^HTTP 200 in \d+ ms/);
    expect(await shown.innerText()).toContain('"label": "from-try-it"');
    await list.getByLabel("limit").fill("none");
    await list.getByRole("button", { name: "Send request" }).click();
    await soon(() => shown.innerText()).toMatch(/^HTTP 400 [\s\S]*limit/);
    await expectUsableByEveryone(page);
  });

  test("the handbook in a browser runs only our script, and only in the API reference", async () => {
    const policyOf = async (path: string) =>
      (await fetch(world.base + path)).headers.get("content-security-policy") ?? "";
    expect(await policyOf("/docs/api/tests")).toMatch(/^default-src 'none'.*; script-src 'self'; connect-src 'self'$/);
    for (const path of ["/docs", "/docs/api", "/docs/api/records", "/docs/fix-spf"])
      expect(await policyOf(path)).not.toMatch(/script-src|connect-src/);
  });

  test("the handbook in a browser links to the login from the API reference", async () => {
    const page = await world.openPage(null);
    await page.goto(`${world.base}/docs/api/tests`);
    const link = page.getByRole("link", { name: "Log in", exact: true });
    await soon(() => link.isVisible()).toBe(true);
    expect(await link.getAttribute("href")).toBe("/login?next=%2Fdocs%2Fapi%2Ftests");
    expect(await page.getByText("Try it", { exact: true }).first().isVisible()).toBe(false);
  });
});
