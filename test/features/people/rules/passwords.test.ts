import { expect, test } from "vitest";
import { commonPasswords, commonWords } from "../../../../src/features/people/rules/common-passwords.ts";
import { toPasswordForm, whyPasswordIsWeak } from "../../../../src/features/people/rules/passwords.ts";

const own = ["ann.lee@fabrikam.example", "Ann Lee"];

test.each([
  "lamp quarrel tundra",
  "correct horse battery staple",
  "Xk4#pq9!Lw",
  "dragonfly monkey sunrise",
  "fabrikam-otter-velvet",
  "пароль не для всех",
  "密码不是给所有人用的哦",
  "ten chars!",
])("the password %j is accepted", (password) => {
  expect(whyPasswordIsWeak(password, own)).toBeNull();
});

test.each([
  ["", "at least 10"],
  ["nine char", "at least 10"],
  ["👍👍👍👍👍", "at least 10"],
  ["x".repeat(201), "at most 200"],
  ["aaaaaaaaaaaa", "too simple"],
  ["ababababababab", "too simple"],
  ["abcdefghijklm", "too simple"],
  ["9876543210", "too simple"],
  ["1234567890", "too common"],
  ["qwertyuiop", "too common"],
  ["QwertyUiop", "too common"],
  ["password123", "too common"],
  ["P@ssw0rd2026!", "too common"],
  ["!!!Dragon!!!2026", "too common"],
  ["sunshinesunshine", "too common"],
  ["monkey1monkey1", "too common"],
  ["christopher", "too common"],
  ["ann.lee@fabrikam.example", "too similar to your name"],
  ["AnnLee2026!!", "too similar to your name"],
  ["Fabrikam2026", "too similar to your name"],
])("the password %j is rejected: %s", (password, why) => {
  expect(whyPasswordIsWeak(password, own)).toContain(why);
});

test("a password is the same in any Unicode composition", () => {
  expect(toPasswordForm("cafe\u0301\u00a0noir")).toBe("caf\u00e9 noir");
});

test("the tables of common passwords contain only normalized words", () => {
  expect(commonPasswords.size).toBeGreaterThan(1_500);
  expect(commonWords.size).toBeGreaterThan(2_000);
  for (const entry of commonPasswords) expect(whyPasswordIsWeak(entry, [])).not.toBeNull();
  for (const word of commonWords) {
    expect(word).toMatch(/^[a-z]{4,9}$/);
    expect(whyPasswordIsWeak(`${word}202620`, [])).not.toBeNull();
  }
});
