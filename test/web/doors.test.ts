import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { receiveThroughDoor } from "../../src/features/intake/work/receive-message.ts";
import { toBytes } from "../fixtures/messages/letter.ts";
import { newsletter } from "../fixtures/messages/newsletter.ts";
import { expectUsableByEveryone } from "./axe.ts";
import { type IntegrationsWorld, openIntegrationsWorld, openReader } from "./integrations-world.ts";
import { hasBrowser, soon } from "./web-world.ts";

describe.skipIf(!hasBrowser)("mail received without port 25", () => {
  let world: IntegrationsWorld;
  beforeAll(async () => {
    world = await openIntegrationsWorld();
    world.internet.zone = { ...world.internet.zone, ...newsletter.zone };
  });
  afterAll(() => world.closeAll());

  test.each([1440, 390])(
    "mail received without port 25 has its source and unknown facts in the report, at %i pixels",
    async (width) => {
      const reader = await openReader(world);
      const mailbox = "seed@mailbox.example";
      const recipient = { workspaceId: reader.workspaceId, seedInboxId: null, label: null, address: mailbox };
      const stamp =
        "Received: from mail.sender.example (mail.sender.example [192.0.2.1]) by mx.mailbox.example with ESMTPS; Sat, 21 Nov 2026 06:00:00 +0000\r\n";
      const [id] = await receiveThroughDoor(
        {
          raw: Buffer.concat([Buffer.from(stamp), toBytes(newsletter)]),
          door: { kind: "imap", mailbox },
          recipients: [recipient],
          claims: { clientAddress: null, helo: null, mailFrom: null, trusted: ["mailbox.example"] },
        },
        world.intake,
        world.system,
      );
      await world.analyzeAll();
      const page = await world.openPage(reader.cookie, { width, height: 900 });
      await page.goto(`${world.base}/tests/${id}`);
      const link = page.getByRole("link", { name: "Read from the mailbox seed@mailbox.example by IMAP" });
      await soon(() => link.count()).toBe(1);
      if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/door-top-${width}.png` });
      await link.click();
      const section = page.locator("#journey");
      await soon(() => section.getByText("Recorded by mailbox.example: IP address, HELO name.").count()).toBe(1);
      expect(await section.innerText()).toContain("the envelope sender; the envelope recipients");
      expect(await section.innerText()).not.toContain("From the earliest time");
      expect(await section.innerText()).not.toContain("uploaded");
      if (process.env.SHOTS) await section.screenshot({ path: `${process.env.SHOTS}/door-${width}.png` });
      await expectUsableByEveryone(page);
    },
  );

  test("mail received without port 25 comes from a connected mailbox whose new messages become tests", async () => {
    const { cookie } = await openReader(world);
    const page = await world.openPage(cookie, {});
    await page.goto(`${world.base}/integrations?connect=imap`);
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Other", { exact: true }).click();
    await dialog.getByLabel("IMAP server").fill("imap.own.example");
    await dialog.getByRole("textbox", { name: "Username" }).fill("seed@own.example");
    await dialog.getByLabel("Password").fill("lamp quarrel");
    await dialog.getByText("Test new mail", { exact: true }).click();
    expect(await dialog.innerText()).toContain("becomes a test");
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/door-connect.png` });
    await expectUsableByEveryone(page);
    await dialog.getByRole("button", { name: "Connect mailbox" }).click();
    const row = page.getByRole("row").filter({ hasText: "seed@own.example" });
    await soon(() => row.filter({ hasText: "new mail becomes tests" }).count()).toBe(1);
  });
});
