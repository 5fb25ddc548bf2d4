import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { claimTests, markFailed } from "../../src/features/tests/rows/tests.ts";
import { expectUsableByEveryone } from "./axe.ts";
import { openDashboard } from "./dashboard-world.ts";
import { aLetter } from "./letters.ts";
import { hasBrowser, openWebWorld, soon, type WebWorld } from "./web-world.ts";

describe.skipIf(!hasBrowser)("Home", () => {
  let world: WebWorld;
  beforeAll(async () => {
    world = await openWebWorld();
  });
  afterAll(() => world.closeAll());

  test("Home leads to the first test when there is none, and fills automatically", async () => {
    const { open, workspaceId, seedAddress } = await openDashboard(world);
    const page = await open();
    const heading = () => page.locator("h1").innerText();
    await soon(heading).toBe("Send an email to this address");
    expect(await page.title()).toBe("Home · Assay");
    expect(await page.getByText(seedAddress, { exact: true }).isVisible()).toBe(true);
    expect(await page.locator(".kpi").count()).toBe(0);
    // Before anyone waits for a message that can't arrive.
    await page.getByText("This address works only from this computer.").waitFor();
    await expectUsableByEveryone(page);
    await soon(() => world.events.countFollowers()).toBeGreaterThan(0);
    await world.receive(workspaceId, null, aLetter("The very first"));
    await soon(heading).toBe("A message has arrived.");
    expect(await page.locator(".kpi, .chart").count()).toBe(0);
    await world.analyzeAll();
    await soon(heading).toBe("1 message needs you.");
    const messages = page.getByRole("region", { name: "Messages that need you" });
    await messages.getByRole("link", { name: "The very first" }).click();
    await soon(() => page.title()).toBe("The very first · Assay");
  });

  test("Home needs at most six requests, like the other first pages", async () => {
    const { keep, cookie } = await openDashboard(world);
    await keep(world.clock.nowMs - 60_000, 91, {}, "A letter");
    for (const path of ["/", "/tests", "/start"]) {
      const page = await world.openPage(cookie);
      const asked: string[] = [];
      page.on("request", (request) => asked.push(new URL(request.url()).pathname));
      await page.goto(world.base + path);
      await soon(() => page.locator("h1").count()).toBe(1);
      await page.waitForLoadState("networkidle");
      // The stream of events stays open, and no page waits for the server check.
      expect(asked.filter((one) => one !== "/api/events" && one !== "/api/doctor")).toSatisfy(
        (all) => all.length <= 6,
        asked.join(" "),
      );
    }
  });

  test("Home shows mail whose analysis failed, with a link to it", async () => {
    const { open, workspaceId } = await openDashboard(world);
    const failed = await world.receive(workspaceId, null, aLetter("Hard to read"));
    await world.store.write(async (db) => {
      const lease = { now: world.clock.nowMs, owner: "test", leaseMs: 1_000, limit: 1, only: [failed] };
      for (const claimed of await claimTests(db, lease)) await markFailed(db, claimed, "It could not be read.");
    });
    const page = await open();
    await soon(() => page.locator("h1").innerText()).toBe("One thing needs you.");
    await expectUsableByEveryone(page);
    await page.getByRole("link", { name: "The analysis of a message failed" }).click();
    await soon(() => page.locator(`a[href="/tests/${failed}"]`).count()).toBe(1);
  });

  test("Home shows the messages that need you as pictures, the other things, and the figures of a month", async () => {
    const { open, fillMonth, monitor, bounce } = await openDashboard(world);
    await fillMonth();
    await monitor("harbourpine.example");
    await bounce();
    const page = await open();
    await soon(() => page.locator("h1").innerText()).toMatch(/^\d+ of \d+ messages need you\.$/);
    const [needing = ""] = (await page.locator("h1").innerText()).split(" ");
    const messages = page.getByRole("region", { name: "Messages that need you" });
    expect(await messages.getByRole("listitem").count()).toBe(5);
    expect(await messages.getByRole("listitem").first().innerText()).toMatch(/^Ann[\s\S]*Likely spam at /);
    expect(await page.getByRole("link", { name: "2 bounces and 1 complaint" }).isVisible()).toBe(true);
    await page.getByText("1 domain is fine.").waitFor();
    const figure = (name: string) => page.locator(".kpi", { hasText: name }).innerText();
    expect(await figure("Deliverability score")).toMatch(/\n8\d(\.\d)?\n/);
    expect(await figure("Spam or rejected")).toMatch(/points higher$/);
    expect(await figure("Bounces")).toMatch(/\n2 \/ 1\n+3 more$/);
    await page.getByText("Placement by provider and top issues").click();
    const outlook = page.getByRole("listitem").filter({ has: page.getByRole("img"), hasText: /^Outlook\.com/ });
    expect(await outlook.getByRole("img").getAttribute("aria-label")).toMatch(/^inbox \d+%, spam or rejected \d+%$/);
    expect(await outlook.innerText()).toMatch(/\d of \d\d observed/);
    const gmail = page.getByRole("listitem").filter({ hasText: /^Gmail/ });
    expect(await gmail.innerText()).toMatch(/\d+% inbox\s+\d+% Promotions/);
    expect(
      await page
        .getByRole("listitem")
        .filter({ hasText: /^Yahoo and AOL/ })
        .innerText(),
    ).toMatch(/predicted/);
    await expectUsableByEveryone(page);
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      const table = page.getByRole("table", { name: "Issues this week" });
      expect(await table.evaluate((one) => one.clientWidth <= (one.parentElement?.clientWidth ?? 0))).toBe(true);
    }
    await page.setViewportSize({ width: 768, height: 900 });
    expect(await page.getByRole("navigation", { name: "Main" }).isVisible()).toBe(true);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(768);
    const issue = page.getByRole("link", { name: "DKIM signature missing" });
    expect(await issue.getAttribute("href")).toMatch(/^\/tests\/tst_\w+#finding-dkim-present-missing$/);
    await messages.getByRole("link", { name: `See all ${needing}` }).click();
    await soon(() => page.getByText(`${needing} matches`).count()).toBe(1);
  });

  test("Home draws the messages without a request to another server", async () => {
    const { open, workspaceId } = await openDashboard(world);
    const html = '<h1>Autumn sale</h1><img src="https://pixel.example/x.gif"><script>document.title = "run"</script>';
    const head = "From: ann@sender.example\r\nSubject: Sale\r\nContent-Type: text/html\r\n\r\n";
    await world.receive(workspaceId, null, Buffer.from(`${head}${html}\r\n`));
    await world.analyzeAll();
    const page = await open();
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.reload();
    await soon(() => page.frameLocator(".picture iframe").getByText("Autumn sale").count()).toBe(1);
    expect(asked.filter((url) => !url.startsWith(world.base) && !url.startsWith("data:"))).toEqual([]);
    expect(await page.locator(".picture iframe").getAttribute("sandbox")).toBe("");
  });

  test("Home shows no charts for a single day, and marks uploads, which don't count", async () => {
    const { open, keep } = await openDashboard(world);
    await keep(world.clock.nowMs - 60_000, 91, {}, "A letter");
    const uploaded = await keep(world.clock.nowMs - 30_000, 20, { gmail: "spam" }, "Of others");
    await world.store.write(async (db) => {
      await db.updateTable("tests").set({ recipients: "[]" }).where("id", "=", uploaded).execute();
      await db.deleteFrom("contributions").where("test_id", "=", uploaded).execute();
    });
    const page = await open();
    await soon(() => page.locator("h1").innerText()).toBe("Nothing needs you.");
    await page
      .getByText("1 message in the last 7 days: no critical or major issues found, and none likely in spam.")
      .waitFor();
    const list = page.getByRole("region", { name: "Latest tests" });
    expect(await list.getByRole("listitem").filter({ hasText: "Of others" }).innerText()).toMatch(/, uploaded/);
    expect(await list.getByRole("listitem").filter({ hasText: "A letter" }).innerText()).not.toMatch(/uploaded/);
    expect(await page.locator(".kpi, .chart").count()).toBe(0);
    await expectUsableByEveryone(page);
  });

  test("Home shows a day of its charts by pointer, keyboard, and screen reader, and as a table", async () => {
    const { open, fillMonth } = await openDashboard(world);
    await fillMonth();
    const page = await open();
    const chart = page.getByRole("slider", { name: /^Daily average score: between 8\d/ });
    const read = () => chart.getAttribute("aria-valuetext");
    await soon(read).toMatch(/^Sat.* 21 Nov: score \d+(\.\d)? from 3 tests$/);
    await chart.focus();
    await page.keyboard.press("ArrowLeft");
    expect(await read()).toMatch(/^Fri.* 20 Nov: score/);
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    expect(await read()).toMatch(/^Wed.* 18 Nov: no tests$/);
    expect(await page.locator(".reading").allInnerTexts()).toEqual([await read(), await read()]);
    await page.keyboard.press("Home");
    expect(await read()).toMatch(/^Fri.* 23 Oct: score/);
    await page.keyboard.press("Escape");
    expect(await read()).toMatch(/^Sat.* 21 Nov/);
    const box = await chart.boundingBox();
    await page.mouse.move((box?.x ?? 0) + 2, (box?.y ?? 0) + 20);
    expect(await read()).toMatch(/^Fri.* 23 Oct: score/);
    await page.getByText("Show as table").click();
    const row = page.getByRole("row", { name: /^18 Nov/ });
    expect((await row.innerText()).split(/\s+/)).toEqual(["18", "Nov", "0", "–", "–", "–", "–", "–"]);
    await expectUsableByEveryone(page);
  });

  test("Home shows new tests at the top, and waits while the user reads", async () => {
    const { open, keep, workspaceId } = await openDashboard(world);
    await keep(world.clock.nowMs - 60_000, 91, {}, "Yesterday’s letter");
    const page = await open();
    const list = page.getByRole("region", { name: "Latest tests" });
    const shown = () => list.locator(".list a").allInnerTexts();
    await soon(shown).toEqual(["Yesterday’s letter"]);
    await soon(() => world.events.countFollowers()).toBeGreaterThan(0);
    await world.receive(workspaceId, null, aLetter("Just now"));
    await soon(shown).toEqual(["Just now", "Yesterday’s letter"]);
    expect(await list.locator("li.arriving a").allInnerTexts()).toEqual(["Just now"]);
    await list.getByRole("link", { name: "Yesterday’s letter" }).focus();
    world.clock.nowMs += 1_000;
    await world.receive(workspaceId, null, aLetter("And one more"));
    const more = list.getByRole("button", { name: "Show 1 new test" });
    await soon(() => more.count()).toBe(1);
    expect(await shown()).toEqual(["Just now", "Yesterday’s letter"]);
    await more.click();
    await soon(shown).toEqual(["And one more", "Just now", "Yesterday’s letter"]);
    await world.analyzeAll();
    await soon(shown).toEqual(["And one more", "Just now", "Yesterday’s letter"]);
  });

  test("Home says which domains fail, and keeps hostile text as text", async () => {
    const { open, keep, monitor } = await openDashboard(world);
    const hostile = "<img src=x onerror=alert(1)>";
    await keep(world.clock.nowMs - 60_000, 91, {}, hostile);
    await monitor("quillworks.example", { spf: "fail", dmarc: "missing" });
    await monitor("harbourpine.example");
    const page = await open();
    await soon(() => page.locator("h1").innerText()).toBe("One thing needs you.");
    expect(await page.getByRole("link", { name: hostile }).isVisible()).toBe(true);
    await page.getByText("1 domain is fine.").waitFor();
    await page.getByRole("link", { name: "quillworks.example: SPF fails, DMARC is missing" }).click();
    await page.waitForURL(/\/domains\/dom_\w+$/);
  });

  test("Home says if it cannot be loaded, and shows no numbers for a week without mail", async () => {
    const { open, keep } = await openDashboard(world);
    await keep(world.clock.nowMs - 12 * 86_400_000, 91, {}, "A letter");
    await keep(world.clock.nowMs - 13 * 86_400_000, 91, {}, "Another letter");
    const page = await open();
    await page.route("**/api/dashboard/summary*", (route) =>
      route.fulfill({ status: 502, contentType: "text/html", body: "Bad gateway" }),
    );
    await page.reload();
    await soon(() => page.getByRole("alert").innerText()).toContain("Couldn’t load this page.");
    await expectUsableByEveryone(page);
    await page.unroute("**/api/dashboard/summary*");
    await page.getByRole("button", { name: "Try again" }).click();
    await soon(() => page.locator("h1").innerText()).toBe("No mail in the last 7 days.");
    expect(await page.getByText("The last message was on 9 Nov 2026.").isVisible()).toBe(true);
    expect([await page.locator(".chart").count(), await page.locator(".kpi").count()]).toEqual([2, 0]);
  });
});
