// The message's row in the inboxes of email clients, and the size of its HTML.

import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectUsableByEveryone } from "./axe.ts";
import { addReader, hasBrowser, type Look, openWebWorld, soon, type WebWorld } from "./web-world.ts";

const encoded = (text: string) => `=?utf-8?B?${Buffer.from(text).toString("base64")}?=`;

const letterOf = (name: string, subject: string, html: string) =>
  Buffer.from(
    `From: ${encoded(name)} <hello@harbourpine.example>
To: anyone@seed.example
Subject: ${encoded(subject)}
Date: Sat, 21 Nov 2026 05:59:10 +0000
Message-ID: <rows@harbourpine.example>
MIME-Version: 1.0
Content-Type: text/html; charset=utf-8

${html}
`.replace(/\n/g, "\r\n"),
  );

const arabic = letterOf(
  "متجر الميناء",
  `آخر يوم: ${"خصم على جميع أحذية المشي الخريفية ".repeat(4)}`,
  '<html dir="rtl"><body><p>عزيزتي آن، جميع منتجاتنا مخفضة حتى يوم الأحد</p></body></html>',
);

const isCut = (line: Locator) => line.evaluate((node) => node.scrollWidth > node.clientWidth);

describe.skipIf(!hasBrowser)("the inbox rows of a report", () => {
  let world: WebWorld;
  beforeAll(async () => {
    world = await openWebWorld();
  });
  afterAll(() => world.closeAll());

  async function openReport(raw: Uint8Array, look: Look = {}): Promise<Page> {
    const reader = await addReader(world);
    const testId = await world.receive(reader.workspaceId, null, raw);
    await world.analyzeAll();
    const page = await world.openPage(reader.cookie, look);
    await page.goto(`${world.base}/tests/${testId}#content`);
    await soon(() => page.locator(".inbox").count()).toBe(1);
    return page;
  }

  test("the inbox rows of a report show sender, subject, and preview text, and say that they are simulated", async () => {
    const html = `<div style="display:none">Until Sunday.</div><div style="display:none">${"&zwnj;&nbsp;".repeat(40)}</div>
      <p>Dear Ann, our range is reduced.</p>`;
    const page = await openReport(letterOf("Harbour & Pine", "30% off", html));
    const rows = page.locator(".inbox li");
    expect(await page.locator(".inbox").getByText("Simulated").isVisible()).toBe(true);
    expect(await rows.locator("p").allInnerTexts()).toEqual([
      expect.stringMatching(/^Gmail, phone\s+(?:Likely|Inbox or spam)/),
      expect.stringMatching(/^Outlook, phone\s+(?:Likely|Inbox or spam)/),
      expect.stringMatching(/^Outlook, desktop\s+(?:Likely|Inbox or spam)/),
      expect.stringMatching(/^Apple Mail, iPhone\s+(?:Likely|Inbox or spam)/),
      expect.stringMatching(/^Apple Mail, Mac\s+(?:Likely|Inbox or spam)/),
      expect.stringMatching(/^Gmail, browser\s+(?:Likely|Inbox or spam)/),
    ]);
    expect(await rows.first().locator(".words > *").allInnerTexts()).toEqual([
      "Harbour & Pine",
      "30% off",
      "Until Sunday.",
    ]);
    expect(await rows.first().locator(".avatar").innerText()).toBe("H");
    expect(await isCut(rows.first().locator(".words > span"))).toBe(false);
    await expectUsableByEveryone(page);
  });

  test("the inbox rows of a report cut a long subject, at the same place in a wide and in a narrow window", async () => {
    const page = await openReport(letterOf("Harbour", "All coats, boots, and lamps ".repeat(9), "<p>Dear Ann</p>"));
    const subjects = page.locator(".inbox li .words > span");
    const width = (size: "clientWidth" | "scrollWidth", at: number) =>
      subjects.nth(at).evaluate((node, name) => (node as unknown as Record<string, number>)[name] ?? 0, size);
    const shares = async () =>
      await Promise.all(
        [0, 1, 2, 3, 4].map(async (at) => (await width("clientWidth", at)) / (await width("scrollWidth", at))),
      );
    const wide = await shares();
    for (let at = 0; at < 6; at++) expect(await isCut(subjects.nth(at))).toBe(true);
    await page.setViewportSize({ width: 360, height: 800 });
    for (const [at, share] of (await shares()).entries()) expect(share).toBeCloseTo(wide[at] ?? 0, 1);
  });

  test("the inbox rows of a report read right to left if the message does, and cut its end", async () => {
    const page = await openReport(arabic, { width: 390 });
    const subject = page.locator(".inbox li .words > span").first();
    expect(await subject.evaluate((node) => getComputedStyle(node).direction)).toBe("rtl");
    expect(await isCut(subject)).toBe(true);
    await expectUsableByEveryone(page);
  });

  test("the size gauge of a report says how much Gmail clips, and isn't there without HTML", async () => {
    const long = await openReport(letterOf("Harbour", "Long", `<p>x</p><!--${"x".repeat(140_000)}-->`));
    expect(await long.locator(".size-gauge").innerText()).toMatch(
      /140 kB of HTML\s+Gmail clips at about 102 kB. The last 38 kB would be hidden./,
    );
    const text = await openReport(Buffer.from("From: a@b.example\r\nSubject: x\r\n\r\nHello  there,\r\nAnn.\r\n"));
    expect(await text.locator(".size-gauge").count()).toBe(0);
    expect(await text.locator(".inbox li small[dir]").first().innerText()).toBe("Hello there, Ann.");
  });
});
