// The sample gallery as a user sees it: one click, and the reports appear.

import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { preparedMessages } from "../../src/analyzer/samples/messages-table.ts";
import { expectUsableByEveryone } from "./axe.ts";
import { addReader, hasBrowser, openWebWorld, soon, type WebWorld } from "./web-world.ts";

const count = preparedMessages.length;

describe.skipIf(!hasBrowser)("the sample gallery in the app", { timeout: 240_000 }, () => {
  let world: WebWorld;
  beforeAll(async () => {
    world = await openWebWorld();
  });
  afterAll(() => world.closeAll());

  async function open(): Promise<Page> {
    const { cookie } = await addReader(world);
    const page = await world.openPage(cookie);
    await page.goto(`${world.base}/start`);
    await page.getByRole("main").getByRole("link", { name: "sample gallery" }).click();
    await soon(() => page.getByRole("listitem").count()).toBe(count);
    // The stream of events must be there before the messages.
    await soon(() => world.events.countFollowers()).toBeGreaterThan(0);
    return page;
  }

  const reports = (page: Page) => page.getByRole("link", { name: "Open report for" });

  test("the sample gallery in the app sends all samples with one click, shows each as it arrives, and opens every report", async () => {
    const page = await open();
    expect(await page.getByRole("button", { name: "Delete all samples" }).count()).toBe(0);
    await page.getByRole("button", { name: `Send all ${count}` }).click();
    await soon(() => page.getByText("Received").count()).toBe(count);
    await world.analyzeAll();
    await soon(() => reports(page).count()).toBe(count);
    await expectUsableByEveryone(page);
    for (const { title, finding } of preparedMessages) {
      await page.getByRole("link", { name: `Open report for ${title}` }).click();
      await soon(() => page.locator("h1.verdict").count()).toBe(1);
      expect(await page.getByText("This is a sample.").count()).toBe(1);
      if (finding === "dmarc-result.policy-reject" || title === "Healthy newsletter")
        await expectUsableByEveryone(page);
      await page.goBack();
      await soon(() => reports(page).count()).toBe(count);
    }
  });

  test("the sample gallery in the app sends one sample, which the list marks as a sample", async () => {
    const page = await open();
    await page.getByRole("button", { name: "Send No DKIM signature" }).click();
    await soon(() => page.getByText("Received").count()).toBe(1);
    await world.analyzeAll();
    await soon(() => reports(page).count()).toBe(1);
    expect(await page.getByRole("button", { name: "Send again No DKIM signature" }).count()).toBe(1);
    await page.getByRole("link", { name: "Tests", exact: true }).first().click();
    const row = page.getByRole("row", { name: "Your order MT-20417 is packed" });
    await soon(() => row.innerText()).toContain("Sample");
  });

  test("the sample gallery in the app deletes all samples after confirmation, and keeps the user's own tests", async () => {
    const { cookie, workspaceId } = await addReader(world);
    const own = await world.receive(workspaceId);
    const page = await world.openPage(cookie);
    await page.goto(`${world.base}/laboratory`);
    await page.getByRole("button", { name: "Send all" }).click();
    await soon(() => page.getByText("Received").count()).toBe(count);
    await page.getByRole("button", { name: "Delete all samples" }).click();
    await expectUsableByEveryone(page);
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await soon(() => page.getByRole("status").allInnerTexts()).toContainEqual(
      expect.stringContaining(`${count} samples deleted.`),
    );
    await soon(() => page.getByText("Received").count()).toBe(0);
    await page.goto(`${world.base}/tests/${own}`);
    await soon(() => page.getByText("Test not found").count()).toBe(0);
  });

  test("the sample gallery in the app shows the server's reason if nothing was sent", async () => {
    const page = await open();
    await page.route("**/api/laboratory", (route) =>
      route.request().method() === "POST"
        ? route.fulfill({
            status: 502,
            json: { error: "send_failed", message: "This server's SMTP listener is <b>full</b>." },
          })
        : route.continue(),
    );
    await page.getByRole("button", { name: "Send Images only" }).click();
    const card = page.getByRole("listitem").filter({ hasText: "Images only" });
    await soon(() => card.getByRole("alert").innerText()).toBe(
      "Couldn’t send the sample. This server's SMTP listener is <b>full</b>.",
    );
    await expectUsableByEveryone(page);
  });
});
