import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { goodPassword, setUpToken } from "../http/people.ts";
import { aLetter } from "./letters.ts";
import { addReader, hasBrowser, openWebWorld, soon, type WebWorld } from "./web-world.ts";

describe.skipIf(!hasBrowser)("the first minute", () => {
  let world: WebWorld;
  beforeAll(async () => {
    world = await openWebWorld();
  });
  afterAll(() => world.closeAll());

  test("from the set-up link to the first report it takes a form, a message and one click", async () => {
    const { id: workspaceId, seed_address: seed } = await world.createWorkspace("Default");
    const page = await world.openPage(null);
    await page.goto(`${world.base}/setup#${await setUpToken(world)}`);
    await page.getByLabel("Your name").fill("Ann Marlow");
    await page.getByLabel("Email address").fill("ann@people.example");
    await page.locator("input[name=password]").fill("short");
    await page.getByRole("button", { name: "Create account" }).click();
    await soon(() => page.getByRole("alert").innerText()).toBe("Password must have at least 10 characters.");
    await page.locator("input[name=password]").fill(goodPassword);
    await page.getByRole("button", { name: "Create account" }).click();
    await page.waitForURL("**/start");
    await soon(() => page.getByText(seed ?? "?", { exact: true }).isVisible()).toBe(true);
    // The stream of events must be there before the message.
    await soon(() => world.events.countFollowers()).toBe(1);
    await world.receive(workspaceId, null, aLetter("My first letter"));
    await page.getByRole("link", { name: "Open report" }).click();
    await soon(() => page.getByText("Analyzing. The report").isVisible()).toBe(true);
    await world.analyzeAll();
    const verdict = page.locator("h1.verdict");
    await soon(() => verdict.innerText()).toMatch(/^Likely .*issues?.*\.$/);
    expect(await page.title()).toBe("My first letter · Assay");
  });

  test("the start page says when a report is ready", async () => {
    const { cookie, workspaceId } = await addReader(world, "Dora");
    const page = await world.openPage(cookie);
    await page.goto(`${world.base}/start`);
    await soon(() => world.events.countFollowers()).toBeGreaterThan(0);
    await world.receive(workspaceId, null, aLetter("A letter to wait for"));
    const note = page.getByRole("status").filter({ hasText: "Message received." });
    await soon(() => note.innerText()).toContain("Assay is analyzing it.");
    await world.analyzeAll();
    await soon(() => note.innerText()).toContain("Your report is ready.");
  });

  test("who is not logged in is led to the log-in, and from there to where they were going", async () => {
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

  test("a part of the page that no address can name does no harm", async () => {
    const { cookie } = await addReader(world, "Cleo");
    const page = await world.openPage(cookie);
    await page.goto(`${world.base}/tests#%zz`);
    await soon(() => page.getByRole("heading", { name: "Tests", exact: true }).isVisible()).toBe(true);
  });

  test("who logs out is out", async () => {
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

async function personOf({ store }: WebWorld, email: string): Promise<{ readonly id: string }> {
  return await store.read
    .selectFrom("users")
    .select("id")
    .where("email", "=", email)
    .executeTakeFirstOrThrow();
}
