import { expect, test } from "vitest";
import { roleAllows } from "../../../src/platform/contract/roles.ts";

test("an owner has the rights of a member, but not vice versa", () => {
  expect(roleAllows("owner", "owner")).toBe(true);
  expect(roleAllows("owner", "member")).toBe(true);
  expect(roleAllows("member", "member")).toBe(true);
  expect(roleAllows("member", "owner")).toBe(false);
});
