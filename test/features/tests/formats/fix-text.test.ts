import { expect, test } from "vitest";
import { toFixLines } from "../../../../src/features/tests/formats/finding-text.ts";
import { styleOf } from "../command/letters.ts";

function show(fix: string, columns: number | null = 60): string {
  return toFixLines(fix, 2, styleOf(columns)).join("\n");
}

test("a record is on its own line, and the sentence continues below it", () => {
  expect(show("Publish at `_dmarc.a.example`: `v=DMARC1; p=none`. Tighten it later.")).toBe(
    ["  → Publish at _dmarc.a.example:", "        v=DMARC1; p=none", "    Tighten it later."].join("\n"),
  );
});

test("a record is never wrapped or cut, even in a narrow terminal", () => {
  const record = `v=spf1 ${"ip4:192.0.2.1 ".repeat(40)}-all`;
  expect(show(`Publish \`${record}\`.`, 40).split("\n")).toEqual(["  → Publish:", `        ${record}`]);
});

test("a name stays unbroken in its sentence", () => {
  expect(show("Remove `t=y` from the record that stands at `selector._domainkey.a.example` now.", 50)).toBe(
    ["  → Remove t=y from the record that stands at", "    selector._domainkey.a.example now."].join("\n"),
  );
});

test("each of two records has its own line", () => {
  expect(show("Publish `a.example` TXT `v=spf1 -all` and `_dmarc.a.example` TXT `v=DMARC1; p=reject`.")).toBe(
    [
      "  → Publish a.example TXT:",
      "        v=spf1 -all",
      "    and _dmarc.a.example TXT:",
      "        v=DMARC1; p=reject",
    ].join("\n"),
  );
});

test("brackets around a record are removed", () => {
  expect(show("Set the HELO name (Postfix: `myhostname = mail.a.example`).")).toBe(
    ["  → Set the HELO name; Postfix:", "        myhostname = mail.a.example"].join("\n"),
  );
});

test("an unpaired backtick is an ordinary character", () => {
  expect(show("Write `text/html; charset=utf-8` and not ` alone.")).toBe(
    ["  → Write:", "        text/html; charset=utf-8", "    and not ` alone."].join("\n"),
  );
});
