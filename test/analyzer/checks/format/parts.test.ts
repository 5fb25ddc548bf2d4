import { charset } from "../../../../src/analyzer/checks/format/charset.ts";
import { inlineParts } from "../../../../src/analyzer/checks/format/inline-parts.ts";
import { mimeStructure } from "../../../../src/analyzer/checks/format/mime-structure.ts";
import { transferEncoding } from "../../../../src/analyzer/checks/format/transfer-encoding.ts";
import { base64, multipart, part } from "../../mail/letter.ts";
import { testCheck } from "../test-check.ts";
import { given, instead, withBody } from "./given.ts";

const plain = part(["Content-Type: text/plain"], "Hello Bob.");
const nested = (levels: number): string =>
  levels === 0 ? plain : multipart("mixed", `b${levels}`, nested(levels - 1));

testCheck(mimeStructure, [
  { when: "two parts", facts: withBody(multipart("mixed", "b", plain, plain)) },
  { when: "one line", facts: instead("") },
  {
    when: "another boundary between the parts",
    facts: withBody(multipart("mixed", "b", plain).replace('"b"', '"c"')),
    finds: ["boundary-missing"],
    says: 'The message is multipart/mixed and declares the boundary "c", which does not occur. Email clients may not find its parts.',
  },
  {
    when: "no boundary",
    facts: withBody("Content-Type: multipart/mixed", "", "--b", plain, "--b--"),
    finds: ["boundary-missing"],
    says: "The message is multipart/mixed and declares no boundary. Email clients may not find its parts.",
  },
  {
    when: "a boundary of characters that none may have",
    facts: withBody(multipart("mixed", "{b}", plain)),
    finds: ["boundary-missing"],
    says: 'The message is multipart/mixed and declares "{b}" as its boundary, which is not valid. Email clients may not find its parts.',
  },
  {
    when: "a boundary that is not allowed and does not occur",
    facts: withBody(multipart("mixed", "b", plain).replace('"b"', '"{b}"')),
    finds: ["boundary-missing"],
  },
  {
    when: "one boundary at two levels",
    facts: withBody(multipart("mixed", "b", multipart("alternative", "b", plain))),
    finds: ["boundary-repeated"],
    says: 'The message and a part inside it use the same boundary "b". Email clients may lose parts.',
  },
  {
    when: "a message that was cut off",
    facts: withBody(multipart("mixed", "b", plain).replace("--b--", "")),
    finds: ["unclosed"],
    fix: "End the message with `--b--`.",
  },
  {
    when: "12 levels",
    facts: withBody(nested(12)),
    finds: ["deep"],
    says: "MIME parts are nested 12 levels deep. Exchange rejects such messages.",
  },
  { when: "4 levels", facts: withBody(nested(4)) },
  {
    when: "a multipart in base64",
    facts: withBody("Content-Transfer-Encoding: base64", multipart("mixed", "b", plain)),
    finds: ["encoded-container"],
    says: "The message contains other parts and is encoded as base64, which is not allowed.",
  },
  { when: "a multipart in 7bit", facts: withBody("Content-Transfer-Encoding: 7bit", multipart("mixed", "b", plain)) },
  {
    when: "a piece of a message",
    facts: withBody("Content-Type: message/partial; id=1; number=1", "", "Subject: x", "", "x"),
    finds: ["external"],
    says: "The message uses message/partial, which hides its content from scanners.",
  },
  {
    when: "a whole message within",
    facts: withBody(multipart("mixed", "b", part(["Content-Type: message/rfc822"], "Subject: x", "", "x"))),
  },
  {
    when: "a type without a semicolon",
    facts: withBody("Content-Type: text/html charset=utf-8", "", "<p>x"),
    finds: ["unreadable-type"],
    says: 'The Content-Type of part 1 is unreadable: "text/html charset=utf-8". Email clients will treat the part as plain text.',
  },
  { when: "a blank body", facts: withBody("", " ", ""), finds: ["empty"], says: "The message is empty." },
  {
    when: "no blank line before the body",
    facts: given("From: a@x.example", "Dear Bob,"),
    finds: ["empty"],
    ownedBy: "header-syntax.no-separator",
  },
]);

const utf8 = (text: string) => Buffer.from(text).toString("latin1");
const text = (type: string, ...body: readonly string[]) =>
  withBody(`Content-Type: ${type}`, "Content-Transfer-Encoding: 8bit", "", ...body, "");

testCheck(charset, [
  { when: "UTF-8 that says so", facts: text("text/plain; charset=utf-8", utf8("grüße")) },
  { when: "ASCII that says nothing", facts: instead("") },
  { when: "Windows-1252 that says so", facts: text("text/plain; charset=windows-1252", "gr\xfc\xdfe") },
  {
    when: "UTF-8 that says nothing",
    facts: text("text/plain", utf8("grüße")),
    finds: ["undeclared"],
    says: "Part 1 has non-ASCII text but declares no character set.",
  },
  {
    when: "a name that nobody knows",
    facts: text("text/plain; charset=utf8mb4", utf8("grüße")),
    finds: ["unknown"],
    says: 'The character set "utf8mb4" is unknown.',
  },
  {
    when: "Latin-1 that calls itself UTF-8",
    facts: text("text/plain; charset=utf-8", "gr\xfc\xdfe"),
    finds: ["invalid-bytes"],
    says: "Part 1 is not valid utf-8 at byte 2.",
  },
  {
    when: "damaged base64, which another check tells",
    facts: withBody(
      "Content-Type: text/plain; charset=utf-8",
      "Content-Transfer-Encoding: base64",
      "",
      base64("gr\xfc\xdfe"),
      "*",
    ),
  },
  {
    when: "HTML that says something else",
    facts: text("text/html; charset=utf-8", '<meta charset="iso-8859-1"><p>x'),
    finds: ["meta-differs"],
    says: "The HTML declares iso-8859-1, but the header declares utf-8.",
  },
  {
    when: "HTML that says something else in the old way",
    facts: text("text/html; charset=utf-8", '<meta http-equiv="Content-Type" content="text/html; charset=koi8-r"><p>x'),
    finds: ["meta-differs"],
  },
  { when: "HTML that says the same", facts: text("text/html; charset=utf-8", '<meta charset="UTF8"><p>x') },
  { when: "HTML that a relay called ASCII", facts: text("text/html; charset=us-ascii", '<meta charset="utf-8"><p>x') },
]);

const encoded = (encoding: string, ...body: readonly string[]) =>
  withBody("Content-Type: text/plain; charset=utf-8", `Content-Transfer-Encoding: ${encoding}`, "", ...body, "");
const english = "Plain English text, of which there is a little more than needed. ".repeat(4);

testCheck(transferEncoding, [
  { when: "8-bit bytes that say so", facts: encoded("8bit", utf8("grüße")) },
  { when: "7bit ASCII", facts: instead("") },
  { when: "quoted-printable without a last line end", facts: encoded("quoted-printable", "gr=C3=BC=") },
  {
    when: "UTF-8 as 7bit",
    facts: encoded("7bit", "Hello,", utf8("grüße")),
    finds: ["wrong-7bit"],
    says: "Part 1 declares 7bit but contains 8-bit bytes (4 in total, first at line 11).",
  },
  {
    when: "UTF-8 that says nothing",
    facts: withBody("Content-Type: text/plain; charset=utf-8", "", utf8("ü")),
    finds: ["wrong-7bit"],
    says: "Part 1 declares no encoding but contains 8-bit bytes (2 in total, first at line 9).",
  },
  {
    when: "an encoding that nobody knows",
    facts: encoded("utf-8", utf8("grüße")),
    finds: ["unknown"],
    says: 'Part 1 declares the unknown encoding "utf-8".',
  },
  {
    when: "quoted-printable that is none",
    facts: encoded("quoted-printable", "Hello", "=ZZ"),
    finds: ["broken"],
    says: "The quoted-printable data of part 1 is damaged at line 11.",
  },
  {
    when: "base64 that is none",
    facts: encoded("base64", "SGVsbG8*"),
    finds: ["broken"],
    says: "The base64 data of part 1 is damaged at line 10.",
  },
  { when: "base64 with raw bytes, which is one fault", facts: encoded("base64", utf8("grüße")), finds: ["broken"] },
  {
    when: "English text in base64",
    facts: encoded("base64", base64(english)),
    finds: ["needless-base64"],
    says: "Part 1 is plain ASCII text in base64, which spam filters distrust.",
  },
  { when: "Greek text in base64", facts: encoded("base64", base64(utf8("Καλημέρα σας. ".repeat(20)))) },
]);

const page = (...html: readonly string[]) => part(["Content-Type: text/html"], ...html);
const picture = (...headers: readonly string[]) => part(["Content-Type: image/png", ...headers], "x");
const related = (...parts: readonly string[]) => withBody(multipart("related", "r", ...parts));

testCheck(inlineParts, [
  { when: "a picture that is there", facts: related(page("<img src=cid:logo@x>"), picture("Content-ID: <logo@x>")) },
  { when: "a picture whose id is escaped", facts: related(page("<img src=cid:a%20b>"), picture("Content-ID: <a b>")) },
  {
    when: "a background that is there",
    facts: related(page("<td style='background: url(cid:a)'>x"), picture("Content-ID: <a>")),
  },
  {
    when: "a picture with a typing mistake",
    facts: related(page("<img src=cid:lgo@x><img src=cid:logo@x>"), picture("Content-ID: <logo@x>")),
    finds: ["missing"],
    says: "The HTML refers to cid:lgo@x, which is not attached.",
    fix: "Attach the image with `Content-ID: <lgo@x>`.",
  },
  {
    when: "one missing picture shown twice",
    facts: related(page("<img src=cid:a><img src=cid:a>")),
    finds: ["missing"],
  },
  {
    when: "a picture that nothing shows",
    facts: related(page("<p>x"), picture("Content-ID: <a>", 'Content-Disposition: inline; filename="logo.png"')),
    finds: ["unused"],
    says: "The HTML does not use the inline part logo.png.",
  },
  {
    when: "an attachment with an id",
    facts: related(
      page("<img src=cid:b>"),
      picture("Content-ID: <b>"),
      picture("Content-ID: <a>", "Content-Disposition: attachment"),
    ),
  },
  {
    when: "a picture of an embedded message",
    facts: related(
      page("<img src=cid:b>"),
      picture("Content-ID: <b>"),
      part(["Content-Type: message/rfc822"], multipart("related", "i", page("x"), picture("Content-ID: <a>"))),
    ),
  },
  { when: "HTML without inline pictures", facts: related(page("<p>x")), outcome: "not-applicable" },
  { when: "no HTML", facts: instead(""), outcome: "not-applicable" },
]);
