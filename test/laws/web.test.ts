// How the web app is built: a sender's text can't become markup, and nothing of the server is in the browser.

import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { readSources } from "../../scripts/imports.ts";
import { builtWeb } from "../web/web-world.ts";

const sources = readSources(join(import.meta.dirname, "..", "..", "src")).filter(({ path }) =>
  /^web\/|^features\/[^/]+\/page[/.]/.test(path),
);

const forbidden: Readonly<Record<string, RegExp>> = {
  "makes markup of text": /innerHTML|outerHTML|insertAdjacentHTML|createContextualFragment|DOMParser|document\.write/,
  "runs text": /\beval\(|new Function\(|setTimeout\("/,
  "styles in an attribute, which the policy refuses": /\sstyle=|cssText|setAttribute\("style"/,
  "leads to what a message names": /href=\{(href|src|url)\}(?!\s*rel="noreferrer)/,
};

describe("the sources of the web app", () => {
  test.each(Object.entries(forbidden))("the sources of the web app contain nothing that %s", (_what, pattern) => {
    expect(sources.filter(({ text }) => pattern.test(text)).map(({ path }) => path)).toEqual([]);
  });

  test("the sources of the web app sandbox every frame", () => {
    const frames = sources.flatMap(({ text }) => [...text.matchAll(/<iframe[\s\S]*?\/>/g)].map(([frame]) => frame));
    expect(frames.length).toBeGreaterThan(0);
    // A page may measure what is in a frame of its own origin, as long as nothing in it runs.
    for (const frame of frames) expect(frame).toMatch(/sandbox="(?:allow-same-origin)?"/);
  });

  // A saved file has no address that a frame could load. Its message is sanitized, and the frame has no rights and no origin.
  test("the sources of the web app put a message only into a frame without rights, on a page without scripts", () => {
    const lines = sources.flatMap(({ path, text }) =>
      [...text.matchAll(/.*srcdoc.*/gi)].map(([line]) => `${path}: ${line.trim()}`),
    );
    expect(lines).toEqual([
      'web/report/static.tsx: <iframe sandbox="" title="Message preview" {...("src" in frame ? frame : { srcdoc: frame.document })} />',
    ]);
  });
});

describe("the built web app", () => {
  test("the built web app is less than 150 KB for the first page, in at most six files", async () => {
    const files = await builtWeb();
    const textOf = (name: string) => Buffer.from(files.get(name) ?? "").toString("utf8");
    const named = [...textOf("index.html").matchAll(/"\/assets\/([^"]+)"/g)].map(([, name = ""]) => name);
    const needed = named.flatMap((name) =>
      [...textOf(name).matchAll(/(?:from|import)\s*"\.\/([\w-]+\.js)"/g)].map(([, other]) => other),
    );
    // The shell names each, so that none waits for another.
    expect(needed.filter((name) => !named.includes(name ?? ""))).toEqual([]);
    const first = ["index.html", ...named];
    expect(first.reduce((sum, name) => sum + gzipSync(textOf(name)).length, 0)).toBeLessThan(150_000);
    expect(first.length).toBeLessThanOrEqual(6);
  });

  test("the built web app loads from no other host, and contains none of the server's schemas", async () => {
    for (const [name, content] of await builtWeb()) {
      if (!/\.(js|css|html)$/.test(name)) continue;
      const text = Buffer.from(content).toString("utf8");
      expect(text).not.toMatch(/url\(\s*["']?(https?:)?\/\//);
      expect(text).not.toMatch(/ZodError|safeParse/);
      expect(text).not.toMatch(/<script>|<style>| on\w+="|sourceMappingURL/);
    }
  });

  test("the built web app contains compressed copies of its files", async () => {
    const files = await builtWeb();
    for (const [name, content] of files)
      if (!/\.(gz|br)$/.test(name)) expect(gunzipSync(files.get(`${name}.gz`) ?? "")).toEqual(content);
  });
});
