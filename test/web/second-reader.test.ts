import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ambiguousMessages } from "../analyzer/second-reader/ambiguous-messages.ts";
import { expectUsableByEveryone } from "./axe.ts";
import { aLetter } from "./letters.ts";
import { addReader, hasBrowser, type Look, openWebWorld, soon, type WebWorld } from "./web-world.ts";

describe.skipIf(!hasBrowser)("the second parser's section in the report", () => {
  let world: WebWorld;
  beforeAll(async () => {
    world = await openWebWorld();
  });
  afterAll(() => world.closeAll());

  async function openReport(raw: Uint8Array, look: Look = {}) {
    const reader = await addReader(world);
    const testId = await world.receive(reader.workspaceId, null, raw);
    await world.analyzeAll();
    const page = await world.openPage(reader.cookie, look);
    await page.goto(`${world.base}/tests/${testId}#second-reader`);
    const section = page.locator("#second-reader");
    await soon(() => section.getByRole("heading", { level: 2 }).innerText()).toMatch(/: two /);
    return { page, section };
  }

  test("the second parser's section in the report starts the second analysis when the report is opened, and updates automatically", async () => {
    const { section } = await openReport(aLetter("Hello"));
    const heading = await section.getByRole("heading", { level: 2 }).innerText();
    expect(heading).toMatch(/^Second reader: two independent readers agree/);
    expect(await section.locator("li.card").count()).toBe(0);
  });

  test.each([
    ["wide", { width: 1440, height: 900 }],
    ["narrow", { width: 390, height: 844 }],
  ] as const)(
    "the second parser's section in the report shows on a %s screen what the parsers read differently, with the bytes",
    async (_, look) => {
      const raw = Buffer.from(ambiguousMessages["a Content-Type without its semicolon"], "latin1");
      const { page, section } = await openReport(raw, look);
      expect(await section.getByText("Readers see different attachments").isVisible()).toBe(true);
      expect(await section.getByText("Content-Type: text/html charset=us-ascii").first().isVisible()).toBe(true);
      expect(await section.getByText(/doesn.t change the score/).isVisible()).toBe(true);
      await section.locator("summary").click();
      await soon(() => section.getByText("The Content-Type of a part can't be read.").first().isVisible()).toBe(true);
      await expectUsableByEveryone(page);
    },
  );
});
