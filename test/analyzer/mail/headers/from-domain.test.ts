import { expect, test } from "vitest";
import { toFromDomain } from "../../../../src/analyzer/mail/headers/registrable-domain.ts";

test.each([
  ["Ada <ada@Sender.Example>", "sender.example"],
  ["ada@sender.example", "sender.example"],
  ["Smith, Ann <ann@sender.example>", "sender.example"],
  ["a@one.example, b@two.example", "one.example"],
  ["<ada@bücher.example>", "xn--bcher-kva.example"],
  ["ada@[192.0.2.1]", null],
  ["nobody", null],
  ["", null],
])("the domain of %j is %j", (from, domain) => {
  expect(toFromDomain(from)).toBe(domain);
});
