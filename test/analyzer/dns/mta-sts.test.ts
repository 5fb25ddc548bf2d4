import { expect, test } from "vitest";
import { createDice } from "../../../scripts/dice.ts";
import {
  isMtaStsRecord,
  matchesMtaSts,
  parseMtaStsPolicy,
  parseMtaStsRecord,
} from "../../../src/analyzer/dns/mta-sts.ts";

test.each([
  ["v=STSv1; id=20261121T100000;", "20261121T100000"],
  ["v=STSv1;id=1", "1"],
  ["v=STSv1 \t;\tid=a ; future-tag.x=yes,indeed", "a"],
  ["v=STSv1; id=first; id=second", "first"],
  [`v=STSv1; id=${"9".repeat(32)}`, "9".repeat(32)],
])("the record %s has the id %s", (text, id) => {
  expect(parseMtaStsRecord(text)).toEqual({ ok: true, record: { id } });
});

test.each([
  ["v=STSv1", "it has no id="],
  ["v=STSv1;", "it has no id="],
  ["v=STSv1; ID=1", "it has no id="],
  ["v=stsv1; id=1", 'it does not begin with "v=STSv1;"'],
  ["v = STSv1; id=1", 'it does not begin with "v=STSv1;"'],
  [" v=STSv1; id=1", 'it does not begin with "v=STSv1;"'],
  ["v=STSv12; id=1", 'it does not begin with "v=STSv1;"'],
  ["id=1; v=STSv1", 'it does not begin with "v=STSv1;"'],
  ["v=STSv1; id=2026-11-21", "id= must be 1 to 32 letters and digits"],
  [`v=STSv1; id=${"9".repeat(33)}`, "id= must be 1 to 32 letters and digits"],
  ["v=STSv1; id=", "the value of id= cannot be read"],
  ["v=STSv1; id=1; ; x=1", "there is an empty field between two semicolons"],
  ["v=STSv1; id=1; nonsense", "a field is not in the form name=value"],
  ["v=STSv1; id=1; x = 1", "a field is not in the form name=value"],
])("the record %s is rejected: %s", (text, problem) => {
  expect(parseMtaStsRecord(text)).toEqual({ ok: false, problem });
});

test("a misspelled record is recognized, and other text is not", () => {
  expect(["v=stsv1; id=1", " v = STSv1", "v=STSv1"].every(isMtaStsRecord)).toBe(true);
  expect(["v=spf1 -all", "id=1", "", "STSv1"].some(isMtaStsRecord)).toBe(false);
});

const policy = (...lines: readonly string[]) => lines.join("\r\n");

test.each([
  [
    policy("version: STSv1", "mode: enforce", "mx: mail.a.example", "mx: *.a.example", "max_age: 604800", ""),
    { mode: "enforce", mx: ["mail.a.example", "*.a.example"], maxAgeSeconds: 604_800 },
  ],
  ["version:STSv1\nmode:none\nmax_age:0", { mode: "none", mx: [], maxAgeSeconds: 0 }],
  [
    policy("mode: testing", "mode: enforce", "future: x", "max_age: 31557600", "version: STSv1 ", "mx: a.example"),
    { mode: "testing", mx: ["a.example"], maxAgeSeconds: 31_557_600 },
  ],
])("the policy %j is accepted", (text, expected) => {
  expect(parseMtaStsPolicy(text)).toEqual({ ok: true, policy: expected });
});

const good = ["version: STSv1", "mode: enforce", "mx: a.example", "max_age: 86400"];
const without = (index: number, instead?: string) =>
  policy(...good.flatMap((line, at) => (at === index ? (instead ?? []) : line)));

test.each([
  ["", 'the line "version: STSv1" is missing'],
  [without(0), 'the line "version: STSv1" is missing'],
  [without(0, "version: stsv1"), 'the line "version: STSv1" is missing'],
  [without(1), "mode must be enforce, testing, or none"],
  [without(1, "mode: Enforce"), "mode must be enforce, testing, or none"],
  [without(2), "it has no mx line"],
  [without(2, "mx: 203.0.113.7:25"), "an mx line has no valid hostname"],
  [without(2, "mx: *"), "an mx line has no valid hostname"],
  [without(2, "mx: a.*.example"), "an mx line has no valid hostname"],
  [without(2, "mx: a.example."), "an mx line has no valid hostname"],
  [without(3), "max_age must be a number of seconds up to 31557600"],
  [without(3, "max_age: 31557601"), "max_age must be a number of seconds up to 31557600"],
  [without(3, "max_age: -1"), "max_age must be a number of seconds up to 31557600"],
  [without(3, "max_age 86400"), 'a line is not in the form "name: value"'],
  ["<html><body>Not Found</body></html>", 'a line is not in the form "name: value"'],
])("the policy %j is rejected: %s", (text, problem) => {
  expect(parseMtaStsPolicy(text)).toEqual({ ok: false, problem });
});

test.each([
  ["mail.a.example", "mail.a.example", true],
  ["MAIL.a.example", "mail.A.example", true],
  ["mail.a.example", "*.a.example", true],
  ["a.b.a.example", "*.a.example", false],
  ["a.example", "*.a.example", false],
  [".a.example", "*.a.example", false],
  ["mail.b.example", "*.a.example", false],
  ["evil-a.example", "*.a.example", false],
  ["mail.a.example", "a.example", false],
])("the host %s matches the pattern %s: %s", (host, pattern, matches) => {
  expect(matchesMtaSts(host, pattern)).toBe(matches);
});

test("long invalid input is parsed quickly", () => {
  const texts = [",", ", ", " ", "a,", "a;", "=", "v=STSv1;", "x=1;"].map((piece) => piece.repeat(20_000));
  for (const text of texts) {
    parseMtaStsRecord(`v=STSv1; id=${text}`);
    parseMtaStsRecord(`v=STSv1; id=1; x=a${text}\u0001`);
    parseMtaStsPolicy(text);
    isMtaStsRecord(text);
  }
  const dice = createDice(3);
  const pieces = ["v=STSv1", ";", "id=", "mx: ", "\n", "mode: enforce", "*.", "a.example", ",", " ", "\0", "é"];
  for (let round = 0; round < 5_000; round++) {
    const text = Array.from({ length: dice(20) }, () => pieces[dice(pieces.length)]).join("");
    expect(typeof parseMtaStsRecord(text).ok).toBe("boolean");
    expect(typeof parseMtaStsPolicy(text).ok).toBe("boolean");
  }
});
