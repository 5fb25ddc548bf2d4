// A report without the app: on a shared page and in a saved file, with scripts turned off.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { expectUsableByEveryone } from "./axe.ts";
import { brokenLetter, brokenZone, untidyLetter } from "./letters.ts";
import { addReader, builtWeb, hasBrowser, openWebWorld, soon, type WebWorld } from "./web-world.ts";

type Pages = Readonly<Record<"shared" | "saved", string>>;

let world: WebWorld;
let pages: Pages;

beforeAll(async () => {
  world = await openWebWorld();
  pages = await readPages();
});
afterAll(() => world.closeAll());

/** `saved` as it lies on a disk. */
async function readPages(): Promise<Pages> {
  const { workspaceId: workspace } = await addReader(world);
  const { token } = await world.issueToken(workspace);
  world.internet.zone = brokenZone;
  const id = await world.receive(workspace, null, brokenLetter);
  await world.analyzeAll();
  const { url } = (await world.ask("POST", `/api/tests/${id}/shares`, { token, workspace, body: {} })).json;
  const headers = { authorization: `Bearer ${token}`, "x-workspace-id": workspace };
  const answer = await fetch(`${world.base}/api/tests/${id}/report.html`, { headers });
  const folder = mkdtempSync(join(tmpdir(), "assay-report-"));
  const file = join(folder, "report.html");
  writeFileSync(file, await answer.text());
  return { shared: url, saved: pathToFileURL(file).href };
}

afterAll(() => rmSync(new URL(".", pages.saved), { recursive: true }));

const both = ["shared", "saved"] as const;

describe.skipIf(!hasBrowser)("a report without the app", () => {
  async function open(which: keyof Pages, width = 1440, colorScheme: "light" | "dark" = "light", isForAxe = false) {
    const context = await world.browser.newContext({
      viewport: { width, height: 900 },
      colorScheme,
      javaScriptEnabled: isForAxe,
    });
    onTestFinished(() => context.close());
    const asked: string[] = [];
    context.on("request", (request) => asked.push(request.url()));
    const page = await context.newPage();
    await page.goto(pages[which]);
    // A saved file has the message in itself.
    expect(asked).toEqual(which === "saved" ? [pages.saved] : [pages.shared, `${pages.shared}/message`]);
    return page;
  }

  test.each(both)("a report without the app is complete without scripts: %s", async (which) => {
    const page = await open(which);
    expect(await page.locator("h1").innerText()).toMatch(/^Likely rejected at .* issues(?:, .* critical)?\.$/);
    const findings = page.locator("#fix > .finding");
    const second = findings.nth(1);
    expect(await second.getByRole("heading", { name: "Why" }).isVisible()).toBe(false);
    await second.getByText("Why?").click();
    expect(await second.getByRole("heading", { name: "Why" }).isVisible()).toBe(true);
    for (const fold of await page.locator("details:not(.finding):not(.finding *) > summary").all())
      if (await fold.isVisible()) await fold.click();
    expect(await page.locator("button, input, form, script").count()).toBe(0);
    expect(await page.getByText("Loading").count()).toBe(0);
  });

  test.each(both)(
    "a report without the app shows the message with its numbers beside the verdict: %s",
    async (which) => {
      const page = await open(which);
      const [mail, verdict] = await Promise.all([".mail", "h1"].map((name) => page.locator(name).boundingBox()));
      expect(mail && verdict && mail.x + mail.width).toBeLessThan(verdict?.x ?? 0);
      const numbers = await page.locator("#fix .pin b").allTextContents();
      const inStrip = await page.locator(".envelope .pin b").allTextContents();
      const inMessage = await page
        .frameLocator("iframe")
        .locator("[data-pin]:not(b)")
        .evaluateAll((all) => all.flatMap((one) => one.getAttribute("data-pin")?.split(" ") ?? []));
      expect(inMessage.length).toBeGreaterThan(0);
      expect([...inStrip, ...inMessage].toSorted()).toEqual(numbers.toSorted());
    },
  );

  test.each(both)(
    "a report without the app shows verdict, message, and issues in this order on a phone: %s",
    async (which) => {
      const page = await open(which, 390);
      const tops = await Promise.all(
        ["h1", ".mail", "#fix"].map(async (name) => (await page.locator(name).boundingBox())?.y),
      );
      expect(tops).toEqual(tops.toSorted((a = 0, b = 0) => a - b));
    },
  );

  test.each(both)("a report without the app prints every issue with its number and its fix: %s", async (which) => {
    const page = await open(which);
    await page.setViewportSize({ width: 794, height: 1123 });
    const numbers = await page.locator("#fix .pin b").allTextContents();
    await page.emulateMedia({ media: "print" });
    const said = Number.parseInt(await page.locator("#fix-h").innerText(), 10);
    const printed = page.locator("#fix .finding:visible");
    expect(said).toBeGreaterThan(3);
    expect(await printed.count()).toBe(said);
    expect(await printed.locator(".body:visible").count()).toBe(0);
    expect(await printed.locator(".pin b:visible").allTextContents()).toEqual(numbers);
    for (const one of await printed.all())
      expect(await one.locator("p:visible, .on-paper:visible").count()).toBeGreaterThan(0);
    const overhang = await page.locator(".grade").evaluate((badge) => {
      const words = badge.children[1] as Element;
      words.textContent = "of 100, provisional";
      const range = document.createRange();
      range.selectNodeContents(words);
      const lines = [...range.getClientRects()].map(({ width }) => width);
      return Math.max(...lines) - badge.getBoundingClientRect().width;
    });
    expect(overhang).toBeLessThan(-4);
    const pdf = await page.pdf({ format: "A4" });
    expect(pdf.toString("latin1").match(/\/Type \/Page\b/g)?.length).toBeLessThanOrEqual(2);
  });

  test("a report with 14 issues is printed on one page, in the app and as a file", async () => {
    const { cookie, workspaceId: workspace } = await addReader(world);
    const { token } = await world.issueToken(workspace);
    const headers = { authorization: `Bearer ${token}`, "x-workspace-id": workspace };
    const upload = { method: "POST", headers: { ...headers, "content-type": "message/rfc822" }, body: untidyLetter };
    const { id } = (await (await fetch(`${world.base}/api/tests/upload`, upload)).json()) as { id: string };
    await world.analyzeAll();
    const inApp = await world.openPage(cookie);
    await inApp.goto(`${world.base}/tests/${id}`);
    await soon(() => inApp.locator("#fix-h").innerText()).toContain("14 issues");
    const asFile = await world.openPage(null);
    await asFile.setContent(await (await fetch(`${world.base}/api/tests/${id}/report.html`, { headers })).text());
    for (const page of [inApp, asFile]) {
      const pdf = await page.pdf({ format: "A4", preferCSSPageSize: true });
      expect(pdf.toString("latin1").match(/\/Type \/Page\b/g)).toHaveLength(1);
    }
  });

  test.each(both)("a report without the app is usable by everyone: %s", async (which) => {
    await expectUsableByEveryone(await open(which, 1440, "light", true));
  });

  test.each(both)("a report without the app says in which time zone its times are: %s", async (which) => {
    const page = await open(which);
    for (const time of await page.locator("main > p time, .who time").all()) {
      expect(await time.innerText()).toMatch(/^\d{1,2} \w{3,4} \d{4}, \d\d:\d\d:\d\d UTC$/);
      expect(await time.getAttribute("datetime")).toMatch(/^\d{4}-\d\d-\d\dT/);
    }
  });

  test.each(both)("a report without the app lists only problems as things to fix: %s", async (which) => {
    const page = await open(which);
    expect(await page.locator("#fix .finding").count()).toBeGreaterThan(3);
    expect(await page.locator("#fix .finding.good").count()).toBe(0);
  });

  test.each(both)("a report without the app has only links to existing parts of itself: %s", async (which) => {
    const page = await open(which);
    const [targets, ids] = await Promise.all(
      (["href", "id"] as const).map((name) =>
        page.locator(`body [${name}]`).evaluateAll((all, name) => all.map((one) => one.getAttribute(name) ?? ""), name),
      ),
    );
    const within = (targets ?? []).filter((target) => !target.startsWith("https://"));
    expect(within.length).toBeGreaterThan(20);
    expect(within.filter((target) => !ids?.includes(target.slice(1)))).toEqual([]);
  });

  test.each(both)("a report without the app fits on a phone, and is dark on a dark screen: %s", async (which) => {
    const phone = await open(which, 390, "dark");
    for (const fold of await phone.locator("summary").all()) if (await fold.isVisible()) await fold.click();
    expect(await phone.locator("html").evaluate((html) => html.scrollWidth)).toBe(390);
    const desk = await open(which);
    const [dark, light] = await Promise.all(
      [phone, desk].map((page) => page.locator("body").evaluate((body) => getComputedStyle(body).backgroundColor)),
    );
    expect([dark, light]).toEqual(["rgb(17, 19, 23)", "rgb(245, 244, 240)"]);
  });

  test.each(both)("a report without the app contains the styles that it needs: %s", async (which) => {
    const page = await open(which);
    const used = await page.locator("main [class]").evaluateAll((all) => all.flatMap((one) => [...one.classList]));
    const styled = (style: string) => new Set([...style.matchAll(/\.([a-z][\w-]*)/g)].map(([, name = ""]) => name));
    const files = await builtWeb();
    const textOf = (pattern: RegExp) =>
      Buffer.from(files.get([...files.keys()].find((name) => pattern.test(name)) ?? "") ?? "").toString("utf8");
    const own = styled(textOf(/^report-page\.css$/));
    const ofApp = styled(textOf(/^style-.*\.css$/));
    expect([...new Set(used)].filter((name) => ofApp.has(name) && !own.has(name))).toEqual([]);
  });
});
