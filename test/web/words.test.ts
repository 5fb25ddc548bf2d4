import { describe, expect, test } from "vitest";
import { toFieldError } from "../../src/web/client/use-action.ts";
import { toList, toPercent, toPlural, toSentence, toSize } from "../../src/web/client/words.ts";

describe("the words of pages", () => {
  test.each([
    [0, "0 tests"],
    [1, "1 test"],
    [2, "2 tests"],
    [1_234, "1,234 tests"],
  ])("count %d in the singular or plural", (count, words) => {
    expect(toPlural(count, "test", "tests")).toBe(words);
  });

  test.each([
    [[], ""],
    [["SPF"], "SPF"],
    [["SPF", "DKIM"], "SPF and DKIM"],
    [["SPF", "DKIM", "DMARC"], "SPF, DKIM, and DMARC"],
  ])("list %j", (words, list) => {
    expect(toList(words)).toBe(list);
  });

  test("show 0% and 100% only for none and all", () => {
    expect([0, 0.001, 0.5, 0.999, 1].map(toPercent)).toEqual(["0%", "1%", "50%", "99%", "100%"]);
  });

  test("give sizes a unit after a space", () => {
    expect(toSize(3_000)).toBe("3 kB");
    expect(toSize(1)).toBe("1 byte");
  });

  test("begin a sentence with a capital", () => {
    expect(toSentence("answered 200")).toBe("Answered 200");
  });
});

describe("an error of a form", () => {
  test.each([
    ['"password" must have at least 10 characters.', "Password must have at least 10 characters."],
    ['"password" is required.', "Password is required."],
    ["This password is too common.", "This password is too common."],
    ['Unknown field "password".', 'Unknown field "password".'],
  ])("names the field by its label: %s", (message, shown) => {
    expect(toFieldError(message, "password", "Password")).toBe(shown);
  });

  test("leaves out what the label has in parentheses", () => {
    const message = '"dkimSelector" must have at most 63 characters.';
    expect(toFieldError(message, "dkimSelector", "DKIM selector (optional)")).toBe(
      "DKIM selector must have at most 63 characters.",
    );
  });
});
