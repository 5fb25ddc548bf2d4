import { describe, expect, test } from "vitest";
import { createDice } from "../../../../scripts/dice.ts";
import { type PathReading, parsePath, readParameter } from "../../../../src/features/intake/smtp/envelope-commands.ts";

const forward = (rest: string) => parsePath(rest, "forward");
const reverse = (rest: string) => parsePath(rest, "reverse");
const problem = (reading: PathReading) => (reading.ok ? "none" : reading.problem);

describe("an SMTP path", () => {
  test.each<[string, string, string, string]>([
    ["an ordinary address", "ann@sender.example", "ann", "sender.example"],
    ["capital letters, kept as sent", "Ann@Sender.EXAMPLE", "Ann", "Sender.EXAMPLE"],
    ["a plus label", "w7k3qz2m9p+welcome-flow@seed.example", "w7k3qz2m9p+welcome-flow", "seed.example"],
    ["an A-label, kept as sent", "ann@xn--bcher-kva.example", "ann", "xn--bcher-kva.example"],
    ["a U-label, kept as sent", "Änne@bücher.example", "Änne", "bücher.example"],
    ["another script", "用户@例え.テスト", "用户", "例え.テスト"],
    ["every character of an atom", "!#$%&'*+-/=?^_`{|}~@a.example", "!#$%&'*+-/=?^_`{|}~", "a.example"],
    ["two adjacent dots", "a..b@sender.example", "a..b", "sender.example"],
    ["a dot at the beginning", ".a@sender.example", ".a", "sender.example"],
    ["a dot at the end", "a.@sender.example", "a.", "sender.example"],
    ["an underscore in the domain", "ann@my_host.example", "ann", "my_host.example"],
    ["a domain of one label", "root@localhost", "root", "localhost"],
    ["an IPv4 literal", "ann@[192.0.2.1]", "ann", "[192.0.2.1]"],
    ["an IPv6 literal", "ann@[IPv6:2001:db8::1]", "ann", "[IPv6:2001:db8::1]"],
    ["an IPv6 literal in lowercase", "ann@[ipv6:::1]", "ann", "[ipv6:::1]"],
    ["quotes", '"ann"@sender.example', "ann", "sender.example"],
    ["spaces in quotes", '"ann of sender"@sender.example', "ann of sender", "sender.example"],
    ["an @ in quotes", '"a@b"@sender.example', "a@b", "sender.example"],
    ["a bracket in quotes", '"a>b<c"@sender.example', "a>b<c", "sender.example"],
    ["escapes", String.raw`"a\"b\\c\d"@sender.example`, String.raw`a"b\cd`, "sender.example"],
    ["an empty quoted string", '""@sender.example', "", "sender.example"],
    ["a percent hack", "ann%elsewhere.example@seed.example", "ann%elsewhere.example", "seed.example"],
    ["a bang path", "elsewhere.example!ann@seed.example", "elsewhere.example!ann", "seed.example"],
    ["a long return path", `bounce+${"x".repeat(249)}@a.example`, `bounce+${"x".repeat(249)}`, "a.example"],
  ])("an SMTP path may contain %s", (_what, path, localPart, domain) => {
    const expected = { ok: true, path, localPart, domain, parameters: [] };
    expect(forward(`<${path}>`)).toEqual(expected);
    expect(reverse(`<${path}>`)).toEqual(expected);
  });

  test("an SMTP path loses its source route", () => {
    const path = "ann@seed.example";
    expect(forward(`<@one.example:${path}>`)).toMatchObject({ ok: true, path, domain: "seed.example" });
    expect(forward(`<@one.example,@two.example:${path}>`)).toMatchObject({ ok: true, path });
    expect(forward('<@one.example:"a:b"@seed.example>')).toMatchObject({ localPart: "a:b" });
  });

  test("an SMTP path may be empty only in MAIL FROM", () => {
    expect(reverse("<>")).toEqual({ ok: true, path: "", domain: null, localPart: "", parameters: [] });
    expect(problem(forward("<>"))).toBe("address");
  });

  test("an SMTP path may be the postmaster without a domain only in RCPT TO", () => {
    expect(forward("<PostMaster>")).toMatchObject({ path: "PostMaster", domain: null, localPart: "PostMaster" });
    expect(problem(reverse("<postmaster>"))).toBe("address");
    expect(problem(forward("<ann>"))).toBe("address");
  });

  test("an SMTP path may have spaces before and after", () => {
    expect(forward("  <ann@seed.example>  ")).toMatchObject({ ok: true, path: "ann@seed.example" });
  });

  test.each([
    ["no brackets", "ann@seed.example"],
    ["nothing", ""],
    ["only spaces", "  "],
    ["no closing bracket", "<ann@seed.example"],
    ["no opening bracket", "ann@seed.example>"],
    ["a closing bracket only inside quotes", '<"ann@seed.example>'],
    ["an escape at its end", '<"ann\\'],
    ["text before it", "Ann <ann@seed.example>"],
    ["text right after it", "<ann@seed.example>SIZE=1"],
    ["a second path right after it", "<ann@seed.example><bob@seed.example>"],
    ["a tab before it", "\t<ann@seed.example>"],
  ])("an SMTP path is a syntax error with %s", (_what, rest) => {
    expect(problem(forward(rest))).toBe("syntax");
  });

  test.each([
    ["no domain", "ann@"],
    ["no local part", "@seed.example"],
    ["a second @", "ann@elsewhere.example@seed.example"],
    ["a space", "an n@seed.example"],
    ["a space at its beginning", " ann@seed.example"],
    ["a space in the domain", "ann@seed .example"],
    ["a Unicode space", "an\u00a0n@seed.example"],
    ["a Unicode space in quotes", '"an\u2003n"@seed.example'],
    ["a control character", "an\u0001n@seed.example"],
    ["a NUL", "ann\0@seed.example"],
    ["a tab in quotes", '"an\tn"@seed.example'],
    ["an escaped control character", '"an\\\u0007n"@seed.example'],
    ["a carriage return", "ann@seed.example\r"],
    ["a zero-width space", "an\u200bn@seed.example"],
    ["a zero-width joiner", "an\u200dn@seed.example"],
    ["a soft hyphen", "an\u00adn@seed.example"],
    ["a direction override", "an\u202en@seed.example"],
    ["a line separator", "an\u2028n@seed.example"],
    ["a C1 control character", "an\u0085n@seed.example"],
    ["bytes that are not UTF-8", "an\ufffdn@seed.example"],
    ["half a surrogate", "an\ud800n@seed.example"],
    ["a comma", "ann,bob@seed.example"],
    ["a bracket", "an<n@seed.example"],
    ["a parenthesis", "ann(comment)@seed.example"],
    ["an escape outside quotes", "an\\n@seed.example"],
    ["a quote in the middle", 'an"n"@seed.example'],
    ["text after the quotes", '"ann"x@seed.example'],
    ["an empty label", "ann@seed..example"],
    ["a dot at the domain's end", "ann@seed.example."],
    ["a dot at the domain's beginning", "ann@.seed.example"],
    ["a label of 64 characters", `ann@${"x".repeat(64)}.example`],
    ["a domain of 256 bytes", `ann@${"x.".repeat(127)}xy`],
    ["a local part of 257 bytes", `${"x".repeat(257)}@seed.example`],
    ["more than 512 bytes", `${"ä".repeat(120)}@${"ä.".repeat(140)}example`],
    ["an invalid IPv4 literal", "ann@[192.0.2.256]"],
    ["an IPv6 literal without its tag", "ann@[2001:db8::1]"],
    ["an IPv6 literal with a zone", "ann@[IPv6:fe80::1%eth0]"],
    ["a literal of another kind", "ann@[x400:c=us]"],
    ["an unclosed literal", "ann@[192.0.2.1"],
    ["a port after its domain", "ann@seed.example:25"],
    ["a route without its colon", "@one.example ann@seed.example"],
    ["a route without an address", "@one.example:"],
    ["a route with an empty hop", "@one.example,:ann@seed.example"],
    ["a route with a wrong hop", "@one.example,two.example:ann@seed.example"],
    ["two routes", "@one.example:@two.example:ann@seed.example"],
  ])("an SMTP path is invalid with %s", (_what, path) => {
    expect(problem(forward(`<${path}>`))).toBe("address");
  });
});

describe("SMTP parameters", () => {
  const read = (text: string) => reverse(`<ann@sender.example>${text}`);

  test("SMTP parameters are kept as sent, in their order", () => {
    const parameters = [
      "SIZE=1234",
      "body=8BITMIME",
      "SMTPUTF8",
      "ORCPT=rfc822;Ann+2B@a.example",
      "ENVID=QQ==",
      "X-9=ä",
    ];
    expect(read(` ${parameters.join("  ")} `)).toMatchObject({ ok: true, parameters });
  });

  test.each([
    ["a key of wrong characters", " SI_ZE=1"],
    ["a key that begins with a hyphen", " -SIZE=1"],
    ["no key", " =1"],
    ["an equals sign and no value", " SIZE="],
    ["a control character", " SIZE=1\u0007"],
    ["a tab between them", " SIZE=1\tSMTPUTF8"],
    ["a zero-width character", " ENVID=a\u200bb"],
    ["a wide space", " ENVID=a\u2003b"],
    ["a repeated parameter", " SIZE=1 BODY=8BITMIME size=2"],
    ["more than twenty of them", Array.from({ length: 21 }, (_, n) => ` K${n}`).join("")],
    ["one of more than 500 bytes", ` ENVID=${"x".repeat(495)}`],
    ["an address", " <bob@seed.example>"],
  ])("SMTP parameters are rejected with %s", (_what, text) => {
    expect(problem(read(text))).toBe("parameter");
  });

  test("SMTP parameters may be twenty of 500 bytes each", () => {
    const text = Array.from({ length: 20 }, (_, n) => ` K${String(n).padStart(2, "0")}=${"x".repeat(496)}`).join("");
    expect(read(text).ok).toBe(true);
  });

  test("SMTP parameters are found in any letter case", () => {
    const parameters = ["size=12=3", "SMTPUTF8"];
    expect(readParameter(parameters, "SIZE")).toBe("12=3");
    expect(readParameter(parameters, "smtputf8")).toBe(true);
    expect(readParameter(parameters, "BODY")).toBeUndefined();
  });
});

test("no text makes the parser throw, and accepted text is safe to show and store", () => {
  const dice = createDice(4);
  const pieces = [
    "<",
    ">",
    "@",
    '"',
    "\\",
    " ",
    ".",
    ":",
    ",",
    "[",
    "]",
    "IPv6:",
    "a",
    "seed.example",
    "ä",
    "\u200b",
    "\0",
    "\r",
    "=",
    "SIZE=1",
    "x".repeat(300),
    "postmaster",
  ];
  let taken = 0;
  for (let round = 0; round < 5_000; round++) {
    const length = 1 + dice(8);
    const text = Array.from({ length }, () => pieces[dice(pieces.length)]).join("");
    for (const kind of ["reverse", "forward"] as const) {
      const reading = parsePath([text, `<a@${text}`, `<${text}@seed.example>`][dice(3)] ?? "", kind);
      if (!reading.ok) continue;
      taken++;
      expect([reading.path, ...reading.parameters].join(" ")).not.toMatch(/[\p{Cc}\u200b]/u);
      expect(reading.path === "" ? null : reading.path).toSatisfy((path: string | null) =>
        path === null ? reading.domain === null : path.endsWith(reading.domain ?? path),
      );
    }
  }
  expect(taken).toBeGreaterThan(50);
});

test("a megabyte of any input is parsed in linear time", () => {
  for (const piece of ['"', "\\", "<", "@", "a.", "@a,", "@a:", "[", "ä", " ", " K", "=", ">", '"a" ']) {
    const vast = piece.repeat(1_000_000 / piece.length);
    for (const text of [vast, `<${vast}`, `<${vast}>`, `<@${vast}:a@b>`, `<a@b> ${vast}`, `<"${vast}"@b>`])
      expect(parsePath(text, "forward").ok).toBe(text === `<a@b> ${vast}` && piece === " ");
  }
});
