import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { verifyArc } from "../../src/facts/arc.ts";
import { readHeaderSection } from "../../src/mail/header-fields.ts";
import { createZoneDns, type Zone } from "../../src/system/zone.ts";

const suiteFile = join(import.meta.dirname, "../../../shared/data/arc/arc-draft-validation-tests.yml");
const haveSuite = existsSync(suiteFile);
if (!haveSuite) console.warn("Skipped: ../shared/data/arc is not there.");

type Scenario = {
  readonly description: string;
  readonly tests: Readonly<Record<string, { readonly message: string; readonly cv: string }>>;
  readonly "txt-records": Readonly<Record<string, string>>;
};

function readSuite(): Scenario[] {
  // Some names stand twice in the file; the suite's own runner takes the last, and so do we.
  return parseAllDocuments(readFileSync(suiteFile, "utf8"), { uniqueKeys: false }).map((document) =>
    document.toJS(),
  );
}

function toZone(texts: Readonly<Record<string, string>> = {}): Zone {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, { TXT: [text] }]));
}

describe.skipIf(!haveSuite)("the public ARC suite", () => {
  for (const scenario of haveSuite ? readSuite() : []) {
    for (const [name, { message, cv }] of Object.entries(scenario.tests)) {
      test(`${name} is judged as the suite demands`, async () => {
        const raw = Buffer.from(message.replaceAll("\n", "\r\n"), "latin1");
        const arc = await verifyArc(
          { raw, section: readHeaderSection(raw) },
          createZoneDns(toZone(scenario["txt-records"])),
          Date.UTC(2017, 0, 4),
        );
        // Where the suite leaves cv empty, a seal says cv=fail: "the chain has failed, and is not looked at" (RFC 8617 §5.2).
        expect(arc.result, arc.failure?.says).toBe(cv.trim().toLowerCase() || "fail");
      });
    }
  }

  test("is whole", () => {
    expect(readSuite().flatMap(({ tests }) => Object.keys(tests))).toHaveLength(171);
  });
});
