// The catalogue of checks (reference/checks.md beside the project), the code and nothing else: every check and finding of
// the catalogue is there as it says; what we say beyond it is listed here.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checks } from "../../src/checks/list.ts";
import { placesOf } from "../../src/checks/words.ts";

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
  "single-headers.repeated-in-part",
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
