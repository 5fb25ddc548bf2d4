import { expect, test } from "vitest";
import { parseRehearsalTag } from "../../../../src/analyzer/mail/headers/rehearsal-address.ts";
import { isRehearsed } from "../../../../src/features/people/rules/rehearsal-setting.ts";

test.each([
  ["as-gmail", "as-gmail"],
  ["As-Gmail", "as-gmail"],
  ["as-yahoo.build-7", "as-yahoo"],
  ["probe-no-tls.x.y", "probe-no-tls"],
  ["as-gmial", null],
  ["as-gmailx", null],
  ["welcome.as-gmail", null],
  ["as-generic", null],
  ["", null],
  [null, null],
])("the label %j requests %j", (label, tag) => {
  expect(parseRehearsalTag(label)).toBe(tag);
});

test("a public listener rehearses only if an owner turned it on", () => {
  expect(isRehearsed(null, "all")).toBe(false);
  expect(isRehearsed("on", "all")).toBe(true);
  for (const reach of ["machine", "network"] as const) {
    expect(isRehearsed(null, reach)).toBe(true);
    expect(isRehearsed("off", reach)).toBe(false);
  }
});
