import { expect, test } from "vitest";
import { ownParts, readFields, readParts, textOf } from "../../../../src/analyzer/mail/mime/parts.ts";

function parts(lines: readonly string[], end = "\r\n") {
  return ownParts(readParts(Buffer.from(lines.join(end), "latin1")));
}

test("parts are found with both line endings, without a final delimiter, and without a boundary", () => {
  const inner = ["", "--x", "Content-Type: text/plain", "", "one", "--x", "", "two"];
  for (const boundary of ["x", "other"])
    for (const end of ["\r\n", "\n"]) {
      const found = parts([`Content-Type: multipart/mixed; boundary="${boundary}"`, ...inner], end);
      expect(found.map((part) => textOf(part).trim()).slice(1)).toEqual(["one", "two"]);
    }
});

test("the parts of a returned message are separate from those of the bounce", () => {
  const found = parts([
    "Content-Type: multipart/mixed; boundary=x",
    "",
    "--x",
    "Content-Type: message/rfc822",
    "",
    "Content-Type: text/html",
    "",
    "hi",
    "--x--",
  ]);
  expect(found.map(({ type }) => type)).toEqual(["multipart/mixed", "message/rfc822"]);
  expect(found[1]?.parts.map(({ type }) => type)).toEqual(["text/html"]);
});

test.each([
  ["utf-8, quoted", "utf-8", "quoted-printable", "gr=C3=BC=\r\n=C3=9Fe", "grüße"],
  ["Latin 1", "iso-8859-1", "8bit", "gr\xfc\xdfe", "grüße"],
  ["Japanese mail", "iso-2022-jp", "7bit", "\u001b$B%a!<%k\u001b(B", "メール"],
  ["Japanese mail without a charset", "us-ascii", "7bit", "\u001b$B%a!<%k\u001b(B", "メール"],
  ["Russian", "koi8-r", "8bit", "\xf0\xcf\xde\xd4\xc1", "Почта"],
  ["an unknown charset", "x-martian", "8bit", "gr\xfc\xdfe", "grüße"],
  ["a wrong charset", "utf-8", "8bit", "gr\xfc\xdfe", "grüße"],
  ["UTF-8 that contains a replacement character", "utf-8", "base64", "Z3LDvMOfZSDvv70=", "grüße \ufffd"],
  ["base64", "utf-8", "base64", "Z3LDvMOfZQ==", "grüße"],
])("text is decoded: %s", (_, charset, encoding, body, text) => {
  const [part] = parts([
    `Content-Type: text/plain; charset=${charset}`,
    `Content-Transfer-Encoding: ${encoding}`,
    "",
    body,
  ]);
  expect(part && textOf(part)).toBe(text);
});

test("encoded words are decoded, even if one character is split between two of them", () => {
  const fields = readFields(
    Buffer.from("Subject: =?utf-8?B?w7w=?= =?utf-8?Q?_=C3?=\r\n =?utf-8?Q?=9F?= end\r\nX: 1\r\nX: 2\r\nno field\r\n"),
  );
  expect(fields.first("subject")).toBe("ü ß end");
  expect(fields.all("x")).toEqual(["1", "2"]);
});

test("a file name is read in the forms of RFC 2045 and RFC 2231", () => {
  for (const name of [`name="a b.xml"`, "name*=utf-8''a%20b.xml", `name*0="a "; name*1="b.xml"`])
    expect(parts([`Content-Type: text/xml; ${name}`, "", "x"])[0]?.fileName).toBe("a b.xml");
});
