import { expect, test } from "vitest";
import { parseRehearsalTag, toChosenReply, toRate } from "../../../../src/analyzer/mail/headers/rehearsal-address.ts";
import { isRehearsed } from "../../../../src/features/people/rules/rehearsal-setting.ts";

test.each([
  ["as-gmail", "as-gmail"],
  ["As-Gmail", "as-gmail"],
  ["as-yahoo.build-7", "as-yahoo"],
  ["probe-no-tls.x.y", "probe-no-tls"],
  ["as-hotmail.x", "as-outlook"],
  ["as-live", "as-outlook"],
  ["as-AOL", "as-yahoo"],
  ["as-apple", "as-icloud"],
  ["as-me", "as-icloud"],
  ["as-googlemail", "as-gmail"],
  ["as-msn", "as-outlook"],
  ["as-ymail", "as-yahoo"],
  ["as-mac", "as-icloud"],
  ["as-constructor", null],
  ["Code-421-4.7.0.build-7", "code-421-4.7.0"],
  ["code-550-5.7.26-data.x", "code-550-5.7.26-data"],
  ["code-550-data", "code-550-data"],
  ["code-554", null],
  ["code-551-data", null],
  ["code-250", null],
  ["code-999", null],
  ["code-421-5.7.0", null],
  ["code-421-4.07.0", null],
  ["code-421-4.7", null],
  ["code-421x", null],
  ["code-421.4.7.0", null],
  ["code-550.5.7.26-data", null],
  ["code-550.1.4.2", "code-550"],
  ["code-550.5", "code-550"],
  ["rate-5.x", "rate-5"],
  ["rate-0", null],
  ["rate-1000", null],
  ["as-gmial", null],
  ["as-gmailx", null],
  ["welcome.as-gmail", null],
  ["as-generic", null],
  ["", null],
  [null, null],
])("the label %j requests %j", (label, tag) => {
  expect(parseRehearsalTag(label)).toBe(tag);
});

test("a code says to which command it replies, and has an enhanced code of its class", () => {
  expect(toChosenReply("code-421-4.7.0")).toEqual({ code: 421, enhanced: "4.7.0", to: "recipient" });
  expect(toChosenReply("code-552-data")).toEqual({ code: 552, enhanced: "5.0.0", to: "message" });
  expect(toChosenReply("as-gmail")).toBeNull();
  expect(toRate("rate-12")).toBe(12);
  expect(toRate("code-550")).toBeNull();
});

test("a public listener rehearses only if an owner turned it on", () => {
  expect(isRehearsed(null, "all")).toBe(false);
  expect(isRehearsed("on", "all")).toBe(true);
  for (const reach of ["machine", "network"] as const) {
    expect(isRehearsed(null, reach)).toBe(true);
    expect(isRehearsed("off", reach)).toBe(false);
  }
});
