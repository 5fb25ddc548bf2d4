import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { toBytes } from "../fixtures/messages/letter.ts";
import { newsletter } from "../fixtures/messages/newsletter.ts";
import { expectUsableByEveryone } from "./axe.ts";
import { addReader, hasBrowser, openWebWorld, soon, type WebWorld } from "./web-world.ts";

describe.skipIf(!hasBrowser)("forwarding in a report", () => {
  let world: WebWorld;
  beforeAll(async () => {
    world = await openWebWorld();
    world.internet.zone = newsletter.zone;
  });
  afterAll(() => world.closeAll());

  test.each([1440, 390])("forwarding in a report is one line that lists the paths, at %i pixels", async (width) => {
    const reader = await addReader(world);
    const page = await world.openPage(reader.cookie, { width, height: 900 });
    const id = await world.receive(reader.workspaceId, null, toBytes(newsletter));
    await world.analyzeAll();
    await world.examiner.untilIdle();
    await page.goto(`${world.base}/tests/${id}`);
    await page.getByRole("tab", { name: "Prove" }).click();
    const section = page.locator("#forwarding");
    await soon(() => section.locator("summary").innerText()).toBe(
      "Forwarding: survives forwarding, breaks on mailing lists",
    );
    expect(await section.getByText("DKIM still passes.").count()).toBe(0);
    await section.locator("summary").click();
    await soon(() => section.getByRole("row").count()).toBe(9);
    expect(await section.innerText()).toContain("List-Unsubscribe");
    await expectUsableByEveryone(page);
    if (process.env.SHOTS) await section.screenshot({ path: `${process.env.SHOTS}/forwarding-${width}.png` });
  });
});
