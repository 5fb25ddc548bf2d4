// How the web app is built: a sender's text can't become markup, and nothing of the server is in the browser.

import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { readSources } from "../../scripts/imports.ts";
import { builtWeb } from "../web/web-world.ts";

const sources = readSources(join(import.meta.dirname, "..", "..", "src", "web"));

const forbidden: Readonly<Record<string, RegExp>> = {
  "makes markup of text":
    /innerHTML|outerHTML|insertAdjacentHTML|createContextualFragment|DOMParser|srcdoc|document\.write/,
  "runs text": /\beval\(|new Function\(|setTimeout\("/,
  "styles in an attribute, which the policy refuses": /\sstyle=|\.style\b\./,
  "leads to what a message names": /href=\{(href|src|url)\}(?!\s*rel="noreferrer)/,
};

describe("the sources of the web app", () => {
  test.each(Object.entries(forbidden))("contain nothing that %s", (_what, pattern) => {
    expect(sources.filter(({ text }) => pattern.test(text)).map(({ path }) => path)).toEqual([]);
  });

  test("import only types and words from the API contract", () => {
    const values = /^(?:import|export) (?!type )[^;]*?from "([^"]*)"/gm;
    const importsOf = ({ path, text }: { path: string; text: string }) =>
      [...text.matchAll(values)].map(([, target = ""]) => `${path}: ${target}`);
    const isWords = (line: string) => /-words\.ts$/.test(line);
    const ofInterface = sources.flatMap(importsOf).filter((line) => /\/api\//.test(line));
    expect(ofInterface.filter((line) => !isWords(line))).toEqual([]);
    const words = readSources(join(import.meta.dirname, "..", "..", "src", "api")).filter(({ path }) => isWords(path));
    // Small files of plain words and characters, which import nothing but types.
    const isPlain = (line: string) =>
      /\/(?:inner-title|closest-word|visible-text|reports\/fix-records|reports\/split-score|checks\/kind|placement\/provider|rehearsal\/address)\.ts$/.test(
        line,
      );
    expect(words.flatMap(importsOf).filter((line) => !isWords(line) && !isPlain(line))).toEqual([]);
  });

  test("sandbox every frame", () => {
    const frames = sources.flatMap(({ text }) => [...text.matchAll(/<iframe[\s\S]*?\/>/g)].map(([frame]) => frame));
    expect(frames.length).toBeGreaterThan(0);
    for (const frame of frames) expect(frame).toMatch(/sandbox=""/);
  });
});

describe("the built web app", () => {
  test("is less than 150 KB for the first page, in at most six files", async () => {
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

  test("loads from no other host, and contains none of the server's schemas", async () => {
    for (const [name, content] of await builtWeb()) {
      if (!/\.(js|css|html)$/.test(name)) continue;
      const text = Buffer.from(content).toString("utf8");
      expect(text).not.toMatch(/url\(\s*["']?(https?:)?\/\//);
      expect(text).not.toMatch(/ZodError|safeParse/);
      expect(text).not.toMatch(/<script>|<style>| on\w+="|sourceMappingURL/);
    }
  });

  test("contains compressed copies of its files", async () => {
    const files = await builtWeb();
    for (const [name, content] of files)
      if (!/\.(gz|br)$/.test(name)) expect(gunzipSync(files.get(`${name}.gz`) ?? "")).toEqual(content);
  });
});
