import { describe, expect, test } from "vitest";
import { readMessage } from "../../../../src/analyzer/mail/mime/parse.ts";
import { base64, letter, multipart, ordinaryHead, part } from "../letter.ts";

const rawOf = (...lines: readonly string[]) => readMessage(letter(...lines)).raw;
const faultsOf = (...lines: readonly string[]) =>
  rawOf(...ordinaryHead, ...lines).faults.map(({ fault, part: path, line, value, bytes }) => ({
    fault,
    path,
    line,
    value,
    bytes,
  }));
const plain = part(["Content-Type: text/plain"], "hi");

test("an ordinary message has no errors", () => {
  const files = part(["Content-Type: image/png", "Content-Transfer-Encoding: base64"], base64("x".repeat(300)));
  const html = part(
    ["Content-Type: text/html; charset=utf-8", "Content-Transfer-Encoding: quoted-printable"],
    "gr=C3=BC=C3=9Fe=",
    "=20 x",
  );
  const raw = rawOf(...ordinaryHead, multipart("mixed", "m", multipart("alternative", "a", plain, html), files));
  expect(raw).toMatchObject({
    badHeaderLines: [],
    blankFolds: [],
    eightBitHeaders: [],
    encodedWords: [],
    faults: [],
    blankLine: true,
    headerLines: 7,
    bareLf: { count: 0, first: null },
    cuts: [],
  });
  expect(raw.headers[3]).toEqual({ name: "Subject", key: "subject", rawValue: " Hello", offset: 97, line: 4 });
});

describe("the header section", () => {
  test("the header section reports invalid lines, and white space before the colon", () => {
    const raw = rawOf("From: a@x.example", "Subject : x", "no field", "X: 1", "", "");
    expect(raw.badHeaderLines).toEqual([
      { offset: 19, line: 2, text: "Subject : x" },
      { offset: 32, line: 3, text: "no field" },
    ]);
  });

  test("the header section reports blank folds, and accepts ordinary folds", () => {
    expect(rawOf("X: 1", " \t", "Y: 2", "  3", "", "").blankFolds).toEqual([{ offset: 6, line: 2, name: "X" }]);
  });

  test("the header section reports raw bytes above 127 with their text", () => {
    expect(rawOf("X: a", "Subject: gr\xfc\xdfe", "", "").eightBitHeaders).toEqual([
      { offset: 6, line: 2, name: "Subject", value: "grüße" },
    ]);
  });

  test("the header section reports whether an empty line ends it", () => {
    expect(rawOf("Subject: a", "text").blankLine).toBe(false);
    expect(rawOf("Subject: a", "", "").blankLine).toBe(true);
  });

  test("the header section has its size in bytes and lines", () => {
    expect(rawOf("A: 1", " 2", "B: 3", "", "body")).toMatchObject({ headerBytes: 18, headerLines: 3 });
  });
});

describe("encoded words", () => {
  const wordsOf = (line: string) =>
    rawOf(line, "", "").encodedWords.map(({ problem, misplaced, needless }) => problem ?? misplaced ?? needless);
  test.each([
    ["Subject: =?utf-8?Q?gr=C3=BC=C3=9Fe?=", []],
    ["Subject: =?utf-8?B?44GT?= =?utf-8?B?44KT?=", []],
    ["Subject: =?iso-2022-jp?B?GyRCJTMbKEI=?=", []],
    ["Subject: =?utf8mb4?Q?a?=", ["charset"]],
    ["List-Id: =?utf8mb4?Q?a?= <a.x.example>", ["charset"]],
    ["X-SG-EID: =?us-ascii?Q?u001=ZZ?=", []],
    ["X-Entity-ID: =?utf-8?Q?abc", []],
    ["Subject: =?utf-8?X?a?=", ["encoding"]],
    ["Subject: =?utf-8?Q?a b?=", ["space"]],
    [`Subject: =?utf-8?Q?${"=C3=BC".repeat(20)}?=`, ["too-long"]],
    ["Subject: =?utf-8?Q?=ZZ?=", ["damaged"]],
    ["Subject: =?utf-8?B?a*bc?=", ["damaged"]],
    ["Subject: =?utf-8?B?YWJjZ=?=", ["damaged"]],
    ["Subject: =?utf-8?Q?a=C3?= =?utf-8?Q?=BC?=", ["split-character", "split-character"]],
    ["Subject: =?utf-8?Q?abc", ["unclosed"]],
    ['From: "=?utf-8?Q?=C3=BC?=" <a@x.example>', ["quoted-string"]],
    ["From: =?utf-8?Q?=C3=BC?= <a@x.example>", []],
    ["From: <=?utf-8?Q?=C3=BC?=@x.example>", ["address"]],
    ["Message-ID: <=?utf-8?Q?=C3=BC?=@x>", ["message-id"]],
    ["Subject: =?utf-8?B?SGVsbG8=?=", [true]],
    ["Subject: no =?word?", []],
  ])("encoded words are parsed in %s", (line, told) => {
    expect(wordsOf(line)).toEqual(told);
  });
});

describe("the lines of a message", () => {
  test("the lines of a message include a longest one with its location", () => {
    expect(rawOf(`X: ${"a".repeat(90)}`, "", "b").longestLine).toEqual({
      bytes: 93,
      offset: 0,
      line: 1,
      where: "header",
    });
    const long = multipart("mixed", "m", plain, part(["Content-Type: text/html"], "<".repeat(1_200)));
    expect(rawOf(long).longestLine).toMatchObject({ bytes: 1_200, where: "2" });
  });

  test("the lines of a message with bare line endings or NUL are reported, with the first of each", () => {
    const raw = readMessage(Buffer.from("A: 1\r\n\r\na\nb\rc\0\0\n")).raw;
    expect(raw.bareLf).toEqual({ count: 2, first: { offset: 9, line: 3 } });
    expect(raw.bareCr).toEqual({ count: 1, first: { offset: 11, line: 4 } });
    expect(raw.nul).toEqual({ count: 2, first: { offset: 13, line: 4 } });
  });
});

describe("multipart errors", () => {
  const type = (boundary: string) => `Content-Type: multipart/mixed; boundary=${boundary}`;
  test.each([
    ["no boundary", ["Content-Type: multipart/mixed", "", "--x", "", "hi", "--x--"], "boundary-missing", null],
    ["another boundary", [type("y"), "", "--x", "", "hi", "--x--"], "boundary-absent", "y"],
    ["an illegal boundary", [type("a@b"), "", "--a@b", "", "hi", "--a@b--"], "boundary-illegal", "a@b"],
    ["no last delimiter", [type("x"), "", "--x", "", "hi", ""], "unclosed", "x"],
    [
      "the same boundary twice",
      [type("x"), "", "--x", type("x"), "", "--x", "", "a", "--x--", "--x--"],
      "boundary-repeated",
      "x",
    ],
    ["text before the parts", [type("x"), "", "read this", "--x", "", "hi", "--x--"], "text-before-parts", null],
    ["text after the parts", [type("x"), "", "--x", "", "hi", "--x--", "and this"], "text-behind-parts", null],
    [
      "base64 around it",
      ["Content-Transfer-Encoding: base64", type("x"), "", "--x", "", "hi", "--x--"],
      "encoded-container",
      "base64",
    ],
    ["an unreadable type", ["Content-Type: multipart", "", "hi"], "unreadable-type", "multipart"],
    ["an empty part", [type("x"), "", "--x", "", "", "--x--"], "empty-part", null],
    [
      "a repeated field in a part",
      [type("x"), "", "--x", "Content-ID: <1>", "Content-Id: <2>", "", "hi", "--x--"],
      "repeated-field",
      "Content-Id",
    ],
    ["a message in pieces", ["Content-Type: message/partial; number=1", "", "hi"], "external", "message/partial"],
    ["an external body", ["Content-Type: message/external-body", "", "hi"], "external", "message/external-body"],
  ])("multipart errors are reported for %s", (_, lines, fault, value) => {
    expect(faultsOf(...lines)).toEqual([expect.objectContaining({ fault, value })]);
  });

  test("multipart errors include the line number", () => {
    const [fault] = faultsOf(type("x"), "", "--x", "", "hi", "--x--", "and this");
    expect(fault).toMatchObject({ line: 13, bytes: 8 });
  });
});

describe("text part errors", () => {
  const text = (parameters: string, encoding: string, ...body: readonly string[]) =>
    faultsOf(`Content-Type: text/plain${parameters}`, `Content-Transfer-Encoding: ${encoding}`, "", ...body);
  const utf8 = "; charset=utf-8";
  test.each([
    ["undeclared 8-bit text", utf8, "7bit", "gr\xc3\xbc", "eight-bit", { bytes: 2, line: 10 }],
    ["an unknown encoding", utf8, "x-fancy", "hi", "unknown-encoding", { value: "x-fancy" }],
    ["broken quoted-printable", utf8, "quoted-printable", "a\r\nb=ZZ", "damaged-encoding", { line: 11 }],
    ["broken base64", utf8, "base64", "w7w=\r\n*", "damaged-encoding", { line: 11 }],
    ["base64 that ends too early", utf8, "base64", "w7xhY", "damaged-encoding", {}],
    ["text after base64", utf8, "base64", "w7w=\r\nbye", "damaged-encoding", { line: 11 }],
    ["plain text hidden in base64", utf8, "base64", base64("word ".repeat(60)), "needless-base64", { bytes: 300 }],
    ["no charset", "", "8bit", "gr\xfc", "charset-undeclared", {}],
    ["an unknown charset", "; charset=utf8mb4", "8bit", "gr\xfc", "charset-unknown", { value: "utf8mb4" }],
    ["an unknown charset of ASCII text", "; charset=x", "7bit", "a", "charset-unknown", { value: "x" }],
    ["Latin-1 as UTF-8", utf8, "8bit", "hi gr\xfc\xdfe", "charset-invalid", { value: "utf-8", bytes: 5 }],
    ["8-bit as ASCII", "; charset=us-ascii", "8bit", "gr\xfc", "charset-invalid", { value: "us-ascii", bytes: 2 }],
  ])("text part errors are reported for %s", (_, parameters, encoding, body, fault, evidence) => {
    expect(text(parameters, encoding, body)).toEqual([expect.objectContaining({ fault, ...evidence })]);
  });

  test.each([
    ["declared 8-bit text", utf8, "8bit", "gr\xc3\xbc"],
    ["Windows-1252", "; charset=windows-1252", "8bit", "gr\xfc\x80"],
    ["a charset that only email clients know", "; charset=utf-7", "7bit", "hi"],
    ["Greek in base64", utf8, "base64", base64("\xce\xb1".repeat(200))],
    ["base64 without a final line ending or padding", utf8, "base64", "w7w"],
    ["spaces at the end of a soft line break", utf8, "quoted-printable", "a= \t\r\nb=C3=BC="],
    ["lowercase hexadecimal digits", utf8, "quoted-printable", "=c3=bc"],
  ])("text part errors are not reported for %s", (_, parameters, encoding, body) => {
    expect(text(parameters, encoding, body)).toEqual([]);
  });

  test("text part errors are not reported if the size limit splits a character", () => {
    const body = `a${"\xc3\xbc".repeat(600_000)}`;
    expect(text(utf8, "8bit", body)).toEqual([]);
  });

  test("text part errors are not reported for embedded messages", () => {
    const embedded = part(["Content-Type: message/rfc822"], part(["Content-Type: text/plain; charset=x"], "hi"));
    expect(faultsOf(multipart("mixed", "m", plain, embedded))).toEqual([]);
  });
});

test("bytes above 127 in the body are reported separately from those in the headers", () => {
  const bytes = (text: string) => readMessage(Buffer.from(text, "latin1")).raw;
  const both = ({ hasEightBit, hasEightBitBody }: ReturnType<typeof bytes>) => [hasEightBit, hasEightBitBody];
  expect(both(bytes("Subject: x\r\n\r\nGr\xfc\xdfe\r\n"))).toEqual([true, true]);
  expect(both(bytes("Subject: Gr\xfc\xdfe\r\n\r\nx\r\n"))).toEqual([true, false]);
  expect(both(bytes("Subject: x\r\n\r\nx\r\n"))).toEqual([false, false]);
});
