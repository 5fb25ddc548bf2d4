// The catalogue of checks (reference/checks.md beside the project), the code and the page at /docs/checks: every check and
// finding of the catalogue is there as it says, and on the page; what we say beyond it is listed here.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { toCatalogue } from "../../src/api/checks.ts";
import { checks } from "../../src/checks/list.ts";
import { toReferences } from "../../src/checks/references.ts";
import { pages, withoutPage } from "../../src/checks/references-table.ts";
import { ruleLists } from "../../src/checks/tallies/list.ts";
import { placesOf } from "../../src/checks/words.ts";
import { renderChecks } from "../../src/http/checks-page.ts";

const file = join(import.meta.dirname, "../../../shared/reference/checks.md");
if (!existsSync(file)) console.warn("Skipped: the catalogue is not beside the project.");

type Row = { readonly id: string; readonly severity: string; readonly cost: number };

/** Public names that the catalogue does not know yet. */
const beyond: readonly string[] = [
  "bimi-record.selector",
  "date-header.form",
  "dmarc-syntax.passed-over",
  "from-header.ambiguous",
  "mime-structure.boundary-repeated",
  "mime-structure.unreadable-type",
  "mta-sts.certificate-expiring",
  "mta-sts.mx-untrusted",
  "mx-hosts.certificate-expiring",
  "mx-hosts.certificate-untrusted",
  "sender-blocklist.broad",
  "sender-blocklist.listed",
  "sender-blocklist.minor-list",
  "sender-blocklist.policy",
  "single-headers.repeated-in-part",
  "source-address.looped",
  "transfer-encoding.unknown",
];

function readCatalogue(): Row[] {
  return readFileSync(file, "utf8")
    .split(/\n### /)
    .slice(1)
    .flatMap((block) => {
      const check = block.slice(0, block.indexOf("\n")).trim();
      return [...block.matchAll(/^- \*\*([\w-]+)\*\* `(\w+) (\d+)`/gm)].map(
        ([, finding, severity = "", cost]): Row => ({
          id: `${check}.${finding}`,
          severity,
          cost: Number(cost),
        }),
      );
    });
}

const ours = checks.flatMap((check) =>
  Object.entries(check.findings).map(
    ([finding, { severity, cost }]): Row => ({ id: `${check.id}.${finding}`, severity, cost }),
  ),
);

describe.skipIf(!existsSync(file))("the catalogue", () => {
  const catalogue = existsSync(file) ? readCatalogue() : [];

  test("has every finding of ours, and we have every finding of it, alike in severity and cost", () => {
    const byId = (left: Row, right: Row) => (left.id < right.id ? -1 : 1);
    expect(ours.filter(({ id }) => !beyond.includes(id)).sort(byId)).toEqual(catalogue.sort(byId));
  });

  test("does not know what we say beyond it", () => {
    expect(ours.map(({ id }) => id)).toEqual(expect.arrayContaining([...beyond]));
    expect(catalogue.map(({ id }) => id)).not.toEqual(expect.arrayContaining([...beyond]));
  });
});

describe("the page of all checks", () => {
  const page = renderChecks(toCatalogue());
  const anchors = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id = ""]) => id);

  test("has every check, every finding of code and catalogue, and every pass, each at an anchor of its own", () => {
    const catalogue = existsSync(file) ? readCatalogue() : [];
    const findings = [...ours, ...catalogue].map(({ id }) => id);
    const passes = checks.filter(({ passes }) => passes !== "").map(({ id }) => `${id}.passed`);
    expect(anchors).toEqual(expect.arrayContaining([...checks.map(({ id }) => id), ...findings, ...passes]));
    expect(new Set(anchors).size).toBe(anchors.length);
  });

  test("leads nowhere that it does not have", () => {
    const targets = [...page.matchAll(/href="#([^"]*)"/g)].map(([, id = ""]) => id);
    expect(targets.filter((id) => !anchors.includes(id))).toEqual([]);
  });

  test("shows no mark of a sentence that is yet to be filled", () => {
    expect(page).not.toMatch(/\[\[|\]\]|`/);
  });
});

describe("a citation", () => {
  const cited = new Set([
    ...checks.flatMap(({ refs }) => refs),
    ...ruleLists.flatMap(({ rules, reference }) => [
      reference,
      ...rules.flatMap(({ reference: own }) => own ?? []),
    ]),
  ]);

  test.each([...cited].filter((one) => !withoutPage.has(one)))("%s leads to a page", (one) => {
    const references = toReferences(one);
    expect(references.length).toBeGreaterThan(0);
    for (const { url } of references) expect(url).toMatch(/^https:\/\/[^\s"]+$/);
  });

  test("without a page, or with one that nobody cites, stands in no table", () => {
    expect([...withoutPage].filter((one) => !cited.has(one))).toEqual([]);
    const names = [...cited].flatMap((one) => [one, one.split(/,? §/)[0]]);
    expect(Object.keys(pages).filter((one) => !names.includes(one))).toEqual([]);
  });
});

test("no two checks bear one name", () => {
  expect(new Set(checks.map(({ id }) => id)).size).toBe(checks.length);
});

test.each(checks.map((check) => [check.id, check] as const))(
  "%s is said in words that can be filled",
  (_, check) => {
    const sentences = [
      check.passes,
      ...Object.values(check.findings).flatMap(({ says, fix }) => [says, fix ?? ""]),
    ];
    for (const sentence of sentences) {
      expect(sentence).not.toMatch(/\?\?\?/);
      expect(() => placesOf(sentence)).not.toThrow();
    }
  },
);
