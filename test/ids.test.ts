import { expect, test } from "vitest";
import { createId } from "../src/ids.ts";

test("an identifier names its kind and sorts by creation time", () => {
  const ids = [1, 1_000, 1_763_704_740_000, 1_763_704_740_001].map((at) =>
    createId("test", at, new Uint8Array(16).fill(7)),
  );
  expect([...ids].sort()).toEqual(ids);
  for (const id of ids) expect(id).toMatch(/^tst_[0-9a-hjkmnp-tv-z]{26}$/);
});
