import { describe, expect, test } from "vitest";
import { type HeaderField, readHeaderSection } from "../../../../src/analyzer/mail/headers/fields.ts";
import {
  canonicalField,
  groupFields,
  selectFields,
  toSignedText,
} from "../../../../src/analyzer/mail/signing/sign-message.ts";
import { naiveField } from "./sign.ts";

const read = (text: string) => readHeaderSection(Buffer.from(`${text}\r\n\r\n`, "latin1"));
const field = (text: string) => read(text).fields[0] as HeaderField;

describe("the canonical header field", () => {
  test("the canonical header field equals the example in RFC 6376 §3.4.5", () => {
    const { fields } = read("A: X\r\nB : Y\t\r\n\tZ  ");
    expect(fields.map((each) => canonicalField(each, "relaxed"))).toEqual(["a:X", "b:Y Z"]);
    expect(fields.map((each) => canonicalField(each, "simple"))).toEqual(["A: X", "B : Y\t\r\n\tZ  "]);
  });

  test.each([
    "X:",
    "X: ",
    "X:\t \r\n ",
    "X:a",
    "X: a  b\tc\r\n\t\td \r\n",
    "X : \xa0a\xa0 ",
    "X: a\rb",
    "X: =?utf-8?q?a?=\r\n =?utf-8?q?b?=",
  ])("the canonical header field of %j equals a direct implementation of the RFC", (text) => {
    for (const form of ["simple", "relaxed"] as const)
      expect(canonicalField(field(text), form)).toBe(naiveField(text.replace(/\r\n$/, ""), form));
  });
});

describe("the selection of header fields", () => {
  const section = read("Received: 1\r\nTo: x\r\nReceived: 2\r\nDKIM-Signature: b=\r\nReceived: 3");
  const own = section.fields[3] as HeaderField;
  const select = (...names: string[]) => selectFields(groupFields(section), names, own).map(({ line }) => line);

  test("the selection of header fields takes the lowest field first, each once, in the order of h=", () => {
    expect(select("received", "to", "received")).toEqual(["Received: 3", "To: x", "Received: 2"]);
  });

  test("the selection of header fields finds nothing for a name that is listed more often than it occurs", () => {
    expect(select("to", "to", "reply-to")).toEqual(["To: x"]);
  });

  test("the selection of header fields never includes the signature itself", () => {
    expect(select("dkim-signature")).toEqual([]);
  });
});

describe("the signed header text", () => {
  const sign = (text: string) => toSignedText([], field(text), "simple");

  test.each([
    ["DKIM-Signature: a=1; b=abc=; c=2", "DKIM-Signature: a=1; b=; c=2"],
    ["DKIM-Signature: b = a\r\n\tbc ; c=2", "DKIM-Signature: b =; c=2"],
    ["DKIM-Signature: bh=b=x; xb=b; b=abc", "DKIM-Signature: bh=b=x; xb=b; b="],
    ["DKIM-Signature:b=abc;", "DKIM-Signature:b=;"],
    ["DKIM-Signature: B=abc; c=2", "DKIM-Signature: B=abc; c=2"],
    ["DKIM-Signature: c=;\r\n b\r\n =\r\n abc\r\n ", "DKIM-Signature: c=;\r\n b\r\n ="],
  ])("the signed header text of %j has an empty b= and no other change", (text, expected) => {
    expect(sign(text)).toBe(expected);
  });

  test("the signed header text ends each field with a line ending, except the signature", () => {
    const { fields } = read("A: 1\r\nB: 2\r\nDKIM-Signature: b=x");
    const [a, b, own] = fields as [HeaderField, HeaderField, HeaderField];
    expect(toSignedText([b, a], own, "relaxed")).toBe("b:2\r\na:1\r\ndkim-signature:b=");
  });
});
