import { describe, expect, test } from "vitest";
import { toEml } from "../../../src/analyzer/mail/eml.ts";
import { readAttachments } from "../../../src/analyzer/mail/mime/attachments.ts";
import type { Message } from "../../../src/analyzer/mail/mime/message.ts";
import { readMessage } from "../../../src/analyzer/mail/mime/parse.ts";
import type { Raw } from "../../../src/analyzer/mail/mime/raw.ts";
import { zip } from "./files.ts";
import { base64, multipart, ordinaryHead, part } from "./letter.ts";

const megabyte = 2 ** 20;
const head = ordinaryHead.join("\r\n");

/** Everything that Assay reads from a message. The runner's time limit catches a loop. */
function readAll(raw: Buffer): { message: Message; raw: Raw } {
  const read = readMessage(raw);
  toEml(raw, read.message, readAttachments(raw, read.message));
  return read;
}

const reads = (text: string) => readAll(Buffer.from(text, "latin1"));
const cutsOf = (text: string) => reads(text).message.cuts.map(({ what }) => what);
const inMixed = (body: string) => `${head}\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${body}`;

describe("a message that is too complex is shortened and says what was cut", () => {
  test("a message with 10,000 nested multiparts is shortened, and says what was cut", () => {
    const nested = Array.from(
      { length: 10_000 },
      (_, at) => `--b${at}\r\nContent-Type: multipart/mixed; boundary=b${at + 1}\r\n\r\n`,
    );
    const { message } = reads(`${head}\r\nContent-Type: multipart/mixed; boundary=b0\r\n\r\n${nested.join("")}`);
    expect(message).toMatchObject({ subject: "Hello", nesting: 50, cuts: [{ what: "nesting", bound: 50 }] });
  });

  test("a message with 10,000 nested messages is shortened, and says what was cut", () => {
    expect(cutsOf(`${head}\r\n${"Content-Type: message/rfc822\r\n\r\n".repeat(10_000)}`)).toEqual(["nesting"]);
  });

  test("a message with 100,000 parts is shortened, and says what was cut", () => {
    const { message, raw } = reads(inMixed("--b\r\n\r\nx\r\n".repeat(100_000)));
    expect(message.cuts).toEqual([{ what: "parts", bound: 1_000, actual: null }]);
    expect(message.root.parts.length).toBe(999);
    // Unread content isn't a problem.
    expect(raw.faults).toEqual([]);
  });

  test("a message with millions of lines that look like delimiters is shortened, and says what was cut", () => {
    expect(cutsOf(inMixed(`--b\r\n\r\n${"\n--".repeat(4_000_000)}`))).toContain("delimiters");
  });

  test("a message with a header section of 25 MB is shortened, and says what was cut", () => {
    const folded = reads(`Subject: a\r\nX: 1${"\r\n b".repeat(6 * megabyte)}\r\n\r\nbody`);
    expect(folded.message).toMatchObject({ subject: "a", cuts: [{ what: "headerBytes" }, { what: "fieldBytes" }] });
    expect(folded.message.text?.text).toBe("body");
    expect(folded.raw.blankLine).toBe(true);
    expect(cutsOf(`${"a:\n".repeat(8 * megabyte)}\n`)).toEqual(["headerFields"]);
    expect(cutsOf("a\n".repeat(12 * megabyte))).toEqual(["headerFields"]);
  });

  test("a message with part headers of 64 KB is shortened, and says what was cut", () => {
    const parts = `--b\r\n${"a:\n".repeat(21_000)}\r\n`.repeat(390);
    expect(cutsOf(inMixed(parts))).toContain("partHeaderBytes");
  });

  test("a message with 10 MB of HTML on one line is shortened, and says what was cut", () => {
    const html = "<a href=x>y".repeat(megabyte);
    const { message, raw } = reads(`${head}\r\nContent-Type: text/html\r\n\r\n${html}`);
    expect(message.html).toMatchObject({ isCut: true, decodedBytes: html.length });
    expect(raw.longestLine).toMatchObject({ bytes: html.length, where: "1" });
  });
});

describe("a large message is parsed completely", () => {
  test.each([
    ["empty lines", "\r\n"],
    ["line feeds", "\n"],
    ["carriage returns", "\r"],
    ["NUL", "\0"],
    ["8-bit", "\xff"],
    ["soft line breaks", "=\r\n"],
    ["broken quoted-printable", "=ZZ"],
    ["base64", `${"QUJD".repeat(19)}\r\n`],
  ])("a message with megabytes of %s is parsed completely in every encoding", (_, piece) => {
    const body = piece.repeat(Math.floor((2.5 * megabyte) / piece.length));
    for (const encoding of ["7bit", "base64", "quoted-printable"]) {
      const { message, raw } = reads(`${head}\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${body}`);
      expect(message.subject).toBe("Hello");
      expect(raw.sizeBytes).toBeGreaterThan(body.length);
    }
  });

  test.each([
    ["addresses", "From: ", "a@b.example, "],
    ["quotes", "From: ", '"\\'],
    ["brackets", "To: ", "<(:;"],
    ["encoded words", "Subject: ", "=?utf-8?Q?a?= "],
    ["beginnings of encoded words", "From: ", "=?utf-8?q?"],
    ["parameters", "Content-Type: text/plain", ";a*0*=%20"],
    ["open quotes in parameters", "Content-Disposition: x", ';a="\\'],
    ["comments", "Content-Type: ", "("],
    ["comments in a date", "Date: ", "(x"],
    ["empty folds", "X: ", "\r\n "],
  ])("a message with a header of a hundred thousand %s is parsed completely", (_, name, piece) => {
    expect(reads(`${name}${piece.repeat(100_000)}\r\n\r\nbody`).message.text?.text).toContain("body");
  });

  test("a message with a ZIP of 60,000 files is parsed completely", () => {
    const entry = { name: "a" };
    const content = zip(...Array.from({ length: 60_000 }, () => entry));
    const raw = Buffer.from(
      inMixed(
        `--b\r\n${part(["Content-Type: application/zip", "Content-Transfer-Encoding: base64"], base64(content))}`,
      ),
    );
    const [attachment] = readAttachments(raw, readMessage(raw).message);
    expect(attachment?.entries.length).toBe(1_000);
    expect(attachment?.entryCount).toBe(60_000);
  });

  test("a message with many delimiters that close nothing is parsed completely", () => {
    const { message } = reads(`${head}\r\n${multipart("mixed", "b", "--b--\r\n--b".repeat(500_000))}`);
    expect(message.subject).toBe("Hello");
  });
});
