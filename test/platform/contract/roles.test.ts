import { expect, test } from "vitest";
import { roleAllows } from "../../../src/platform/contract/roles.ts";

test("an owner may what a member may, not the other way round", () => {
  expect(roleAllows("owner", "owner")).toBe(true);
  expect(roleAllows("owner", "member")).toBe(true);
  expect(roleAllows("member", "member")).toBe(true);
  expect(roleAllows("member", "owner")).toBe(false);
});
