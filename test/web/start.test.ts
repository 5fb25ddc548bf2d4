// The start page while a user waits for a message: what it says, what it lists, and when it opens the message.

import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectUsableByEveryone } from "./axe.ts";
import { aLetter } from "./letters.ts";
import { addReader, hasBrowser, openWebWorld, soon, type WebWorld } from "./web-world.ts";

const pasteBox = "Pasted text";

describe.skipIf(!hasBrowser)("the start page", () => {
  let world: WebWorld;
  beforeAll(async () => {
    world = await openWebWorld();
  });
  afterAll(() => world.closeAll());

  async function openStart(width = 1440) {
    const reader = await addReader(world);
    const page = await world.openPage(reader.cookie, { width });
    const before = world.events.countFollowers();
    await page.goto(`${world.base}/start`);
    await soon(() => world.events.countFollowers()).toBeGreaterThan(before);
    await soon(() => page.getByRole("heading", { name: "Ready to paste" }).count()).toBe(1);
    const receive = async (subject: string) => {
      const id = await world.receive(reader.workspaceId, null, aLetter(subject));
      await soon(() => page.getByRole("status").filter({ hasText: "Message received." }).count()).toBe(1);
      await world.analyzeAll();
      return id;
    };
    return { ...reader, page, receive };
  }

  const noteOf = (page: Page) => page.getByRole("status").filter({ hasText: "Message received." });

  test.each([1440, 390])("the start page shows what an app needs and who can reach it, at %i", async (width) => {
    const { page, seedAddress } = await openStart(width);
    await soon(() => page.getByText("Nothing arrived yet.").count()).toBe(1);
    const words = await page.locator("#send").innerText();
    for (const told of [
      seedAddress,
      "127.0.0.1",
      "2525",
      "Any user name and password, or none",
      "from this computer only",
      "This address works only from this computer. seed.example is a reserved name",
      "Nothing arrived yet.",
    ])
      expect(words).toContain(told);
    const primary = page.locator("main .btn.primary");
    expect(await primary.allInnerTexts()).toEqual([expect.stringContaining("Copy")]);
    await page.getByRole("tab", { name: "Node" }).click();
    const panel = page.getByRole("tabpanel");
    for (const filled of ['host: "127.0.0.1"', "port: 2525", `to: "${seedAddress}"`])
      expect(await panel.innerText()).toContain(filled);
    await page.getByRole("tab", { name: "From Gmail" }).click();
    expect(await panel.innerText()).toContain("Set up your own domain first");
    await expectUsableByEveryone(page);
  });

  test("the start page lists earlier messages without opening them", async () => {
    const reader = await addReader(world);
    world.clock.nowMs = Date.now();
    await world.receive(reader.workspaceId, null, aLetter("Sent with curl before"));
    await world.analyzeAll();
    const page = await world.openPage(reader.cookie);
    await page.goto(`${world.base}/start`);
    const list = page.getByRole("region", { name: "Last hour" });
    await soon(() => list.innerText()).toMatch(/Sent with curl before[\s\S]*\d+\s+provisional/);
    expect(await noteOf(page).count()).toBe(0);
    expect(new URL(page.url()).pathname).toBe("/start");
    await list.getByRole("link", { name: "Sent with curl before" }).click();
    await page.waitForURL("**/tests/tst_*");
  });

  test.each([1440, 390])(
    "the start page opens a new message when it arrives, with a way back, at %i",
    async (width) => {
      const { page, workspaceId } = await openStart(width);
      const id = await world.receive(workspaceId, null, aLetter("A letter to wait for"));
      await page.waitForURL(`**/tests/${id}`);
      await world.analyzeAll();
      await soon(() => page.title()).toBe("A letter to wait for · Assay");
      await page.goBack();
      await soon(() => page.getByRole("region", { name: "Last hour" }).innerText()).toContain("A letter to wait");
      expect(new URL(page.url()).pathname).toBe("/start");
    },
  );

  test.each<[string, (page: Page) => Promise<unknown>]>([
    ["types", (page) => page.getByLabel(pasteBox).fill("From: ann@sender.example")],
    [
      "has typed, and then left the field",
      async (page) => {
        await page.getByLabel(pasteBox).fill("From: ann@sender.example");
        await page.getByRole("tab", { name: "curl" }).focus();
      },
    ],
    ["is in a field", (page) => page.getByLabel(pasteBox).focus()],
    [
      "reads further down",
      async (page) => {
        await page.setViewportSize({ width: 1440, height: 400 });
        await page.getByRole("heading", { name: "Inbox placement" }).evaluate((heading) => heading.scrollIntoView());
      },
    ],
    ["selects text", (page) => page.getByRole("heading", { name: "Ready to paste" }).dblclick()],
    ["has a menu open", (page) => page.getByLabel(/^Account menu/).click()],
  ])("the start page only shows a link to the report if the user %s", async (_who, act) => {
    const { page, receive } = await openStart();
    await act(page);
    const id = await receive("A letter in between");
    await soon(() => noteOf(page).innerText()).toMatch(/Your report is ready: A letter in between\s+\d+/);
    expect(new URL(page.url()).pathname).toBe("/start");
    expect(await noteOf(page).getByRole("link").getAttribute("href")).toBe(`/tests/${id}`);
    // In sight, wherever the reader is.
    const box = await noteOf(page).boundingBox();
    expect(box?.y).toBeGreaterThanOrEqual(0);
    expect(box?.y).toBeLessThan(900);
  });

  test.each([
    [
      "a bounce",
      "host x.google.com said: 550-5.7.26 This mail",
      "Explain this code",
      "/docs/bounce-codes#550-5726-from-gmail",
    ],
    ["a domain", "https://www.sender.example/about", "Check this domain", "/domains?check=sender.example"],
    ["a question", "my mail goes to spam", "Search the handbook", "/docs?q=my%20mail%20goes%20to%20spam"],
    [
      "headers",
      "From: ann@sender.example\nAuthentication-Results: mx.google.com; spf=pass; dmarc=fail\nSubject: Only headers",
      "Test this message",
      "/tests/tst_",
    ],
  ])("the start page answers %s", async (_what, text, act, path) => {
    const { page } = await openStart();
    await page.getByLabel(pasteBox).fill(text);
    await page.getByRole("button", { name: act }).click();
    await soon(() => page.url().replace(world.base, "")).toContain(path);
    if (path.startsWith("/domains"))
      await soon(() => page.getByRole("heading", { level: 1 }).innerText()).toBe("sender.example");
    if (!path.startsWith("/tests")) return;
    await world.analyzeAll();
    await soon(() => page.getByText("Gmail said: SPF pass, DMARC fail.").count()).toBe(1);
  });

  test("a domain that was checked once is shown again on the way back, without another check", async () => {
    const { page } = await openStart();
    await page.getByLabel(pasteBox).fill("back.example");
    await page.getByRole("button", { name: "Check this domain" }).click();
    const keys = page.getByText("Signing keys");
    await soon(() => keys.count()).toBe(1);
    await page.locator("a[href='/tests']").first().click();
    await soon(() => keys.count()).toBe(0);
    await page.goBack();
    await soon(() => keys.count()).toBe(1);
    expect(await page.getByText("The check failed.").count()).toBe(0);
  });

  test("the start page asks the server for at most six things before it is ready", async () => {
    const { cookie } = await addReader(world);
    const page = await world.openPage(cookie);
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(`${world.base}/start`);
    await soon(() => page.getByRole("heading", { name: "Ready to paste" }).count()).toBe(1);
    await page.waitForFunction(() => document.querySelector("[aria-busy=true]") === null);
    expect(asked.filter((path) => path !== "/api/events").length, asked.join(" ")).toBeLessThanOrEqual(6);
  });

  test("uploaded report files are listed on the start page, which stays", async () => {
    const { cookie } = await addReader(world);
    const page = await world.openPage(cookie);
    await page.goto(`${world.base}/start`);
    await soon(() => world.events.countFollowers()).toBe(1);
    const xml = `<feedback><report_metadata><org_name>Receiver</org_name><report_id>7</report_id><date_range><begin>1763596800</begin><end>1763683199</end></date_range></report_metadata><policy_published><domain>shop.example</domain><p>none</p></policy_published><record><row><source_ip>192.0.2.1</source_ip><count>12</count><policy_evaluated><disposition>none</disposition><dkim>fail</dkim><spf>fail</spf></policy_evaluated></row><identifiers><header_from>shop.example</header_from></identifiers><auth_results></auth_results></record></feedback>`;
    const files = ["a.xml", "b.xml"].map((name) => ({ name, mimeType: "text/xml", buffer: Buffer.from(xml) }));
    await page.locator("#paste input[type=file]").setInputFiles(files);
    const note = page.locator("#paste .note");
    await soon(() => note.innerText()).toContain(
      "DMARC report of Receiver about shop.example: 12 messages, 12 failed.",
    );
    await world.analyzeAll();
    expect(new URL(page.url()).pathname).toBe("/start");
  });

  test("the start page opens nothing in a hidden tab", async () => {
    const { page, receive } = await openStart();
    await page.evaluate(() => {
      Object.defineProperty(document, "hidden", { get: () => true, configurable: true });
    });
    await receive("A letter for later");
    await page.evaluate(() => {
      Object.defineProperty(document, "hidden", { get: () => false, configurable: true });
    });
    await soon(() => noteOf(page).innerText()).toContain("Your report is ready");
    expect(new URL(page.url()).pathname).toBe("/start");
  });

  test.each(["open", "only linked"])("a bounce that is %s after it arrived is not a test", async (how) => {
    const { page, workspaceId } = await openStart();
    if (how === "only linked") await page.getByLabel(/^Account menu/).click();
    const id = await world.receive(
      workspaceId,
      null,
      Buffer.from(
        "From: MAILER-DAEMON@sender.example\r\nTo: x@seed.example\r\nSubject: Undelivered\r\nMIME-Version: 1.0\r\nContent-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nNo.\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.sender.example\r\n\r\nFinal-Recipient: rfc822; gone@other.example\r\nAction: failed\r\nStatus: 5.1.1\r\nDiagnostic-Code: smtp; 550 5.1.1 unknown\r\n\r\n--b--\r\n",
      ),
    );
    const shown = how === "open" ? page.getByText("The report will appear here automatically") : noteOf(page);
    await soon(() => shown.count()).toBe(1);
    await world.analyzeAll();
    await soon(() => noteOf(page).innerText()).toContain("Assay recognized it as a bounce");
    expect(new URL(page.url()).pathname).toBe(how === "open" ? `/tests/${id}` : "/start");
    await expectUsableByEveryone(page);
  });
});

describe.skipIf(!hasBrowser)("a page without a link in the bar", () => {
  let world: WebWorld;
  beforeAll(async () => {
    world = await openWebWorld();
  });
  afterAll(() => world.closeAll());

  const further = ["Handbook", "API reference", "Changelog"];

  test("a page without a link in the bar is linked in the footer of every page and in the menu, with the version", async () => {
    const { cookie } = await addReader(world);
    const page = await world.openPage(cookie, { width: 390 });
    await page.goto(`${world.base}/domains`);
    const footer = page.getByRole("contentinfo");
    await soon(() => footer.innerText()).toMatch(/Assay \d+\.\d+\.\d+/);
    for (const name of further) expect(await footer.getByRole("link", { name }).count()).toBe(1);
    await page.getByLabel(/^Account menu/).click();
    for (const name of further) expect(await page.locator(".popup").getByRole("link", { name }).count()).toBe(1);
    await expectUsableByEveryone(page);
    for (const name of further) {
      await page.goto(`${world.base}/domains`);
      await footer.getByRole("link", { name }).click();
      await soon(() => new URL(page.url()).pathname).toMatch(/^\/docs/);
    }
  });

  test("an unknown URL is an error page, with and without a login", async () => {
    const { cookie } = await addReader(world);
    for (const who of [null, cookie]) {
      const page = await world.openPage(who);
      const answer = await page.goto(`${world.base}/nothing/here`);
      expect(answer?.status()).toBe(404);
      expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe("Page not found");
      await expectUsableByEveryone(page);
      await page.getByRole("link", { name: "Handbook" }).click();
      await page.waitForURL("**/docs");
    }
  });
});
