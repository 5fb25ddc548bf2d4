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
    when: "spaces stand about the semicolons",
    facts: { dmarc: await of(" p=none ;rua=mailto:d@a.example ; psd=n") },
    says: "Every tag in the DMARC record at _dmarc.a.example can be parsed.",
  },
  {
    when: "a space stands before the version",
    facts: { dmarc: await of("= v=DMARC1; p=reject") },
    finds: ["leading-space"],
    says: "The DMARC record at _dmarc.a.example begins with a space, which makes some receivers ignore it.",
    fix: "Publish `v=DMARC1; p=reject`.",
  },
  {
    when: "reports are wanted by 0 and by 1",
    facts: { dmarc: await of("p=none; fo=0:1:d") },
    finds: ["exclusive-options"],
    fix: "Publish `v=DMARC1; p=none; fo=1:d`.",
  },
  {
    when: "the version is in small letters",
    facts: { dmarc: await of("=v=dmarc1; p=reject") },
    finds: ["unreadable"],
    says: "The record at _dmarc.a.example is not valid DMARC. DMARC1 must be uppercase.",
    fix: "Replace it with `v=DMARC1; p=reject`.",
  },
  {
    when: "a tag stands twice",
    facts: { dmarc: await of("p=none; p=reject") },
    finds: ["unreadable"],
    fix: "Replace it with `v=DMARC1; p=none`.",
  },
  {
    when: "the version comes last",
    facts: { dmarc: await of("=p=none; v=DMARC1") },
    finds: ["unreadable"],
    fix: "Replace it with `v=DMARC1; p=none`.",
  },
  {
    when: "the record of a subdomain cannot be read, and the organisation's can",
    facts: { dmarc: await dmarcOf("news.a.example", { "a.example": "p=none", "news.a.example": "=v=dmarc1; p=none" }) },
    finds: ["passed-over"],
    says: "The record at _dmarc.news.a.example is not valid DMARC, so receivers use the one at _dmarc.a.example. DMARC1 must be uppercase.",
  },
  {
    when: "the policy is not one of the three",
    facts: { dmarc: await of("p=blocked; adkim=s") },
    finds: ["no-policy"],
    says: "The DMARC record at _dmarc.a.example has no valid policy (p=blocked), so receivers ignore the record.",
    fix: "Publish `v=DMARC1; p=none; adkim=s; rua=mailto:dmarc@a.example`.",
  },
  {
    when: "there is no policy, but reports are asked for",
    facts: { dmarc: await of("rua=mailto:d@a.example") },
    finds: ["no-policy"],
    says: "The DMARC record at _dmarc.a.example has no valid policy (no p=), so receivers treat it as p=none.",
    fix: "Publish `v=DMARC1; p=none; rua=mailto:d@a.example`.",
  },
  {
    when: "the policy for subdomains is not one of the three, which spoils the whole",
    facts: { dmarc: await of("p=reject; sp=blocked; rua=mailto:d@a.example") },
    finds: ["no-policy"],
    fix: "Publish `v=DMARC1; p=reject; rua=mailto:d@a.example`.",
  },
  {
    when: "a semicolon is missing behind the policy",
    facts: { dmarc: await of("p=reject rua=mailto:d@a.example") },
    finds: ["no-policy"],
    fix: "Publish `v=DMARC1; p=reject; rua=mailto:d@a.example`.",
  },
  {
    when: "alignment is asked for in a whole word",
    facts: { dmarc: await of("p=none; adkim=strict") },
    finds: ["bad-tag"],
    says: '"adkim=strict" at _dmarc.a.example is invalid, so receivers use adkim=r.',
    fix: "Publish `v=DMARC1; p=none; adkim=s`.",
  },
  {
    when: "a tag is misspelt",
    facts: { dmarc: await of("p=none; polcy=reject") },
    finds: ["unknown-tag"],
    says: '"polcy" at _dmarc.a.example is not a DMARC tag, so receivers ignore it.',
  },
  { when: "a piece is no tag", facts: { dmarc: await of("p=none; reject") }, finds: ["unknown-tag"] },
  { when: "a semicolon stands twice", facts: { dmarc: await of("p=none;; aspf=r") } },
  { when: "there is no record", facts: { dmarc: await dmarcOf("a.example") }, outcome: "not-applicable" },
  {
    when: "there are several records",
    facts: { dmarc: await dmarcOf("a.example", { "a.example": ["p=none", "p=none; x=1"] }) },
    outcome: "not-applicable",
  },
  {
    when: "a message comes from a free mailbox",
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
