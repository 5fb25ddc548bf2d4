import { expect, test } from "vitest";
import {
  toCureLine,
  toCures,
  toRise,
  toStairs,
  toStairWords,
} from "../../../../src/features/tests/words/cure-words.ts";

const plan = [
  { finding: "spf-result.fail", composite: 49, cures: ["dmarc-result.policy-reject"], providers: ["gmail", "yahoo"] },
  { finding: "dkim-present.missing", composite: 61.9 },
  { finding: "ptr-record.missing", composite: 86, cures: [], providers: ["gmail", "yahoo", "outlook", "apple"] },
  { finding: "image-alt.missing", composite: 86.4 },
];
const findings = [
  { id: "spf-result.fail", severity: "critical" },
  { id: "dmarc-result.policy-reject", severity: "critical" },
  { id: "ptr-record.missing", severity: "critical" },
];

test("a fix says what it cures, with up to two providers by name", () => {
  const [spf, dkim, ptr] = plan.map((step) => toCures(step, findings));
  expect(spf).toBe("Fixes SPF, DMARC, and the rejection at Gmail and Yahoo.");
  expect(dkim).toBeNull();
  expect(ptr).toBe("Fixes reverse DNS and the rejection at 4 providers.");
});

test("a fix counts what else it cures", () => {
  const cures = ["image-alt.missing", "spf-helo.fail"];
  expect(toCures({ finding: "spf-result.fail", composite: 60, cures }, findings)).toBe("Fixes SPF and 2 more issues.");
});

test("the score rises by stairs, without the steps that change nothing", () => {
  expect(toStairs(plan, 49.3)).toEqual([49, 61, 86]);
  expect(toStairWords(plan, 49.3)).toBe("49 → 61 → 86");
  expect(toStairWords([], 100)).toBe("");
  expect(toStairs(plan, null)).toEqual([]);
});

test("a fix that changes nothing alone says with which others it does", () => {
  expect(toRise(plan, "spf-result.fail", 49)).toBe("49 → 61 with the next fix");
  expect(toRise(plan, "dkim-present.missing", 49)).toBe("49 → 61");
  expect(toRise(plan, "image-alt.missing", 49)).toBeNull();
});

test("a line joins both, and is left out if there is nothing to say", () => {
  const lineOf = (finding: string) => toCureLine({ composite: 49, plan, findings }, finding);
  expect(lineOf("ptr-record.missing")).toBe("Fixes reverse DNS and the rejection at 4 providers: 61 → 86.");
  expect(lineOf("dkim-present.missing")).toBe("Score: 49 → 61.");
  expect(lineOf("image-alt.missing")).toBeNull();
});
