import { expect, test } from "vitest";
import { consequenceOf } from "../../../src/analyzer/checks/gate-reply.ts";
import { checks } from "../../../src/analyzer/checks/list.ts";

test.each([
  ["550 5.7.26", "refusal"],
  ["421 4.7.32, then refusal", "refusal"],
  ["421 4.7.0, then 550 5.7.25 (over IPv6 550 5.7.1)", "refusal"],
  ["553 5.7.1 [BL21]", "refusal"],
  ["rejection", "refusal"],
  ["421 4.7.0", "deferral"],
  ["450 4.1.8", "deferral"],
  ["spam folder", "junk"],
  ["no mitigation (no refusal)", "none"],
  ["asked for, no fixed reply", "none"],
])("the reply %s is a %s", (reply, consequence) => {
  expect(consequenceOf({ reply })).toBe(consequence);
});

test("every SMTP reply in a check has a known consequence, except the declared exceptions", () => {
  const replies = checks.flatMap(({ findings }) =>
    Object.values(findings).flatMap(({ gates = [] }) => gates.map(({ reply }) => reply)),
  );
  const none = new Set(replies.filter((reply) => consequenceOf({ reply }) === "none"));
  expect([...none].sort()).toEqual(["asked for, no fixed reply", "no mitigation", "no mitigation (no refusal)"]);
});
