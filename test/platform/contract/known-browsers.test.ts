import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { createKnownBrowser, readKnownBrowser } from "../../../src/platform/contract/known-browsers.ts";

const key = randomBytes(32);
const account = { key, email: "ann@people.example", now: 1_000_000_000_000 };
const value = createKnownBrowser(account, randomBytes(16));

test("a browser is recognized only for the account that it logged in to, for half a year", () => {
  const name = readKnownBrowser(account, value);
  expect(name).toMatch(/^[0-9a-f]{64}$/);
  const dayMs = 86_400_000;
  expect(readKnownBrowser({ ...account, now: account.now + 180 * dayMs - 1 }, value)).toBe(name);
  expect(readKnownBrowser({ ...account, now: account.now + 180 * dayMs }, value)).toBeNull();
  expect(readKnownBrowser({ ...account, now: account.now - 1 }, value)).toBeNull();
});

test("another account, key, or value never counts as a known browser", () => {
  expect(readKnownBrowser({ ...account, email: "ben@people.example" }, value)).toBeNull();
  expect(readKnownBrowser({ ...account, key: randomBytes(32) }, value)).toBeNull();
  const [id = "", since = "", signature = ""] = value.split(".");
  const other = createKnownBrowser(account, randomBytes(16)).split(".")[0];
  const wrong = [
    null,
    "",
    "..",
    `${value}x`,
    `${other}.${since}.${signature}`,
    `${id}.${since}0.${signature}`,
    `${id}.${since}.${"A".repeat(43)}`,
    `${id}.${since}`,
  ];
  for (const text of wrong) expect(readKnownBrowser(account, text)).toBeNull();
  expect(value).not.toContain("ann");
});
