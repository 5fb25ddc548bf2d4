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
  { when: "passes two parts", facts: withBody(multipart("mixed", "b", plain, plain)) },
  { when: "passes a message of one line", facts: instead("") },
  {
    when: "finds a boundary that differs between the parts",
    facts: withBody(multipart("mixed", "b", plain).replace('"b"', '"c"')),
    finds: ["boundary-missing"],
    says: 'The message is multipart/mixed and declares the boundary "c", which does not occur. Email clients may not find its parts.',
  },
  {
    when: "finds a missing boundary",
    facts: withBody("Content-Type: multipart/mixed", "", "--b", plain, "--b--"),
    finds: ["boundary-missing"],
    says: "The message is multipart/mixed and declares no boundary. Email clients may not find its parts.",
  },
  {
    when: "finds a boundary with invalid characters",
    facts: withBody(multipart("mixed", "{b}", plain)),
    finds: ["boundary-missing"],
    says: 'The message is multipart/mixed and declares "{b}" as its boundary, which is not valid. Email clients may not find its parts.',
  },
  {
    when: "finds an invalid boundary that does not occur",
    facts: withBody(multipart("mixed", "b", plain).replace('"b"', '"{b}"')),
    finds: ["boundary-missing"],
  },
  {
    when: "finds one boundary at two levels",
    facts: withBody(multipart("mixed", "b", multipart("alternative", "b", plain))),
    finds: ["boundary-repeated"],
    says: 'The message and a part inside it use the same boundary "b". Email clients may lose parts.',
  },
  {
    when: "finds a truncated message",
    facts: withBody(multipart("mixed", "b", plain).replace("--b--", "")),
    finds: ["unclosed"],
    fix: "End the message with `--b--`.",
  },
  {
    when: "finds 12 levels",
    facts: withBody(nested(12)),
    finds: ["deep"],
    says: "MIME parts are nested 12 levels deep. Exchange rejects such messages.",
  },
  { when: "passes 4 levels", facts: withBody(nested(4)) },
  {
    when: "finds a multipart in base64",
    facts: withBody("Content-Transfer-Encoding: base64", multipart("mixed", "b", plain)),
    finds: ["encoded-container"],
    says: "The message contains other parts and is encoded as base64, which is not allowed.",
  },
  {
    when: "passes a multipart in 7bit",
    facts: withBody("Content-Transfer-Encoding: 7bit", multipart("mixed", "b", plain)),
  },
  {
    when: "finds a fragment of a message",
    facts: withBody("Content-Type: message/partial; id=1; number=1", "", "Subject: x", "", "x"),
    finds: ["external"],
    says: "The message uses message/partial, which hides its content from scanners.",
  },
  {
    when: "passes a complete embedded message",
    facts: withBody(multipart("mixed", "b", part(["Content-Type: message/rfc822"], "Subject: x", "", "x"))),
  },
  {
    when: "finds a type without a semicolon",
    facts: withBody("Content-Type: text/html charset=utf-8", "", "<p>x"),
    finds: ["unreadable-type"],
    says: 'The Content-Type of part 1 is unreadable: "text/html charset=utf-8". Some email clients treat the part as plain text.',
  },
  { when: "finds an empty body", facts: withBody("", " ", ""), finds: ["empty"], says: "The message is empty." },
  {
    when: "finds a missing empty line before the body",
    facts: given("From: a@x.example", "Dear Bob,"),
    finds: ["empty"],
    ownedBy: "header-syntax.no-separator",
  },
]);

const utf8 = (text: string) => Buffer.from(text).toString("latin1");
const text = (type: string, ...body: readonly string[]) =>
  withBody(`Content-Type: ${type}`, "Content-Transfer-Encoding: 8bit", "", ...body, "");

testCheck(charset, [
  { when: "passes declared UTF-8", facts: text("text/plain; charset=utf-8", utf8("grüße")) },
  { when: "passes undeclared ASCII", facts: instead("") },
  { when: "passes declared Windows-1252", facts: text("text/plain; charset=windows-1252", "gr\xfc\xdfe") },
  {
    when: "finds undeclared UTF-8",
    facts: text("text/plain", utf8("grüße")),
    finds: ["undeclared"],
    says: "Part 1 has non-ASCII text but declares no character set.",
  },
  {
    when: "finds an unknown charset",
    facts: text("text/plain; charset=utf8mb4", utf8("grüße")),
    finds: ["unknown"],
    says: 'The character set "utf8mb4" is unknown.',
  },
  {
    when: "finds Latin-1 declared as UTF-8",
    facts: text("text/plain; charset=utf-8", "gr\xfc\xdfe"),
    finds: ["invalid-bytes"],
    says: "Part 1 is not valid utf-8 at byte 2.",
  },
  {
    when: "leaves damaged base64 to another check",
    facts: withBody(
      "Content-Type: text/plain; charset=utf-8",
      "Content-Transfer-Encoding: base64",
      "",
      base64("gr\xfc\xdfe"),
      "*",
    ),
  },
  {
    when: "finds HTML that declares another charset",
    facts: text("text/html; charset=utf-8", '<meta charset="iso-8859-1"><p>x'),
    finds: ["meta-differs"],
    says: "The HTML declares iso-8859-1, but the header declares utf-8.",
  },
  {
    when: "finds HTML that declares another charset with http-equiv",
    facts: text("text/html; charset=utf-8", '<meta http-equiv="Content-Type" content="text/html; charset=koi8-r"><p>x'),
    finds: ["meta-differs"],
  },
  {
    when: "passes HTML that declares the same charset",
    facts: text("text/html; charset=utf-8", '<meta charset="UTF8"><p>x'),
  },
  {
    when: "passes HTML that a relay declared as ASCII",
    facts: text("text/html; charset=us-ascii", '<meta charset="utf-8"><p>x'),
  },
]);

const encoded = (encoding: string, ...body: readonly string[]) =>
  withBody("Content-Type: text/plain; charset=utf-8", `Content-Transfer-Encoding: ${encoding}`, "", ...body, "");
const english = "Plain English text, of which there is a little more than needed. ".repeat(4);

testCheck(transferEncoding, [
  { when: "passes declared 8-bit text", facts: encoded("8bit", utf8("grüße")) },
  { when: "passes ASCII declared as 7bit", facts: instead("") },
  { when: "passes quoted-printable without a final line ending", facts: encoded("quoted-printable", "gr=C3=BC=") },
  {
    when: "finds UTF-8 declared as 7bit",
    facts: encoded("7bit", "Hello,", utf8("grüße")),
    finds: ["wrong-7bit"],
    says: "Part 1 declares 7bit but contains 8-bit bytes (4 in total, first at line 11).",
  },
  {
    when: "finds UTF-8 without a declared encoding",
    facts: withBody("Content-Type: text/plain; charset=utf-8", "", utf8("ü")),
    finds: ["wrong-7bit"],
    says: "Part 1 declares no encoding but contains 8-bit bytes (2 in total, first at line 9).",
  },
  {
    when: "finds an unknown encoding",
    facts: encoded("utf-8", utf8("grüße")),
    finds: ["unknown"],
    says: 'Part 1 declares the unknown encoding "utf-8".',
  },
  {
    when: "finds invalid quoted-printable",
    facts: encoded("quoted-printable", "Hello", "=ZZ"),
    finds: ["broken"],
    says: "The quoted-printable data of part 1 is damaged at line 11.",
  },
  {
    when: "finds invalid base64",
    facts: encoded("base64", "SGVsbG8*"),
    finds: ["broken"],
    says: "The base64 data of part 1 is damaged at line 10.",
  },
  { when: "finds base64 with raw bytes as one problem", facts: encoded("base64", utf8("grüße")), finds: ["broken"] },
  {
    when: "finds English text in base64",
    facts: encoded("base64", base64(english)),
    finds: ["needless-base64"],
    says: "Part 1 is plain ASCII text in base64, which spam filters distrust.",
  },
  { when: "passes Greek text in base64", facts: encoded("base64", base64(utf8("Καλημέρα σας. ".repeat(20)))) },
]);

const page = (...html: readonly string[]) => part(["Content-Type: text/html"], ...html);
const picture = (...headers: readonly string[]) => part(["Content-Type: image/png", ...headers], "x");
const related = (...parts: readonly string[]) => withBody(multipart("related", "r", ...parts));

testCheck(inlineParts, [
  {
    when: "passes an embedded image that is shown",
    facts: related(page("<img src=cid:logo@x>"), picture("Content-ID: <logo@x>")),
  },
  {
    when: "passes an image with an escaped Content-ID",
    facts: related(page("<img src=cid:a%20b>"), picture("Content-ID: <a b>")),
  },
  {
    when: "passes an embedded background",
    facts: related(page("<td style='background: url(cid:a)'>x"), picture("Content-ID: <a>")),
  },
  {
    when: "finds an image with a misspelled Content-ID",
    facts: related(page("<img src=cid:lgo@x><img src=cid:logo@x>"), picture("Content-ID: <logo@x>")),
    finds: ["missing"],
    says: "The HTML refers to cid:lgo@x, which is not attached.",
    fix: "Attach the image with `Content-ID: <lgo@x>`.",
  },
  {
    when: "finds one missing image shown twice",
    facts: related(page("<img src=cid:a><img src=cid:a>")),
    finds: ["missing"],
  },
  {
    when: "finds an image that is not shown",
    facts: related(page("<p>x"), picture("Content-ID: <a>", 'Content-Disposition: inline; filename="logo.png"')),
    finds: ["unused"],
    says: "The HTML does not use the inline part logo.png.",
    why: "It makes the message larger, and some email clients list it as an attachment.",
  },
  {
    when: "passes an attachment with a Content-ID",
    facts: related(
      page("<img src=cid:b>"),
      picture("Content-ID: <b>"),
      picture("Content-ID: <a>", "Content-Disposition: attachment"),
    ),
  },
  {
    when: "passes an image of an embedded message",
    facts: related(
      page("<img src=cid:b>"),
      picture("Content-ID: <b>"),
      part(["Content-Type: message/rfc822"], multipart("related", "i", page("x"), picture("Content-ID: <a>"))),
    ),
  },
  { when: "does not apply to HTML without embedded images", facts: related(page("<p>x")), outcome: "not-applicable" },
  { when: "does not apply without HTML", facts: instead(""), outcome: "not-applicable" },
]);
