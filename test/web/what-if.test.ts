import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectUsableByEveryone } from "./axe.ts";
import { aLetter } from "./letters.ts";
import { addReader, hasBrowser, openWebWorld, soon, type WebWorld } from "./web-world.ts";

/** Mail of the world comes from 192.0.2.1. */
const zone = {
  "sender.example": {
    TXT: ["site-verification=1", "v=spf1 ip4:198.51.100.9 -all"],
    A: ["192.0.2.8"],
    MX: [{ preference: 1, exchange: "mx.sender.example" }],
  },
  "mx.sender.example": { A: ["192.0.2.25"] },
  "_dmarc.sender.example": { TXT: ["v=DMARC1; p=reject; rua=mailto:d@sender.example"] },
} as const;

describe.skipIf(!hasBrowser)("the DNS preview in a report", () => {
  let world: WebWorld;
  beforeAll(async () => {
    world = await openWebWorld();
    world.internet.zone = zone;
  });
  afterAll(() => world.closeAll());

  async function openReport(subjects: readonly [string, ...string[]], { isWatched = false } = {}) {
    const reader = await addReader(world);
    let id = "";
    for (const subject of subjects) {
      world.clock.nowMs += 1_000;
      id = await world.receive(reader.workspaceId, null, aLetter(subject));
    }
    await world.analyzeAll();
    const { token } = await world.issueToken(reader.workspaceId);
    const as = { token, workspace: reader.workspaceId };
    if (isWatched) await world.ask("POST", "/api/domains", { ...as, body: { domain: "sender.example" } });
    world.clock.nowMs += 60_000;
    const page = await world.openPage(reader.cookie);
    await page.goto(`${world.base}/tests/${id}#what-if`);
    await soon(() => page.locator("h1.verdict").count()).toBe(1);
    const section = page.locator("#what-if");
    return { page, id, section, as };
  }

  test("the DNS preview in a report shows that a suggested record authenticates this message and others of the domain", async () => {
    const { page, id, section, as } = await openReport(["First", "Second"], { isWatched: true });
    const before = (await world.ask("GET", `/api/tests/${id}`, as)).json;
    const finding = page.locator("#finding-spf-result-fail");
    if ((await finding.getAttribute("open")) === null) await finding.locator("summary").click();
    await finding.getByRole("button", { name: "Preview this record" }).click();
    await soon(() => section.getByRole("heading", { name: /^The score would rise from/ }).isVisible()).toBe(true);
    expect(await section.getByLabel("Name").first().inputValue()).toBe("sender.example");
    expect(await section.getByLabel("Value").first().inputValue()).toContain("ip4:192.0.2.1");
    expect(await section.getByLabel("Value").last().inputValue()).toBe("site-verification=1");
    expect(await section.getByRole("row", { name: "SPF fail pass" }).isVisible()).toBe(true);
    expect(await section.getByRole("row", { name: "DMARC fail pass" }).isVisible()).toBe(true);
    await soon(() => section.getByText("Effect on the newest 2 messages: 2 better.").isVisible()).toBe(true);
    expect(await section.getByRole("link", { name: "First" }).isVisible()).toBe(true);
    await section.getByText("DNS changes").click();
    await expectUsableByEveryone(page);
    expect((await world.ask("GET", `/api/tests/${id}`, as)).json).toEqual(before);
    await section.getByRole("link", { name: "First" }).click();
    await soon(() => page.title()).toBe("First · Assay");
    await page.goBack();
    await soon(() => section.getByRole("heading", { name: /^The score would rise from/ }).isVisible()).toBe(true);
  });

  test("the DNS preview in a report shows an invalid record at its line, and how to monitor an unmonitored domain", async () => {
    const { page, section } = await openReport(["Typed"]);
    expect(await section.getByLabel("Name").inputValue()).toBe("_dmarc.sender.example");
    await section.getByRole("button", { name: "Add record" }).click();
    const [first, second] = [1, 2].map((at) => section.getByRole("group", { name: `Record ${at}` }));
    await second?.getByLabel("Name").fill("sender.example");
    await second?.getByLabel("Type").selectOption("MX");
    await second?.getByLabel("Value").fill("mx2.sender.example");
    const see = section.getByRole("button", { name: "Preview changes" });
    await see.click();
    await soon(() => section.getByRole("alert").count()).toBe(1);
    expect(await second?.getByLabel("Value").getAttribute("aria-invalid")).toBe("true");
    expect(await first?.getByLabel("Value").getAttribute("aria-invalid")).toBeNull();
    await expectUsableByEveryone(page);
    await second?.getByRole("button", { name: "Remove record 2" }).click();
    await first?.getByLabel("Value").fill("v=DMARC1; p=none");
    await see.click();
    await soon(() => section.getByRole("heading", { name: /^The score would/ }).isVisible()).toBe(true);
    await soon(() => section.getByText("sender.example isn’t one of your domains.").isVisible()).toBe(true);
    await page.getByLabel("More actions").click();
    await page.getByRole("button", { name: "Re-analyze" }).first().click();
    await page.getByRole("dialog").getByRole("button", { name: "Re-analyze" }).click();
    await soon(() => page.locator("#since-h").count()).toBe(1);
    expect(await section.getByRole("heading", { name: /^The score would/ }).count()).toBe(0);
    expect(await first?.getByLabel("Value").inputValue()).toBe("v=DMARC1; p=none");
  });

  test("the DNS preview in a report starts a second preview while another is running", async () => {
    const { page, section } = await openReport(["Quick"]);
    let release = () => {};
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    const asked: string[] = [];
    await page.route("**/what-if", async (route) => {
      asked.push(route.request().postData() ?? "");
      if (asked.length === 1) await isReleased;
      await route.continue();
    });
    await section.getByRole("button", { name: "Preview changes" }).press("Enter");
    await soon(async () => asked.length).toBe(1);
    const finding = page.locator("#finding-spf-result-fail");
    if ((await finding.getAttribute("open")) === null) await finding.locator("summary").click();
    await finding.getByRole("button", { name: "Preview this record" }).click();
    await soon(() => section.getByLabel("Name").first().inputValue()).toBe("sender.example");
    release();
    await soon(() => section.getByRole("row", { name: "SPF fail pass" }).count()).toBe(1);
    expect(asked).toHaveLength(2);
  });

  test("an uncertain kind is asked for once and remembered for the sender", async () => {
    const reader = await addReader(world);
    const text = `Hello,\r\n\r\nour office hours change: https://sender.example/hours\r\n\r\nThe team\r\n`;
    const id = await world.receive(reader.workspaceId, null, aLetter("Office hours", text));
    await world.analyzeAll();
    const { token } = await world.issueToken(reader.workspaceId);
    const as = { token, workspace: reader.workspaceId };
    const page = await world.openPage(reader.cookie);
    await page.goto(`${world.base}/tests/${id}#what-if`);
    const group = page.getByRole("group", { name: /^What type of message is this\?/ });
    await soon(() => group.count()).toBe(1);
    const answers = await group.getByRole("button").allInnerTexts();
    expect(answers.map((text) => text.split("\n")[0]).sort()).toEqual(["Bulk mail", "Personal", "Transactional"]);
    for (const text of answers) expect(text).toMatch(/score \d/);
    await expectUsableByEveryone(page);
    await group.getByRole("button", { name: /^Transactional/ }).click();
    await soon(() => page.getByText("Type, set by you:").isVisible()).toBe(true);
    expect(await group.count()).toBe(0);
    await expectUsableByEveryone(page);
    await page.getByRole("button", { name: "Always from ann@sender.example" }).click();
    await soon(() => page.getByText("Use it for new messages too?").count()).toBe(0);
    expect((await world.ask("GET", "/api/kind-rules", as)).json.items).toMatchObject([
      { match: "from", value: "ann@sender.example", kind: "transactional" },
    ]);
  });

  test("a user changes the kind of a message, and sees what the new report changes", async () => {
    const { page } = await openReport(["Kind"]);
    await page.getByRole("button", { name: "Change type" }).click();
    const dialog = page.getByRole("dialog", { name: "Change message type" });
    expect(await dialog.getByRole("button", { name: "Re-analyze as this type" }).isDisabled()).toBe(true);
    await dialog.getByLabel("Bulk mail", { exact: false }).check();
    await expectUsableByEveryone(page);
    await dialog.getByRole("button", { name: "Re-analyze as this type" }).click();
    await soon(() => page.getByText("Type, set by you:").isVisible()).toBe(true);
    const card = page.getByRole("region", { name: /^Score .*the test conditions differ$/ });
    await soon(() => card.getByText("Message type set manually").isVisible()).toBe(true);
    expect(await dialog.count()).toBe(0);
    await page.goBack();
    await soon(() => card.count()).toBe(0);
  });
});
