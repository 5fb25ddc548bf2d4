import { expect, it } from "vitest";
import { toDoctorText } from "../../src/cli/doctor.ts";
import type { DoctorRow } from "../../src/tasks/doctor/row.ts";

const rows: readonly DoctorRow[] = [
  { id: "disk", label: "Free disk", state: "green", says: "900 MiB free." },
  { id: "mx", label: "MX of a.example", state: "red", says: "It has none.", fix: "Publish: \x1b[1mMX" },
];

it("shows rows in columns, what to do below, and the count at the end", () => {
  expect(toDoctorText(rows, { colour: false })).toBe(
    [
      "green  Free disk        900 MiB free.",
      "red    MX of a.example  It has none.",
      "                        → Publish: \\u001b[1mMX",
      "",
      "1 green, 1 red, 0 grey.",
      "",
    ].join("\n"),
  );
});

it("is coloured when asked", () => {
  expect(toDoctorText(rows, { colour: true })).toContain("\x1b[32mgreen\x1b[0m");
});
