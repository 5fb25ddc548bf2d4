import { expect, test } from "vitest";
import { failingWords, judgedMechanisms, listFailing } from "../../../src/analyzer/words/failing-words.ts";

const well = { spf: "pass", dkim: "pass", dmarc: "pass", bimi: "pass" } as const;

test("a domain fails if a mechanism fails, or if SPF or DMARC is missing", () => {
  expect(listFailing(well)).toEqual([]);
  expect(listFailing({ spf: null, dkim: null, dmarc: null, bimi: null })).toEqual([]);
  expect(listFailing({ spf: "warn", dkim: "missing", dmarc: "error", bimi: "missing" })).toEqual([]);
  expect(listFailing({ spf: "missing", dkim: "fail", dmarc: "missing", bimi: "fail" })).toEqual(judgedMechanisms);
});

test("the dashboard counts the same verdicts that make a domain fail", () => {
  for (const mechanism of judgedMechanisms)
    for (const word of ["pass", "warn", "fail", "missing", "error"] as const)
      expect(listFailing({ ...well, [mechanism]: word }).length > 0).toBe(failingWords(mechanism).includes(word));
});
