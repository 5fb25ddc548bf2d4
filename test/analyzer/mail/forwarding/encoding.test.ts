import { expect, test } from "vitest";
import { formatMailboxes, splitOutside } from "../../../../src/analyzer/mail/forwarding/encoding.ts";

test.each([
  ['"Marsh, Ellen" <ellen@a.example>, tom@a.example', '"Marsh, Ellen" <ellen@a.example>, tom@a.example'],
  ['"Ellen" <ellen@a.example>', "Ellen <ellen@a.example>"],
  ["ellen@a.example (Ellen, sales)", '"Ellen, sales" <ellen@a.example>'],
  ['"Ellen \\"E\\" Marsh" <ellen@a.example>', '"Ellen \\"E\\" Marsh" <ellen@a.example>'],
  ['"open <ellen@a.example>, tom@a.example', '"\\"open" <ellen@a.example>, tom@a.example'],
])("mailboxes are rewritten: %s", (written, again) => {
  expect(formatMailboxes([written])).toBe(again);
});

test("a separator in quotes doesn't split, and one after an unclosed quote does", () => {
  expect(splitOutside('text/plain; name="a;b"; x=1', ";", '"')).toEqual(["text/plain", 'name="a;b"', "x=1"]);
  expect(splitOutside('a="b; c', ";", '"')).toEqual(['a="b', "c"]);
});
