import { expect, test } from "vitest";
import { parseMailboxes } from "../../../../src/analyzer/mail/headers/address.ts";

const read = (value: string) =>
  parseMailboxes(value).list.map(({ name, address, problem }) => [name, address, problem]);

test.each([
  ["a@x.example", [[null, "a@x.example", null]]],
  ["Ann <a@x.example>", [["Ann", "a@x.example", null]]],
  ['"Shop, Inc." <a@x.example>', [["Shop, Inc.", "a@x.example", null]]],
  [String.raw`"A \"B\" C" <a@x.example>`, [['A "B" C', "a@x.example", null]]],
  ["a@x.example (Ann)", [["Ann", "a@x.example", null]]],
  [
    "a@x.example, B <b@x.example>",
    [
      [null, "a@x.example", null],
      ["B", "b@x.example", null],
    ],
  ],
  ["<@relay.example:a@x.example>", [[null, "a@x.example", null]]],
  ['"a b"@x.example', [[null, '"a b"@x.example', null]]],
  ["a@[192.0.2.1]", [[null, "a@[192.0.2.1]", null]]],
  ["ü@bücher.example", [[null, "ü@bücher.example", null]]],
  ["=?utf-8?Q?Doe=2C_Ann?= <a@x.example>", [["Doe, Ann", "a@x.example", null]]],
  ['"b@y.example" <a@x.example>', [["b@y.example", "a@x.example", null]]],
  ["Shop", [[null, "Shop", "no-at"]]],
  ["Shop <>", [["Shop", "", "empty"]]],
  ["a@", [[null, "a@", "empty"]]],
  ["a b@x.example", [[null, "a b@x.example", "characters"]]],
  ["a..b@x.example", [[null, "a..b@x.example", "characters"]]],
  ["a@x_y!.example", [[null, "a@x_y!.example", "characters"]]],
  ["=?utf-8?Q?a=40x.example?=", [[null, "=?utf-8?Q?a=40x.example?=", "encoded-word"]]],
  ["Ann <a@x.example", [[null, "Ann <a@x.example", "unclosed"]]],
  ["", []],
  [" , ,", []],
])("the address list %j contains these mailboxes", (value, mailboxes) => {
  expect(read(value)).toEqual(mailboxes);
});

test("groups are listed by name, even empty ones", () => {
  expect(parseMailboxes("undisclosed-recipients:;")).toEqual({
    list: [],
    count: 0,
    groups: ["undisclosed-recipients"],
  });
  expect(parseMailboxes("A: a@x.example, b@x.example; c@x.example")).toMatchObject({ count: 3, groups: ["A"] });
});

test("in a header with very many addresses, the first are listed and all are counted", () => {
  const { list, count } = parseMailboxes("a@x.example,".repeat(5_000));
  expect([list.length, count]).toEqual([1_000, 5_000]);
});
