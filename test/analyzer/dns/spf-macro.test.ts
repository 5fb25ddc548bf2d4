import { describe, expect, test } from "vitest";
import { expandToName, expandToText, type MacroLetter, parseMacroString } from "../../../src/analyzer/dns/spf-macro.ts";

/** The example of RFC 7208 §7.4. */
const values: Readonly<Record<MacroLetter, string>> = {
  s: "strong-bad@email.example.com",
  l: "strong-bad",
  o: "email.example.com",
  d: "email.example.com",
  i: "192.0.2.3",
  p: "mx.example.org",
  v: "in-addr",
  h: "mx.example.org",
  c: "192.0.2.3",
  r: "mail.receiver.example",
  t: "1700000000",
};

function expand(text: string, place: "term" | "explanation" = "term") {
  const parsed = parseMacroString(text, place);
  if (!parsed.ok) throw new Error(parsed.problem);
  return place === "term"
    ? expandToName(parsed.macro, (letter) => values[letter])
    : expandToText(parsed.macro, (letter) => values[letter], 1_000);
}

test.each([
  ["%{s}", "strong-bad@email.example.com"],
  ["%{o}", "email.example.com"],
  ["%{d4}", "email.example.com"],
  ["%{d2}", "example.com"],
  ["%{d1}", "com"],
  ["%{dr}", "com.example.email"],
  ["%{d2r}", "example.email"],
  ["%{D2R}", "example.email"],
  ["%{l}", "strong-bad"],
  ["%{l-}", "strong.bad"],
  ["%{lr}", "strong-bad"],
  ["%{lr-}", "bad.strong"],
  ["%{l1r-}", "strong"],
  ["%{d999999999999999999999}", "email.example.com"],
  ["%{ir}.%{v}._spf.%{d2}", "3.2.0.192.in-addr._spf.example.com"],
  ["%{lr-}.lp._spf.%{d2}", "bad.strong.lp._spf.example.com"],
  ["%{d2}.trusted-domains.example.net", "example.com.trusted-domains.example.net"],
  ["a%%b%_c%-d.example.com.", "a%b c%20d.example.com"],
])("the SPF macro %s expands as RFC 7208 §7.4 requires", (macro, name) => {
  expect(expand(macro)).toBe(name);
});

test("an uppercase macro letter escapes all but unreserved characters", () => {
  const parsed = parseMacroString("%{L}", "explanation");
  if (!parsed.ok) throw new Error(parsed.problem);
  const value = "~a!b'c(d)e*f&g=h_i.j\u00e9\ud800";
  expect(expandToText(parsed.macro, () => value, 100)).toBe("~a%21b%27c%28d%29e%2Af%26g%3Dh_i.j%C3%A9%EF%BF%BD");
});

test("an explanation may contain spaces, the letters c, r, and t, and a final dot", () => {
  expect(expand("%{c} at %{t} refused by %{r}.", "explanation")).toBe(
    "192.0.2.3 at 1700000000 refused by mail.receiver.example.",
  );
});

describe("an expanded name that is too long (RFC 7208 §7.3)", () => {
  test("an expanded name that is too long (RFC 7208 §7.3) loses labels on its left until it has at most 253 characters", () => {
    const name = expand(`${"0123456789.".repeat(30)}%{d}`);
    expect(name).toBe(`${"0123456789.".repeat(21)}email.example.com`);
    expect(expand(`${"a.".repeat(500)}com.`)).toHaveLength(253);
  });

  test("an expanded name that is too long (RFC 7208 §7.3) is the same regardless of the length of the removed part", () => {
    const tail = "%{o}.".repeat(14);
    expect(expand(`${"%{s}".repeat(10_000)}.${tail}com`)).toBe(expand(`x.${tail}com`));
  });
});
