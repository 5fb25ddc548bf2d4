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
      expect(await page.locator(".top-strip .chip").filter({ hasText: chip }).count()).toBe(1);
    expect(await page.getByRole("img", { name: /Overall score .* grade F/ }).isVisible()).toBe(true);
    const [first] = await page.locator("#fix .finding").all();
    expect(await first?.getAttribute("open")).not.toBeNull();
    for (const part of ["Why", "Fix", "Sources"])
      expect(await first?.getByRole("heading", { name: part, exact: true }).isVisible()).toBe(true);
    const methods = await page.locator(".place .method").allInnerTexts();
    expect(new Set(methods)).toEqual(new Set(["Predicted"]));
    await soon(() => page.getByRole("heading", { name: "Is the From domain authenticated?" }).isVisible()).toBe(true);
    expect(await page.getByText("v=DMARC1; p=reject").first().isVisible()).toBe(true);
  });

  test("the report page links each finding to its page in the handbook", async () => {
    const { page } = await openReport(brokenLetter);
    const first = page.locator("#fix .finding").first();
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
    await soon(() => page.getByRole("tab", { name: /^Links/ }).count()).toBe(1);
    const dead = await page.evaluate(() =>
      [...document.querySelectorAll('main a[href^="#"]')]
        .map((link) => link.getAttribute("href") ?? "")
        .filter((href) => document.getElementById(href.slice(1)) === null),
    );
    expect([...new Set(dead)]).toEqual([]);
    const follower = page.locator("[id=finding-dmarc-result-unauthenticated]");
    const owner = page.locator(".finding").filter({ has: follower });
    await owner.evaluate((finding: HTMLDetailsElement) => {
      finding.open = false;
    });
    await page.locator(".why a[href='#finding-dmarc-result-unauthenticated']").first().click();
    await soon(() => owner.getAttribute("open")).not.toBeNull();
  });

  test("the report page shows a sender's markup as text, and the message only in a sandboxed frame", async () => {
    const { page } = await openReport(brokenLetter);
    expect(await page.getByText("Invoice <script>alert(1)</script> 20418").first().isVisible()).toBe(true);
    const frame = page.locator("iframe");
    expect(await frame.getAttribute("sandbox")).toBe("");
    expect(await frame.getAttribute("src")).toMatch(/^\/preview\/tst_/);
    await soon(() => frame.contentFrame().getByRole("heading", { name: "Invoice" }).isVisible()).toBe(true);
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
    await page.locator('.place a[href="#finding-message-id-missing"]').first().click();
    await soon(() => named.getByRole("heading", { name: "Fix" }).isVisible()).toBe(true);
  });

  test("the report page shows only additional evidence, with readable names", async () => {
    const { page } = await openReport(brokenLetter);
    const trap = page.locator("#finding-link-text-mismatch");
    await trap.locator("summary").click();
    const evidence = trap.locator(".part").filter({ hasText: "Evidence" });
    await soon(() => evidence.locator("th").allInnerTexts()).toEqual(["Link address", "Link text"]);
    const bare = page.locator("#finding-message-id-missing");
    await bare.locator("summary").click();
    await soon(() => bare.getByRole("heading", { name: "Fix" }).isVisible()).toBe(true);
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
    const rail = page.getByRole("navigation", { name: "Sections of this report" });
    const topOf = (id: string) => page.locator(`#${id}`).evaluate((it) => it.getBoundingClientRect().top);
    await rail.getByRole("link", { name: "Summary" }).click();
    await rail.getByRole("link", { name: "Journey" }).click();
    await soon(() => topOf("journey")).toBeLessThan(400);
    await page.evaluate(() => window.scrollBy(0, 150));
    const left = await topOf("journey");
    await rail.getByRole("link", { name: "Content" }).click();
    await soon(() => topOf("content")).toBeLessThan(400);
    await page.goBack();
    await soon(() => topOf("journey")).toBe(left);
    await page.goBack();
    await soon(() => topOf("summary")).toBeGreaterThan(-50);
    await page.goForward();
    await soon(() => topOf("journey")).toBe(left);
    await rail.getByRole("link", { name: "Journey" }).click();
    await soon(() => topOf("journey")).toBeGreaterThan(left + 100);
  });

  test("the report page shows the score and headline on a phone without scrolling, with the first fix", async () => {
    const { page } = await openReport(brokenLetter, { width: 390, height: 844 });
    for (const part of [page.locator(".dial"), page.locator("h1.verdict")]) {
      const box = await part.boundingBox();
      expect((box?.y ?? 999) + (box?.height ?? 0)).toBeLessThanOrEqual(844);
    }
    const steps = page.getByRole("region", { name: "Fix these first" }).getByRole("listitem");
    expect(await steps.count()).toBe(3);
    await steps
      .first()
      .getByRole("link", { name: /^See fix/ })
      .click();
    const [first] = await page.locator("#fix .finding").all();
    await soon(() => first?.getAttribute("open")).not.toBeNull();
    await soon(() => first?.evaluate((it) => it.getBoundingClientRect().top)).toBeLessThan(844);
    await expectUsableByEveryone(page);
  });

  test("the report page shows on a phone that an issue can be opened, and the gain of fixing all", async () => {
    const { page } = await openReport(brokenLetter, { width: 390, height: 844 });
    const closed = page.locator("#fix > .finding:not([open])").first();
    expect(await closed.locator(".chev").isVisible()).toBe(true);
    expect(await page.locator(".ladder figcaption").innerText()).toMatch(/^Now [\d.]+\s+All fixed [\d.]+$/);
    expect(await page.getByText(/^All fixed/).isVisible()).toBe(true);
  });

  test("the report page keeps the delivery path and evidence collapsed, and remembers opened ones", async () => {
    const { page } = await openReport(aLetter("Folded"));
    const journey = page.locator("#journey details.fold-s");
    const evidence = page.locator("#evidence details.fold-s");
    expect(await journey.getAttribute("open")).toBeNull();
    expect(await page.getByLabel("Find in the headers").count()).toBe(0);
    await page.getByRole("heading", { name: /^Journey/ }).click();
    await soon(() => page.getByRole("heading", { name: /^SMTP session/ }).isVisible()).toBe(true);
    await page.reload();
    await soon(() => page.getByRole("heading", { name: /^SMTP session/ }).isVisible()).toBe(true);
    await page.getByRole("heading", { name: /^Journey/ }).click();
    await soon(() => journey.getAttribute("open")).toBeNull();
    await page.getByRole("link", { name: "Evidence", exact: true }).click();
    await soon(() => page.getByLabel("Find in the headers").isVisible()).toBe(true);
    await page.goto(page.url().replace(/#.*/, ""));
    await page.reload();
    await soon(() => page.locator("h1.verdict").count()).toBe(1);
    expect(await journey.getAttribute("open")).toBeNull();
    expect(await evidence.getAttribute("open")).toBeNull();
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
    await soon(() => page.getByText("Assay sent this message to itself").isVisible()).toBe(true);
    expect(await page.locator(".top-strip .chip").allInnerTexts()).toEqual([
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
    const dial = await page.locator(".dial").boundingBox();
    expect(box?.y ?? 999).toBeLessThan(dial?.y ?? 0);
    const cards = page.getByRole("region", { name: "Main issues" });
    expect(await cards.getByRole("button", { name: /^Copy note/ }).count()).toBe(0);
    const issues = page.locator("#fix");
    expect(await issues.getByRole("button", { name: /^Copy a note/ }).count()).toBe(0);
    expect(await issues.getByText(/^(?:Cures|Score:)/).count()).toBe(0);
    expect(await issues.locator(".gain").allInnerTexts()).not.toContainEqual(expect.stringContaining("+"));
    expect(await page.locator(".ladder").count()).toBe(0);
    expect(await page.getByRole("heading", { name: /^\d+ issues$/ }).count()).toBe(1);
    await expectUsableByEveryone(page);
  });
});
