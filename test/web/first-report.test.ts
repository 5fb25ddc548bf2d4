import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createSecret } from "../../src/platform/contract/secrets.ts";
import { goodPassword, setUpToken } from "../http/people.ts";
import { expectUsableByEveryone } from "./axe.ts";
import { aLetter } from "./letters.ts";
import { addReader, hasBrowser, openWebWorld, soon, type WebWorld } from "./web-world.ts";

describe.skipIf(!hasBrowser)("the first minute of a new user", () => {
  let world: WebWorld;
  beforeAll(async () => {
    world = await openWebWorld();
  });
  afterAll(() => world.closeAll());

  test.each([1440, 390])("a new user needs one click from the web address to a report, at %i", async (width) => {
    // Setup happens once on a server.
    const fresh = await openWebWorld();
    onTestFinished(fresh.closeAll);
    const { id: workspaceId, seed_address: seed } = await fresh.createWorkspace("Default");
    const page = await fresh.openPage(null, { width });
    await countClicks(page);
    await page.goto(fresh.base);
    expect(new URL(page.url()).pathname).toBe("/setup");
    await expectUsableByEveryone(page);
    await page.getByLabel("Setup code").fill("nonsense");
    await page.getByLabel("Your name").fill("Ann Marlow");
    await page.getByLabel("Email address").fill("ann@people.example");
    await page.locator("input[name=password]").fill("short");
    await page.keyboard.press("Enter");
    await soon(() => page.getByRole("alert").innerText()).toContain("This is not the setup code.");
    await page.getByLabel("Setup code").fill(fresh.firstOwner.code.toLowerCase());
    await page.keyboard.press("Enter");
    await soon(() => page.getByRole("alert").innerText()).toBe("Password must have at least 10 characters.");
    await page.locator("input[name=password]").fill(goodPassword);
    await page.getByRole("button", { name: "Create account" }).click();
    await page.waitForURL("**/start");
    await soon(() => page.getByText(seed ?? "?", { exact: true }).isVisible()).toBe(true);
    // The stream of events must be there before the message.
    await soon(() => fresh.events.countFollowers()).toBe(1);
    await fresh.receive(workspaceId, null, aLetter("My first letter"));
    await soon(() => page.getByText("The report will appear here automatically").isVisible()).toBe(true);
    await fresh.analyzeAll();
    await soon(() => page.locator("h1.verdict").innerText()).toMatch(/^Likely .*issues?.*\.$/);
    expect(await page.title()).toBe("My first letter · Assay");
    expect(await clicksOf(page)).toBe(1);
  });

  test("the first minute of a new user can start with the setup link, which says if it has expired", async () => {
    const fresh = await openWebWorld();
    onTestFinished(fresh.closeAll);
    await fresh.createWorkspace("Default");
    const token = await setUpToken(fresh);
    const page = await fresh.openPage(null);
    await page.goto(`${fresh.base}/setup#wrong`);
    await soon(() => page.getByRole("alert").innerText()).toContain("Enter the setup code");
    expect(await page.getByLabel("Setup code").isVisible()).toBe(true);
    await page.goto("about:blank");
    await page.goto(`${fresh.base}/setup#${token}`);
    expect(await page.getByLabel("Setup code").isVisible()).toBe(false);
    await page.getByLabel("Your name").fill("Ann Marlow");
    await page.getByLabel("Email address").fill("ann@people.example");
    await page.locator("input[name=password]").fill(goodPassword);
    await page.getByRole("button", { name: "Create account" }).click();
    await page.waitForURL("**/start");
    await page.goto(`${fresh.base}/setup#${token}`);
    await soon(() => page.getByText("This server already has an owner").isVisible()).toBe(true);
    await expectUsableByEveryone(page);
  });

  test("the page of an expired invitation says so instead of showing a form", async () => {
    await addReader(world);
    const page = await world.openPage(null);
    await page.goto(`${world.base}/invite#${createSecret(Buffer.alloc(32))}`);
    await soon(() => page.getByRole("alert").innerText()).toContain("Ask a workspace owner for a new one.");
    expect(await page.getByRole("button", { name: "Join" }).isVisible()).toBe(false);
    await expectUsableByEveryone(page);
  });

  test("the first minute of a new user starts with a login, which returns to the requested page", async () => {
    const { email, workspaceId } = await addReader(world);
    const testId = await world.receive(workspaceId, null, aLetter("Waiting for you"));
    await world.analyzeAll();
    const page = await world.openPage(null);
    await page.goto(`${world.base}/tests/${testId}#evidence`);
    await soon(() => page.getByRole("heading", { name: "Log in" }).isVisible()).toBe(true);
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password").fill("not this one at all");
    await page.getByRole("button", { name: "Log in" }).click();
    await soon(() => page.getByRole("alert").innerText()).toContain("Login failed.");
    const session = (await world.openSession((await personOf(world, email)).id)).cookie.split("=");
    await page.context().addCookies([{ name: session[0] ?? "", value: session[1] ?? "", url: world.base }]);
    await page.goto(`${world.base}/tests/${testId}`);
    await soon(() => page.getByText("Waiting for you").first().isVisible()).toBe(true);
  });

  test("the first minute of a new user is not affected by an invalid fragment in the URL", async () => {
    const { cookie } = await addReader(world, "Cleo");
    const page = await world.openPage(cookie);
    await page.goto(`${world.base}/tests#%zz`);
    await soon(() => page.getByRole("heading", { name: "Tests", exact: true }).isVisible()).toBe(true);
  });

  test("the first minute of a new user can end with a logout", async () => {
    const { cookie } = await addReader(world, "Ben");
    const page = await world.openPage(cookie);
    await page.goto(world.base);
    await page.getByLabel("Account menu for Ben").click();
    await page.getByRole("button", { name: "Log out" }).click();
    await page.waitForURL("**/login");
    await page.goto(`${world.base}/tests`);
    await page.waitForURL("**/login?next=%2Ftests");
  });
});

/** Real clicks: Enter in a form makes the browser click its button. */
async function countClicks(page: Page): Promise<void> {
  await page.addInitScript(() => {
    document.addEventListener(
      "click",
      ({ detail }) => {
        if (detail > 0) sessionStorage.clicks = Number(sessionStorage.clicks ?? 0) + 1;
      },
      true,
    );
  });
}

function clicksOf(page: Page): Promise<number> {
  return page.evaluate(() => Number(sessionStorage.clicks ?? 0));
}

async function personOf({ store }: WebWorld, email: string): Promise<{ readonly id: string }> {
  return await store.read.selectFrom("users").select("id").where("email", "=", email).executeTakeFirstOrThrow();
}
