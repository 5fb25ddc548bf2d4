import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { openBrowser } from "../../../../scripts/browser.ts";
import { startHttpWorld } from "../../../http/http-world.ts";
import { expectUsableByEveryone } from "../../../web/axe.ts";
import { brokenLetter, brokenZone } from "../../../web/letters.ts";
import { builtWeb, hasBrowser } from "../../../web/web-world.ts";

async function worldWith(raw: Uint8Array) {
  const world = await startHttpWorld({ webFiles: await builtWeb() });
  world.internet.zone = brokenZone;
  const { id: workspace } = await world.createWorkspace("Ours");
  const { token } = await world.issueToken(workspace);
  const id = await world.receive(workspace, null, raw);
  const ask = async (path = `/api/tests/${id}/report.html`) => {
    const headers = { authorization: `Bearer ${token}`, "x-workspace-id": workspace };
    const answer = await fetch(world.base + path, { headers });
    return { status: answer.status, headers: answer.headers, page: await answer.text() };
  };
  return { ...world, id, ask };
}

/** Opened from a disk, in a browser without a network. */
async function openFromDisk(page: string) {
  const folder = mkdtempSync(join(tmpdir(), "assay-report-"));
  const file = join(folder, "report.html");
  writeFileSync(file, page);
  const browser = await openBrowser();
  onTestFinished(async () => {
    await browser.close();
    rmSync(folder, { recursive: true });
  });
  const context = await browser.newContext({
    offline: true,
    viewport: { width: 1440, height: 900 },
    reducedMotion: "reduce",
  });
  const troubles: string[] = [];
  context.on("request", (request) => {
    if (request.url() !== pathToFileURL(file).href) troubles.push(`asked for ${request.url()}`);
  });
  const opened = await context.newPage();
  opened.on("console", (message) => troubles.push(message.text()));
  opened.on("dialog", (dialog) => {
    troubles.push(dialog.message());
    void dialog.dismiss();
  });
  await opened.goto(pathToFileURL(file).href);
  return { opened, troubles };
}

describe("GET /api/tests/:id/report.html", () => {
  test("GET /api/tests/:id/report.html is a download that a browser never displays", async () => {
    const { ask, analyzeAll, id } = await worldWith(brokenLetter);
    await analyzeAll();
    const { status, headers } = await ask();
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(headers.get("content-disposition")).toBe(`attachment; filename="assay-report-${id}.html"`);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-security-policy")).toBe("sandbox");
  });

  test("GET /api/tests/:id/report.html is not found before the analysis or for an unknown test", async () => {
    const { ask } = await worldWith(brokenLetter);
    expect((await ask()).status).toBe(409);
    expect((await ask(`/api/tests/tst_${"0".repeat(26)}/report.html`)).status).toBe(404);
  });

  test("GET /api/tests/:id/report.html contains what a share leaves out, and no foreign markup", async () => {
    const { ask, analyzeAll } = await worldWith(brokenLetter);
    await analyzeAll();
    const { page } = await ask();
    for (const words of ["anyone@seed.example", "v=DMARC1; p=reject", "app01.quillworks.example"])
      expect(page).toContain(words);
    expect(page.match(/<iframe [^>]*?(?= srcdoc=")/g)).toEqual(['<iframe sandbox title="Message preview"']);
    expect(page).not.toMatch(/<(script|img|form|link|object|base)\b/i);
    expect(page).not.toMatch(/<[^>]*\s(on\w+|style|src)=/);
    expect(page).not.toMatch(/url\((?!"?#)|@import/);
    expect(page).toContain("Invoice &lt;script>alert(1)&lt;/script> 20418");
    expect(page).toMatch(
      /<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'">/,
    );
  });

  test.skipIf(!hasBrowser)(
    "GET /api/tests/:id/report.html is readable offline from a disk, and accessible",
    async () => {
      const { ask, analyzeAll } = await worldWith(brokenLetter);
      await analyzeAll();
      const { opened, troubles } = await openFromDisk((await ask()).page);
      expect(await opened.locator("h1").innerText()).toMatch(
        /^Likely rejected at .* providers.* issues(?:, .* critical)?\.$/,
      );
      expect(await opened.getByText("Invoice <script>alert(1)</script> 20418").first().isVisible()).toBe(true);
      const first = opened.locator("#fix .finding").first();
      await first.getByText("Why?").click();
      for (const part of ["Why", "Sources"])
        expect(await first.getByRole("heading", { name: part, exact: true }).isVisible()).toBe(true);
      const trap = opened.locator("#fix .finding").filter({ hasText: "Misleading link text" });
      expect(await trap.locator("th").allTextContents()).toContain("Link address");
      expect(await opened.locator(".where li").filter({ hasText: "DMARC fail" }).isVisible()).toBe(true);
      const closed = opened.locator("#evidence details");
      for (const one of await closed.all()) await one.locator("summary").click();
      expect(await opened.getByText("DKIM-Signature", { exact: true }).isVisible()).toBe(true);
      // The style holds, although the policy allows no other.
      expect(await first.evaluate((shown) => getComputedStyle(shown).borderRadius)).toBe("12px");
      await expectUsableByEveryone(opened);
      expect(troubles).toEqual([]);
    },
  );
});
