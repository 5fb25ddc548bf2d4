import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { beginningAt, createId, toPlace } from "../../src/platform/ids.ts";

test("an ID names its kind and sorts by creation time", () => {
  const ids = [1, 1_000, 1_763_704_740_000, 1_763_704_740_001].map((at) =>
    createId("test", at, new Uint8Array(16).fill(7)),
  );
  expect([...ids].sort()).toEqual(ids);
  for (const id of ids) expect(id).toMatch(/^tst_[0-9a-hjkmnp-tv-z]{26}$/);
});

const compare = (one: bigint, other: bigint) => (one < other ? -1 : one > other ? 1 : 0);

test("the numeric place of an ID has the same order", () => {
  const ids = Array.from({ length: 200 }, (_, index) =>
    createId("test", 1_790_000_000_000 + (index % 20), randomBytes(16)),
  ).sort();
  const owner = (last: number) => createId("workspace", 1_790_000_000_000, new Uint8Array(16).fill(1).with(15, last));
  const placesOf = (last: number) => ids.map((id) => toPlace(owner(last), id));
  const places = placesOf(3);
  expect(places).toEqual(places.toSorted(compare));
  expect(new Set(places).size).toBeGreaterThan(195);
  expect(toPlace(owner(3), beginningAt("test", 1_790_000_000_000))).toBeLessThanOrEqual(places[0] ?? 0n);
  const ofAll = [...placesOf(4), ...places, ...placesOf(31)];
  expect(ofAll.toSorted(compare)).toEqual([...places, ...placesOf(4), ...placesOf(31)]);
  for (const place of ofAll) expect(place).toBe(BigInt.asUintN(63, place));
});

test("every bound and invalid ID has a numeric place", () => {
  const years = [2026, 2100, 2110, 2249, 2300, 3000, 9999].map((year) => Date.UTC(year, 0));
  const workspace = `wsp_${"z".repeat(26)}`;
  const places = years.map((time) => toPlace(workspace, beginningAt("test", time)));
  expect(places).toEqual(places.toSorted(compare));
  expect(new Set(places.slice(0, 3)).size).toBe(3);
  expect(places.at(-1)).toBe(2n ** 63n - 1n);
  expect([toPlace("", ""), toPlace("!", "tst_!!")]).toEqual([0n, 0n]);
});
