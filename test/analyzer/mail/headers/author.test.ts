import { describe, expect, test } from "vitest";
import { readAuthor } from "../../../../src/analyzer/mail/headers/author.ts";
import { readHeaderSection } from "../../../../src/analyzer/mail/headers/fields.ts";

const read = (headers: string | Uint8Array) =>
  readAuthor(readHeaderSection(typeof headers === "string" ? Buffer.from(headers, "utf8") : headers));
const readFrom = (from: string) => read(`To: b@b.example\r\nFrom: ${from}\r\n\r\n`);

describe("the author is found in From", () => {
  test.each([
    ["a bare address", "ann@a.example", "a.example"],
    ["an address in brackets", "<ann@a.example>", "a.example"],
    ["a name and an address", "Ann Smith <ann@a.example>", "a.example"],
    ["a domain in capitals", "Ann <ann@A.Example>", "a.example"],
    ["a name with a dot (RFC 5322 §4.1)", "Ann B. Smith <ann@a.example>", "a.example"],
    ["a quoted name with delimiters", '"Smith, Ann; <CEO>" <ann@a.example>', "a.example"],
    ["a quoted name with quoted pairs", '"Ann \\"the\\" Smith" <ann@a.example>', "a.example"],
    ["a name in UTF-8 (RFC 6532)", "Jürgen Müller <j@a.example>", "a.example"],
    ["a name with a hard space", "Ann\u00a0Smith <ann@a.example>", "a.example"],
    ["an encoded name", "=?utf-8?Q?J=C3=BCrgen=2C_Ann?= <j@a.example>", "a.example"],
    ["an encoded name of several words", "=?utf-8?Q?J=C3=BC?= =?utf-8?Q?rgen?= <j@a.example>", "a.example"],
    ["an encoded name with spaces, as some programs write", "=?utf-8?Q?J=C3=BC rgen?= <j@a.example>", "a.example"],
    ["an encoded name right before the bracket", "=?utf-8?Q?J=C3=BCrgen?=<j@a.example>", "a.example"],
    ["an encoded name that is the address", "=?utf-8?Q?j=40a.example?= <j@a.example>", "a.example"],
    ["a comment behind the address", "ann@a.example (Ann Smith)", "a.example"],
    ["nested comments", "(a (b) c) Ann (d) <ann@a.example> (e)", "a.example"],
    ["a folded field", "Ann\r\n Smith\r\n\t<ann@a.example>", "a.example"],
    ["spaces inside the brackets", "Ann < ann@a.example >", "a.example"],
    ["a quoted local part", '"ann smith"@a.example', "a.example"],
    ["a local part with a percent sign", "ann%b.example@a.example", "a.example"],
    ["a local part with an exclamation mark", "b.example!ann@a.example", "a.example"],
    ["a local part in UTF-8 (RFC 6531)", "jürgen@a.example", "a.example"],
    ["a U-label", "a@münchen.example", "xn--mnchen-3ya.example"],
    ["a U-label in capitals", "a@MÜNCHEN.example", "xn--mnchen-3ya.example"],
    ["an A-label", "a@xn--mnchen-3ya.example", "xn--mnchen-3ya.example"],
    ["a label that older rules mapped away", "a@faß.example", "xn--fa-hia.example"],
    ["a name of one label", "root@localhost", "localhost"],
    ["a group of one (RFC 6854)", "Team: ann@a.example;", "a.example"],
    ["several of one domain (RFC 9989 §5.3.1)", "a@a.example, B <b@A.example>", "a.example"],
    ["a group and an address of one domain", "Team: a@a.example; , b@a.example", "a.example"],
    ["one whose quoted name tells another address", '"bob@b.example via A" <list@a.example>', "a.example"],
    ["one whose bare name is the address", "ann@a.example <ann@a.example>", "a.example"],
    ["the same in other capitals", "Ann@A.Example <ann@a.example>", "a.example"],
    ["the same without a space", "ann@a.example<ann@a.example>", "a.example"],
    ["one whose bare name has an address in it", "Ann ann@a.example Smith <a@a.example>", "a.example"],
    ["the same with dots and a fold", "Ann B. ann.smith@a.example\r\n <ann@a.example>", "a.example"],
    ["a person @ a company", "Ann @ Acme <ann@a.example>", "a.example"],
    ["a person with initials @ a company", "Ann B. Smith @ Acme & Sons <ann@a.example>", "a.example"],
    ["an empty quoted name", '"" <ann@a.example>', "a.example"],
    ["a quoted name and spaces at both ends", '  "Ann" <ann@a.example> \t ', "a.example"],
    ["a comment between name and address", "Ann (Sales) <ann@a.example>", "a.example"],
    ["an encoded word beside plain ones", "=?utf-8?Q?J=C3=BC?= Smith <j@a.example>", "a.example"],
    ["a quoted word beside plain ones", 'Ann "Nick" Smith <ann@a.example>', "a.example"],
    ["an apostrophe, a bar and an ampersand", "Ann's Shop | A & B <ann@a.example>", "a.example"],
    ["a domain with a closing dot", "Ann <ann@a.example.>", "a.example"],
    ["a bare address with a closing dot", "ann@a.example.", "a.example"],
    ["a deep domain in capitals", "<ANN@NEWS.MAIL.A.EXAMPLE>", "news.mail.a.example"],
    ["the same with a comment's brackets", '"bob@b.example (Tracker)" <list@a.example>', "a.example"],
    ["a name with a handle, as GitLab writes it", '"Ann Smith (@ann)" <gitlab@a.example>', "a.example"],
    ["a handle with a dot", '"Ann Smith (@ann.smith)" <gitlab@a.example>', "a.example"],
    ["a handle in a comment", "Ann Smith (@ann) <gitlab@a.example>", "a.example"],
    ["an encoded name with a handle", "=?utf-8?Q?J=C3=BC_=28=40jue-1=29?= <gitlab@a.example>", "a.example"],
    ["an encoded name and a handle", "=?utf-8?Q?J=C3=BC?= (@jue) <gitlab@a.example>", "a.example"],
    ["a handle with a dot behind its comment", "ceo (@b).example <a@a.example>", "a.example"],
    ["a handle right behind a name", "ceo(@b) <a@a.example>", "a.example"],
    ["two handles", "ceo (@b) (@c) <a@a.example>", "a.example"],
    ["two @ that stand alone", "ceo @ b @ c <a@a.example>", "a.example"],
    ["an @ alone before a comment", "ceo @ b (.example) <a@a.example>", "a.example"],
    ["an @ alone before quotation marks", 'ceo @ b ".example" <a@a.example>', "a.example"],
    ["a bare name with a space behind the @", "ceo@ a.example <a@a.example>", "a.example"],
    ["a bare name with a space before the @", "ceo @a.example <a@a.example>", "a.example"],
    ["a bare name that begins with an @", "@a.example <a@a.example>", "a.example"],
    ["a bare address and a comment", "ceo@a.example (b.example) <a@a.example>", "a.example"],
    ["a comment and a bare address", "(b) ceo@a.example <a@a.example>", "a.example"],
    ["a comment in a bare address", "ceo@(b.example)a.example <a@a.example>", "a.example"],
    ["a bare address and a quoted name", '"ceo" ceo@a.example <a@a.example>', "a.example"],
    ["a bare address with a colon", "To: ceo@a.example <a@a.example>", "a.example"],
    ["a bare address with a slash", "ceo@a.example/b.example <a@a.example>", "a.example"],
    ["a backslash outside quotation marks", "A\\B <a@a.example>", "a.example"],
    ["a word of an unreadable encoding", "=?utf-8?X?abc?= =?utf-8?Q?ab <a@a.example>", "a.example"],
    ["a list that tells the author", "'ann@b.example' via List <list@a.example>", "a.example"],
    ["the same without apostrophes", "ann@b.example via List <list@a.example>", "a.example"],
    ["the same encoded", "=?utf-8?Q?=27ann=40b=2Eexample=27_via_B=C3=BCro?= <buero@a.example>", "a.example"],
    ["a name with a comma", "Shop, Inc. <shop@a.example>", "a.example"],
    ["a name with an encoded line end", "=?utf-8?Q?Ann=0A?= <ann@a.example>", "a.example"],
    ["a charset that is unknown", "=?x-none?Q?Ann?= <ann@a.example>", "a.example"],
    ["an encoded name that speaks of a handle", "=?utf-8?Q?J=C3=BC_at_=40acme!?= <j@a.example>", "a.example"],
  ])("for %s", (_, from, domain) => {
    expect(readFrom(from)).toMatchObject({ ok: true, domain, rivals: [], says: null });
  });

  test("with the address as written and the number of addresses", () => {
    expect(readFrom("Ann <Ann@A.Example>, b@a.example")).toEqual({
      ok: true,
      address: "Ann@A.Example",
      domain: "a.example",
      mailboxes: 2,
      rivals: [],
      says: null,
    });
  });

  test("for a name whose bytes are not UTF-8", () => {
    const headers = Buffer.from('From: "J\xfcrgen" <j@a.example>\r\n\r\n', "latin1");
    expect(read(headers)).toMatchObject({ ok: true, domain: "a.example" });
  });
});

describe("an email client could show another domain", () => {
  test.each([
    ["a bare name that is an address elsewhere", "ceo@b.example <a@a.example>", "b.example"],
    ["a bare name that is an address below the domain", "ceo@b.a.example <a@a.example>", "b.a.example"],
    ["a bare name that is an address above the domain", "ceo@a.example <a@b.a.example>", "a.example"],
    ["a bare name with two addresses", "a@a.example ceo@b.example <a@a.example>", "b.example"],
    ["a bare name with two @", "ceo@b.example@a.example <a@a.example>", "b.example"],
    ["a bare name with spaces about the @", "ceo @ b.example <a@a.example>", "b.example"],
    ["the same with spaces about the dot", "ceo @ b . example <a@a.example>", "b.example"],
    ["the same with a wide dot", "ceo @ b\u3002example <a@a.example>", "b.example"],
    ["the same with a full-width @", "ceo \uff20 b.example <a@a.example>", "b.example"],
    ["the same with an encoded name behind it", "ceo @ =?utf-8?Q?b.example?= <a@a.example>", "b.example"],
    ["the same with an encoded dot behind it", "ceo @ b =?utf-8?Q?=2Eexample?= <a@a.example>", "b.example"],
    ["an address in the brackets of a quoted name", '"ceo (ceo@b.example)" <a@a.example>', "b.example"],
    ["a handle with a dot in a comment", "ceo (@b.example) <a@a.example>", "b.example"],
    ["an encoded handle with a dot", "=?utf-8?Q?ceo_=40b.example?= <a@a.example>", "b.example"],
    ["a bare address and an encoded one", "=?utf-8?Q?ceo=40b.example?= a@a.example <a@a.example>", "b.example"],
    ["an address in a comment", "a@a.example (ceo@b.example)", "b.example"],
    ["a word of an unknown charset", "=?x-none?Q?ceo=40b.example?= <a@a.example>", "b.example"],
    ["an encoded word without an end", "=?utf-8?Q?ceo=40b.example <a@a.example>", "b.example"],
    ["UTF-7", "=?utf-7?Q?ceo+AEA-b.example?= <a@a.example>", "b.example"],
  ])("for %s", (_, from, rival) => {
    const author = readFrom(from);
    expect(author).toMatchObject({ ok: true, says: expect.stringContaining("second address") });
    expect(author.ok && author.domain).toMatch(/a\.example$/);
    expect(author.ok && author.rivals).toContain(rival);
  });
});

describe("no author is found in From", () => {
  test.each([
    ["an empty field", "", "none"],
    ["an empty group", "undisclosed-senders:;", "none"],
    ["a name alone", "Shop", "unreadable"],
    ["empty brackets", "<>", "unreadable"],
    ["a comment alone", "(ann@a.example)", "unreadable"],
    ["two domains", "a@a.example, b@b.example", "several-domains"],
    ["two organisations' subdomains", "a@x.a.example, b@y.a.example", "several-domains"],
    ["an address literal", "a@[192.0.2.1]", "no-domain"],
    ["an address without brackets", "a@192.0.2.1", "no-domain"],
    ["a domain with an empty label", "a@a..example", "unreadable"],
    ["a domain with two closing dots", "a@a.example..", "unreadable"],
    ["a closing dot alone", "a@.", "unreadable"],
    ["a literal with a closing dot", "a@[192.0.2.1].", "no-domain"],
    ["a label of 64 characters", `a@${"x".repeat(64)}.example`, "no-domain"],
    ["a label that begins with a hyphen", "a@-a.example", "no-domain"],
    ["a domain with a quote", "a@b.example'.a.example", "no-domain"],
    ["full-width letters", "a@ａ.example", "no-domain"],
    ["a full-width dot", "a@a。example", "no-domain"],
    ["dots side by side in the local part", "a..b@a.example", "unreadable"],
    ["a route", "<@b.example:a@a.example>", "unreadable"],
    ["a bare address with a comma", "ceo@b.example, <a@a.example>", "several-domains"],
    ["a list that ends in a comma", "a@a.example,", "unreadable"],
    ["a group in a group", "A: B: a@a.example;;", "unreadable"],
    ["a colon without a group", "a@a.example: x", "unreadable"],
    ["something behind a group", "A: a@a.example; b@a.example", "unreadable"],
    ["brackets the wrong way", ">a@a.example<", "unreadable"],
    ["a control character", "A\u0007 <a@a.example>", "ambiguous"],
    ["a local part with a line separator", '"a\u2028b"@a.example', "ambiguous"],
    ["ten thousand bytes", `"${"x".repeat(10_000)}" <a@a.example>`, "too-long"],
  ])("for %s", (_, from, why) => {
    expect(readFrom(from)).toMatchObject({ ok: false, why });
  });

  test("for a message without From, or with two", () => {
    expect(read("To: b@b.example\r\n\r\n")).toMatchObject({ ok: false, why: "none" });
    expect(read("From: a@a.example\r\nFrom: a@a.example\r\n\r\n")).toMatchObject({ why: "several-fields" });
  });

  test("for a name with a backslash that GBK reads as part of a character", () => {
    const headers = Buffer.from('From: "\x81\\" <b@a.example>\r\n\r\n', "latin1");
    expect(read(headers)).toMatchObject({ ok: false, why: "ambiguous" });
  });
});

test("without an author, the domains that a receiver could choose are listed", () => {
  const candidates = (headers: string) => {
    const author = read(`${headers}\r\n\r\n`);
    return author.ok ? null : author.candidates;
  };
  expect(candidates("From: a@a.example\r\nFrom: b@b.example")).toEqual(["a.example", "b.example"]);
  expect(candidates("From: a@a.example, b@b.example")).toEqual(["a.example", "b.example"]);
  expect(candidates("From: a@a.example\r\nFrom\0: b@b.example")).toEqual(["a.example", "b.example"]);
  expect(candidates("From: <@c.example:a@a.example>")).toEqual(["c.example", "a.example"]);
  expect(candidates(`From: ${"(x)".repeat(20_000)} a@a.example`)).toEqual(["a.example"]);
  expect(candidates("From: Shop")).toEqual([]);
});

test("a folded Subject that contains From: is not a second From field", () => {
  expect(read("Subject: hi\r\n From: bob\r\nFrom: a@a.example\r\n\r\n")).toMatchObject({ ok: true });
});

test("the reason quotes the field, shortened and without NUL", () => {
  const author = readFrom(`${"x".repeat(500)}\0@`);
  expect(author.ok ? "" : author.says).toMatch(/^The From header contains a control character.*…$/);
});

test.each([
  ["a From field of 1 MB", `From: ${"a@a.example, ".repeat(80_000)}`],
  ["100,000 From fields", "From: a@a.example\r\n".repeat(100_000)],
  ["100,000 lines that are no field", "From\0: a@a.example\r\n".repeat(100_000)],
  ["400,000 bare carriage returns", `X: ${"\r ".repeat(400_000)}\r\nFrom: a@a.example`],
  ["a From field of brackets", `From: ${'<("'.repeat(3_000)}`],
  ["a From field of encoded words", `From: ${"=?a?b?".repeat(1_600)}`],
  ["a From field of groups", `From: ${"a:b@a.example;,".repeat(660)}`],
])("%s is handled quickly", (_, headers) => {
  expect(read(`${headers}\r\n\r\n`).ok).toBeTypeOf("boolean");
});
