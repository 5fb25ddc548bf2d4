import { describe, expect, test } from "vitest";
import { readMessageSource } from "../../src/mail/message-source.ts";

const read = (text: string) => readMessageSource(Buffer.from(text, "latin1"));
const rawOf = (text: string) => {
  const source = read(text);
  if (!source.ok) throw new Error(source.problem);
  return Buffer.from(source.raw).toString("latin1");
};
const message = "From: ann@a.example\r\nSubject: Hi\r\n\r\nHello.\r\n";

describe("a message source", () => {
  test("is taken as it is", () => {
    expect(rawOf(message)).toBe(message);
  });

  test("is taken without the mark and the empty lines that pasting leaves before it", () => {
    expect(rawOf(`\xef\xbb\xbf\r\n\n${message}`)).toBe(message);
  });

  test("may begin with a broken line or a rare field, where a usual one follows", () => {
    expect(rawOf(`broken line\r\n${message}`)).toContain("Subject: Hi");
    expect(rawOf(`X-Spam: no\r\n${message}`)).toContain("Subject: Hi");
  });

  test("of a mailbox file is its first message, unquoted", () => {
    const mbox = `From ann@a.example Mon Jun  3 10:00:00 2024\n${message.replaceAll("\r\n", "\n")}>From here on\n\nFrom bob@b.example Mon Jun  3 10:01:00 2024\nFrom: bob@b.example\n\nOther\n`;
    expect(rawOf(mbox)).toBe("From: ann@a.example\nSubject: Hi\n\nHello.\nFrom here on\n");
    const crlf = `From - Mon\r\n${message}\r\nFrom - Mon\r\n${message}`;
    expect(rawOf(crlf)).toBe(message);
  });
});

describe("what is no message", () => {
  test.each([
    ["a sentence", "hello this is not a mail", "doesn't look like a message source"],
    ["a page", "<!doctype html>\n<html><head><title>x: y</title></head></html>", "doesn't look like"],
    ["a list of settings", "name: x\nvalue: y\n", "doesn't look like"],
    ["only a body", "\r\n\r\nHello\r\n", "doesn't look like"],
    ["nothing but empty lines", "\r\n\r\n", "doesn't look like"],
    ["an empty mailbox line", "From ann", "doesn't look like"],
    ["an Outlook file", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0\0", ".msg"],
    ["an archive", "PK\x03\x04rest", "ZIP"],
  ])("is refused in words that help: %s", (_what, text, says) => {
    expect(read(text)).toMatchObject({ ok: false, problem: expect.stringContaining(says) });
  });

  test("is told quickly, however long it is", () => {
    for (const piece of ["\n", "\r\n>From x", "\n\nFrom x", "From ", "a", "a: b\n"])
      readMessageSource(Buffer.from(`From x\n${piece.repeat(500_000)}`, "latin1"));
  });
});
