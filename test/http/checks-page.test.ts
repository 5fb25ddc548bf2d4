import { describe, expect, test } from "vitest";
import { startHttpWorld } from "./http-world.ts";

describe("GET /api/checks", () => {
  test("tells anyone what is judged, for how many points, and how the score is made", async () => {
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
      says: "The message came without encryption although STARTTLS was offered.",
      fix: expect.stringContaining("smtp_tls_security_level"),
      gates: [
        {
          provider: "gmail",
          sender: "bulk",
          reply: "550 5.7.29 (421 4.7.29 first)",
          may: false,
          conditional: false,
        },
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
  test("is one page with an anchor for each finding, and loads nothing from anywhere", async () => {
    const { ask } = await startHttpWorld();
    const { text, headers } = await ask("GET", "/docs/checks");
    expect(text).toContain('id="dmarc-record.missing"');
    expect(text).toContain("Weight: 30 of 100");
    expect(text).not.toMatch(/<(?:script|link|img|iframe|object|form)\b/i);
    expect(/<style>[^<]*<\/style>/.exec(text)?.[0]).not.toMatch(/url\(|@import/);
    expect(headers.get("content-security-policy")).toMatch(/style-src 'sha256-[\w+/=]{44}'/);
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
  });

  test("tells how sure a prediction is, with the numbers that predictions are made with", async () => {
    const { ask } = await startHttpWorld();
    const { text } = await ask("GET", "/docs/checks");
    for (const words of ['id="predictions"', "How sure is a prediction?", "<td>75%</td>", "fewer than 20"])
      expect(text).toContain(words);
    const { text: docs } = await ask("GET", "/docs");
    expect(docs).toContain('href="/docs/checks#predictions"');
    const [, anchor] = /href="\/docs#(\w+)"/.exec(text) ?? [];
    expect(docs).toContain(`id="${anchor}"`);
  });

  test("is led to from /docs", async () => {
    const { ask } = await startHttpWorld();
    expect((await ask("GET", "/docs")).text).toContain('href="/docs/checks"');
  });
});
