import { expect, test } from "vitest";
import { createToken, hashSecret, isToken } from "../../../src/platform/contract/secrets.ts";

test("a token is asy_ followed by 40 random characters", () => {
  const token = createToken(Uint8Array.from({ length: 40 }, (_, index) => index * 7));
  expect(token).toMatch(/^asy_[0-9a-z]{40}$/);
  expect(isToken(token)).toBe(true);
  expect(createToken(new Uint8Array(40))).not.toBe(token);
});

test.each([
  "",
  "asy_",
  `asy_${"a".repeat(39)}`,
  `asy_${"a".repeat(41)}`,
  `ASY_${"a".repeat(40)}`,
  `asy_${"!".repeat(40)}`,
])("%j is not a token", (text) => {
  expect(isToken(text)).toBe(false);
});

test("a token is stored as its SHA-256 in hex", () => {
  expect(hashSecret("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
});
