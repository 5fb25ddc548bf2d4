import { describe, expect, test } from "vitest";
import { findDmarcNearMiss, isDmarcRecord, parseDmarcRecord, toReportHost } from "../../../src/analyzer/dns/dmarc.ts";

const parse = (rest: string) => parseDmarcRecord(`v=DMARC1; ${rest}`);
const faultsOf = (rest: string) => parse(rest).faults.map(({ kind, tag, value }) => [kind, tag, value]);

describe("a DMARC policy record (RFC 9989 §4.7)", () => {
  test("a DMARC policy record has defaults for missing tags", () => {
    const policies = { p: "none", sp: "none", np: "none" };
    const modes = { adkim: "r", aspf: "r", t: false, psd: "u" };
    const tags = { p: "none", sp: null, np: null, ...modes, fo: ["0"], rua: [], ruf: [] };
    expect(parse("p=none")).toEqual({ tags, policies, faults: [] });
  });

  test("a DMARC policy record gives each tag its value, regardless of white space and case", () => {
    const record = parse(
      "p = Reject ;sp=QUARANTINE; np=none; adkim=s; aspf=S; t=Y; psd=n; fo=1:d:s; " +
        "rua=mailto:a@a.example , mailto:b@b.example; ruf=mailto:c@a.example;",
    );
    expect(record.faults).toEqual([]);
    expect(record.tags).toEqual({
      p: "reject",
      sp: "quarantine",
      np: "none",
      adkim: "s",
      aspf: "s",
      t: true,
      psd: "n",
      fo: ["1", "d", "s"],
      rua: ["mailto:a@a.example", "mailto:b@b.example"],
      ruf: ["mailto:c@a.example"],
    });
  });

  test.each([
    ["p=reject", { p: "reject", sp: "reject", np: "reject" }],
    ["p=reject; sp=none", { p: "reject", sp: "none", np: "none" }],
    ["p=reject; np=none", { p: "reject", sp: "reject", np: "none" }],
    ["p=none; sp=quarantine; np=reject", { p: "none", sp: "quarantine", np: "reject" }],
    ["p=reject; sp=wrong; rua=mailto:a@a.example", { p: "none", sp: "none", np: "none" }],
    ["rua=mailto:a@a.example", { p: "none", sp: "none", np: "none" }],
    ["rua=https://a.example/reports", { p: "none", sp: "none", np: "none" }],
    ["rua=a@a.example", null],
    ["p=reject; np=", null],
    ["", null],
  ])("a DMARC policy record with %j has the policies %j (§4.10.1)", (text, policies) => {
    expect(parse(text).policies).toEqual(policies);
  });
});

describe("an invalid DMARC record", () => {
  test.each([
    ["no policy", "adkim=r", ["no-policy", "p", null]],
    ["an invalid policy", "p=blocked", ["no-policy", "p", "blocked"]],
    ["a missing semicolon", "p=none rua=mailto:a@a.example", ["no-policy", "p", "none rua=mailto:a@a.example"]],
    ["the quotation marks of a word processor", "p=\xe2\x80\x9cnone\xe2\x80\x9d", ["no-policy", "p", "“none”"]],
    ["an alignment mode written in full", "p=none; adkim=strict", ["bad-tag", "adkim", "strict"]],
    ["an invalid sp", "p=none; sp=no", ["bad-tag", "sp", "no"]],
    ["an invalid np", "p=none; np=no", ["bad-tag", "np", "no"]],
    ["an invalid t", "p=none; t=yes", ["bad-tag", "t", "yes"]],
    ["an invalid psd", "p=none; psd=maybe", ["bad-tag", "psd", "maybe"]],
    ["both 0 and 1", "p=none; fo=0:1", ["exclusive-options", "fo", "0:1"]],
    ["a repeated option", "p=none; fo=d:d", ["bad-tag", "fo", "d:d"]],
    ["an unknown option", "p=none; fo=x", ["bad-tag", "fo", "x"]],
    ["something that is not a tag", "p=none; hello", ["bad-tag", null, "v=DMARC1; p=none; hello"]],
    ["an unknown tag", "p=none; polcy=reject", ["unknown-tag", "polcy", "reject"]],
    ["a tag in capital letters", "p=none; SP=reject", ["unknown-tag", "SP", "reject"]],
    ["pct", "p=none; pct=20", ["obsolete-tag", "pct", "20"]],
    ["rf", "p=none; rf=afrf", ["obsolete-tag", "rf", "afrf"]],
    ["ri", "p=none; ri=3600", ["obsolete-tag", "ri", "3600"]],
    ["a size limit", "p=none; rua=mailto:a@a.example!10m", ["obsolete-tag", "rua", "mailto:a@a.example!10m"]],
    ["a missing mailto:", "p=none; rua=a@a.example", ["bad-uri", "rua", "a@a.example"]],
    ["a web address", "p=none; ruf=https://a.example", ["bad-uri", "ruf", "https://a.example"]],
    ["mailto: without an address", "p=none; rua=mailto:", ["bad-uri", "rua", "mailto:"]],
    ["mailto: with a space", "p=none; rua=mailto: a@a.example", ["bad-uri", "rua", "mailto: a@a.example"]],
    ["an empty list entry", "p=none; rua=mailto:a@a.example,", ["bad-uri", "rua", ""]],
    ["a repeated tag (RFC 6376 §3.2)", "p=none; p=reject", ["repeated-tag", "p", "reject"]],
  ])("a DMARC record with %s is reported", (_, text, fault) => {
    expect(faultsOf(text)).toEqual([fault]);
  });

  test("an invalid DMARC record names a missing semicolon as the cause", () => {
    expect(parse("p=reject rua=mailto:a@a.example").faults[0]?.says).toContain(
      "The policy (p) has no semicolon after it, so receivers ignore the record.",
    );
  });

  test("a DMARC record with a repeated tag is unusable", () => {
    expect(parse("p=none; p=none")).toMatchObject({ tags: null, policies: null });
  });
});

test.each([
  ["v=DMARC1; p=none", true],
  ["v=DMARC1", true],
  ["V = DMARC1\t;", true],
  [" v=DMARC1;", true],
  ["v=dmarc1; p=none", false],
  ["v=DMARC1 p=none", false],
  ["v=DMARC12;", false],
  ["p=none; v=DMARC1", false],
  ['"v=DMARC1; p=none"', false],
])("%j starts a DMARC record: %s", (text, expected) => {
  expect(isDmarcRecord(text)).toBe(expected);
});

test.each([
  ["v=dmarc1; p=none", "DMARC1 must be uppercase."],
  ["v=DMARC1 p=none", "v=DMARC1 must be followed by a semicolon."],
  ["v=DMARC1, p=none", "v=DMARC1 must be followed by a semicolon."],
  ["p=none; v=DMARC1", "v=DMARC1 must be the first tag."],
  ['"v=DMARC1; p=none"', "There is a quotation mark or another stray character before v=DMARC1."],
  ["DMARC1; p=none", 'The record does not begin with "v=DMARC1;".'],
  ["v=DMARC2; p=none", 'The record does not begin with "v=DMARC1;".'],
  ["p=reject; rua=mailto:a@a.example", 'The record does not begin with "v=DMARC1;".'],
])("%j was meant as a DMARC record", (text, says) => {
  expect(findDmarcNearMiss(text)).toMatchObject({ kind: "unreadable", value: text, says });
});

test.each(["v=DMARC1; p=none", "v=spf1 include:dmarc.example -all", "site-verification=abc", ""])(
  "%j is not a near miss of a DMARC record",
  (text) => {
    expect(findDmarcNearMiss(text)).toBeNull();
  },
);

test.each([
  ["mailto:a@A.example", "a.example"],
  ["mailto:a@a.example?subject=x@b.example", "a.example"],
  ["MAILTO:a%40b@a.example", null],
  ["mailto:a%40a.example", "a.example"],
  ["mailto:a@a..example", null],
  ["https://a.example/x", "a.example"],
  ["tel:1", null],
])("reports to %s go to %s", (uri, host) => {
  expect(toReportHost(uri)).toBe(host);
});

test.each([
  ["semicolons", ";".repeat(65_000)],
  ["tags", Array.from({ length: 10_000 }, (_, index) => `t${index}=1`).join(";")],
  ["addresses", `rua=${"mailto:a@a.example,".repeat(3_400)}`],
  ["exclamation marks", `rua=mailto:${"!1".repeat(32_000)}`],
  ["bytes", Array.from({ length: 65_000 }, (_, index) => String.fromCharCode(index % 256)).join("")],
])("a record of 64 KB of %s is parsed quickly, with few errors", (_, text) => {
  expect(parse(text).faults.length).toBeLessThanOrEqual(50);
  findDmarcNearMiss(text);
});
