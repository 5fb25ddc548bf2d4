import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectUsableByEveryone } from "./axe.ts";
import { aLetter } from "./letters.ts";
import { addReader, hasBrowser, openWebWorld, soon, type WebWorld } from "./web-world.ts";

/** Mail of the world comes from 192.0.2.1. */
const zoneWith = (spf: string) => ({
  "sender.example": { TXT: [spf], A: ["192.0.2.8"] },
  "_dmarc.sender.example": { TXT: ["v=DMARC1; p=reject; rua=mailto:d@sender.example"] },
});
const forbidding = zoneWith("v=spf1 ip4:198.51.100.9 -all");
const allowing = zoneWith("v=spf1 ip4:192.0.2.1 -all");

describe.skipIf(!hasBrowser)("the comparison page", () => {
  let world: WebWorld;
  beforeAll(async () => {
    world = await openWebWorld();
  });
  afterAll(() => world.closeAll());

  async function openPage(path: string, cookie: string): Promise<Page> {
    const page = await world.openPage(cookie);
    await page.goto(world.base + path);
    await soon(() => page.locator("h1").count()).toBe(1);
    return page;
  }

  async function receive(workspaceId: string, raw: Uint8Array, zone = allowing) {
    world.internet.zone = zone;
    world.clock.nowMs += 60_000;
    const id = await world.receive(workspaceId, null, raw);
    await world.analyzeAll();
    world.clock.nowMs += 60_000;
    return id;
  }

  test("the comparison page shows a fix above the new report, and keeps it in the history", async () => {
    const { workspaceId, cookie } = await addReader(world);
    const id = await receive(workspaceId, aLetter("Autumn list"), forbidding);
    const page = await openPage(`/tests/${id}`, cookie);
    world.internet.zone = allowing;
    await page.getByLabel("More actions").click();
    await page.getByRole("button", { name: "Re-analyze" }).first().click();
    const dialog = page.getByRole("dialog", { name: "Re-analyze this message" });
    expect(await dialog.getByLabel("Fresh DNS").isChecked()).toBe(true);
    await dialog.getByRole("button", { name: "Re-analyze" }).click();
    const card = page.getByRole("region", { name: /^Score up [\d.]+ points: only DNS differs$/ });
    await soon(() => card.isVisible()).toBe(true);
    expect(await card.getByRole("row", { name: "SPF fail to pass" }).isVisible()).toBe(true);
    expect(await card.locator("del").innerText()).toContain("ip4:198.51.100.9");
    expect(await card.locator("ins").innerText()).toContain("ip4:192.0.2.1");
    expect(await card.getByRole("heading", { name: /^No longer found: \d+$/ }).isVisible()).toBe(true);
    expect(await dialog.count()).toBe(0);
    await page.getByRole("tab", { name: "Prove" }).click();
    await page.locator("#history").scrollIntoViewIfNeeded();
    await soon(() => page.getByRole("heading", { name: "History: analyzed twice" }).isVisible()).toBe(true);
    expect(await page.locator("#history li").first().innerText()).toContain("this report");
    await expectUsableByEveryone(page);
    await page.getByRole("link", { name: /^See changes since/ }).click();
    await soon(() => page.getByRole("heading", { level: 1 }).innerText()).toMatch(/^Score up/);
    await page.goBack();
    await soon(() => card.isVisible()).toBe(true);
    await card.getByRole("button", { name: "Close" }).click();
    expect(new URL(page.url()).search).toBe("");
  });

  test("the comparison page shows only the report for an invalid time", async () => {
    const { workspaceId, cookie } = await addReader(world);
    const id = await receive(workspaceId, aLetter("Broken link"));
    const page = await openPage(`/tests/${id}?since=yesterday`, cookie);
    await soon(() => page.locator("h1.verdict").count()).toBe(1);
  });

  test("the comparison page is opened from a report, where a search finds another test", async () => {
    const { workspaceId, cookie } = await addReader(world);
    const other = await receive(workspaceId, aLetter("October list"));
    const stranger = `${aLetter("Invoice <b>7</b>")}`.replaceAll("sender.example", "other.example");
    await receive(workspaceId, Buffer.from(stranger));
    const id = await receive(workspaceId, aLetter("November list"));
    const page = await openPage(`/tests/${id}`, cookie);
    await page.getByLabel("More actions").click();
    await page.getByRole("button", { name: "Compare", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Compare with another test" });
    const alike = dialog.getByRole("region", { name: "Newest from sender.example" });
    await soon(() => alike.getByRole("link").count()).toBe(1);
    await expectUsableByEveryone(page);
    await page.goBack();
    await soon(() => dialog.count()).toBe(0);
    await page.goForward();
    await dialog.getByRole("searchbox").fill("subject:invoice");
    await soon(() => dialog.getByRole("link").allInnerTexts()).toEqual([expect.stringContaining("Invoice <b>7</b>")]);
    await dialog.getByRole("searchbox").fill("october");
    await dialog.getByRole("link", { name: "October list" }).click();
    await page.waitForURL(`**/tests/${id}/compare/${other}`);
  });

  test("the comparison page shows the difference to another test and its causes, in any order", async () => {
    const { workspaceId, cookie } = await addReader(world);
    const other = await receive(workspaceId, aLetter("October list"), forbidding);
    const id = await receive(workspaceId, aLetter("November list", "A much longer text, of several words."));
    const page = await openPage(`/tests/${id}/compare/${other}`, cookie);
    const heading = page.getByRole("heading", { level: 1 });
    await soon(() => heading.innerText()).toMatch(
      /^This test scores [\d.]+ points higher than the other, (?:mostly )?because of DNS$/,
    );
    expect(await page.getByRole("region", { name: "Other test", exact: true }).innerText()).toContain("October list");
    expect(await page.getByRole("region", { name: "This test", exact: true }).innerText()).toContain("November list");
    const mail = page.getByRole("region", { name: /^Message: \d+ differences$/ });
    expect(await mail.innerText()).toContain("The body changed.");
    const gone = page.getByRole("region", { name: /^Only in the other test: \d+$/ });
    expect(await gone.getByRole("link").first().getAttribute("href")).toMatch(new RegExp(`^/tests/${other}#finding-`));
    await page.getByText(/findings? in both, unchanged$/).click();
    await expectUsableByEveryone(page);
    await page.getByRole("link", { name: "Swap sides" }).click();
    await soon(() => heading.innerText()).toMatch(/^This test scores [\d.]+ points lower than the other/);
    await page.goBack();
    await soon(() => heading.innerText()).toMatch(/higher/);
  });

  test("the comparison page compares two tests selected in the list, and shows nothing for equal ones", async () => {
    const { workspaceId, cookie } = await addReader(world);
    const older = await receive(workspaceId, aLetter("Twice"));
    const newer = await receive(workspaceId, aLetter("Twice"));
    const page = await openPage("/tests", cookie);
    await soon(() => page.getByLabel("Select Twice", { exact: true }).count()).toBe(2);
    await page.getByLabel("Select Twice", { exact: true }).first().check();
    expect(await page.getByRole("link", { name: "Compare", exact: true }).count()).toBe(0);
    await page.getByLabel("Select Twice", { exact: true }).last().check();
    await page.getByRole("link", { name: "Compare", exact: true }).click();
    await page.waitForURL(`**/tests/${newer}/compare/${older}`);
    await soon(() => page.getByRole("heading", { level: 1 }).innerText()).toMatch(/^Both tests score/);
  });

  test("the comparison page suggests another test if one was deleted", async () => {
    const { workspaceId, cookie } = await addReader(world);
    const id = await receive(workspaceId, aLetter("Alone"));
    const page = await openPage(`/tests/${id}/compare/tst_01kakzq3v1c8w2e5m7r9t0xyza`, cookie);
    await soon(() => page.getByRole("heading", { name: "Nothing to compare" }).isVisible()).toBe(true);
    await expectUsableByEveryone(page);
    await page.getByRole("link", { name: "Choose another test" }).click();
    await soon(() => page.getByRole("dialog").getByText("No other tests with a report yet").isVisible()).toBe(true);
    await page.getByRole("button", { name: "Cancel" }).click();
    await soon(() => page.getByRole("dialog").count()).toBe(0);
    expect(new URL(page.url()).pathname).toBe(`/tests/${id}`);
  });
});
