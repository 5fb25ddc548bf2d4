import { expect, it } from "vitest";
import { toDoctorText } from "../../../../src/features/server/command/doctor.ts";
import type { DoctorRow } from "../../../../src/features/server/doctor/row.ts";
import { toStyle } from "../../../../src/features/tests/formats/style.ts";
import { testTerminal } from "../../../platform/cli/terminal.ts";

const rows: readonly DoctorRow[] = [
  { id: "disk", label: "Disk space", state: "green", says: "77 GB free." },
  { id: "mx", label: "MX record, a.example", state: "red", says: "No MX record.", fix: "Add: \x1b[1mMX" },
  { id: "clock", label: "Clock", state: "grey", says: "The clock is steady, and more words follow." },
];
const terminal = testTerminal({ LANG: "C.UTF-8" });

it("the results are shown in columns, with the fix below a problem and the counts at the end", () => {
  expect(toDoctorText(rows, toStyle(terminal))).toBe(
    [
      "Server check",
      "",
      "✓ OK       Disk space            77 GB free.",
      "! Problem  MX record, a.example  No MX record.",
      "                                 → Add: \\u001b[1mMX",
      "– Note     Clock                 The clock is steady, and more words follow.",
      "",
      "1 problem, 1 OK, 1 note.",
      "",
    ].join("\n"),
  );
});

it("text wraps at the edge of the terminal", () => {
  const text = toDoctorText(rows, toStyle({ ...terminal, columns: 66 }));
  expect(text).toContain(
    [
      "– Note     Clock                 The clock is steady, and more",
      "                                 words follow.",
    ].join("\n"),
  );
});

it("only the result is colored", () => {
  const text = toDoctorText(rows, toStyle({ ...terminal, colour: true }));
  expect(text).toContain("\x1b[32m✓ OK\x1b[0m       Disk space");
  expect(text).toContain("\x1b[1;31m! Problem\x1b[0m");
});

it("ASCII signs are used if the terminal lacks the others", () => {
  expect(toDoctorText(rows, toStyle(testTerminal({ LANG: "C" })))).toContain("- Note     Clock");
});
