// The content of a message, the evidence of its report, and how both are exported.

import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectUsableByEveryone } from "./axe.ts";
import { aLetter } from "./letters.ts";
import { richLetter, richZone } from "./rich-letter.ts";
import { addReader, hasBrowser, type Look, openWebWorld, soon, type WebWorld } from "./web-world.ts";

/** With a text part that repeats the links, one of them without its scheme. */
const newsletter = Buffer.from(
  `From: Harbour <hello@harbourpine.example>
To: anyone@seed.example
Subject: Three yarns
Date: Sat, 21 Nov 2026 05:59:10 +0000
Message-ID: <three-yarns@harbourpine.example>
MIME-Version: 1.0
Content-Type: multipart/alternative; boundary=inner

--inner
Content-Type: text/plain; charset=utf-8

Three yarns for the cold months: www.harbourpine.example/yarns
Shop now: https://click.harbourpine.example/r?utm_source=news&utm_campaign=bf
--inner
Content-Type: text/html; charset=utf-8

<html lang="en"><body><table width="600"><tr><td><img src="https://www.harbourpine.example/logo.png" width="200" height="60" alt="Harbour"></td></tr>
<tr><td><h1>Yarns</h1><p>Three yarns for the cold months. <a href="https://www.harbourpine.example/yarns">On the shelf</a>
<a href="https://click.harbourpine.example/r?utm_source=news&amp;utm_campaign=bf">Shop now</a></p>
<img src="https://click.harbourpine.example/o.gif?u=1" width="1" height="1" alt=""></td></tr></table></body></html>
--inner--
`.replace(/\n/g, "\r\n"),
);

describe.skipIf(!hasBrowser)("the content of a message in a report", () => {
  let world: WebWorld;
  beforeAll(async () => {
    world = await openWebWorld();
    world.internet.zone = richZone;
  });
  afterAll(() => world.closeAll());

  async function openReport(raw: Uint8Array = richLetter, look: Look = {}) {
    const reader = await addReader(world);
    const testId = await world.receive(reader.workspaceId, null, raw);
    await world.analyzeAll();
    const page = await world.openPage(reader.cookie, look);
    await page.goto(`${world.base}/tests/${testId}#content`);
    await soon(() => page.locator("#content .tabs").count()).toBe(1);
    return { page, testId, ...reader };
  }

  const tabPanel = async (page: Page, name: RegExp) => {
    await page.getByRole("tab", { name }).click();
    return page.locator("#content [role=tabpanel]:not([hidden])");
  };

  test("the content of a message in a report is previewed for desktop, phone, dark mode, and without images, which load only after a warning", async () => {
    const { page } = await openReport();
    const frame = page.locator("iframe");
    const choose = (name: string) => page.locator(".mail").getByText(name, { exact: true }).click();
    await soon(() => frame.contentFrame().getByRole("heading", { name: "The autumn walking list" }).isVisible()).toBe(
      true,
    );
    const widthOf = () => frame.evaluate((element: HTMLIFrameElement) => element.clientWidth);
    const narrow = await widthOf();
    await choose("Desktop");
    await soon(widthOf).toBeGreaterThan(narrow);
    const look = page.getByLabel("Show as");
    await look.selectOption("Images off");
    expect(await frame.getAttribute("src")).toContain("images=none");
    await soon(() => frame.contentFrame().locator("img[alt='Northgate jacket']").count()).toBe(1);
    expect(await frame.contentFrame().locator("img[src]").count()).toBe(0);
    await look.selectOption("Fully inverted");
    expect(await frame.getAttribute("src")).toContain("dark=full");
    await page.getByRole("button", { name: "Load 2 remote images" }).click();
    expect(await page.getByText("This can tell the sender").isVisible()).toBe(true);
    expect(await frame.getAttribute("src")).not.toContain("images=");
    await look.selectOption("Text");
    expect(await page.locator(".mail pre").innerText()).toContain("THE AUTUMN WALKING LIST");
  });

  test("the content of a message in a report lists link targets, image sizes, trackers, and real file types", async () => {
    const { page } = await openReport();
    const links = await tabPanel(page, /^Links 7$/);
    const trap = links.getByRole("row", { name: /^https:\/\/bank\.example/ });
    expect(await trap.innerText()).toMatch(/evil\.example[\s\S]*Shows bank\.example but opens evil\.example\./);
    expect(await links.getByRole("row", { name: /^See the sale/ }).innerText()).toContain("redirects to");
    expect(await links.locator("a").count()).toBe(0);
    const pictures = await tabPanel(page, /^Images/);
    expect(await pictures.getByRole("row", { name: /hero\.jpg/ }).innerText()).toMatch(/Missing[\s\S]*560 × 220/);
    const pixels = await tabPanel(page, /^Tracking 1$/);
    expect(await pixels.getByRole("row", { name: /SendGrid/ }).count()).toBe(1);
    const files = await tabPanel(page, /^Attachments/);
    const voucher = files.getByRole("row", { name: /^voucher\.jpg\.exe/ });
    expect(await voucher.innerText()).toContain("Gmail rejects messages with .exe files.");
    const saving = page.waitForEvent("download");
    await voucher.getByRole("link", { name: "Download voucher.jpg.exe" }).click();
    expect(
      readFileSync((await (await saving).path()) ?? "")
        .subarray(0, 2)
        .toString(),
    ).toBe("MZ");
  });

  test("the content of a message in a report counts a link in both parts once, and does not count a tracking pixel as an image", async () => {
    const { page } = await openReport(newsletter);
    expect(await page.locator("#content-h").innerText()).toBe("Content: 2 links, 1 image, and 1 tracking pixel");
    const links = await tabPanel(page, /^Links 2$/);
    expect(await links.getByText("2 different links in 4 places.").isVisible()).toBe(true);
    const written = links.getByRole("row", { name: /^www\.harbourpine\.example\/yarns/ });
    expect(await written.innerText()).toMatch(/In the plain-text part\.$/);
    expect(await links.getByRole("row", { name: /^Shop now/ }).innerText()).toContain(
      "Click tracking through click.harbourpine.example.",
    );
    expect(await links.innerText()).not.toMatch(/no text|unnamed|(?<!https:)\/\//i);
    const pictures = await tabPanel(page, /^Images 1$/);
    expect(await pictures.getByRole("row", { name: /logo\.png/ }).count()).toBe(1);
    expect(await pictures.getByRole("row", { name: /o\.gif/ }).count()).toBe(0);
    expect(await (await tabPanel(page, /^Tracking 1$/)).innerText()).toContain("o.gif");
  });

  test("the content of a message in a report shows a remark about a link with its finding's severity", async () => {
    const { page } = await openReport();
    const links = await tabPanel(page, /^Links/);
    const remark = (text: string) => links.locator(".remarks .sev").filter({ hasText: text });
    expect(await remark("Shows bank.example but opens").getAttribute("class")).toBe("sev major");
    expect(await remark("The link shortener bit.ly hides the link's target").getAttribute("class")).toBe("sev minor");
    expect(await remark("In the plain-text part.").getAttribute("class")).toBe("sev info");
  });

  test("the content of a message in a report counts a note as a note, and does not praise unmarked layout tables", async () => {
    const { page } = await openReport(newsletter);
    await soon(() => page.getByRole("heading", { name: "Accessibility: 2 notes" }).count()).toBe(1);
    const line = (text: string) => page.locator(".read-l > li").filter({ hasText: text });
    const tables = line("Missing table roles");
    expect([await tables.count(), await tables.locator(".sev.good").count()]).toEqual([1, 0]);
    expect(await line("All images have an alt attribute").locator(".sev.good").count()).toBe(1);
    const rich = await openReport();
    await soon(() => rich.page.getByRole("heading", { name: /^Accessibility: \d issues/ }).count()).toBe(1);
    expect(await rich.page.locator(".read-l").innerText()).not.toContain("layout tables");
  });

  test("the content of a message in a report is previewed on a phone as a phone shows it", async () => {
    const { page } = await openReport(newsletter, { width: 390, height: 844 });
    expect(await page.getByRole("radio", { name: "Phone" }).isChecked()).toBe(true);
    const heading = page.locator("iframe").contentFrame().getByRole("heading", { name: "Yarns" });
    await soon(() => heading.isVisible()).toBe(true);
  });

  test("the content of a message in a report shows which email clients support its features, and who cannot read it", async () => {
    const { page } = await openReport();
    const outlook = page.locator(".supp-l > li").filter({ hasText: "Outlook for Windows" });
    expect(await outlook.innerText()).toMatch(/0 of 7[\s\S]*Not supported: display:flex/);
    const apple = page.locator(".supp-l > li").filter({ hasText: "Apple Mail" });
    expect(await apple.innerText()).toContain("All supported");
    const fault = page.locator("#content").getByRole("link", { name: "Image without alt text" });
    await fault.click();
    await soon(() => page.locator("#finding-image-alt-missing").isVisible()).toBe(true);
    const plain = await openReport(aLetter("A plain text"));
    expect(await plain.page.locator(".supp-l").count()).toBe(0);
    expect(await plain.page.getByText("No HTML, so there’s nothing to check.").isVisible()).toBe(true);
    expect(await plain.page.getByRole("heading", { name: "Content: text only" }).isVisible()).toBe(true);
  });

  test("the content of a message in a report has headers that can be searched, unfolded, compared, and followed to their hops", async () => {
    const { page } = await openReport();
    await page.getByRole("tab", { name: "Prove" }).click();
    await page.getByRole("heading", { name: /^Evidence/ }).click();
    const headers = page.getByRole("region", { name: "Headers" });
    await soon(() => headers.locator(".h").count()).toBe(15);
    expect(await headers.locator(".h.hop").count()).toBe(6);
    expect(await headers.getByText("=?utf-8?Q?The_autumn").isVisible()).toBe(true);
    expect(await headers.getByText("The autumn walking list – and 20 % off").isVisible()).toBe(true);
    const sealed = headers.locator(".h").filter({ hasText: "ARC-Seal" });
    expect(await sealed.locator("details").getAttribute("open")).toBeNull();
    await page.getByLabel("Find in the headers").fill("listmill");
    await soon(() => headers.locator(".h").count()).toBe(5);
    expect(await headers.locator("mark").first().innerText()).toBe("listmill");
    expect(await page.getByText("5 matches in 5 headers").isVisible()).toBe(true);
    await page.getByLabel("Find in the headers").fill("Received:");
    await headers.getByRole("link", { name: "Hop 2" }).click();
    await soon(() => page.locator("#hop-2").isVisible()).toBe(true);
    expect(await page.locator("#hop-2").innerText()).toContain("relay.listmill.example");
    await headers.getByRole("button", { name: "Copy the Received header" }).first().click();
    await soon(() => headers.getByText("Copied").count()).toBe(1);
    await page.getByLabel("Find in the DNS responses").fill("v=DMARC1");
    await soon(() => page.locator(".dns-n").count()).toBe(1);
    expect(await page.locator(".dns-n").innerText()).toContain("_dmarc.harbourpine.example");
  });

  test("the content of a message in a report has its source with line numbers and a search, loaded when it is opened", {
    timeout: 120_000,
  }, async () => {
    const { page } = await openReport();
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await page.getByRole("tab", { name: "Prove" }).click();
    await page.getByRole("heading", { name: /^Evidence/ }).click();
    const source = page.locator("#evidence details.source");
    expect(asked.filter((path) => path.endsWith("/raw"))).toEqual([]);
    await source.locator("summary").click();
    await soon(() => source.locator("li").first().innerText()).toContain("Received: from out.harbourpine.example");
    await page.getByLabel("Find in the source").fill("content-type: text/html");
    await soon(() => source.locator("li").count()).toBe(1);
    expect(Number(await source.locator("li").getAttribute("value"))).toBeGreaterThan(20);
    expect(await source.locator("mark").innerText()).toBe("Content-Type: text/html");
    await expectUsableByEveryone(page);
  });

  test("the content of a message in a report is shared by a link that needs no login, and disappears when the link ends", {
    timeout: 120_000,
  }, async () => {
    const { page } = await openReport();
    await page.getByRole("button", { name: "Share" }).click();
    const dialog = page.getByRole("dialog", { name: "Share this report" });
    await dialog.getByLabel("Expires after (days)").fill("7");
    await dialog.getByRole("button", { name: "Create link" }).click();
    const link = dialog.locator(".copy code");
    await soon(() => link.count()).toBe(1);
    const url = await link.innerText();
    await expectUsableByEveryone(page);
    const stranger = await world.openPage(null);
    await stranger.goto(url);
    expect(await stranger.locator("h1").innerText()).toMatch(/^Likely .* issues?.*\.$/);
    expect(await stranger.getByText("anyone@seed.example").count()).toBe(0);
    await expectUsableByEveryone(stranger);
    await dialog.getByRole("button", { name: /^Revoke the link created/ }).click();
    await dialog.getByRole("button", { name: "Revoke link", exact: true }).click();
    await soon(() => page.getByText("Link revoked.").count()).toBe(1);
    await stranger.reload();
    expect(await stranger.getByRole("heading", { name: "Report not available" }).isVisible()).toBe(true);
    await expectUsableByEveryone(stranger);
  });

  test("the content of a message in a report says if its source has more lines than are shown", async () => {
    const { workspaceId, cookie } = await addReader(world);
    const id = await world.receive(workspaceId, null, aLetter("Long", "\r\n".repeat(9_000)));
    await world.analyzeAll();
    const page = await world.openPage(cookie);
    await page.goto(`${world.base}/tests/${id}#evidence`);
    const source = page.locator("#evidence details.source");
    await source.locator("summary").click();
    await soon(() => source.getByText("8,000 lines shown").count()).toBe(1);
  });

  test("the content of a message in a report is saved with its report as one file", async () => {
    const { page, testId } = await openReport();
    const saving = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download", exact: true }).click();
    const saved = await saving;
    expect(saved.suggestedFilename()).toBe(`assay-report-${testId}.html`);
    expect(readFileSync((await saved.path()) ?? "", "utf8")).toContain("The autumn walking list");
  });
});
