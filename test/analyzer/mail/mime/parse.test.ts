import { describe, expect, test } from "vitest";
import { headerLength } from "../../../../src/analyzer/mail/headers/fields.ts";
import { parseMessage } from "../../../../src/analyzer/mail/mime/parse.ts";

const parse = (text: string) => parseMessage(Buffer.from(text, "latin1"));

describe("the MIME parser", () => {
  test("the MIME parser decodes the subject and From, encoded words too", async () => {
    const message = await parse(
      "From: =?utf-8?Q?Ann=C3=A9?= <ann@sender.example>\r\nSubject: =?utf-8?B?SMOpbGxv?=\r\n\r\nHi.\r\n",
    );
    expect(message.subject).toBe("H\u00e9llo");
    expect(message.fromText).toBe("Ann\u00e9 <ann@sender.example>");
    expect(message.from.list).toEqual([
      { name: "Ann\u00e9", address: "ann@sender.example", local: "ann", domain: "sender.example", problem: null },
    ]);
  });

  test("the MIME parser returns only text that a database can store, without NUL or lone surrogates", async () => {
    const hostile = ["=?utf-8?B?aGkAdGhlcmU=?=", "hi\0there", "=?utf-16be?B?2AAAQQ==?="];
    for (const subject of hostile) {
      const { subject: read, fromText } = await parse(
        `From: "${subject}" <a@b.example>\r\nSubject: ${subject}\r\n\r\n`,
      );
      for (const text of [read, fromText]) {
        expect(text?.includes("\0")).not.toBe(true);
        expect(text?.isWellFormed()).not.toBe(false);
      }
    }
  });

  test("the MIME parser removes NUL from a body in every encoding", async () => {
    const bodies = [
      ["text/plain", "8bit", "a\0b"],
      ["text/html", "quoted-printable", "a=00b"],
      ["text/plain; charset=utf-16le", "base64", Buffer.from("a\0b", "utf16le").toString("base64")],
      ["text/html; charset=iso-2022-jp", "base64", Buffer.from("\x1b$B\0\0\x1b(Ba\0b").toString("base64")],
    ];
    for (const [type, encoding, body] of bodies) {
      const message = await parse(`Content-Type: ${type}\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${body}\r\n`);
      const read = [message.text?.text, message.html?.text].join("");
      expect([type, read.includes("\0"), read.includes("\ufffd"), read.includes("a")]).toEqual([
        type,
        false,
        true,
        true,
      ]);
    }
  });

  test("the MIME parser accepts a message without headers, without a blank line, or empty", async () => {
    for (const text of ["", "\r\n", "no header\r\n\r\n", "Subject: cut"])
      expect(await parse(text)).toHaveProperty("subject");
  });

  test("the MIME parser finds the end of the headers with any line ending", () => {
    const length = (text: string) => headerLength(Buffer.from(text));
    expect(length("A: 1\r\n\r\nbody\n\n")).toBe(4);
    expect(length("A: 1\n\nbody\r\n\r\n")).toBe(4);
    expect(length("A: 1")).toBe(4);
  });
});

test("adjacent encoded words in ISO-2022-JP form one text", () => {
  const subject = [
    "=?iso-2022-jp?B?UmU6IBskQjswSSkyPTNYJSglcyU4JUslIiVqJXMlME1NJVcbKEI=?=",
    "=?iso-2022-jp?B?GyRCJW0lOyU5JUAlJiVzJEskRCQkJEYbKEI=?=",
  ].join("\r\n ");
  const { subject: read } = parseMessage(Buffer.from(`Subject: ${subject}\r\n\r\n`));
  expect(read).toBe("Re: 三菱化学エンジニアリング様プロセスダウンについて");
});
