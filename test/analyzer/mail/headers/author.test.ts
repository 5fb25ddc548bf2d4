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
    ["a name with a no-break space", "Ann\u00a0Smith <ann@a.example>", "a.example"],
    ["an encoded name", "=?utf-8?Q?J=C3=BCrgen=2C_Ann?= <j@a.example>", "a.example"],
    ["an encoded name of several words", "=?utf-8?Q?J=C3=BC?= =?utf-8?Q?rgen?= <j@a.example>", "a.example"],
    ["an encoded name with spaces, as some programs write", "=?utf-8?Q?J=C3=BC rgen?= <j@a.example>", "a.example"],
    ["an encoded name right before the bracket", "=?utf-8?Q?J=C3=BCrgen?=<j@a.example>", "a.example"],
    ["an encoded name that is the address", "=?utf-8?Q?j=40a.example?= <j@a.example>", "a.example"],
    ["a comment after the address", "ann@a.example (Ann Smith)", "a.example"],
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
    ["several addresses of one domain (RFC 9989 §5.3.1)", "a@a.example, B <b@A.example>", "a.example"],
    ["a group and an address of one domain", "Team: a@a.example; , b@a.example", "a.example"],
    ["a quoted name with another address", '"bob@b.example via A" <list@a.example>', "a.example"],
    ["an unquoted name that is the address", "ann@a.example <ann@a.example>", "a.example"],
    ["an unquoted name that is the address in another case", "Ann@A.Example <ann@a.example>", "a.example"],
    ["an unquoted name that is the address without a space", "ann@a.example<ann@a.example>", "a.example"],
    ["an unquoted name that contains an address", "Ann ann@a.example Smith <a@a.example>", "a.example"],
    [
      "an unquoted name that contains an address, with dots and a fold",
      "Ann B. ann.smith@a.example\r\n <ann@a.example>",
      "a.example",
    ],
    ["a person @ a company", "Ann @ Acme <ann@a.example>", "a.example"],
    ["a person with initials @ a company", "Ann B. Smith @ Acme & Sons <ann@a.example>", "a.example"],
    ["an empty quoted name", '"" <ann@a.example>', "a.example"],
    ["a quoted name and spaces at both ends", '  "Ann" <ann@a.example> \t ', "a.example"],
    ["a comment between name and address", "Ann (Sales) <ann@a.example>", "a.example"],
    ["an encoded word next to plain ones", "=?utf-8?Q?J=C3=BC?= Smith <j@a.example>", "a.example"],
    ["a quoted word next to plain ones", 'Ann "Nick" Smith <ann@a.example>', "a.example"],
    ["an apostrophe, a bar, and an ampersand", "Ann's Shop | A & B <ann@a.example>", "a.example"],
    ["a domain with a final dot", "Ann <ann@a.example.>", "a.example"],
    ["a bare address with a final dot", "ann@a.example.", "a.example"],
    ["a deep domain in capitals", "<ANN@NEWS.MAIL.A.EXAMPLE>", "news.mail.a.example"],
    ["a quoted name with another address and a comment", '"bob@b.example (Tracker)" <list@a.example>', "a.example"],
    ["a name with a handle, as GitLab writes it", '"Ann Smith (@ann)" <gitlab@a.example>', "a.example"],
    ["a handle with a dot", '"Ann Smith (@ann.smith)" <gitlab@a.example>', "a.example"],
    ["a handle in a comment", "Ann Smith (@ann) <gitlab@a.example>", "a.example"],
    ["an encoded name with a handle", "=?utf-8?Q?J=C3=BC_=28=40jue-1=29?= <gitlab@a.example>", "a.example"],
    ["an encoded name and a handle", "=?utf-8?Q?J=C3=BC?= (@jue) <gitlab@a.example>", "a.example"],
    ["a handle in a comment followed by a dot", "ceo (@b).example <a@a.example>", "a.example"],
    ["a handle right after a name", "ceo(@b) <a@a.example>", "a.example"],
    ["two handles", "ceo (@b) (@c) <a@a.example>", "a.example"],
    ["two separate @", "ceo @ b @ c <a@a.example>", "a.example"],
    ["a separate @ before a comment", "ceo @ b (.example) <a@a.example>", "a.example"],
    ["a separate @ before quotation marks", 'ceo @ b ".example" <a@a.example>', "a.example"],
    ["an unquoted name with a space after the @", "ceo@ a.example <a@a.example>", "a.example"],
    ["an unquoted name with a space before the @", "ceo @a.example <a@a.example>", "a.example"],
    ["an unquoted name that begins with an @", "@a.example <a@a.example>", "a.example"],
    ["a bare address and a comment", "ceo@a.example (b.example) <a@a.example>", "a.example"],
    ["a comment and a bare address", "(b) ceo@a.example <a@a.example>", "a.example"],
    ["a comment in a bare address", "ceo@(b.example)a.example <a@a.example>", "a.example"],
    ["a bare address and a quoted name", '"ceo" ceo@a.example <a@a.example>', "a.example"],
    ["a bare address with a colon", "To: ceo@a.example <a@a.example>", "a.example"],
    ["a bare address with a slash", "ceo@a.example/b.example <a@a.example>", "a.example"],
    ["a backslash outside quotation marks", "A\\B <a@a.example>", "a.example"],
    ["a word in an unreadable encoding", "=?utf-8?X?abc?= =?utf-8?Q?ab <a@a.example>", "a.example"],
    ["a list that names the author", "'ann@b.example' via List <list@a.example>", "a.example"],
    ["a list that names the author without apostrophes", "ann@b.example via List <list@a.example>", "a.example"],
    [
      "a list that names the author in encoded words",
      "=?utf-8?Q?=27ann=40b=2Eexample=27_via_B=C3=BCro?= <buero@a.example>",
      "a.example",
    ],
    ["a name with a comma", "Shop, Inc. <shop@a.example>", "a.example"],
    ["a name with an encoded line ending", "=?utf-8?Q?Ann=0A?= <ann@a.example>", "a.example"],
    ["a charset that is unknown", "=?x-none?Q?Ann?= <ann@a.example>", "a.example"],
    ["an encoded name that contains a handle", "=?utf-8?Q?J=C3=BC_at_=40acme!?= <j@a.example>", "a.example"],
  ])("the author is found in From for %s", (_, from, domain) => {
    expect(readFrom(from)).toMatchObject({ ok: true, domain, rivals: [], says: null });
  });

  test("the author is found in From with the address as written and the number of addresses", () => {
    expect(readFrom("Ann <Ann@A.Example>, b@a.example")).toEqual({
      ok: true,
      address: "Ann@A.Example",
      domain: "a.example",
      mailboxes: 2,
      rivals: [],
      says: null,
    });
  });

  test("the author is found in From for a name whose bytes are not UTF-8", () => {
    const headers = Buffer.from('From: "J\xfcrgen" <j@a.example>\r\n\r\n', "latin1");
    expect(read(headers)).toMatchObject({ ok: true, domain: "a.example" });
  });
});

describe("an email client could show another domain", () => {
  test.each([
    ["an unquoted name that is an address at another domain", "ceo@b.example <a@a.example>", "b.example"],
    ["an unquoted name that is an address at a subdomain", "ceo@b.a.example <a@a.example>", "b.a.example"],
    ["an unquoted name that is an address at the parent domain", "ceo@a.example <a@b.a.example>", "a.example"],
    ["an unquoted name with two addresses", "a@a.example ceo@b.example <a@a.example>", "b.example"],
    ["an unquoted name with two @", "ceo@b.example@a.example <a@a.example>", "b.example"],
    ["an unquoted name with spaces around the @", "ceo @ b.example <a@a.example>", "b.example"],
    ["an unquoted name with spaces around the @ and the dot", "ceo @ b . example <a@a.example>", "b.example"],
    [
      "an unquoted name with spaces around the @ and a full-width dot",
      "ceo @ b\u3002example <a@a.example>",
      "b.example",
    ],
    ["an unquoted name with a full-width @", "ceo \uff20 b.example <a@a.example>", "b.example"],
    ["an unquoted name with an encoded name after it", "ceo @ =?utf-8?Q?b.example?= <a@a.example>", "b.example"],
    ["an unquoted name with an encoded dot after it", "ceo @ b =?utf-8?Q?=2Eexample?= <a@a.example>", "b.example"],
    ["an address in the brackets of a quoted name", '"ceo (ceo@b.example)" <a@a.example>', "b.example"],
    ["a handle with a dot in a comment", "ceo (@b.example) <a@a.example>", "b.example"],
    ["an encoded handle with a dot", "=?utf-8?Q?ceo_=40b.example?= <a@a.example>", "b.example"],
    ["a bare address and an encoded one", "=?utf-8?Q?ceo=40b.example?= a@a.example <a@a.example>", "b.example"],
    ["an address in a comment", "a@a.example (ceo@b.example)", "b.example"],
    ["a word of an unknown charset", "=?x-none?Q?ceo=40b.example?= <a@a.example>", "b.example"],
    ["an encoded word without an end", "=?utf-8?Q?ceo=40b.example <a@a.example>", "b.example"],
    ["UTF-7", "=?utf-7?Q?ceo+AEA-b.example?= <a@a.example>", "b.example"],
  ])("an email client could show another domain for %s", (_, from, rival) => {
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
    ["only a name", "Shop", "unreadable"],
    ["empty brackets", "<>", "unreadable"],
    ["only a comment", "(ann@a.example)", "unreadable"],
    ["two domains", "a@a.example, b@b.example", "several-domains"],
    ["subdomains of two organizations", "a@x.a.example, b@y.a.example", "several-domains"],
    ["an address literal", "a@[192.0.2.1]", "no-domain"],
    ["an address without brackets", "a@192.0.2.1", "no-domain"],
    ["a domain with an empty label", "a@a..example", "unreadable"],
    ["a domain with two final dots", "a@a.example..", "unreadable"],
    ["only a final dot", "a@.", "unreadable"],
    ["a literal with a final dot", "a@[192.0.2.1].", "no-domain"],
    ["a label of 64 characters", `a@${"x".repeat(64)}.example`, "no-domain"],
    ["a label that begins with a hyphen", "a@-a.example", "no-domain"],
    ["a domain with a quote", "a@b.example'.a.example", "no-domain"],
    ["full-width letters", "a@ａ.example", "no-domain"],
    ["a full-width dot", "a@a。example", "no-domain"],
    ["adjacent dots in the local part", "a..b@a.example", "unreadable"],
    ["a route", "<@b.example:a@a.example>", "unreadable"],
    ["a bare address with a comma", "ceo@b.example, <a@a.example>", "several-domains"],
    ["a list that ends in a comma", "a@a.example,", "unreadable"],
    ["a group in a group", "A: B: a@a.example;;", "unreadable"],
    ["a colon without a group", "a@a.example: x", "unreadable"],
    ["text after a group", "A: a@a.example; b@a.example", "unreadable"],
    ["reversed brackets", ">a@a.example<", "unreadable"],
    ["a control character", "A\u0007 <a@a.example>", "ambiguous"],
    ["a local part with a line separator", '"a\u2028b"@a.example', "ambiguous"],
    ["ten thousand bytes", `"${"x".repeat(10_000)}" <a@a.example>`, "too-long"],
  ])("no author is found in From for %s", (_, from, why) => {
    expect(readFrom(from)).toMatchObject({ ok: false, why });
  });

  test("no author is found in From for a message without From, or with two", () => {
    expect(read("To: b@b.example\r\n\r\n")).toMatchObject({ ok: false, why: "none" });
    expect(read("From: a@a.example\r\nFrom: a@a.example\r\n\r\n")).toMatchObject({ why: "several-fields" });
  });

  test("no author is found in From for a name with a backslash that GBK reads as part of a character", () => {
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
  ["100,000 lines that are not fields", "From\0: a@a.example\r\n".repeat(100_000)],
  ["400,000 bare carriage returns", `X: ${"\r ".repeat(400_000)}\r\nFrom: a@a.example`],
  ["a From field of brackets", `From: ${'<("'.repeat(3_000)}`],
  ["a From field of encoded words", `From: ${"=?a?b?".repeat(1_600)}`],
  ["a From field of groups", `From: ${"a:b@a.example;,".repeat(660)}`],
])("the hostile header %s is parsed quickly", (_, headers) => {
  expect(read(`${headers}\r\n\r\n`).ok).toBeTypeOf("boolean");
});
