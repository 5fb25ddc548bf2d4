import { describe, expect, test } from "vitest";
import {
  isNearMiss,
  isSpfRecord,
  liveMechanisms,
  liveRedirect,
  lookupsOf,
  parseSpf,
} from "../../../src/analyzer/dns/spf.ts";

function read(term: string) {
  const { terms, problem } = parseSpf(`v=spf1 ${term}`);
  return { ...terms[0], recordProblem: problem };
}

describe("SPF record detection (RFC 7208 §4.5)", () => {
  test.each(["v=spf1", "v=spf1 ", "V=SpF1 -all"])("SPF record detection accepts %j as a record", (text) => {
    expect(isSpfRecord(text)).toBe(true);
    expect(isNearMiss(text)).toBe(false);
  });

  test.each([
    " v=spf1 -all",
    '"v=spf1 -all"',
    "\u00ef\u00bb\u00bfv=spf1 -all",
    "v=spf1include:a.example -all",
    "v=spf1\tmx -all",
    "v=spf1;mx",
    "v=spf 1 mx",
    "v= spf1 mx",
    "spf1 mx -all",
    "v:spf1 mx",
  ])("SPF record detection treats %j as a near miss", (text) => {
    expect(isSpfRecord(text)).toBe(false);
    expect(isNearMiss(text)).toBe(true);
  });

  test.each(["v=spf10", "spf2.0/pra mx -all", "google-site-verification=spf1", "v=DMARC1; p=none", ""])(
    "SPF record detection ignores %j",
    (text) => {
      expect(isSpfRecord(text)).toBe(false);
      expect(isNearMiss(text)).toBe(false);
    },
  );
});

describe("SPF terms (RFC 7208 §5, §6, §12)", () => {
  test.each([
    ["~a:host.example.com/24//64", { name: "a", qualifier: "~", value: "host.example.com", prefix4: 24, prefix6: 64 }],
    ["MX//0", { name: "mx", qualifier: "+", value: null, prefix4: null, prefix6: 0 }],
    ["a:foo:bar/baz.example.com/8", { name: "a", value: "foo:bar/baz.example.com", prefix4: 8 }],
    ["-ip4:192.0.2.0/24", { name: "ip4", qualifier: "-", value: "192.0.2.0", prefix4: 24, prefix6: null }],
    ["?ip6:2001:DB8::/32", { name: "ip6", qualifier: "?", value: "2001:DB8::", prefix6: 32, prefix4: null }],
    ["ip6:::1.2.3.4", { name: "ip6", value: "::1.2.3.4" }],
    ["include:%{d2}.example.com.", { name: "include", value: "%{d2}.example.com." }],
    ["exists:%{l1r+-}.%{d}", { name: "exists" }],
    ["a:host.example.xn--zckzah", { name: "a" }],
    ["a:%{d}%-", { name: "a" }],
    ["Redirect=_spf.example.com", { name: "redirect", kind: "modifier", qualifier: null, value: "_spf.example.com" }],
    ["exp=%{ir}.example.com", { name: "exp", kind: "modifier" }],
    ["all=no", { name: "all", kind: "modifier", value: "no" }],
    ["moo.cow-far_out=man:dog/cat", { name: "moo.cow-far_out", kind: "modifier" }],
    ["empty=", { name: "empty", kind: "modifier", value: "" }],
  ])("the SPF term %s is parsed", (term, expected) => {
    expect(read(term)).toMatchObject({ text: term, ...expected, problem: null, recordProblem: null });
  });

  test.each([
    ["ipv4:192.0.2.1", 'there is no mechanism "ipv4" (did you mean ip4:?)'],
    ["moo", 'there is no mechanism "moo"'],
    ["constructor", 'there is no mechanism "constructor"'],
    ["all:x", '"all" takes no value'],
    ["all/8", '"all" takes no value'],
    ["all.", "there is no mechanism"],
    ["-exp=x.example", "there is no mechanism"],
    ["redirect:a.example", "did you mean redirect=?"],
    ["include", "it needs a colon and a domain"],
    ["include:", "the domain is missing"],
    ["include:a.example.com/24", "does not end like a domain"],
    ["exists/24", "a prefix length is not allowed here"],
    ["ptr/0", "a prefix length is not allowed here"],
    ["a/33", "an IPv4 prefix has at most 32 bits"],
    ["a//129", "an IPv6 prefix has at most 128 bits"],
    ["a/24/64", "a prefix length is not allowed here"],
    ["a/024", '"/024" is not a prefix length'],
    ["mx/", "a prefix length is not allowed here"],
    ["a:192.0.2.1", "ends in a number, so it is not a domain (use ip4: or ip6: for an address)"],
    ["a:museum", "is a single label, not a domain"],
    ["a:museum.", "is a single label, not a domain"],
    ["a:example.-com", "does not end like a domain"],
    ["a:example.com}", "does not end like a domain"],
    ["a:%{d}.", "is a single label, not a domain"],
    ["a:a.%%-", "does not end like a domain"],
    ["ip4", "it needs a colon and an IPv4 address"],
    ["ip4:2001:db8::1", '"2001:db8::1" is not an IPv4 address'],
    ["ip4:192.0.2", '"192.0.2" is not an IPv4 address'],
    ["ip4:192.0.2.01", '"192.0.2.01" is not an IPv4 address'],
    ["ip4:192.0.2.256", '"192.0.2.256" is not an IPv4 address'],
    ["ip4:192.0.2.1:25", "is not an IPv4 address"],
    ["ip4:192.0.2.1include:b.example", "is not an IPv4 address"],
    ["ip4:192.0.2.1//32", "it has two prefix lengths"],
    ["ip4:192.0.2.1/", '"/" is not a prefix length'],
    ["ip6:192.0.2.1", '"192.0.2.1" is not an IPv6 address'],
    ["ip6:1::2::3", "is not an IPv6 address"],
    ["ip6:fe80::1%eth0", "is not an IPv6 address"],
    ["ip6:2001:db8::/129", "an IPv6 prefix has at most 128 bits"],
    ["exists:%{x}.example.com", '"%{x}" is not a macro (the letters are s l o d i p v h)'],
    ["exists:%{t}.example.com", '"%{t}" is allowed only in an explanation'],
    ["exists:%{d0}.example.com", '"%{d0}" keeps 0 parts'],
    ["exists:%{d*}.example.com", '"%{d*}" is not a valid macro'],
    ["exists:%(d).example.com", 'a single "%" must be written as "%%"'],
    ["foo=%", 'a single "%" must be written as "%%"'],
    ["a:\u00e9.example.com", "is not printable ASCII"],
    ["a\rptr", "there is no mechanism"],
    ["redirect=", "the domain is missing"],
    ["1up=foo", "there is no mechanism"],
  ])("the SPF term %s is invalid: %s", (term, says) => {
    expect(read(term).problem).toContain(says);
    expect(read(term).recordProblem).toBe(read(term).problem);
  });

  test("an invalid term after `all` invalidates the record too", () => {
    expect(parseSpf("v=spf1 -all moo").problem).toContain("moo");
  });

  test.each(["redirect", "exp"])("the SPF modifier %s= may occur only once", (name) => {
    expect(parseSpf(`v=spf1 ${name}=a.example ${name.toUpperCase()}=a.example`).problem).toContain(`${name}= `);
  });

  test("an unknown modifier may occur twice", () => {
    expect(parseSpf("v=spf1 foo=a foo=b -all").problem).toBeNull();
  });

  test("an error message never contains a control character", () => {
    expect(read("a:\u001b[31m").problem).not.toContain("\u001b");
  });
});

describe("SPF evaluation", () => {
  test("SPF evaluation ignores mechanisms after `all`, and a redirect beside it", () => {
    const { terms } = parseSpf("v=spf1 a redirect=b.example ALL mx");
    expect(liveMechanisms(terms).map(({ text }) => text)).toEqual(["a", "ALL"]);
    expect(liveRedirect(terms)).toBeUndefined();
  });

  test.each([
    ["all", 0],
    ["ip4:192.0.2.1", 0],
    ["exp=%{p}.example.com", 0],
    ["a", 1],
    ["redirect=b.example", 1],
    ["exists:%{p}.example.com", 2],
  ])("SPF evaluation counts %s as %i lookups", (term, cost) => {
    const [parsed] = parseSpf(`v=spf1 ${term}`).terms;
    expect(parsed && lookupsOf(parsed)).toBe(cost);
  });
});
