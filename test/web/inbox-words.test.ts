import { expect, test } from "vitest";
import { toInitials, toSenderDomain, toSenderName } from "../../src/web/report/inbox-words.ts";

test.each([
  ["Harbour <hello@harbourpine.example>", "Harbour"],
  ['"Harbour & Pine, \\"Ltd\\"" <hello@harbourpine.example>', 'Harbour & Pine, "Ltd"'],
  ["ハーバー <hello@harbourpine.example>", "ハーバー"],
  ["<hello@harbourpine.example>", "hello@harbourpine.example"],
  ['"" <hello@harbourpine.example>', "hello@harbourpine.example"],
  ["hello@harbourpine.example", "hello@harbourpine.example"],
  ['"a < b" <hello@harbourpine.example>', "a < b"],
  ["", ""],
  [null, ""],
])("an inbox shows the sender %j as %j", (from, name) => {
  expect(toSenderName(from)).toBe(name);
});

test.each([
  ["Harbour & Pine", 1, "H"],
  ["Harbour & Pine", 2, "HP"],
  ["ångström", 2, "Å"],
  ["متجر الميناء", 2, "ما"],
  ["🎁 (Gifts)", 1, "G"],
  ["🎁", 1, ""],
])("the avatar of %j with up to %i letters is %j", (name, most, initials) => {
  expect(toInitials(name, most)).toBe(initials);
});

test.each([
  [null, null],
  ["ann@sender.example", "sender.example"],
  ["Ann <ann@sender.example> ", "sender.example"],
  ['"Lee, Ann @ Work" <ann@sender.example>', "sender.example"],
  ["Lee, Ann <ann@bücher.example>", "bücher.example"],
  ["bank@bank.example <ann@sender.example>", "sender.example"],
  ["Ann <ann@sender.example>, Bob <bob@other.example>", null],
  ["ann@sender.example, bob@other.example", null],
  ["Team: ann@sender.example;", "sender.example"],
  ["undisclosed", null],
])("the domain of the sender %s is %s", (from, domain) => {
  expect(toSenderDomain(from)).toBe(domain);
});
