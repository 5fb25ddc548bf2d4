import { describe, expect, test } from "vitest";
import { readSize, toSizeText } from "../../src/features/server/page/sizes.ts";
import { toFieldError } from "../../src/web/client/use-action.ts";
import { toList, toPercent, toPlural, toReportedDays, toSentence, toSize } from "../../src/web/client/words.ts";

describe("the texts of the app", () => {
  test.each([
    [0, "0 tests"],
    [1, "1 test"],
    [2, "2 tests"],
    [1_234, "1,234 tests"],
  ])("the texts of the app use %d with the singular or plural", (count, words) => {
    expect(toPlural(count, "test", "tests")).toBe(words);
  });

  test.each([
    [[], ""],
    [["SPF"], "SPF"],
    [["SPF", "DKIM"], "SPF and DKIM"],
    [["SPF", "DKIM", "DMARC"], "SPF, DKIM, and DMARC"],
  ])("the app writes the list %j", (words, list) => {
    expect(toList(words)).toBe(list);
  });

  test("the app shows 0% and 100% only for none and all", () => {
    expect([0, 0.001, 0.5, 0.999, 1].map(toPercent)).toEqual(["0%", "1%", "50%", "99%", "100%"]);
  });

  test("the app writes a unit after a space", () => {
    expect(toSize(3_000)).toBe("3 kB");
    expect(toSize(1)).toBe("1 byte");
  });

  test.each([
    ["2026-11-20T00:00:00.000Z", "2026-11-20T23:59:59.000Z", "20 Nov 2026 (UTC)"],
    ["2026-11-20T00:00:00.000Z", "2026-11-21T00:00:00.000Z", "20 Nov 2026 (UTC)"],
    ["2026-11-19T00:00:00.000Z", "2026-11-20T23:59:59.000Z", "19 Nov 2026 to 20 Nov 2026 (UTC)"],
    [null, null, null],
  ])("the app names the days of a DMARC report in UTC: %s to %s", (from, to, days) => {
    expect(toReportedDays(from, to)).toBe(days);
  });

  test("the texts of the app start a sentence with a capital letter", () => {
    expect(toSentence("answered 200")).toBe("Answered 200");
  });
});

describe("a size in a form", () => {
  test.each<[string, number]>([
    ["20 GB", 20e9],
    ["20gb", 20e9],
    ["1.5 TB", 1.5e12],
    ["500 MB", 5e8],
    ["2 GiB", 2 * 1_024 ** 3],
    ["1234567", 1_234_567],
    ["7 bytes", 7],
  ])("the size %j is %i bytes", (text, bytes) => {
    expect(readSize(text)).toBe(bytes);
    expect(readSize(toSizeText(bytes))).toBe(bytes);
  });

  test.each(["", "a lot", "-1 GB", "1,5 GB", "20 PB", "1e9", "1.2345 GB"])("the size %j is invalid", (text) => {
    expect(readSize(text)).toBeUndefined();
  });

  test("a size in a form is shown in the largest exact unit", () => {
    expect([20e9, 1_500_000, 1_234_567, 12].map(toSizeText)).toEqual(["20 GB", "1.5 MB", "1234.567 KB", "12 bytes"]);
  });
});

describe("a form error", () => {
  test.each([
    ['"password" must have at least 10 characters.', "Password must have at least 10 characters."],
    ['"password" is required.', "Password is required."],
    ["This password is too common.", "This password is too common."],
    ['Unknown field "password".', 'Unknown field "password".'],
  ])("a form error names the field by its label: %s", (message, shown) => {
    expect(toFieldError(message, "password", "Password")).toBe(shown);
  });

  test("a form error omits the label's text in parentheses", () => {
    const message = '"dkimSelector" must have at most 63 characters.';
    expect(toFieldError(message, "dkimSelector", "DKIM selector (optional)")).toBe(
      "DKIM selector must have at most 63 characters.",
    );
  });
});
