import { expect, test } from "vitest";
import { toScoredWords, toSides, toTypeCaution } from "../../../src/analyzer/words/kind-words.ts";

test("a type that is scored as another one says so until a user confirms it", () => {
  const fact = { kind: "bulk", scoredAs: "personal", source: "inferred", confidence: 0.9 } as const;
  expect(toScoredWords(fact)).toBe("Points for bulk rules don’t count until the type is confirmed.");
  expect(toTypeCaution({ ...fact, scoredAs: "bulk" })).toBeNull();
  expect(toTypeCaution({ ...fact, scoredAs: "bulk", confidence: 0.5 })).toContain("isn’t certain");
});

test("reasons are grouped by the type they count for", () => {
  const pro = { points: 3, kind: "bulk" } as const;
  const contraOther = { points: 2, kind: "personal" } as const;
  const proOther = { points: -2, kind: "personal" } as const;
  const nothing = { points: 0, kind: "bulk" } as const;
  expect(toSides([pro, contraOther, proOther, nothing], "bulk")).toEqual({
    pro: [pro, proOther],
    contra: [contraOther],
  });
});
