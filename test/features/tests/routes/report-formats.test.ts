import { describe, expect, test } from "vitest";
import { startHttpWorld } from "../../../http/http-world.ts";
import { brokenLetter, brokenZone } from "../../../web/letters.ts";
import { readXml } from "../formats/xml.ts";

async function worldWithTest() {
  const world = await startHttpWorld();
  world.internet.zone = brokenZone;
  const { id: workspace } = await world.createWorkspace("Ours");
  const { token } = await world.issueToken(workspace);
  const id = await world.receive(workspace, "welcome", brokenLetter);
  const ask = (path: string) => world.ask("GET", path, { token, workspace });
  return { ...world, workspace, token, id, ask };
}

describe("GET /api/tests/:id/report", () => {
  test("GET /api/tests/:id/report is a download in each format", async () => {
    const { ask, analyzeAll, id } = await worldWithTest();
    await analyzeAll();
    const read = async (format: string, extension: string, type: string) => {
      const { status, headers, text } = await ask(`/api/tests/${id}/report?format=${format}`);
      expect(status).toBe(200);
      expect(headers.get("content-type")).toBe(`${type}; charset=utf-8`);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("content-disposition")).toBe(`attachment; filename="assay-report-${id}.${extension}"`);
      expect(headers.get("content-security-policy")).toBe("sandbox");
      return text;
    };
    expect(await read("text", "txt", "text/plain")).toContain(`Test     ${id}\n`);
    expect(JSON.parse(await read("json", "json", "application/json"))).toMatchObject({ id, label: "welcome" });
    expect(readXml(await read("junit", "xml", "application/xml"))[1]?.attributes.name).toBe("welcome");
    expect(JSON.parse(await read("sarif", "sarif", "application/sarif+json")).version).toBe("2.1.0");
    expect(await read("markdown", "md", "text/markdown")).toMatch(/^## welcome: /);
  });

  test("GET /api/tests/:id/report is formatted for the terminal that requests it", async () => {
    const { ask, analyzeAll, id } = await worldWithTest();
    await analyzeAll();
    const read = async (query: string) => (await ask(`/api/tests/${id}/report${query}`)).text;
    const [plain, narrow] = [await read(""), await read("?columns=60")];
    expect(narrow.split("\n").length).toBeGreaterThan(plain.split("\n").length);
    expect(plain).not.toContain("\x1b");
    expect(await read("?color=1")).toContain("\x1b[1m");
    expect(plain).toContain("✗");
    expect(await read("?ascii=1")).not.toMatch(/[✗█]/);
  });

  test("GET /api/tests/:id/report is not found before the analysis, for an unknown test, or in an unknown format", async () => {
    const { ask, id } = await worldWithTest();
    expect((await ask(`/api/tests/${id}/report`)).status).toBe(409);
    expect((await ask(`/api/tests/tst_${"0".repeat(26)}/report`)).status).toBe(404);
    for (const query of ["format=pdf", "columns=5", "columns=9999", "color=yes"])
      expect((await ask(`/api/tests/${id}/report?${query}`)).status).toBe(400);
  });
});

describe("GET /api/domains/:id/report", () => {
  test("GET /api/domains/:id/report returns the last check", async () => {
    const world = await startHttpWorld();
    world.internet.zone = { "a.example": { TXT: ["v=spf1 -all"] } };
    const { id: workspace } = await world.createWorkspace("Ours");
    const { token } = await world.issueToken(workspace);
    const ask = (path: string) => world.ask("GET", path, { token, workspace });
    const body = { domain: "a.example" };
    const { json } = await world.ask("POST", "/api/domains", { token, workspace, body });
    const { status, text, headers } = await ask(`/api/domains/${json.id}/report`);
    expect(status).toBe(200);
    expect(headers.get("content-disposition")).toBe('attachment; filename="assay-report-a.example.txt"');
    expect(text).toMatch(/^Domain +a\.example\nSPF +pass +v=spf1 -all\n/);
    expect((await ask(`/api/domains/${json.id}/report?format=markdown`)).text).toContain(
      "| SPF | pass | v=spf1 -all |",
    );
  });
});

test("a Message-ID finds its tests in the list", async () => {
  const { ask, analyzeAll, receive, workspace } = await worldWithTest();
  const raw = Buffer.from("From: a@a.example\r\nMessage-ID: <one@a.example>\r\n\r\nHi.\r\n");
  const id = await receive(workspace, "other", raw);
  await analyzeAll();
  for (const query of ["message_id=one@a.example", "message_id=%3Cone@a.example%3E&label=other"])
    expect((await ask(`/api/tests?${query}`)).json).toMatchObject({ total: 1, items: [{ id }] });
  for (const query of ["message_id=two@a.example", "message_id=one@a.example&label=welcome"])
    expect((await ask(`/api/tests?${query}`)).json.items).toEqual([]);
  expect((await ask("/api/tests?message_id=")).status).toBe(400);
});
