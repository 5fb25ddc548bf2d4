// The pages below /docs as served: handbook, search, API reference.

import { describe, expect, test } from "vitest";
import { replyCodes } from "../../../../src/analyzer/mail/bounces/reply-codes.ts";
import { operationsOf } from "../../../../src/features/handbook/routes/api-reference.ts";
import { readPasted } from "../../../../src/features/tests/rules/pasted.ts";
import { pageGroups } from "../../../../src/handbook/pages.ts";
import { createOpenApi } from "../../../../src/platform/http/openapi.ts";
import { routes } from "../../../../src/server.ts";
import { startHttpWorld } from "../../../http/http-world.ts";

const document = createOpenApi(
  routes.map(({ endpoint }) => endpoint),
  "1.2.3",
);
const slugs = pageGroups.flatMap(({ pages }) => pages);

async function readPage(base: string, path: string): Promise<string> {
  const answer = await fetch(base + path);
  expect(answer.status, path).toBe(200);
  expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
  return await answer.text();
}

async function search(base: string, words: string): Promise<string[]> {
  const text = await readPage(base, `/docs?q=${encodeURIComponent(words)}`);
  const results = /<ol class="results">[\s\S]*<\/ol>/.exec(text)?.[0] ?? "";
  return [...results.matchAll(/<li><a href="([^"]+)"/g)].map(([, href = ""]) => href);
}

describe("the handbook", () => {
  test("the handbook lists every page with its description", async () => {
    const { base } = await startHttpWorld();
    const text = await readPage(base, "/docs");
    for (const slug of slugs) expect(text).toMatch(new RegExp(`<a href="/docs/${slug}">[^<]+</a><p>[^<]{20,}</p>`));
  });

  test("the handbook shows each page with its title, the list of pages, and the current position", async () => {
    const { base } = await startHttpWorld();
    for (const slug of slugs) {
      const text = await readPage(base, `/docs/${slug}`);
      expect(text.match(/<h1>/g), slug).toHaveLength(1);
      expect(text, slug).toContain(`<a href="/docs/${slug}" aria-current="page">`);
      expect(text, slug).not.toMatch(/<script|url\(|@import|<link|style=/i);
    }
  });

  test("the handbook has a policy that allows only its style, its images, and its search form", async () => {
    const { base } = await startHttpWorld();
    const { headers } = await fetch(`${base}/docs/getting-started`);
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toMatch(/style-src 'sha256-[\w+/=]{44}'/);
    expect(policy).toContain("img-src 'self'");
    expect(policy).toContain("form-action 'self'");
    expect(policy).not.toMatch(/script-src|unsafe/);
  });

  test("the handbook opens a page by the ID of a finding, and no other ID", async () => {
    const { base } = await startHttpWorld();
    const open = (id: string) => fetch(`${base}/docs/findings/${id}`, { redirect: "manual" });
    const found = await open("ptr-record.missing");
    expect([found.status, found.headers.get("location")]).toEqual([302, "/docs/fix-reverse-dns"]);
    for (const id of ["no-such-check.missing", "%2F%2Fevil.example", "constructor"])
      expect((await open(id)).status, id).toBe(404);
  });

  test("the handbook opens its page about bounces at a code, and at the top for any other text", async () => {
    const { base } = await startHttpWorld();
    const open = async (code: string) => {
      const found = await fetch(`${base}/docs/codes/${code.replaceAll(" ", "+")}`, { redirect: "manual" });
      return [found.status, found.headers.get("location")];
    };
    const anchors = (await readPage(base, "/docs/bounce-codes")).match(/(?<=<h3 id=")[^"]+/g) ?? [];
    for (const { codes, tags = [], by } of replyCodes) {
      const [status, path = ""] = await open(`${codes[0]} ${tags[0] ?? ""} ${by}`);
      expect([status, anchors]).toEqual([302, expect.arrayContaining([String(path).split("#")[1]])]);
    }
    expect(await open("550 5.7.26")).toEqual([302, "/docs/bounce-codes#550-5726-from-gmail"]);
    for (const other of ["550", "evil.example", "constructor", "5".repeat(200)])
      expect(await open(other)).toEqual([302, "/docs/bounce-codes"]);
  });

  test("the handbook is not sent again to a browser that has it cached", async () => {
    const { base } = await startHttpWorld();
    for (const path of ["/docs", "/docs/score", "/docs/checks", "/docs/api", "/docs/api/tests"]) {
      const etag = (await fetch(base + path)).headers.get("etag") ?? "";
      const again = await fetch(base + path, { headers: { "if-none-match": `W/${etag}` } });
      expect(again.status, path).toBe(304);
      expect(await again.text()).toBe("");
    }
  });

  test("the handbook serves its images and no other file", async () => {
    const { base } = await startHttpWorld();
    const text = await readPage(base, "/docs/read-a-report");
    const images = [...text.matchAll(/<img src="([^"]+)" alt="[^"]+">/g)].map(([, src = ""]) => src);
    expect(images.length).toBeGreaterThan(0);
    for (const src of images) {
      const answer = await fetch(base + src);
      expect(answer.headers.get("content-type")).toMatch(/^image\/(png|webp)$/);
      expect((await answer.arrayBuffer()).byteLength).toBeLessThan(60_000);
    }
    for (const name of ["pages.ts", "score.md", "nothing.png"])
      expect((await fetch(`${base}/docs/files/${name}`)).status).toBe(404);
    expect((await fetch(`${base}/docs/nothing`)).status).toBe(404);
    const shown = await fetch(`${base}/docs/nothing`, { headers: { accept: "text/html" } });
    expect([shown.status, await shown.text()]).toEqual([404, expect.stringContaining("<h1>Page not found</h1>")]);
  });

  test("the handbook lists on each fix page the findings that link there", async () => {
    const { base } = await startHttpWorld();
    const text = await readPage(base, "/docs/fix-reverse-dns");
    for (const id of ["ptr-record.missing", "fcrdns.mismatch", "ptr-generic.dynamic"])
      expect(text).toContain(`href="/docs/checks#${id}"`);
  });

  test("the handbook links a setting, a finding, and an endpoint to their descriptions", async () => {
    const { base } = await startHttpWorld();
    const text = await readPage(base, "/docs/receive-mail");
    expect(text).toContain(
      '<a href="/docs/settings#ASSAY_SMTP_LISTEN"><code class="whole">ASSAY_SMTP_LISTEN</code></a>',
    );
    expect(await readPage(base, "/docs/settings")).toContain('<tr id="ASSAY_SMTP_LISTEN">');
  });
});

describe("the handbook search", () => {
  test.each([
    ["PTR", "/docs/fix-reverse-dns"],
    ["reverse DNS", "/docs/fix-reverse-dns"],
    ["unsubscribe", "/docs/fix-unsubscribe-link"],
    ["restore", "/docs/backup"],
    ["dkim records", "/docs/fix-dkim"],
    ["docker", "/docs/production"],
    ["webhook signature", "/docs/alerts"],
    ["ASSAY_DNSBLS", "/docs/settings"],
    ["gmail app password", "/docs/placement"],
  ])("the handbook search finds %s on the first page of results", async (words, page) => {
    const { base } = await startHttpWorld();
    const found = await search(base, words);
    expect(found.map((href) => href.split("#")[0])).toContain(page);
  });

  test("the handbook search ranks the page about a topic first", async () => {
    const { base } = await startHttpWorld();
    expect((await search(base, "reverse dns"))[0]).toMatch(/^\/docs\/fix-reverse-dns/);
    expect((await search(base, "one-click"))[0]).toMatch(/^\/docs\/fix-one-click/);
  });

  test.each(["550 5.7.1", "what does 550 5.7.515 mean", "(S3150)"])(
    "the handbook search finds first what the box for bounces opens: %s",
    async (code) => {
      const { base } = await startHttpWorld();
      const pasted = readPasted(code);
      const opened = await fetch(base + (pasted.kind === "code" ? pasted.path : ""), { redirect: "manual" });
      expect(opened.headers.get("location")).toContain("/docs/bounce-codes#");
      expect((await search(base, code))[0]).toBe(opened.headers.get("location"));
    },
  );

  test("the handbook search highlights the words in an excerpt, and keeps them in the search field", async () => {
    const { base } = await startHttpWorld();
    const text = await readPage(base, "/docs?q=PTR");
    expect(text).toContain("<mark>PTR</mark>");
    expect(text).toContain('name="q" value="PTR"');
  });

  test("the handbook search says if nothing was found, and shows the query as text", async () => {
    const { base } = await startHttpWorld();
    const text = await readPage(base, `/docs?q=${encodeURIComponent('<zzqx>"')}`);
    expect(text).toContain("Nothing found for “&lt;zzqx&gt;&quot;”");
    expect(text).not.toContain("<zzqx>");
  });
});

describe("the API reference", () => {
  test("the API reference describes every route on its resource's page, and loads nothing external", async () => {
    const { base } = await startHttpWorld();
    const index = await readPage(base, "/docs/api");
    const nouns = [...new Set([...index.matchAll(/href="(\/docs\/api\/[\w-]+)"/g)].map(([, path = ""]) => path))];
    const pages = await Promise.all(nouns.map((path) => readPage(base, path)));
    for (const { path, operation } of operationsOf(document)) {
      const page = pages.find((text) => text.includes(`<article id="${operation.operationId}"`)) ?? "";
      expect(page).toContain(path);
      expect(index).toContain(`#${operation.operationId}"`);
    }
    for (const text of [index, ...pages]) {
      for (const [, anchor = ""] of text.matchAll(/href="#([^"]*)"/g)) expect(text).toContain(`id="${anchor}"`);
      expect(text).not.toMatch(/<script|src=|url\(|@import|<link/i);
    }
  });

  test("the API reference shows a command to paste for each call", async () => {
    const { base } = await startHttpWorld();
    const text = await readPage(base, "/docs/api/domains");
    expect(text).toContain("curl -X POST &quot;$BASE/api/domains&quot;");
    expect(text).toContain("-H &quot;X-Workspace-Id: $WORKSPACE&quot;");
  });

  test("the API reference starts with tests", async () => {
    const { base } = await startHttpWorld();
    const text = await readPage(base, "/docs/api");
    expect(/<td><a href="(\/docs\/api\/[\w-]+)"/.exec(text)?.[1]).toBe("/docs/api/tests");
  });

  test("the API reference has no page for an unknown resource", async () => {
    const { base } = await startHttpWorld();
    expect((await fetch(`${base}/docs/api/nothing`)).status).toBe(404);
  });
});
