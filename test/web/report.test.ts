import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { expectUsableByEveryone } from "./axe.ts";
import { aLetter, brokenLetter, brokenZone } from "./letters.ts";
import { addReader, hasBrowser, type Look, openWebWorld, soon, type WebWorld } from "./web-world.ts";

describe.skipIf(!hasBrowser)("the report page", () => {
  let world: WebWorld;
  beforeAll(async () => {
    world = await openWebWorld();
    world.internet.zone = brokenZone;
  });
  afterAll(() => world.closeAll());

  async function openReport(raw: Uint8Array, look: Look = {}) {
    const reader = await addReader(world);
    const testId = await world.receive(reader.workspaceId, null, raw);
    await world.analyzeAll();
    const page = await world.openPage(reader.cookie, look);
    await page.goto(`${world.base}/tests/${testId}`);
    await soon(() => page.locator("h1.verdict").count()).toBe(1);
    return { page, testId, ...reader };
  }

  test("the report page says who rejects a broken message and what to fix first", async () => {
    const { page } = await openReport(brokenLetter);
    const verdict = await page.locator("h1.verdict").innerText();
    expect(verdict).toMatch(/^Likely rejected at .* providers.* \d+ (?:critical )?issues(?:, \d+ critical)?\.$/);
    expect(verdict.split(/\s+/).length).toBeLessThanOrEqual(20);
    for (const chip of [/^SPF/, /^DKIM error/, /^DMARC fail/])
      expect(await page.locator(".where li").filter({ hasText: chip }).count()).toBe(1);
    expect(await page.locator(".grade").innerText()).toMatch(/^F\s+\d+ of 100$/);
    const [first] = await page.locator("#fix .finding").all();
    await first?.getByText("Why?").click();
    for (const part of ["Why", "Sources"])
      await soon(() => first?.getByRole("heading", { name: part, exact: true }).isVisible()).toBe(true);
    await page.getByRole("tab", { name: "Prove" }).click();
    const methods = await page.locator(".place .method").allInnerTexts();
    expect(new Set(methods)).toEqual(new Set(["Predicted"]));
    await soon(() => page.getByRole("heading", { name: "Is the From domain authenticated?" }).isVisible()).toBe(true);
    expect(await page.getByText("v=DMARC1; p=reject").first().isVisible()).toBe(true);
  });

  test("the report page links each finding to its page in the handbook", async () => {
    const { page } = await openReport(brokenLetter);
    const first = page.locator("#fix .finding").first();
    await first.getByText("Why?").click();
    await first.getByRole("link", { name: /^Assay handbook/ }).click();
    await page.waitForURL("**/docs/fix-*");
    await soon(() => page.getByRole("heading", { level: 1 }).count()).toBe(1);
  });

  test("the report page has no dead links, and links each consequence to its cause", async () => {
    // Without a policy, a failed DMARC result only follows from SPF and DKIM.
    world.internet.zone = {
      ...brokenZone,
      "_dmarc.quillworks.example": { TXT: ["v=DMARC1; p=none; rua=mailto:d@quillworks.example"] },
    };
    onTestFinished(() => {
      world.internet.zone = brokenZone;
    });
    const { page } = await openReport(brokenLetter);
    for (const name of ["Prove", "See"]) await page.getByRole("tab", { name }).click();
    await soon(() => page.getByRole("tab", { name: /^Links/ }).count()).toBe(1);
    const dead = await page.evaluate(() =>
      [...document.querySelectorAll('main a[href^="#"]')]
        .map((link) => link.getAttribute("href") ?? "")
        .filter((href) => document.getElementById(href.slice(1)) === null),
    );
    expect([...new Set(dead)]).toEqual([]);
    const follower = page.locator("[id=finding-dmarc-result-unauthenticated]");
    const owner = page.locator(".finding").filter({ has: follower });
    await page.getByRole("tab", { name: "Prove" }).click();
    const place = page
      .locator(".place")
      .filter({ has: page.locator("a[href='#finding-dmarc-result-unauthenticated']") });
    await place.first().getByText("Why?").click();
    await place.first().locator("a[href='#finding-dmarc-result-unauthenticated']").click();
    await soon(() => owner.isVisible()).toBe(true);
  });

  test("the report page shows a sender's markup as text, and the message only in a sandboxed frame", async () => {
    const { page } = await openReport(brokenLetter);
    expect(await page.getByText("Invoice <script>alert(1)</script> 20418").first().isVisible()).toBe(true);
    const frame = page.locator("iframe");
    expect(await frame.getAttribute("sandbox")).toBe("allow-same-origin");
    expect(await frame.getAttribute("src")).toMatch(/^\/preview\/tst_/);
    await soon(() => frame.contentFrame().getByRole("heading", { name: "Invoice" }).isVisible()).toBe(true);
    await page.getByRole("tab", { name: "See" }).click();
    await page.getByRole("tab", { name: /^Attachments/ }).click();
    expect(await page.getByText("<b onmouseover=alert(6)>.pdf").isVisible()).toBe(true);
    const hostile = await page.evaluate(() =>
      [...document.querySelectorAll("a")].map(({ href }) => href).filter((href) => !/^https?:/.test(href)),
    );
    expect(hostile).toEqual([]);
    expect(await page.locator("main script, main b[onmouseover], main img, main form form").count()).toBe(0);
  });

  test("the report page loads no external image before a warning", async () => {
    const { page } = await openReport(brokenLetter);
    await page.getByRole("button", { name: /^Load \d+ remote image/ }).click();
    expect(await page.getByText("This can tell the sender").isVisible()).toBe(true);
    expect(await page.locator("iframe").getAttribute("src")).not.toContain("images=1");
  });

  test("the report page opens the finding that a placement reason names", async () => {
    const { page } = await openReport(brokenLetter);
    const named = page.locator("#finding-message-id-missing");
    expect(await named.getAttribute("open")).toBeNull();
    await page.getByRole("tab", { name: "Prove" }).click();
    const place = page.locator(".place").filter({ has: page.locator('a[href="#finding-message-id-missing"]') });
    await place.first().getByText("Why?").click();
    await place.first().locator('a[href="#finding-message-id-missing"]').click();
    await soon(() => named.isVisible()).toBe(true);
  });

  test("the report page shows only additional evidence, with readable names", async () => {
    const { page } = await openReport(brokenLetter);
    const openAll = () =>
      page.evaluate(() => {
        for (const details of document.querySelectorAll("#fix details")) details.setAttribute("open", "");
      });
    await openAll();
    const trap = page.locator("#finding-link-text-mismatch");
    const evidence = trap.locator(".part").filter({ hasText: "Evidence" });
    await soon(() => evidence.locator("th").allInnerTexts()).toEqual(["Link address", "Link text"]);
    const bare = page.locator("#finding-message-id-missing");
    await soon(() => bare.getByRole("heading", { name: "Why" }).isVisible()).toBe(true);
    expect(await bare.getByRole("heading", { name: "Evidence" }).count()).toBe(0);
  });

  test("the report page has a URL for each of its parts", async () => {
    const { page, testId } = await openReport(brokenLetter);
    await page.goto(`${world.base}/tests`);
    await page.goto(`${world.base}/tests/${testId}#evidence`);
    await soon(() => page.locator("#evidence").evaluate((section) => section.getBoundingClientRect().top)).toBeLessThan(
      400,
    );
    await page.getByLabel("Find in the headers").fill("dkim");
    expect(await page.locator(".headers .h").count()).toBe(1);
    await page.goto(`${world.base}/tests/${testId}#journey`);
    await soon(() => page.locator("#journey").evaluate((it) => it.getBoundingClientRect().top)).toBeLessThan(400);
    await page.goBack();
    await soon(() => page.locator("#evidence").evaluate((it) => it.getBoundingClientRect().top)).toBeLessThan(400);
    await page.goto(`${world.base}/tests/${testId}#content`);
    await soon(() => page.getByRole("tab", { name: "See" }).getAttribute("aria-selected")).toBe("true");
    await page.goto(`${world.base}/tests/${testId}#finding-message-id-missing`);
    await soon(() => page.locator("#finding-message-id-missing").isVisible()).toBe(true);
  });

  test("the report page shows on a phone the verdict, then the message, then what to fix", async () => {
    const { page } = await openReport(brokenLetter, { width: 390, height: 844 });
    for (const part of [page.locator(".grade"), page.locator("h1.verdict")]) {
      const box = await part.boundingBox();
      expect((box?.y ?? 999) + (box?.height ?? 0)).toBeLessThanOrEqual(844);
    }
    const tops = await Promise.all(
      ["h1.verdict", ".mail", "#fix"].map(async (part) => (await page.locator(part).boundingBox())?.y ?? 0),
    );
    expect(tops).toEqual(tops.toSorted((one, other) => one - other));
    expect(await page.locator("#fix > .finding").count()).toBe(3);
    expect(await page.locator(".stairs").innerText()).toMatch(/^Score after each fix:\s+\d+( → \d+){3} … \d+$/);
    await expectUsableByEveryone(page);
  });

  test("the report page pins an issue on its place in the message, and shows which card it belongs to", async () => {
    const { page } = await openReport(brokenLetter);
    const pin = page
      .getByRole("list", { name: "Places of issues" })
      .getByRole("link", { name: /Misleading link text/ });
    await soon(() => pin.isVisible()).toBe(true);
    const place = await pin.boundingBox();
    const link = await page.locator("iframe").contentFrame().locator("[data-pin~='link-text.mismatch']").boundingBox();
    expect(Math.abs((place?.y ?? 0) + 13 - ((link?.y ?? 999) + (link?.height ?? 0) / 2))).toBeLessThan(20);
    const card = page.locator("#finding-link-text-mismatch");
    await page.getByText(/^\d+ more issues?$/).click();
    await pin.focus();
    await soon(() => card.getAttribute("class")).toContain(" on");
    await card.hover();
    await soon(() => pin.getAttribute("class")).toContain(" on");
    const number = await pin.innerText();
    expect(await card.locator(".pin").innerText()).toContain(number.split("\n")[0]);
  });

  test("the report page keeps the delivery path and evidence collapsed, and remembers opened ones", async () => {
    const { page } = await openReport(aLetter("Folded"));
    await page.getByRole("tab", { name: "Prove" }).click();
    const journey = page.locator("#journey details.fold-s");
    const evidence = page.locator("#evidence details.fold-s");
    expect(await journey.getAttribute("open")).toBeNull();
    expect(await page.getByLabel("Find in the headers").count()).toBe(0);
    await page.getByRole("heading", { name: /^Journey/ }).click();
    await soon(() => page.getByRole("heading", { name: /^SMTP session/ }).isVisible()).toBe(true);
    await page.reload();
    await page.getByRole("tab", { name: "Prove" }).click();
    await soon(() => page.getByRole("heading", { name: /^SMTP session/ }).isVisible()).toBe(true);
    await page.getByRole("heading", { name: /^Journey/ }).click();
    await soon(() => journey.getAttribute("open")).toBeNull();
    await page.getByRole("heading", { name: /^Evidence/ }).click();
    await soon(() => page.getByLabel("Find in the headers").isVisible()).toBe(true);
    await page.reload();
    await page.getByRole("tab", { name: "Prove" }).click();
    expect(await journey.getAttribute("open")).toBeNull();
    expect(await evidence.getAttribute("open")).not.toBeNull();
  });

  test("the report page says that Assay sent a message to itself", async () => {
    const { workspaceId, seedAddress, cookie } = await addReader(world);
    const { token } = await world.issueToken(workspaceId);
    const as = { token, workspace: workspaceId };
    const body = { subject: "Round trip", from: seedAddress };
    const sent = (await world.ask("POST", "/api/tests/send-test", { ...as, body })).json;
    await world.analyzeAll();
    const { testId } = (await world.ask("GET", `/api/sends/${sent.id}`, as)).json;
    const page = await world.openPage(cookie);
    await page.goto(`${world.base}/tests/${testId}`);
    await soon(() => page.getByText("Assay sent this message to itself").first().isVisible()).toBe(true);
    expect(
      await page
        .locator(".where li")
        .filter({ hasText: /^(?:SPF|DKIM|DMARC)/ })
        .allInnerTexts(),
    ).toEqual([
      expect.stringContaining("not checked"),
      expect.stringContaining("not checked"),
      expect.stringContaining("not checked"),
    ]);
  });

  test("the report page is shared by a link that is shown once and can be ended", async () => {
    const { page } = await openReport(aLetter("Shared"));
    await page.getByRole("button", { name: "Share" }).click();
    await page.getByRole("button", { name: "Create link" }).click();
    const link = page.locator("dialog .copy code");
    await soon(() => link.innerText()).toMatch(/\/s\/[\w-]{43}$/);
    const url = await link.innerText();
    expect((await fetch(url)).status).toBe(200);
    await page.getByRole("button", { name: /^Revoke the link created/ }).click();
    await page.getByRole("button", { name: "Revoke link", exact: true }).click();
    await soon(async () => (await fetch(url)).status).toBe(400);
  });

  test("the report page says if its test was deleted", async () => {
    const { cookie } = await addReader(world);
    const page = await world.openPage(cookie);
    await page.goto(`${world.base}/tests/tst_01kakzq3v1c8w2e5m7r9t0xyza`);
    await soon(() => page.getByRole("heading", { name: "Test not found" }).isVisible()).toBe(true);
  });

  test("the report page shows a probable forgery first, without a fix or note for the sender", async () => {
    world.internet.zone = { ...brokenZone, "q1._domainkey.quillworks.example": { A: ["192.0.2.9"] } };
    onTestFinished(() => {
      world.internet.zone = brokenZone;
    });
    const { page } = await openReport(brokenLetter);
    const notice = page.getByText("This message is probably not from quillworks.example.");
    const box = await notice.boundingBox();
    const grade = await page.locator(".grade").boundingBox();
    expect(box?.y ?? 999).toBeLessThan(grade?.y ?? 0);
    const issues = page.locator("#fix");
    expect(await issues.getByRole("button", { name: /^Note for/ }).count()).toBe(0);
    expect(await issues.locator(".gain").allInnerTexts()).not.toContainEqual(expect.stringContaining("→"));
    expect(await page.locator(".stairs").count()).toBe(0);
    expect(await page.getByRole("heading", { name: /^\d+ issues$/ }).count()).toBe(1);
    await expectUsableByEveryone(page);
  });
});
