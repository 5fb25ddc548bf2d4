// The accessibility of pages that have no other file of tests for it.

import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, test } from "vitest";
import { expectUsableByEveryone } from "./axe.ts";
import { aLetter, brokenLetter, brokenZone } from "./letters.ts";
import { openPlacement, receiverEvidence } from "./placement-world.ts";
import { hasBrowser, openWebWorld, soon, type WebWorld } from "./web-world.ts";

describe.skipIf(!hasBrowser)("accessibility of every page", () => {
  let world: WebWorld;
  let cookie: string;
  const paths: Record<string, string> = {
    "the login": "/login",
    "a new test": "/start",
    "an unknown page": "/tests/none",
  };

  beforeAll(async () => {
    world = await openWebWorld();
    world.internet.zone = brokenZone;
    const reader = await openPlacement(world);
    cookie = reader.cookie;
    await world.receive(reader.workspaceId, "welcome", aLetter("A plain letter"));
    const broken = await world.receive(reader.workspaceId, null, brokenLetter);
    const long = await world.receive(reader.workspaceId, null, aLetter("X".repeat(90)));
    const gmail = await reader.connect("ann@gmail.example", "gmail");
    await reader.connect("box@own.example");
    const observed = await reader.receiveIt();
    await reader.see(gmail, { folder: "spam", folderName: "[Gmail]/Spam", evidence: receiverEvidence });
    await world.receive(reader.workspaceId, null, aLetter("Still waiting"));
    Object.assign(paths, {
      "the list": "/tests",
      "an empty search": "/tests?q=zebra",
      "a report with a subject without spaces": `/tests/${long}`,
      "a report": `/tests/${broken}`,
      "a report with seed mailboxes": `/tests/${observed}`,
    });
  });
  afterAll(() => world.closeAll());

  test.each([
    ["the login", "h1, h2"],
    ["a new test", "h1, h2"],
    ["an unknown page", "h1, h2"],
    ["the list", "h1, h2"],
    ["an empty search", "h1, h2"],
    ["a report with a subject without spaces", "h1.verdict"],
  ])("the page is accessible: %s", async (name, shown) => await expectUsableByEveryone(await open(name, shown)));

  test.each([
    ["a report", "iframe"],
    ["a report with seed mailboxes", "h1.verdict"],
  ])("each tab of the page is accessible: %s", async (name, shown) => {
    const page = await open(name, shown);
    for (const tab of ["Fix", "See", "Prove"]) await checkTab(page, tab);
  });

  async function open(name: string, shown: string): Promise<Page> {
    const page = await world.openPage(name === "the login" ? null : cookie);
    await page.goto(world.base + paths[name]);
    await soon(() => page.locator(shown).count()).toBeGreaterThan(0);
    return page;
  }
});

async function checkTab(page: Page, name: string): Promise<void> {
  await page.getByRole("tab", { name, exact: true }).click();
  const folds = await page.locator("main details > summary").all();
  for (const fold of folds) if (await fold.isVisible()) await fold.click();
  await expectUsableByEveryone(page);
}
