import { expect, test } from "vitest";
import { toFixLines } from "../../../../src/features/tests/formats/finding-text.ts";
import { styleOf } from "../command/letters.ts";

function show(fix: string, columns: number | null = 60): string {
  return toFixLines(fix, 2, styleOf(columns)).join("\n");
}

test("a record stands on a line of its own, and the sentence goes on below it", () => {
  expect(show("Publish at `_dmarc.a.example`: `v=DMARC1; p=none`. Tighten it later.")).toBe(
    ["  → Publish at _dmarc.a.example:", "        v=DMARC1; p=none", "    Tighten it later."].join("\n"),
  );
});

test("a record is never wrapped or cut, however narrow the terminal is", () => {
  const record = `v=spf1 ${"ip4:192.0.2.1 ".repeat(40)}-all`;
  expect(show(`Publish \`${record}\`.`, 40).split("\n")).toEqual(["  → Publish:", `        ${record}`]);
});

test("a name stays in its sentence, whole", () => {
  expect(show("Remove `t=y` from the record that stands at `selector._domainkey.a.example` now.", 50)).toBe(
    ["  → Remove t=y from the record that stands at", "    selector._domainkey.a.example now."].join("\n"),
  );
});

test("of two records each has its line", () => {
  expect(show("Publish `a.example` TXT `v=spf1 -all` and `_dmarc.a.example` TXT `v=DMARC1; p=reject`.")).toBe(
    [
      "  → Publish a.example TXT:",
      "        v=spf1 -all",
      "    and _dmarc.a.example TXT:",
      "        v=DMARC1; p=reject",
    ].join("\n"),
  );
});

test("a bracket around a record goes, and nothing is left of it", () => {
  expect(show("Set the HELO name (Postfix: `myhostname = mail.a.example`).")).toBe(
    ["  → Set the HELO name; Postfix:", "        myhostname = mail.a.example"].join("\n"),
  );
});

test("a backtick without a partner is a letter", () => {
  expect(show("Write `text/html; charset=utf-8` and not ` alone.")).toBe(
    ["  → Write:", "        text/html; charset=utf-8", "    and not ` alone."].join("\n"),
  );
});
