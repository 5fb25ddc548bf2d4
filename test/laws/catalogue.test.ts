// The catalog of checks: IDs are public names that API clients store; every check and finding is on the page at
// /docs/checks.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkCatalog } from "../../src/analyzer/checks/catalog.ts";
import { toInnerTitle } from "../../src/analyzer/checks/inner-title.ts";
import { checks as reportChecks } from "../../src/analyzer/checks/list.ts";
import { toReferences } from "../../src/analyzer/checks/references.ts";
import { pages, withoutPage } from "../../src/analyzer/checks/references-table.ts";
import { ruleLists } from "../../src/analyzer/checks/tallies/list.ts";
import { placesOf } from "../../src/analyzer/checks/words.ts";
import { replyCodes } from "../../src/analyzer/mail/bounces/reply-codes.ts";
import { secondReaderCheck } from "../../src/analyzer/reports/second-reader-check.ts";
import { toCatalogue } from "../../src/features/handbook/contract.ts";
import { renderChecks } from "../../src/features/handbook/routes/checks-page.ts";

const checks = [...reportChecks, secondReaderCheck];

/** One a line, sorted. A new finding gets a line here; a line is never taken away, because programs know the name. */
const published = readFileSync(join(import.meta.dirname, "finding-ids.txt"), "utf8")
  .trim()
  .split("\n");

const ours = checks.flatMap(({ id, findings }) => Object.keys(findings).map((finding) => `${id}.${finding}`));

test("the IDs of findings equal the published ones", () => {
  expect(ours.toSorted()).toEqual(published);
});

describe("the page of all checks", () => {
  const page = renderChecks(toCatalogue(checkCatalog)).main;
  const anchors = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id = ""]) => id);

  test("the page of all checks contains every check, finding, and pass with its own anchor", () => {
    const passes = checks.filter(({ passes }) => passes !== "").map(({ id }) => `${id}.passed`);
    expect(anchors).toEqual(expect.arrayContaining([...checks.map(({ id }) => id), ...ours, ...passes]));
    expect(new Set(anchors).size).toBe(anchors.length);
  });

  test("the page of all checks links only to existing anchors", () => {
    const targets = [...page.matchAll(/href="#([^"]*)"/g)].map(([, id = ""]) => id);
    expect(targets.filter((id) => !anchors.includes(id))).toEqual([]);
  });

  test("the page of all checks contains no unfilled placeholder", () => {
    expect(page).not.toMatch(/\[\[|\]\]|`/);
  });
});

describe("a citation", () => {
  const cited = new Set([
    ...checks.flatMap(({ refs }) => refs),
    ...ruleLists.flatMap(({ rules, reference }) => [reference, ...rules.flatMap(({ reference: own }) => own ?? [])]),
    ...replyCodes.map(({ source }) => source),
  ]);

  test.each([...cited].filter((one) => !withoutPage.has(one)))("a citation of %s links to a page", (one) => {
    const references = toReferences(one);
    expect(references.length).toBeGreaterThan(0);
    for (const { url } of references) expect(url).toMatch(/^https:\/\/[^\s"]+$/);
  });

  test("a citation without a page is used, and every page is cited", () => {
    expect([...withoutPage].filter((one) => !cited.has(one))).toEqual([]);
    const names = [...cited].flatMap((one) => [one, one.split(/,? §/)[0]]);
    expect(Object.keys(pages).filter((one) => !names.includes(one))).toEqual([]);
  });
});

describe("a finding's title", () => {
  const titles = checks.flatMap(({ id, findings }) =>
    Object.entries(findings).map(([name, { title }]) => ({ id: `${id}.${name}`, title })),
  );
  /** Words that .github/CONTRIBUTING.md asks to replace. */
  const banned = /\b(mend\w*|anew|bears?|proven|proved|stands?|told|faults?|yours|heed\w*|mails? program)\b/i;

  test.each(titles)("the title of $id is a label: $title", ({ title }) => {
    expect(title).toMatch(/^[A-Z]\S*( \S+){1,5}$/);
    expect(title).not.toMatch(/[{}[\]`]|\.$|\.\s/);
    expect(title).not.toMatch(banned);
    expect(title.length).toBeLessThanOrEqual(45);
  });

  test("a finding's title is unique", () => {
    const names = titles.map(({ title }) => title.toLowerCase());
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  test.each([
    ["No reverse DNS", "no reverse DNS"],
    ["DKIM signature missing", "DKIM signature missing"],
    ["Message-ID reused", "Message-ID reused"],
    ["Bcc recipients exposed", "Bcc recipients exposed"],
  ])("%s becomes %s inside a sentence", (title, within) => {
    expect(toInnerTitle(title)).toBe(within);
  });
});

test("each check has a unique label of 1 to 4 words", () => {
  const labels = checks.map(({ label }) => label);
  expect(labels.filter((label) => !/^[A-Z]\S*( [^\s{}.]+){0,3}$/.test(label))).toEqual([]);
  expect(labels.filter((label, index) => labels.indexOf(label) !== index)).toEqual([]);
});

test("each check has a unique ID", () => {
  expect(new Set(checks.map(({ id }) => id)).size).toBe(checks.length);
});

test.each(checks.map((check) => [check.id, check] as const))(
  "the sentences of %s have valid placeholders",
  (_, check) => {
    const sentences = [check.passes, ...Object.values(check.findings).flatMap(({ says, fix }) => [says, fix ?? ""])];
    for (const sentence of sentences) {
      expect(sentence).not.toMatch(/\?\?\?/);
      expect(() => placesOf(sentence)).not.toThrow();
    }
  },
);
