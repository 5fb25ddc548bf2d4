import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { beginningAt, createId, toIdBound, toIdNumber } from "../src/ids.ts";

test("an identifier names its kind and sorts by creation time", () => {
  const ids = [1, 1_000, 1_763_704_740_000, 1_763_704_740_001].map((at) =>
    createId("test", at, new Uint8Array(16).fill(7)),
  );
  expect([...ids].sort()).toEqual(ids);
  for (const id of ids) expect(id).toMatch(/^tst_[0-9a-hjkmnp-tv-z]{26}$/);
});

test("the number of an id has its place in their order", () => {
  const ids = Array.from({ length: 200 }, (_, index) =>
    createId("test", 1_790_000_000_000 + (index % 20), randomBytes(16)),
  ).sort();
  const numbers = ids.map(toIdNumber);
  expect(numbers).toEqual([...numbers].sort((one, other) => (one < other ? -1 : one > other ? 1 : 0)));
  expect(toIdNumber(beginningAt("test", 1_790_000_000_000))).toBeLessThanOrEqual(toIdNumber(ids[0] ?? ""));
  expect([toIdNumber(""), toIdNumber("tst_!!")]).toEqual([0n, 0n]);
  const years = [2026, 2200, 2249, 2300, 3000, 9999].map((year) => Date.UTC(year, 0));
  const places = years.map((time) => toIdBound(beginningAt("test", time)));
  expect(places).toEqual(places.toSorted((one, other) => (one < other ? -1 : one > other ? 1 : 0)));
  expect(places[0]).toBe(toIdNumber(beginningAt("test", Date.UTC(2026, 0))));
  expect(places.at(-1)).toBeLessThan(2n ** 63n);
});
