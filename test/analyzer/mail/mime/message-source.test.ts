import { describe, expect, test } from "vitest";
import { readMessageSource } from "../../../../src/analyzer/mail/mime/message-source.ts";

const read = (text: string) => readMessageSource(Buffer.from(text, "latin1"));
const rawOf = (text: string) => {
  const source = read(text);
  if (!source.ok) throw new Error(source.problem);
  return Buffer.from(source.raw).toString("latin1");
};
const message = "From: ann@a.example\r\nSubject: Hi\r\n\r\nHello.\r\n";

describe("a message source", () => {
  test("a message source is accepted as it is", () => {
    expect(rawOf(message)).toBe(message);
  });

  test("a message source is stripped of a byte order mark and empty lines at the start", () => {
    expect(rawOf(`\xef\xbb\xbf\r\n\n${message}`)).toBe(message);
  });

  test("a message source is decoded if an editor saved it as UTF-16", () => {
    const text = "From: ann@a.example\r\nSubject: Grüße\r\n\r\n你好\r\n";
    const little = Buffer.from(`\ufeff${text}`, "utf16le");
    for (const given of [little, Buffer.from(little).swap16(), Buffer.concat([little, Buffer.from("x")])]) {
      const source = readMessageSource(given);
      expect(source.ok && Buffer.from(source.raw).toString("utf8")).toBe(text);
    }
  });

  test("a message source may start with a rare header if a usual one follows", () => {
    expect(rawOf(`X-Spam: no\r\n${message}`)).toContain("Subject: Hi");
  });

  test.each([
    ["From ann@a.example Mon Jun  3 10:00:00 2024"],
    ["From ann at a.example  Mon Jun  3 10:00:00 2024"],
    ["From 1234567890@xxx Mon Jun 03 10:00:00 +0000 2024"],
    ["From - Mon Jun 03 10:00:00 2024"],
    ["From MAILER-DAEMON Mon Jun  3 10:00 CEST 2024"],
    ["From ann@a.example Mon Jun  3 10:00:00 2024 +0200"],
  ])("a message source of an mbox file is its first message without quoting: %s", (line) => {
    const lines = message.replaceAll("\r\n", "\n");
    const mbox = `${line}\n${lines}>From here on\n\n${line}\nFrom: bob@b.example\n\nOther\n`;
    expect(rawOf(mbox)).toBe(`${lines}From here on\n`);
    const crlf = `${line}\r\n${message}\r\n${line}\r\n${message}`;
    expect(rawOf(crlf)).toBe(message);
  });

  test("a message source of an mbox file is not cut at a sentence that begins with From", () => {
    const text = `${message}\r\nFrom next week on we meet at 8.\r\n\r\nFrom: the kitchen\r\n>From here on\r\n`;
    expect(rawOf(`From - Wed Nov 25 14:00:00 2026\r\n${text}`)).toBe(text);
    expect(rawOf(`From - Wed\r\n${text}`)).toBe(text);
  });

  test("a message source of an mbox file without quoting keeps its > characters", () => {
    const quoting = message.replace("Hello.", "Ann wrote:\r\n>From here on");
    expect(rawOf(`From - Wed Nov 25 14:00:00 2026\r\n${quoting}\r\nFrom me\r\n`)).toBe(`${quoting}\r\nFrom me\r\n`);
    const counted = `Content-Length: 30\r\n${quoting}`;
    expect(rawOf(`From ann@a.example Wed Nov 25 14:00:00 2026\r\n${counted}`)).toBe(counted);
  });
});

describe("input that isn't a message", () => {
  test.each([
    ["a sentence", "hello this is not a mail", "does not look like a message source"],
    ["a web page", "<!doctype html>\n<html><head><title>x: y</title></head></html>", "does not look like"],
    ["a text with colons", "Dear all,\nNote: this is a note\nFrom: my heart", '"Dear all,"'],
    ["a forwarded text", "------ Forwarded ------\nFrom: a@b.example\nSubject: x\n\nhi", "Remove the text above"],
    ["a folded line before any field", " From: a@b.example\nSubject: x\n\nhi", "begins with header lines"],
    ["a sentence that begins with From", "From next week on\nwe meet.\nSubject: x\n", '"we meet."'],
    ["a list of settings", "name: x\nvalue: y\n", "does not look like"],
    ["only a body", "\r\n\r\nHello\r\n", "does not look like"],
    ["only empty lines", "\r\n\r\n", "does not look like"],
    ["an empty mailbox line", "From ann", "does not look like"],
    ["an Outlook file", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0\0", ".msg"],
    ["an archive", "PK\x03\x04rest", "ZIP"],
  ])("input that isn't a message is rejected with a helpful message: %s", (_what, text, says) => {
    expect(read(text)).toMatchObject({ ok: false, problem: expect.stringContaining(says) });
  });

  test("input that isn't a message is recognized quickly, however long it is", () => {
    for (const piece of ["\n", "\r\n>From x", "\n\nFrom x", "From ", "a", "a: b\n"])
      readMessageSource(Buffer.from(`From x\n${piece.repeat(500_000)}`, "latin1"));
  });
});
