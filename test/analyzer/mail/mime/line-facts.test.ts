import { expect, test } from "vitest";
import { toLineFacts } from "../../../../src/analyzer/mail/mime/line-facts.ts";
import { readMessage } from "../../../../src/analyzer/mail/mime/parse.ts";

const facts = (text: string) => toLineFacts(readMessage(Buffer.from(text, "latin1")).raw);
const clean = { bareLf: 0, bareCr: 0, nul: 0, longestLine: 0, hasEightBit: false };

test.each([
  ["", clean],
  ["\r\n", clean],
  ["abc\r\nde\r\n", { ...clean, longestLine: 3 }],
  ["abc\nde", { ...clean, bareLf: 1, longestLine: 3 }],
  ["a\rb\r\r\n", { ...clean, bareCr: 2, longestLine: 4 }],
  ["end\r", { ...clean, bareCr: 1, longestLine: 4 }],
  ["\0\xe9\r\n", { ...clean, nul: 1, longestLine: 2, hasEightBit: true }],
])("the line endings and special bytes of %j are counted", (text, expected) => {
  expect(facts(text)).toEqual(expected);
});
