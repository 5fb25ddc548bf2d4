import { describe, expect, test } from "vitest";
import { headerLength } from "../../src/mail/header-fields.ts";
import { parseMessage } from "../../src/mail/parse.ts";

const parse = (text: string) => parseMessage(Buffer.from(text, "latin1"));

describe("the MIME parser's door", () => {
  test("reads subject and From, encoded words too", async () => {
    const message = await parse(
      "From: =?utf-8?Q?Ann=C3=A9?= <ann@sender.example>\r\nSubject: =?utf-8?B?SMOpbGxv?=\r\n\r\nHi.\r\n",
    );
    expect(message.subject).toBe("H\u00e9llo");
    expect(message.fromText).toBe("Ann\u00e9 <ann@sender.example>");
    expect(message.from.list).toEqual([
      {
        name: "Ann\u00e9",
        address: "ann@sender.example",
        local: "ann",
        domain: "sender.example",
        problem: null,
      },
    ]);
  });

  test("keeps nothing that a database refuses: no NUL, no half of a surrogate pair", async () => {
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

  test("makes something of a message without headers, without an end of headers, and of none at all", async () => {
    for (const text of ["", "\r\n", "no header\r\n\r\n", "Subject: cut"])
      expect(await parse(text)).toHaveProperty("subject");
  });

  test("knows where the header section ends, whichever line ends stand there", () => {
    const length = (text: string) => headerLength(Buffer.from(text));
    expect(length("A: 1\r\n\r\nbody\n\n")).toBe(4);
    expect(length("A: 1\n\nbody\r\n\r\n")).toBe(4);
    expect(length("A: 1")).toBe(4);
  });
});
