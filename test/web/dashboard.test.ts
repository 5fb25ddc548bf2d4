import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { claimTests, markFailed } from "../../src/features/tests/rows/tests.ts";
import { expectUsableByEveryone } from "./axe.ts";
import { openDashboard } from "./dashboard-world.ts";
import { aLetter } from "./letters.ts";
import { hasBrowser, openWebWorld, soon, type WebWorld } from "./web-world.ts";

describe.skipIf(!hasBrowser)("the dashboard", () => {
  let world: WebWorld;
  beforeAll(async () => {
    world = await openWebWorld();
  });
  afterAll(() => world.closeAll());

  test("the dashboard leads to the first test when there is none, and fills automatically", async () => {
    const { open, workspaceId, seedAddress } = await openDashboard(world);
    const page = await open();
    const heading = () => page.locator("h1").innerText();
    await soon(heading).toBe("No tests yet");
    expect(await page.getByText(seedAddress, { exact: true }).isVisible()).toBe(true);
    expect(await page.locator(".kpi").count()).toBe(0);
    // Before anyone waits for a message that can't arrive.
    await page.getByText("This address works only from this computer.").waitFor();
    await expectUsableByEveryone(page);
    await soon(() => world.events.countFollowers()).toBeGreaterThan(0);
    await world.receive(workspaceId, null, aLetter("The very first"));
    await soon(heading).toBe("A message has arrived. Analyzing it now");
    expect(await page.locator(".kpi, .chart").count()).toBe(0);
    await world.analyzeAll();
    await soon(() => page.getByRole("link", { name: "The very first" }).count()).toBe(1);
    await soon(() => page.getByText("1 test in the last 7 days.").count()).toBe(1);
    await page.goto(`${world.base}/`);
    await page.getByRole("link", { name: "The very first" }).click();
    await soon(() => page.title()).toBe("The very first · Assay");
  });

  test("the dashboard needs at most six requests, like the other first pages", async () => {
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

  test("the dashboard shows mail whose analysis failed, with a link to it", async () => {
    const { open, workspaceId } = await openDashboard(world);
    const failed = await world.receive(workspaceId, null, aLetter("Hard to read"));
    await world.store.write(async (db) => {
      const lease = { now: world.clock.nowMs, owner: "test", leaseMs: 1_000, limit: 1, only: [failed] };
      for (const claimed of await claimTests(db, lease)) await markFailed(db, claimed, "It could not be read.");
    });
    const page = await open();
    await soon(() => page.locator("h1").innerText()).toBe("A message arrived, but its analysis failed");
    expect(await page.getByText("No mail").count()).toBe(0);
    await expectUsableByEveryone(page);
    await page.getByRole("link", { name: "its analysis failed" }).click();
    await soon(() => page.locator(`a[href="/tests/${failed}"]`).count()).toBe(1);
  });

  test("the dashboard shows the one exception, and numbers with their changes and sources", async () => {
    const { open, fillMonth, monitor, bounce } = await openDashboard(world);
    await fillMonth();
    await monitor("harbourpine.example");
    await bounce();
    const page = await open();
    await soon(() => page.locator("h1").innerText()).toMatch(
      /^\d\d% of mail would probably go to spam or be rejected at Outlook\.com$/,
    );
    const figure = (name: string) => page.locator(".kpi", { hasText: name }).innerText();
    expect(await figure("Deliverability score")).toMatch(/\n8\d(\.\d)?\n/);
    expect(await figure("Spam or rejected")).toMatch(/points higher$/);
    expect(await figure("Bounces")).toMatch(/\n2 \/ 1\n+3 more$/);
    const outlook = page.getByRole("listitem").filter({ hasText: "Outlook.com" });
    expect(await outlook.getByRole("img").getAttribute("aria-label")).toMatch(/^inbox \d+%, spam or rejected \d+%$/);
    expect(await outlook.innerText()).toMatch(/\d of \d\d observed/);
    // The headline says what this row says.
    const [share] = (await page.locator("h1").innerText()).split(" ");
    expect(await outlook.getByRole("img").getAttribute("aria-label")).toContain(`rejected ${share}`);
    const gmail = page.getByRole("listitem").filter({ hasText: /^Gmail/ });
    expect(await gmail.innerText()).toMatch(/\d+% inbox\s+\d+% Promotions/);
    expect(await page.getByRole("listitem").filter({ hasText: "Yahoo and AOL" }).innerText()).toMatch(/predicted/);
    await soon(() => page.getByText("Mailbox doesn’t exist at receiver.example").count()).toBe(1);
    expect(await page.getByRole("link", { name: "harbourpine.example", exact: true }).isVisible()).toBe(true);
    await expectUsableByEveryone(page);
    const issue = page.getByRole("link", { name: "DKIM signature missing" });
    expect(await issue.getAttribute("href")).toMatch(/^\/tests\/tst_\w+#finding-dkim-present-missing$/);
  });

  test("the dashboard shows a day of its charts by pointer, keyboard, and screen reader, and as a table", async () => {
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
    expect((await row.innerText()).split(/\s+/)).toEqual(["18", "Nov", "0", "–", "–", "–", "–"]);
    await expectUsableByEveryone(page);
  });

  test("the dashboard shows new tests at the top, and waits while the user reads", async () => {
    const { open, keep, workspaceId } = await openDashboard(world);
    await keep(world.clock.nowMs - 60_000, 91, {}, "Yesterday’s letter");
    const page = await open();
    const list = page.getByRole("region", { name: "Latest tests" });
    const shown = () => list.locator(".list a").allInnerTexts();
    await soon(shown).toEqual(["Yesterday’s letter"]);
    await soon(() => world.events.countFollowers()).toBeGreaterThan(0);
    await world.receive(workspaceId, null, aLetter("Just now"));
    await soon(shown).toEqual(["New message", "Yesterday’s letter"]);
    expect(await list.locator("li.arriving a").allInnerTexts()).toEqual(["New message"]);
    await list.getByRole("link", { name: "Yesterday’s letter" }).focus();
    world.clock.nowMs += 1_000;
    await world.receive(workspaceId, null, aLetter("And one more"));
    const more = list.getByRole("button", { name: "Show 1 new test" });
    await soon(() => more.count()).toBe(1);
    expect(await shown()).toEqual(["New message", "Yesterday’s letter"]);
    await more.click();
    await soon(shown).toEqual(["New message", "New message", "Yesterday’s letter"]);
    await world.analyzeAll();
    await soon(shown).toEqual(["And one more", "Just now", "Yesterday’s letter"]);
  });

  test("the dashboard lists a failing domain first, updates after a check, and keeps hostile text as text", async () => {
    const { open, keep, monitor } = await openDashboard(world);
    const hostile = "<img src=x onerror=alert(1)>";
    await keep(world.clock.nowMs - 60_000, 91, {}, hostile);
    await monitor("quillworks.example", { spf: "fail", dmarc: "missing" });
    const page = await open();
    await soon(() => page.locator("h1").innerText()).toBe("quillworks.example fails DNS checks");
    expect(await page.getByText("SPF fails, DMARC is missing").count()).toBe(2);
    expect(await page.getByRole("link", { name: hostile }).isVisible()).toBe(true);
    const domains = page.getByRole("region", { name: "Domains" });
    await monitor("harbourpine.example");
    await soon(() => domains.getByRole("link", { name: "harbourpine.example" }).count()).toBe(1);
    await monitor("inkwell.example", { spf: "fail" });
    await soon(() => page.locator("h1").innerText()).toBe("2 domains fail DNS checks");
    await page.locator("h1 a").click();
    await page.waitForURL(/\/domains$/);
  });

  test("the dashboard says if it cannot be loaded, and shows no numbers for a week without mail", async () => {
    const { open, keep } = await openDashboard(world);
    await keep(world.clock.nowMs - 12 * 86_400_000, 91, {}, "A letter");
    const page = await open();
    await page.route("**/api/dashboard/summary*", (route) =>
      route.fulfill({ status: 502, contentType: "text/html", body: "Bad gateway" }),
    );
    await page.reload();
    await soon(() => page.getByRole("alert").innerText()).toContain("Couldn’t load the dashboard.");
    await expectUsableByEveryone(page);
    await page.unroute("**/api/dashboard/summary*");
    await page.getByRole("button", { name: "Try again" }).click();
    await soon(() => page.locator("h1").innerText()).toBe("No mail in the last 7 days. Send a test");
    expect(await page.getByText("The last test was on 9 Nov 2026.").isVisible()).toBe(true);
    expect([await page.locator(".chart").count(), await page.locator(".kpi").count()]).toEqual([2, 0]);
  });
});
