import { expect, test } from "vitest";
import { checks } from "../../../src/analyzer/checks/list.ts";
import { fill, placesOf } from "../../../src/analyzer/checks/words.ts";
import { toFirstSentence } from "../../../src/analyzer/words/plain-words.ts";

test.each([
  ["No reverse DNS. Many receivers stop here.", "No reverse DNS."],
  ["a.example is listed.", "a.example is listed."],
  [
    '"[Company Name, LLC] 1234 Street Rd. Suite 1234" has a contrast ratio of 2.8:1. The minimum is 4.5:1.',
    '"[Company Name, LLC] 1234 Street Rd. Suite 1234" has a contrast ratio of 2.8:1.',
  ],
  ["The record `v=spf1 a. -all` is wrong. Correct it.", "The record `v=spf1 a. -all` is wrong."],
  ['It says "Yes. No', 'It says "Yes. No'],
])("the first sentence of %s is found", (text, first) => {
  expect(toFirstSentence(text)).toBe(first);
});

test("the first sentence of a finding never ends inside a quotation", () => {
  for (const { id, findings } of checks)
    for (const { says } of Object.values(findings)) {
      const { needed, optional } = placesOf(says);
      const quoting = fill(
        says,
        Object.fromEntries(
          [...needed, ...optional].map((name) => [name, says.includes(`"{${name}}"`) ? "One. Two" : "x"]),
        ),
      );
      expect(toFirstSentence(quoting).split('"').length % 2, `${id}: ${quoting}`).toBe(1);
    }
});
