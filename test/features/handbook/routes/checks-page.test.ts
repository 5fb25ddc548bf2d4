import { describe, expect, test } from "vitest";
import { startHttpWorld } from "../../../http/http-world.ts";

const readPage = async (url: string) => await (await fetch(url)).text();

describe("GET /api/checks", () => {
  test("GET /api/checks lists for anyone all checks, their points, and how the score is calculated", async () => {
    const { ask } = await startHttpWorld();
    const { status, json } = await ask("GET", "/api/checks");
    expect(status).toBe(200);
    const check = json.checks.find(({ id }: { id: string }) => id === "tls-used");
    expect(check).toMatchObject({ area: "infrastructure", stake: 18, on: { message: true, domain: false } });
    expect(check.references).toContainEqual({
      title: "RFC 9325 §4",
      url: "https://www.rfc-editor.org/rfc/rfc9325#section-4",
    });
    expect(check.findings[0]).toEqual({
      id: "tls-used.none",
      title: "Sent without TLS",
      owner: "mail-server",
      severity: "major",
      cost: 18,
      says: "The message arrived unencrypted although STARTTLS was offered.",
      fix: expect.stringContaining("smtp_tls_security_level"),
      help: "/docs/fix-tls",
      gates: [
        { provider: "gmail", sender: "bulk", reply: "550 5.7.29 (421 4.7.29 first)", may: false, conditional: false },
      ],
    });
    const weights = json.scoring.areas.map(({ weight }: { weight: number }) => weight);
    expect(weights.reduce((sum: number, weight: number) => sum + weight, 0)).toBeCloseTo(1);
    expect(json.scoring.caps[0]).toMatchObject({ value: 29, refused_to: null });
    expect(json.providers.map(({ provider }: { provider: string }) => provider)).toEqual([
      "gmail",
      "yahoo",
      "outlook",
      "icloud",
    ]);
  });
});

describe("GET /docs/checks", () => {
  test("GET /docs/checks is one page with an anchor for each finding, and loads nothing external", async () => {
    const { base } = await startHttpWorld();
    const answer = await fetch(`${base}/docs/checks`);
    const text = await answer.text();
    const { headers } = answer;
    expect(text).toContain('id="dmarc-record.missing"');
    expect(text).toContain("Weight: 30 of 100");
    expect(text).not.toMatch(/<(?:script|link|img|iframe|object)\b/i);
    expect(/<style>[^<]*<\/style>/.exec(text)?.[0]).not.toMatch(/url\(|@import/);
    expect(headers.get("content-security-policy")).toMatch(/style-src 'sha256-[\w+/=]{44}'/);
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
  });

  test("GET /docs/checks shows the confidence and the numbers of predictions", async () => {
    const { base } = await startHttpWorld();
    const text = await readPage(`${base}/docs/checks`);
    for (const words of ['id="predictions"', "How certain are predictions?", "Spam predicted in spam", "fewer than 20"])
      expect(text).toContain(words);
    const [, path = "", anchor] = /href="(\/docs\/api\/[\w-]+)#(\w+)"/.exec(text) ?? [];
    expect(await readPage(base + path)).toContain(`id="${anchor}"`);
  });

  test("GET /docs/checks is linked from the list of pages", async () => {
    const { base } = await startHttpWorld();
    expect(await readPage(`${base}/docs`)).toContain('href="/docs/checks"');
  });

  test("GET /docs/checks links each check to the page with its fix", async () => {
    const { base } = await startHttpWorld();
    const text = await readPage(`${base}/docs/checks`);
    const article = /<article id="ptr-record">[\s\S]*?<\/article>/.exec(text)?.[0];
    expect(article).toContain('<a href="/docs/fix-reverse-dns">How to fix</a>');
  });
});
