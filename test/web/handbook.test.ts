// The pages below /docs in a browser: without scripts, by keyboard, on a phone and a desktop, in light and dark.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectUsableByEveryone } from "./axe.ts";
import { hasBrowser, openWebWorld, type WebWorld } from "./web-world.ts";

const paths = [
  "/docs",
  "/docs?q=reverse+dns",
  "/docs/fix-reverse-dns",
  "/docs/mail-in-spam",
  "/docs/bounce-codes",
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

  test("the handbook in a browser runs no script", async () => {
    for (const path of ["/docs", "/docs/api", "/docs/api/tests", "/docs/api/records", "/docs/fix-spf"]) {
      const policy = (await fetch(world.base + path)).headers.get("content-security-policy");
      expect(policy).toMatch(/^default-src 'none'/);
      expect(policy).not.toMatch(/script-src|connect-src/);
    }
  });
});
