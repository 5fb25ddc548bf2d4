// A workspace's sending volume: asked once in a report whose prediction depends on it, and changed in the settings.

import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectUsableByEveryone } from "./axe.ts";
import { addReader, hasBrowser, type Look, openWebWorld, soon, type WebWorld } from "./web-world.ts";

/** Mail of the world comes from 192.0.2.1. SPF passes, and there is neither DKIM nor DMARC. */
const zone = {
  "sender.example": { TXT: ["v=spf1 ip4:192.0.2.1 -all"], A: ["192.0.2.1"] },
  "1.2.0.192.in-addr.arpa": { PTR: ["sender.example"] },
} as const;

const newsletter = Buffer.from(
  [
    "From: Quill Books <news@sender.example>",
    "To: anyone@seed.example",
    "Subject: The autumn catalogue",
    "Date: Sat, 21 Nov 2026 05:59:58 +0000",
    "Message-ID: <1@sender.example>",
    "List-Unsubscribe: <https://sender.example/u/1>",
    "List-Id: <news.sender.example>",
    "MIME-Version: 1.0",
    "Content-Type: text/html; charset=utf-8",
    "",
    '<html lang="en"><body><h1>New books this autumn</h1><p>Dear reader, our catalogue is here.</p>',
    '<p>You get this newsletter because you subscribed. <a href="https://sender.example/u/1">Unsubscribe</a></p></body></html>',
    "",
  ].join("\r\n"),
);

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const question = (page: Page) =>
  page.getByRole("group", { name: /How many messages do you send to a single mailbox provider/ });

describe.skipIf(!hasBrowser)("the sending volume question", () => {
  let world: WebWorld;
  beforeAll(async () => {
    world = await openWebWorld();
    world.internet.zone = zone;
  });
  afterAll(() => world.closeAll());

  async function openWithReport(look: Look = {}) {
    const reader = await addReader(world);
    const receive = async () => {
      world.clock.nowMs += 1_000;
      const id = await world.receive(reader.workspaceId, null, newsletter);
      await world.analyzeAll();
      return id;
    };
    const id = await receive();
    const page = await world.openPage(reader.cookie, look);
    const open = async (test: string) => {
      await page.goto(`${world.base}/tests/${test}`);
      await soon(() => page.locator("h1.verdict").count()).toBe(1);
      await page.getByRole("tab", { name: "Prove" }).click();
      await page.getByRole("tab", { name: "Fix" }).click();
    };
    await open(id);
    return { ...reader, page, id, open, receive };
  }

  const verdict = (page: Page) => page.locator("h1.verdict").innerText();
  const placement = async (page: Page) => (await page.locator("#placement").textContent()) ?? "";

  test("the sending volume question is asked once, after which the report shows the matching prediction", async () => {
    const { page, id, open, receive } = await openWithReport();
    expect(await verdict(page)).toMatch(/rejected by \d at high volume/);
    expect(await placement(page)).toContain("both versions are shown");
    await expectUsableByEveryone(page);
    await button(page, "Fewer than 5,000 a day").click();
    await soon(() => placement(page)).toContain("For senders of fewer than 5,000 messages a day");
    expect(await verdict(page)).not.toContain("5,000");
    expect(await placement(page)).not.toMatch(/likely rejects|if you send/);
    expect(await question(page).count()).toBe(0);
    await open(await receive());
    expect(await question(page).count()).toBe(0);
    expect(await placement(page)).toContain("For senders of fewer than 5,000 messages a day");
    await page.getByRole("tab", { name: "Prove" }).click();
    await page.getByRole("link", { name: "Change sending volume" }).click();
    await soon(() => page.getByRole("heading", { name: "Sending volume" }).count()).toBe(1);
    expect(await page.getByLabel("Fewer than 5,000 messages a day").isChecked()).toBe(true);
    await expectUsableByEveryone(page);

    await page.getByLabel("5,000 or more messages a day").check();
    await page.getByRole("region", { name: "Sending volume" }).getByRole("button", { name: "Save" }).click();
    await soon(() => page.getByText("Sending volume saved.").count()).toBe(1);
    await open(id);
    expect(await placement(page)).toContain("The setting has changed since this analysis.");
    await page.getByRole("tab", { name: "Prove" }).click();
    await button(page, "Re-analyze to apply it").click();
    await page.getByRole("dialog").getByLabel("Recorded DNS").check();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /^Re-analyze/ })
      .click();
    await soon(() => placement(page)).toContain("For senders of 5,000 or more messages a day");
    expect(await verdict(page)).toMatch(/Likely rejected at/);
  });

  test('the sending volume question can be answered with "not sure", which shows both predictions', async () => {
    const { page, id, open } = await openWithReport();
    await question(page).getByRole("button", { name: "Not sure" }).click();
    await soon(() => question(page).count()).toBe(0);
    await open(id);
    expect(await question(page).count()).toBe(0);
    expect(await placement(page)).toContain("both versions are shown");
    expect(await verdict(page)).toMatch(/rejected by \d at high volume/);
  });

  test("the sending volume question is not asked of a member, who can read the answer in the settings", async () => {
    const { workspaceId, id } = await openWithReport();
    const { cookie } = await world.addPerson(workspaceId, "member", "Bob");
    const page = await world.openPage(cookie);
    await page.goto(`${world.base}/tests/${id}`);
    await soon(() => page.locator("h1.verdict").count()).toBe(1);
    expect(await question(page).count()).toBe(0);
    await page.getByRole("tab", { name: "Prove" }).click();
    await page.getByRole("link", { name: "See setting" }).click();
    await soon(() => page.locator("main").innerText()).toContain("Only owners can change this.");
    expect(await page.locator("main").innerText()).toContain("Not set");
  });

  test.each([1440, 390])("the sending volume question fits a window of %d pixels", async (width) => {
    const { page } = await openWithReport({ width, height: 1000 });
    expect(await question(page).isVisible()).toBe(true);
    const isWider = () => page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
    expect(await isWider()).toBe(false);
    await page.goto(`${world.base}/settings/sending#sending-volume`);
    await page.getByLabel("Not sure").check();
    expect(await isWider()).toBe(false);
  });
});
