// Debian's Chromium, for scripts that use the web app like a person.

import { existsSync } from "node:fs";
import { type Browser, chromium, type Page } from "playwright-core";

/** The headless one opens a page and clicks in two thirds of the time. */
const installed = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];
const executablePath =
  process.env.ASSAY_TEST_CHROMIUM ?? installed.find((path) => existsSync(path)) ?? "/usr/bin/chromium";

/** Leads to this machine, for a server behind a proxy. */
export const publicName = "assay.example.com";

export const hasBrowser = existsSync(executablePath);

export async function openBrowser(): Promise<Browser> {
  // No other names are resolved, so a page's requests to other hosts are visible and lead nowhere.
  const rules = `MAP ${publicName} 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost`;
  const resolver = `--host-resolver-rules=${rules}`;
  return await chromium.launch({ executablePath, args: ["--no-sandbox", resolver] });
}

export const someone = {
  name: "Ann Marlow",
  email: "ann@people.example",
  password: "seven quiet lanterns over the harbour",
} as const;

/** From the form of a setup link to the page after it. */
export async function setUp(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.getByLabel("Your name").fill(someone.name);
  await page.getByLabel("Email address").fill(someone.email);
  await page.locator("input[name=password]").fill(someone.password);
  await page.getByRole("button", { name: "Create account" }).click();
  await page.waitForURL("**/start");
}
