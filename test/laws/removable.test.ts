// An optional feature can be deleted: its folder and its lines in the lists, and the rest still has sound types. Each one
// that becomes removable is added here. Only `npm run test:all` deletes them, because each time takes the compiler 8
// seconds of a processor.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { copySources, problemsWithout, strayImports } from "../../scripts/removable.ts";
import { lane } from "../lanes.ts";

const removable = [
  "backups",
  "billing",
  "forwarding",
  "hooks",
  "mailboxes",
  "mcp",
  "monitors",
  "oidc",
  "own-addresses",
  "public-tests",
  "rehearsal",
  "second-reader",
  "streams",
  "unsubscribe",
  "what-if",
];

const root = join(import.meta.dirname, "../..");

test.each(removable)("only the lists import %s", (feature) => {
  expect(strayImports(feature, root)).toEqual([]);
});

describe.runIf(lane === "all")("without them", () => {
  let copy: string;
  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), "assay-removable-"));
    copySources(root, copy);
  });
  afterAll(() => rmSync(copy, { recursive: true }));

  test("all optional features can be deleted without an error of types elsewhere", () => {
    expect(problemsWithout(removable, copy)).toEqual([]);
  });

  test.each(removable)("%s can be deleted without an error of types elsewhere", (feature) => {
    expect(problemsWithout([feature], copy)).toEqual([]);
  });
});
