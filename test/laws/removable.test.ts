// An optional feature can be deleted: its folder and its lines in the lists, and the rest still has sound types. Each one
// that becomes removable is added here.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { copySources, problemsWithout } from "../../scripts/removable.ts";

const removable = [
  "billing",
  "forwarding",
  "mcp",
  "rehearsal",
  "second-reader",
  "signed-reports",
  "streams",
  "unsubscribe",
  "what-if",
];

test("each of these features can be deleted without an error of types elsewhere", () => {
  const copy = mkdtempSync(join(tmpdir(), "assay-removable-"));
  try {
    copySources(join(import.meta.dirname, "../.."), copy);
    const problems = removable.map((feature) => [feature, problemsWithout(feature, copy)]);
    expect(Object.fromEntries(problems)).toEqual(Object.fromEntries(removable.map((feature) => [feature, []])));
  } finally {
    rmSync(copy, { recursive: true });
  }
});
