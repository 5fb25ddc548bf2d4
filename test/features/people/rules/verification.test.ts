import { expect, test } from "vitest";
import { isVerifiedBy, toVerifyText, verifyToken } from "../../../../src/features/people/rules/verification.ts";

const key = Buffer.alloc(32, 1);

test("a verification token belongs to one workspace, one domain, and one server", () => {
  const token = verifyToken(key, "wsp_1", "a.example");
  expect(token).toMatch(/^[0-9a-f]{40}$/);
  expect(verifyToken(key, "wsp_1", "a.example")).toBe(token);
  const others = [
    verifyToken(key, "wsp_2", "a.example"),
    verifyToken(key, "wsp_1", "b.example"),
    verifyToken(key, "wsp_1", "www.a.example"),
    verifyToken(Buffer.alloc(32, 2), "wsp_1", "a.example"),
  ];
  expect(new Set([token, ...others]).size).toBe(5);
});

test("a verification record counts among others, in any form that DNS panels write", () => {
  const token = verifyToken(key, "wsp_1", "a.example");
  const record = toVerifyText(token);
  expect(record).toBe(`assay-verify=${token}`);
  expect(isVerifiedBy(["v=spf1 -all", record], token)).toBe(true);
  expect(isVerifiedBy([` ${record.toUpperCase()} `], token)).toBe(true);
});

test("no other record verifies a domain", () => {
  const token = verifyToken(key, "wsp_1", "a.example");
  const other = toVerifyText(verifyToken(key, "wsp_2", "a.example"));
  for (const texts of [[], [""], [token], [other], [`${toVerifyText(token)}0`], [`x ${toVerifyText(token)}`]])
    expect(isVerifiedBy(texts, token)).toBe(false);
});
