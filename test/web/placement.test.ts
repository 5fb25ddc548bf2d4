import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPlacement, receiverEvidence } from "./placement-world.ts";
import { hasBrowser, openWebWorld, soon, type WebWorld } from "./web-world.ts";

describe.skipIf(!hasBrowser)("placement in a report", () => {
  let world: WebWorld;
  beforeAll(async () => {
    world = await openWebWorld();
  });
  afterAll(() => world.closeAll());

  const cardOf = (page: Page, name: string) =>
    page.locator(".place").filter({ has: page.getByRole("heading", { name, exact: true }) });
  const badgesBelow = async (page: Page, heading: string) => [
    ...new Set(await page.locator(".place-group", { hasText: heading }).locator(".method").allInnerTexts()),
  ];

  test("placement in a report separates observed, awaited, and predicted results", async () => {
    const { connect, see, receiveIt, openReport } = await openPlacement(world);
    const gmail = await connect("ann@gmail.example", "gmail");
    await connect("box@own.example");
    const id = await receiveIt();
    await see(gmail, { folder: "spam", folderName: "[Gmail]/Spam" });
    const page = await openReport(id);
    expect(await page.locator("#placement .sec-h p").innerText()).toMatch(
      /^1 observed, 1 not seen, and [45] predicted\.$/,
    );
    expect(await page.locator("#placement-h").innerText()).toMatch(
      /^Placement: seen in spam at 1, likely rejected at (?:\d of \d|all \d) others$/,
    );
    expect(await badgesBelow(page, "Observed Seen in")).toEqual(["Observed"]);
    expect(await badgesBelow(page, "Not seen")).toEqual(["Not seen"]);
    expect(await badgesBelow(page, "Predicted Based on")).toEqual(["Predicted"]);
    expect(await cardOf(page, "Gmail").locator(".folder").innerText()).toBe("In spam");
    expect(await cardOf(page, "Gmail").innerText()).toContain("Prediction: ");
    expect(await cardOf(page, "box@own.example").locator(".folder").innerText()).toBe("Not seen yet");
    expect(await page.locator("h1.verdict").innerText()).toContain("Seen in spam at 1, likely rejected");
  });

  test("placement in a report lists each mailbox with its folder, delay, source, and earlier folder", async () => {
    const { connect, see, receiveIt, openReport } = await openPlacement(world);
    const mailbox = await connect("ann@gmail.example", "gmail");
    const id = await receiveIt();
    await see(mailbox);
    await see(mailbox, { folder: "spam", folderName: "[Gmail]/Spam", evidence: receiverEvidence });
    const page = await openReport(id);
    const told = await cardOf(page, "Gmail").innerText();
    for (const words of ["ann@gmail.example", "[Gmail]/Spam", "2 s", "after Assay’s copy", "Message-ID"])
      expect(told).toContain(words);
    expect(told).toContain("Earlier: INBOX");
  });

  test("placement in a report shows where the receiver's results differ from ours, with its text", async () => {
    const { connect, see, receiveIt, openReport } = await openPlacement(world);
    const mailbox = await connect("ann@gmail.example", "gmail");
    const id = await receiveIt();
    await see(mailbox, { evidence: receiverEvidence });
    const page = await openReport(id);
    const card = cardOf(page, "Gmail");
    const row = card.locator(".differs tbody tr").first();
    expect(await row.innerText()).toMatch(/^SPF\s+pass\s+none$/);
    await card.getByText("2 headers added by the receiving server").click();
    const raw = card.getByText("<img src=x onerror=alert(1)> 1");
    await soon(() => raw.isVisible()).toBe(true);
    expect(await card.getByText("mx.google.com; dkim=none").isVisible()).toBe(true);
  });

  test("placement in a report says how many of several mailboxes agree", async () => {
    const { connect, see, receiveIt, openReport } = await openPlacement(world);
    const [one, two, three] = [
      await connect("a@outlook.example", "outlook"),
      await connect("b@outlook.example", "outlook"),
      await connect("c@outlook.example", "outlook"),
    ];
    const id = await receiveIt();
    await see(one, { folder: "spam", folderName: "Junk" });
    await see(two);
    await see(three);
    const page = await openReport(id);
    const folder = cardOf(page, "Outlook.com").locator(".folder");
    expect(await folder.innerText()).toMatch(/^In the inbox\s+in 2 of 3 mailboxes$/);
  });

  test("placement in a report says that a mailbox has not shown the message yet, and updates when it does", async () => {
    const { connect, see, receiveIt, openReport } = await openPlacement(world);
    const mailbox = await connect("ann@gmail.example", "gmail");
    await connect("box@own.example");
    const id = await receiveIt();
    const page = await openReport(id);
    const card = cardOf(page, "Gmail");
    expect(await card.locator(".method").innerText()).toBe("Predicted");
    expect(await card.locator(".boxes").innerText()).toContain("Not seen yet");
    world.clock.nowMs += 3_600_000;
    await see(mailbox);
    await soon(() => card.locator(".method").innerText()).toBe("Observed");
    expect(await card.locator(".folder").innerText()).toBe("In the inbox");
    await soon(() => cardOf(page, "box@own.example").locator(".folder").innerText()).toBe("Not seen within an hour");
  });
});
