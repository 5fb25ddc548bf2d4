// Where a workspace's mail is sent to the internet: set in a report that couldn't judge it, and in the settings.

import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newRsaKey, toKeyRecord } from "../analyzer/mail/signing/sign.ts";
import { expectUsableByEveryone } from "./axe.ts";
import { addReader, hasBrowser, type Look, openWebWorld, soon, type WebWorld } from "./web-world.ts";

const zone = {
  "sender.example": { MX: [{ preference: 10, exchange: "mx.sender.example" }], TXT: ["v=spf1 ip4:192.0.2.7 -all"] },
  "mx.sender.example": { A: ["192.0.2.7"] },
  "_dmarc.sender.example": { TXT: ["v=DMARC1; p=reject"] },
  "out.sender.example": { A: ["192.0.2.7"] },
  "7.2.0.192.in-addr.arpa": { PTR: ["out.sender.example"] },
  "s1._domainkey.sender.example": { TXT: [toKeyRecord(newRsaKey(2_048))] },
};

const message = Buffer.from(
  [
    "From: Ann <ann@sender.example>",
    "To: anyone@seed.example",
    "Subject: Lunch",
    "Date: Sat, 21 Nov 2026 05:59:58 +0000",
    "Message-ID: <1@sender.example>",
    "",
    "Lunch at noon?",
    "",
  ].join("\r\n"),
);

const offer = (page: Page) => page.getByText("Where does your mail leave for the internet?");
const hostField = (page: Page) => page.getByLabel("My mail leaves for the internet from");

describe.skipIf(!hasBrowser)("a workspace's outgoing server", () => {
  let world: WebWorld;
  beforeAll(async () => {
    world = await openWebWorld();
    world.internet.zone = zone;
  });
  afterAll(() => world.closeAll());

  async function openReport(look: Look = {}) {
    const reader = await addReader(world);
    const id = await world.receive(reader.workspaceId, null, message, { clientAddress: "127.0.0.1", helo: "laptop" });
    await world.analyzeAll();
    const page = await world.openPage(reader.cookie, look);
    await page.goto(`${world.base}/tests/${id}`);
    await soon(() => page.locator("h1.verdict").count()).toBe(1);
    return { ...reader, page, id };
  }

  test("a workspace's outgoing server is set in a report without a grade, which then has one with the assumptions", async () => {
    const { page } = await openReport();
    expect(await page.locator("#summary").innerText()).toContain("Authentication isn’t tested yet.");
    expect(await page.locator("main").textContent()).toContain("of checks completed. A grade needs");
    await offer(page).click();
    expect(await page.getByLabel("It is signed by (DKIM domain)").inputValue()).toBe("sender.example");
    await expectUsableByEveryone(page);
    await hostField(page).fill("10.0.0.1");
    await page.getByRole("button", { name: "Save and re-analyze" }).click();
    await soon(() => page.getByRole("alert").innerText()).toContain("10.0.0.1 is not a public IP address.");
    await hostField(page).fill("192.0.2.7");
    await page.getByLabel("With the selector").fill("s1");
    await page.getByRole("button", { name: "Save and re-analyze" }).click();
    await soon(() => page.locator("#summary").innerText()).toContain("Your outgoing server is assumed.");
    const summary = await page.locator("#summary").innerText();
    expect(summary).toContain(
      "Assumed: your mail leaves from 192.0.2.7 and is signed by sender.example with selector s1.",
    );
    expect(summary.match(/pass, assumed/g)).toHaveLength(3);
    expect(summary).not.toContain("A grade needs");
    expect(await offer(page).count()).toBe(0);
    await page.getByRole("tab", { name: "Prove" }).click();
    const authentication = await page.locator("#authentication").innerText();
    expect(authentication).toContain("DMARC passes (assumed)");
    expect(authentication).toContain("SPF pass, assumed");
    await expectUsableByEveryone(page);
  });

  test("a workspace's outgoing server is offered on the start page until it is set", async () => {
    const { page } = await openReport();
    await page.goto(`${world.base}/start`);
    const link = page.getByRole("link", { name: "Set where your mail leaves for the internet" });
    await link.click();
    await hostField(page).fill("192.0.2.7");
    await page.getByRole("button", { name: "Save" }).click();
    await soon(() => page.getByText("Outgoing server saved.").count()).toBe(1);
    await page.goto(`${world.base}/start`);
    await soon(() => page.getByText("Ready to paste").count()).toBe(1);
    expect(await link.count()).toBe(0);
  });

  test("a workspace's outgoing server is changed and removed in the settings", async () => {
    const { page } = await openReport();
    await page.goto(`${world.base}/settings/sending`);
    const section = page.getByRole("region", { name: "Outgoing server" });
    await section.locator("summary").click();
    await hostField(page).fill("out.sender.example");
    await section.getByRole("button", { name: "Save" }).click();
    await soon(() => page.getByText("Outgoing server saved.").count()).toBe(1);
    expect(await section.locator("summary").innerText()).toContain("out.sender.example");
    await page.goto(`${world.base}/settings/outgoing-server`);
    expect(await hostField(page).inputValue()).toBe("out.sender.example");
    await expectUsableByEveryone(page);
    await page.getByRole("button", { name: "Remove" }).click();
    await soon(() => hostField(page).inputValue()).toBe("");
  });

  test("a workspace's outgoing server is not offered to a member, who can read it in the settings", async () => {
    const { workspaceId, id } = await openReport();
    const { cookie } = await world.addPerson(workspaceId, "member", "Bob");
    const page = await world.openPage(cookie);
    await page.goto(`${world.base}/tests/${id}`);
    await soon(() => page.locator("h1.verdict").count()).toBe(1);
    expect(await offer(page).count()).toBe(0);
    await page.goto(`${world.base}/settings/sending`);
    const section = page.getByRole("region", { name: "Outgoing server" });
    await section.locator("summary").click();
    await soon(() => section.innerText()).toMatch(/Not set[\s\S]+Only owners can change this\./);
  });

  test.each([1440, 390])("a workspace's outgoing server fits a window of %d pixels", async (width) => {
    const { page } = await openReport({ width, height: 1000 });
    const isWider = () => page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
    await offer(page).click();
    expect(await isWider()).toBe(false);
    await page.goto(`${world.base}/settings/sending#outgoing-server`);
    await soon(() => hostField(page).isVisible()).toBe(true);
    expect(await isWider()).toBe(false);
  });
});
