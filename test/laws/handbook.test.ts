// The handbook matches the program: every finding has a page, every name in code exists, no link is dead, and the
// README stays short.

import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { dialectIn } from "../../scripts/texts.ts";
import { checkCatalog } from "../../src/analyzer/checks/catalog.ts";
import { checks } from "../../src/analyzer/checks/list.ts";
import { listAlerts } from "../../src/features/alerts/contract/alerts.ts";
import { toCatalogue } from "../../src/features/handbook/contract.ts";
import { createSeedInbox } from "../../src/features/intake/contract/seed-inboxes.ts";
import { listTests } from "../../src/features/tests/contract/tests.ts";
import { renderMarkdown } from "../../src/handbook/markdown.ts";
import { type Endpoint, errorBody } from "../../src/platform/contract/endpoint.ts";
import { settings } from "../../src/platform/settings/config.ts";
import { routes } from "../../src/server.ts";
import { blocksOf, readHandbook, readReadme, slugs } from "../handbook/blocks.ts";

const folder = join(import.meta.dirname, "..", "..", "src", "handbook");
const files = readdirSync(folder);
const findingIds = readFileSync(join(import.meta.dirname, "finding-ids.txt"), "utf8")
  .trim()
  .split("\n");
const pages = new Map(slugs.map((slug) => [slug, renderMarkdown(slug, readHandbook(slug), () => null)]));
const texts = [...slugs.map((slug) => [slug, readHandbook(slug)] as const), ["README", readReadme()] as const];
const findings = toCatalogue(checkCatalog).checks.flatMap((check) => check.findings);
const fixSlugs = slugs.filter((slug) => slug.startsWith("fix-"));

test("the table of contents has every page once", () => {
  const written = files.filter((name) => name.endsWith(".md")).map((name) => name.replace(".md", ""));
  expect(slugs.toSorted()).toEqual(written.toSorted());
});

describe("the help page of a finding", () => {
  test.each(findings)("the help page of a finding exists for $id", ({ help }) => {
    expect(help).toMatch(/^\/docs\/fix-/);
    expect(pages.has(help.replace("/docs/", ""))).toBe(true);
  });

  test.each(fixSlugs)("the help page %s belongs to a finding", (slug) => {
    expect(findings.map(({ help }) => help)).toContain(`/docs/${slug}`);
  });

  test.each(fixSlugs)(
    "the help page %s says what is wrong, why it matters, how to fix and check it, and what is reported",
    (slug) => {
      const headings = pages
        .get(slug)
        ?.headings.filter(({ depth }) => depth === 2)
        .map(({ text }) => text);
      for (const heading of ["What it is", "Why it matters", "How to fix it", "Check it", "What Assay reports"])
        expect(headings).toContain(heading);
    },
  );
});

describe.each(texts)("the document %s", (name, text) => {
  const prose = text.replace(/^```[\s\S]*?^```$/gm, "");
  const codes = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => code);

  test("a document names only existing findings", () => {
    const checkIds = checks.map(({ id }) => id);
    const named = codes.filter((code) => checkIds.includes(code.split(".")[0] ?? "") && /^[\w-]+\.[\w-]+$/.test(code));
    expect(named.filter((code) => !findingIds.includes(code))).toEqual([]);
  });

  test("a document names only existing settings", () => {
    const members = Object.values(settings).flatMap(({ name: setting, members: of }) => [
      setting,
      ...(of ?? []).map((member) => setting.replace("<PROVIDER>", member.toUpperCase())),
    ]);
    const named = [...text.matchAll(/\bASSAY_[A-Z0-9_]+(?:<PROVIDER>[A-Z_]+)?/g)].map(([setting]) => setting);
    const ownOfReader = ["ASSAY_URL", "ASSAY_TOKEN"];
    expect(named.filter((setting) => ![...members, ...ownOfReader].includes(setting))).toEqual([]);
  });

  test("a document names only existing endpoints", () => {
    const known = routes.map(({ endpoint: { method, path } }) => `${method} ${path}`);
    const named = codes.filter((code) => /^(?:GET|POST|PUT|PATCH|DELETE) \//.test(code));
    expect(named.map((code) => code.replace(/\?.*$/, "")).filter((code) => !known.includes(code))).toEqual([]);
  });

  test("a document links only to existing pages and headings", () => {
    const links = [...prose.matchAll(/\]\((?:src\/handbook\/)?([a-z-]+)\.md(?:#([^)]+))?\)/g)];
    for (const [, slug = "", anchor] of links) {
      expect(pages.has(slug), slug).toBe(true);
      const anchors = pages.get(slug)?.headings.map((heading) => heading.anchor) ?? [];
      if (anchor !== undefined) expect(anchors, `${slug}#${anchor}`).toContain(anchor);
    }
  });

  test("a document shows only existing, small images", () => {
    for (const [, file = ""] of prose.matchAll(/!\[[^\]]+\]\((?:src\/handbook\/)?([^)]+)\)/g)) {
      expect(files).toContain(file);
      expect(statSync(join(folder, file)).size, file).toBeLessThanOrEqual(60_000);
    }
  });

  test("a document is written in plain English", () => {
    const paragraphs = prose.split("\n").map((line) => line.replaceAll(/`[^`]*`/g, ""));
    const found = paragraphs.flatMap((line) => dialectIn({ kind: "text", text: line }) ?? []);
    expect(found, name).toEqual([]);
  });
});

describe.each([...pages.values()])("the handbook page $slug", ({ title, description, headings }) => {
  test("a handbook page has a short title, and a description of at most two sentences", () => {
    expect(title.length).toBeLessThanOrEqual(40);
    expect(description).toMatch(/\.$/);
    expect(description.length).toBeLessThanOrEqual(170);
    expect(description.match(/\.(?:\s|$)/g)?.length).toBeLessThanOrEqual(3);
  });

  test("a handbook page has each heading once", () => {
    const anchors = headings.map(({ anchor }) => anchor);
    expect(new Set(anchors).size).toBe(anchors.length);
  });
});

test("the example responses of the API guide match their endpoints", () => {
  const [me, tests, inbox, alerts, error] = blocksOf(readHandbook("api-guide"), "json").map((block) =>
    JSON.parse(block),
  );
  const answers: readonly (readonly [Pick<Endpoint, "answer">, unknown])[] = [
    [endpointAt("GET", "/api/me"), me],
    [listTests, tests],
    [createSeedInbox, inbox],
    [listAlerts, alerts],
  ];
  for (const [{ answer }, example] of answers)
    expect(answer !== null && "parse" in answer && answer.parse(example)).toEqual(example);
  expect(errorBody.parse(error)).toEqual(error);
});

function endpointAt(method: string, path: string): Endpoint {
  const found = routes.find(({ endpoint }) => endpoint.method === method && endpoint.path === path);
  if (found === undefined) throw new Error(`${method} ${path} has no route.`);
  return found.endpoint;
}

test("the page about the score has the current numbers", () => {
  const text = readHandbook("score");
  const { areas, caps, grades, ceilings } = toCatalogue(checkCatalog).scoring;
  for (const { label, weight } of areas) expect(text).toContain(`| ${label} | ${Math.round(weight * 100)} |`);
  for (const { value, findings } of caps)
    if (findings === null || findings[0] !== "dkim-selectors.none-known") expect(text).toContain(`| ${value} |`);
  for (const { grade, from } of grades)
    expect(text).toContain(grade === "F" ? "Anything lower is an F" : `${grade} is ${from} or more`);
  expect(text).toContain(`${ceilings.critical.value}, minus ${ceilings.critical.each_further} for each additional one`);
  expect(text).toContain(`${ceilings.major.value}, minus ${ceilings.major.each_further} for each additional one`);
});

test("the README has at most 6,144 bytes", () => {
  expect(Buffer.byteLength(readReadme())).toBeLessThanOrEqual(6_144);
});
