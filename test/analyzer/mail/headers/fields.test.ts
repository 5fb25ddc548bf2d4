import { describe, expect, test } from "vitest";
import { fieldsNamed, readHeaderSection } from "../../../../src/analyzer/mail/headers/fields.ts";

const read = (text: string) => readHeaderSection(Buffer.from(text, "latin1"));

describe("a header section", () => {
  test("a header section has its fields with folds, and the offset of the body", () => {
    const section = read("From: a\r\nSubject: b\r\n\t c\r\nX:\r\n\r\nBody: no\r\n");
    expect(section).toEqual({
      fields: [
        { name: "From", key: "from", line: "From: a", value: " a", offset: 0 },
        { name: "Subject", key: "subject", line: "Subject: b\r\n\t c", value: " b\r\n\t c", offset: 9 },
        { name: "X", key: "x", line: "X:", value: "", offset: 26 },
      ],
      badLines: [],
      bodyOffset: 32,
      hasBlankLine: true,
    });
  });

  test("a header section keeps every byte as one character", () => {
    const every = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code)).join("");
    const value = ` ${every.replace("\n", "")}`;
    expect(read(`X:${value}\r\n\r\n`).fields[0]?.value).toBe(value);
  });

  test("a header section ends lines at LF too, as mail software does", () => {
    const section = read("From: a\nTo: b\n c\r\n\nbody");
    expect(section.fields.map(({ line }) => line)).toEqual(["From: a", "To: b\n c"]);
    expect(section.bodyOffset).toBe(19);
  });

  test("a header section treats a bare CR as part of the line", () => {
    expect(read("From: a\rTo: b\r\n\r\n").fields.map(({ line }) => line)).toEqual(["From: a\rTo: b"]);
  });

  test("a header section may contain white space before the colon", () => {
    expect(read("Subject \t: x\r\n\r\n").fields[0]).toMatchObject({ name: "Subject", key: "subject", value: " x" });
  });

  test("a header section treats a line of white space as a fold, not as the end", () => {
    const section = read("From: a\r\n \t\r\nTo: b\r\n\r\nbody");
    expect(section.fields.map(({ line }) => line)).toEqual(["From: a\r\n \t", "To: b"]);
  });

  test("a header section lists lines that are not fields", () => {
    const section = read(" fold\r\nFrom me\r\nSub ject: x\r\nS\xfcbject: x\r\n: x\r\nTo: b\r\n\r\n");
    expect(section.fields.map(({ key }) => key)).toEqual(["to"]);
    expect(section.badLines).toEqual([
      { offset: 0, text: " fold" },
      { offset: 7, text: "From me" },
      { offset: 16, text: "Sub ject: x" },
      { offset: 29, text: "S\xfcbject: x" },
      { offset: 41, text: ": x" },
    ]);
  });

  test.each([
    ["", 0, false],
    ["\r\nbody", 2, true],
    ["\nbody", 1, true],
    ["From: a", 7, false],
    ["From: a\r\n", 9, false],
    ["From: a\r\n\r\n", 11, true],
    ["From: a\r\n\r", 10, false],
  ])("a header section of %j ends at the right place", (text, bodyOffset, hasBlankLine) => {
    expect(read(text)).toMatchObject({ bodyOffset, hasBlankLine });
  });

  test("a header section returns the fields of a name in their order", () => {
    const section = read("Received: 1\r\nTo: x\r\nRECEIVED: 2\r\n\r\n");
    expect(fieldsNamed(section, "received").map(({ value }) => value)).toEqual([" 1", " 2"]);
  });

  test("a header section is read from a slice of a larger buffer", () => {
    const bytes = Buffer.from("xxFrom: a\r\n\r\nbody");
    expect(readHeaderSection(bytes.subarray(2)).fields[0]?.line).toBe("From: a");
    expect(readHeaderSection(new Uint8Array(bytes).subarray(2)).bodyOffset).toBe(11);
  });
});
