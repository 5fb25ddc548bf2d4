import { expect, test } from "vitest";
import { parseMessage } from "../../../../src/analyzer/mail/mime/parse.ts";
import { readRareCharsets } from "../../../../src/analyzer/mail/mime/rare-charsets.ts";

async function read(headers: string, body: string) {
  const raw = Buffer.from(`From: a@b.example\r\nMIME-Version: 1.0\r\n${headers}\r\n\r\n${body}`, "latin1");
  const message = parseMessage(raw);
  return { message, rare: await readRareCharsets(raw, message) };
}

test.each([
  ["code page 852", "text/plain; charset=cp852", "8bit", "\x90 Gr\x81\xe1e\r\n", "É Grüße"],
  ["code page 850", "text/plain; charset=cp850", "8bit", "Gr\x81\xe1e\r\n", "Grüße"],
  ["code page 437 in base64", "text/plain; charset=IBM437", "base64", "R3KB4WU=\r\n", "Grüße"],
  [
    "code page 850 quoted-printable",
    "text/html; charset=cp850",
    "quoted-printable",
    "<p>Gr=81=E1e</p>",
    "<p>Grüße</p>",
  ],
])("a body in %s is decoded", async (_, type, encoding, body, expected) => {
  const headers = `Content-Type: ${type}\r\nContent-Transfer-Encoding: ${encoding}`;
  const { rare } = await read(headers, body);
  expect((rare.text ?? rare.html)?.text.trim()).toBe(expected);
});

test("a message with common charsets is unchanged", async () => {
  const { message, rare } = await read("Content-Type: text/plain; charset=windows-1252", "Gr\xfc\xdfe");
  expect(rare).toBe(message);
});

test("each part is decoded in its own charset", async () => {
  const part = (charset: string, body: string) =>
    `--x\r\nContent-Type: text/plain; charset=${charset}\r\n\r\n${body}\r\n`;
  const body = `${part("utf-8", "first")}${part("cp850", "Gr\x81\xe1e")}--x--\r\n`;
  const { rare } = await read("Content-Type: multipart/mixed; boundary=x", body);
  expect(rare.text?.text.split(/\s+/)).toEqual(["first", "Grüße"]);
});

test("an invalid name of a charset or encoding does not break anything", async () => {
  const headers = 'Content-Type: text/plain; charset="cp850"\r\nContent-Transfer-Encoding: x"\r\n\t;evil: 1';
  const { rare } = await read(headers, "Gr\x81\xe1e");
  expect(typeof rare.text?.text).toBe("string");
});
