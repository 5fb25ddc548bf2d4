import { expect, test } from "vitest";
import { createId, isId } from "../src/ids.ts";

test("an identifier names its kind and sorts by creation time", () => {
  const ids = [1, 1_000, 1_763_704_740_000, 1_763_704_740_001].map((at) =>
    createId("test", at, new Uint8Array(16).fill(7)),
  );
  expect([...ids].sort()).toEqual(ids);
  for (const id of ids) expect(isId("test", id)).toBe(true);
  expect(isId("workspace", ids[0] ?? "")).toBe(false);
});
