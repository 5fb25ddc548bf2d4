import { expect, test } from "vitest";
import { toVerdict } from "../../src/api/verdict-words.ts";

test("the number of faults has the tone of the gravest, whichever is to be mended first", () => {
  const judged = { spf: "pass", dkim: "pass", dmarc: "pass", policy: "reject", namesNobody: false } as const;
  const toneOf = (...severities: readonly string[]) =>
    toVerdict({ ...judged, placed: [], faults: severities.map((severity) => ({ severity })) }).at(-1)?.tone;
  expect(toneOf()).toBe("good");
  expect(toneOf("minor")).toBe("minor");
  expect(toneOf("minor", "major")).toBe("major");
  expect(toneOf("major", "critical", "minor")).toBe("critical");
});
