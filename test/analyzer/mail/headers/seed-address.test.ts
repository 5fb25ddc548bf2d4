import { describe, expect, test } from "vitest";
import {
  matchDetail,
  matchSeedAddress,
  parseSeedAddress,
  toSeedDomain,
} from "../../../../src/analyzer/mail/headers/seed-address.ts";

const domains = ["seed.example", "xn--bcher-kva.example"];
const parse = (address: string) => parseSeedAddress(address, domains);

describe("an address at a seed domain", () => {
  test.each([
    ["w7k3@seed.example", "w7k3", null],
    ["W7K3@SEED.Example", "w7k3", null],
    ["w7k3@seed.example.", "w7k3", null],
    ["w7k3+Welcome-Flow@seed.example", "w7k3", "Welcome-Flow"],
    ["w7k3+a+b@seed.example", "w7k3", "a+b"],
    ["w7k3+@seed.example", "w7k3", null],
    ['"w7k3"@seed.example', "w7k3", null],
    ['"w7\\k3+la bel"@seed.example', "w7k3", "la bel"],
    ['"a@b"@seed.example', "a@b", null],
    ["jürgen@seed.example", "jürgen", null],
    ["bounce+tok3n@seed.example", "bounce", null],
    ["Postmaster", "postmaster", null],
    ["postmaster+x@seed.example", "postmaster", "x"],
    ["w7k3+ci+012345678@seed.example", "w7k3", "ci+012345678"],
    ["w7k3+ci+0123456789a@seed.example", "w7k3", "ci+0123456789a"],
    ["w7k3+ci+hello-mail@seed.example", "w7k3", "ci+hello-mail"],
    ["w7k3+0123456789@seed.example", "w7k3", "0123456789"],
  ])("%s is the mailbox %s with the label %s", (address, localPart, label) => {
    expect(parse(address)).toEqual({ localPart, domain: "seed.example", label, run: null });
  });

  test.each([
    ["w7k3+ci+0123456789@seed.example", "ci", "0123456789"],
    ["w7k3+a+b+0A1b2C3d4E@seed.example", "a+b", "0a1b2c3d4e"],
    ["w7k3++0123456789@seed.example", null, "0123456789"],
  ])("%s is a test run with the label %s", (address, label, run) => {
    expect(parse(address)).toEqual({ localPart: "w7k3", domain: "seed.example", label, run });
  });

  test("an address at a seed domain may have the domain in its native script", () => {
    for (const domain of ["bücher.example", "BÜCHER.example.", "xn--bcher-kva.example", "XN--BCHER-KVA.example"])
      expect(parse(`x@${domain}`)?.domain).toBe("xn--bcher-kva.example");
  });

  test("an address at a seed domain has a label of at most 200 characters that a database can store", () => {
    const label = parse(`x+${"a".repeat(199)}\u{1f98a}@seed.example`)?.label ?? "";
    expect(label).toHaveLength(200);
    expect(label.isWellFormed()).toBe(true);
    expect(parse("x+a\0b@seed.example")?.label).toBe("a\ufffdb");
  });
});

test.each([
  "someone@elsewhere.example",
  "someone@seed.example.evil.example",
  "someone@notseed.example",
  "@seed.example",
  "seed.example",
  "someone",
  "",
  "someone@",
  "someone@[127.0.0.1]",
  "someone@seed.example/ü",
  "someone@seed.example:25ü",
  "someone@seed.example?ü",
  "someone@ü\0.example",
  `someone@${"ü".repeat(100_000)}.example`,
])("%.40s is not at a seed domain", (address) => {
  expect(parse(address)).toBeUndefined();
});

test("a slash, port, or query after a seed domain makes it another domain", () => {
  for (const end of ["/", ":25", "?", "#", "\\", "@", "%2e", " ", "\t"])
    expect(toSeedDomain(`bücher.example${end}`, domains)).toBeUndefined();
});

test("a shown address finds its tests however it is written, and no other address does", () => {
  const wanted = matchSeedAddress("w7k3+build.x1@Seed.example");
  expect(wanted?.label).toBe("build.x1");
  for (const same of ["w7k3+build.x1@seed.example", "W7K3+build.x1@SEED.example.", '"w7k3+build.x1"@seed.example'])
    expect(wanted?.isIn(["other@seed.example", same]), same).toBe(true);
  for (const other of [
    "w7k3@seed.example",
    "w7k3+build.x2@seed.example",
    "w7k4+build.x1@seed.example",
    "w7k3+build.x1@b.example",
  ])
    expect(wanted?.isIn([other]), other).toBe(false);
  expect(wanted?.isIn([])).toBe(false);
  for (const none of ["", "w7k3", "postmaster", "w7k3@", "@seed.example"])
    expect(matchSeedAddress(none), none).toBeUndefined();
});

test("a test run is found by its address or token, and among others by its label", () => {
  const [one, other] = ["w7k3+ci+0123456789@seed.example", "w7k3+ci+9876543210@seed.example"];
  for (const wanted of [matchSeedAddress(one), matchDetail("ci+0123456789")]) {
    expect(wanted).toMatchObject({ label: "ci", run: "0123456789" });
    expect(wanted?.isIn([other, one.replace("w7k3", "W7K3")])).toBe(true);
    expect(wanted?.isIn([one])).toBe(true);
    expect(wanted?.isIn([other])).toBe(false);
  }
  expect(matchDetail("ci").isIn([other])).toBe(true);
});
