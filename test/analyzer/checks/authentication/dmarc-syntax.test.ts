import { describe, expect, test } from "vitest";
import { dmarcSyntax } from "../../../../src/analyzer/checks/authentication/dmarc-syntax.ts";
import { mendDmarc, rewriteDmarc } from "../../../../src/analyzer/checks/authentication/dmarc-text.ts";
import { known } from "../../../../src/analyzer/checks/fact.ts";
import { runChecks } from "../../../../src/analyzer/checks/run.ts";
import { testCheck } from "../test-check.ts";
import { dmarcOf, kindOf } from "./policy-facts.ts";

const of = (record: string) => dmarcOf("a.example", { "a.example": record });

testCheck(dmarcSyntax, [
  {
    when: "passes spaces around semicolons",
    facts: { dmarc: await of(" p=none ;rua=mailto:d@a.example ; psd=n") },
    says: "Every tag in the DMARC record at _dmarc.a.example can be parsed.",
  },
  {
    when: "finds a space before the version",
    facts: { dmarc: await of("= v=DMARC1; p=reject") },
    finds: ["leading-space"],
    says: "The DMARC record at _dmarc.a.example begins with a space, which makes some receivers ignore it.",
    fix: "Publish `v=DMARC1; p=reject`.",
  },
  {
    when: "finds the report options 0 and 1 together",
    facts: { dmarc: await of("p=none; fo=0:1:d") },
    finds: ["exclusive-options"],
    fix: "Publish `v=DMARC1; p=none; fo=1:d`.",
  },
  {
    when: "finds a version in lowercase letters",
    facts: { dmarc: await of("=v=dmarc1; p=reject") },
    finds: ["unreadable"],
    says: "The record at _dmarc.a.example is not valid DMARC. DMARC1 must be uppercase.",
    fix: "Replace it with `v=DMARC1; p=reject`.",
  },
  {
    when: "finds a repeated tag",
    facts: { dmarc: await of("p=none; p=reject") },
    finds: ["unreadable"],
    fix: "Replace it with `v=DMARC1; p=none`.",
  },
  {
    when: "finds a version that is not first",
    facts: { dmarc: await of("=p=none; v=DMARC1") },
    finds: ["unreadable"],
    fix: "Replace it with `v=DMARC1; p=none`.",
  },
  {
    when: "finds an unreadable record of a subdomain that is skipped for the organization's record",
    facts: { dmarc: await dmarcOf("news.a.example", { "a.example": "p=none", "news.a.example": "=v=dmarc1; p=none" }) },
    finds: ["passed-over"],
    says: "The record at _dmarc.news.a.example is not valid DMARC, so receivers use the one at _dmarc.a.example. DMARC1 must be uppercase.",
  },
  {
    when: "finds an invalid policy",
    facts: { dmarc: await of("p=blocked; adkim=s") },
    finds: ["no-policy"],
    says: "The DMARC record at _dmarc.a.example has no valid policy (p=blocked), so receivers ignore the record.",
    fix: "Publish `v=DMARC1; p=none; adkim=s; rua=mailto:dmarc@a.example`.",
  },
  {
    when: "finds a missing policy in a record that requests reports",
    facts: { dmarc: await of("rua=mailto:d@a.example") },
    finds: ["no-policy"],
    says: "The DMARC record at _dmarc.a.example has no valid policy (no p=), so receivers treat it as p=none.",
    fix: "Publish `v=DMARC1; p=none; rua=mailto:d@a.example`.",
  },
  {
    when: "finds an invalid subdomain policy, which invalidates the record",
    facts: { dmarc: await of("p=reject; sp=blocked; rua=mailto:d@a.example") },
    finds: ["no-policy"],
    fix: "Publish `v=DMARC1; p=reject; rua=mailto:d@a.example`.",
  },
  {
    when: "finds a missing semicolon after the policy",
    facts: { dmarc: await of("p=reject rua=mailto:d@a.example") },
    finds: ["no-policy"],
    fix: "Publish `v=DMARC1; p=reject; rua=mailto:d@a.example`.",
  },
  {
    when: "finds an alignment mode written in full",
    facts: { dmarc: await of("p=none; adkim=strict") },
    finds: ["bad-tag"],
    says: '"adkim=strict" at _dmarc.a.example is invalid, so receivers use adkim=r.',
    fix: "Publish `v=DMARC1; p=none; adkim=s`.",
  },
  {
    when: "finds a misspelled tag",
    facts: { dmarc: await of("p=none; polcy=reject") },
    finds: ["unknown-tag"],
    says: '"polcy" at _dmarc.a.example is not a DMARC tag, so receivers ignore it.',
  },
  { when: "finds a part that is not a tag", facts: { dmarc: await of("p=none; reject") }, finds: ["unknown-tag"] },
  { when: "passes a repeated semicolon", facts: { dmarc: await of("p=none;; aspf=r") } },
  { when: "does not apply without a record", facts: { dmarc: await dmarcOf("a.example") }, outcome: "not-applicable" },
  {
    when: "does not apply to several records",
    facts: { dmarc: await dmarcOf("a.example", { "a.example": ["p=none", "p=none; x=1"] }) },
    outcome: "not-applicable",
  },
  {
    when: "does not apply to a message from a free mailbox",
    facts: { dmarc: await dmarcOf("gmail.com", { "gmail.com": "p=none; x=1" }), kind: kindOf() },
    outcome: "not-applicable",
  },
]);

describe("provider rules", () => {
  test.each([
    ["p=blocked", 2],
    ["p=blocked; rua=mailto:d@a.example", 0],
  ])("the record %s breaks %i provider rules", async (record, count) => {
    const facts = { dmarc: known(await of(record)) };
    const [outcome] = runChecks([dmarcSyntax], { on: "domain", facts }, () => {});
    expect(outcome?.outcome === "found" && outcome.findings[0]?.gates).toHaveLength(count);
  });
});

describe("a suggested DMARC record", () => {
  test("a suggested DMARC record keeps its order, with the version first and the policy second", () => {
    expect(
      rewriteDmarc("v=DMARC1; rua=mailto:d@a.example; p=none; sp=none", { set: { p: "reject" }, remove: ["sp"] }),
    ).toBe("v=DMARC1; p=reject; rua=mailto:d@a.example");
  });

  test.each([
    ["“v=DMARC1; p=none”", "v=DMARC1; p=none"],
    ["v=DMARC1 p=reject", "v=DMARC1; p=reject"],
    ["v=DMARC1, p=reject, rua=mailto:d@a.example", "v=DMARC1; p=reject; rua=mailto:d@a.example"],
    ["DMARC1; p=NONE", "v=DMARC1; p=none"],
    ["v=DMARC1\\; p=none\\; sp=none", "v=DMARC1; p=none; sp=none"],
    ["v=DMARC1;", "v=DMARC1; p=none; rua=mailto:dmarc@a.example"],
    ["something else", "v=DMARC1; p=none; rua=mailto:dmarc@a.example"],
  ])("a suggested DMARC record is right for the broken record %s: %s", (written, mended) => {
    expect(mendDmarc(written, "a.example")).toBe(mended);
  });
});
