// Bodies: long, empty, deep, broken.

import { from, head, html, type Letter, quotedPrintable, text } from "./compose.ts";
import { signature } from "./signatures.ts";

const largest = 26_000_000;

export const mimeLetters: readonly Letter[] = [
  { name: "25 MB of text", write: () => text("", "The same line again and again.\r\n".repeat(largest / 34)) },
  { name: "25 MB of spaces, signed relaxed", write: () => text(signature(0), " ".repeat(largest)) },
  { name: "25 MB of bare LF, signed relaxed", write: () => text(signature(0), "\n".repeat(largest)) },
  { name: "25 MB of empty lines", write: () => text("", "\r\n".repeat(largest / 2)) },
  { name: "25 MB of empty lines, signed", write: () => text(signature(0), "\r\n".repeat(largest / 2)) },
  { name: "10,000 nested parts", write: () => nested(10_000) },
  { name: "100,000 parts side by side", write: () => sideBySide(100_000) },
  { name: "a million lines that look like delimiters", write: () => delimiters(1_000_000) },
  { name: "5,000 messages inside messages", write: () => messagesInMessages(5_000) },
  { name: "1,000 bodies of 25 KB", write: () => manyBodies(1_000, 25_000) },
  { name: "a million dot-stuffed lines", write: () => text("", "..\r\n".repeat(1_000_000)) },
  { name: "regex traps in the text", write: () => text("", `${"a".repeat(50_000)}!`.repeat(20)) },
  { name: "a bounce's words without end", write: () => withSubject("Undelivered Mail", "550 5.1.1 <a@b.c>: ") },
  { name: "a reply without end", write: () => withSubject("Automatic reply", "On Mon, Ann wrote:\r\n> ") },
  {
    name: "charsets that nobody knows",
    write: () =>
      text(
        `Content-Type: text/plain; charset="${"x".repeat(1_000)}"\r\nSubject: =?utf-7?q?+ADw-?= =?x?b?////?=\r\n`,
        "\xff\xfe\x00\x80".repeat(250_000),
      ),
  },
  ...["utf-16", "iso-2022-jp", "gb18030", "utf-7", "utf-8"].map((charset) => ({
    name: `10 MB of broken ${charset}`,
    write: () => text(`Content-Type: text/plain; charset=${charset}\r\n`, "\x1b$B\xd8\x00\xff+AA".repeat(1_250_000)),
  })),
  { name: "20 MB of broken quoted-printable", write: () => quotedPrintable("=\r\n".repeat(6_000_000)) },
  { name: "10 MB of HTML in UTF-16", write: () => inUtf16("<p>x</p>".repeat(600_000)) },
  { name: "a boundary of 60 KB", write: () => longBoundary(60_000) },
  { name: "NULs", write: () => text("", "\0".repeat(5_000_000)) },
  { name: "NULs as HTML", write: () => html("\0".repeat(5_000_000)) },
];

function nested(depth: number): Buffer {
  const open = Array.from(
    { length: depth },
    (_, level) => `Content-Type: multipart/mixed; boundary=b${level}\r\n\r\n--b${level}\r\n`,
  );
  return Buffer.from(
    `${from}${head}MIME-Version: 1.0\r\n${open.join("")}Content-Type: text/plain\r\n\r\nHello.\r\n`,
    "latin1",
  );
}

function sideBySide(count: number): Buffer {
  const part = "--b\r\nContent-Type: text/plain\r\n\r\nx\r\n";
  return text("MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n", `${part.repeat(count)}--b--\r\n`);
}

function delimiters(count: number): Buffer {
  return text(
    "MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n",
    `--b\r\n\r\n${"--c\r\n".repeat(count)}--b--\r\n`,
  );
}

/** Shown one below the other, so that together they are one body. */
function manyBodies(count: number, sizeBytes: number): Buffer {
  const part = `--b\r\nContent-Type: text/html\r\n\r\n${"<i>x</i>".repeat(sizeBytes / 8)}\r\n`;
  return text("MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n", `${part.repeat(count)}--b--\r\n`);
}

function withSubject(subject: string, words: string): Buffer {
  return Buffer.from(`${from}To: b@seed.example\r\nSubject: ${subject}\r\n\r\n${words.repeat(300_000)}`);
}

function inUtf16(content: string): Buffer {
  const type = "MIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-16le\r\n";
  return Buffer.concat([text(type, ""), Buffer.from(content, "utf16le")]);
}

function messagesInMessages(depth: number): Buffer {
  return Buffer.from(
    `${from}${head}MIME-Version: 1.0\r\n${"Content-Type: message/rfc822\r\n\r\n".repeat(depth)}Hello.\r\n`,
    "latin1",
  );
}

function longBoundary(length: number): Buffer {
  const boundary = "b".repeat(length);
  return text(
    `MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=${boundary}\r\n`,
    `--${boundary}\r\n\r\nx\r\n`.repeat(20),
  );
}
