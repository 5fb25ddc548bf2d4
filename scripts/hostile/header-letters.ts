// Header sections: long, folded, crowded, and each parsed field at its longest.

import { type Letter, text, withoutFrom } from "./compose.ts";
import { signature } from "./signatures.ts";

const hello = "Hello.\r\n";
const megabyte = 1_000_000;

export const headerLetters: readonly Letter[] = [
  { name: "1 MB of folded header", write: () => text(`X-Long: a\r\n${" b\r\n".repeat(250_000)}`, hello) },
  {
    name: "1 MB of folded header, signed",
    write: () => text(`${signature(0)}Subject: a\r\n${" b\r\n".repeat(250_000)}`, hello),
  },
  { name: "1 MB of one header", write: () => text(`X-Long: ${"b".repeat(megabyte)}\r\n`, hello) },
  { name: "200,000 headers", write: () => text("a:\r\n".repeat(200_000), hello) },
  { name: "200,000 lines that are no header", write: () => text("a b\r\n".repeat(200_000), hello) },
  { name: "100,000 From addresses", write: () => withoutFrom(`From: ${"a@b.co, ".repeat(100_000)}a@b.co\r\n`, hello) },
  { name: "10,000 From fields", write: () => withoutFrom("From: Ann <a@sender.example>\r\n".repeat(10_000), hello) },
  { name: "1 MB of From", write: () => withoutFrom(`From: ${"a".repeat(megabyte)}@sender.example\r\n`, hello) },
  { name: "1 MB of From domain", write: () => withoutFrom(`From: a@${"a.".repeat(megabyte / 2)}example\r\n`, hello) },
  { name: "From of open comments and quotes", write: () => withoutFrom(`From: ${'("\\'.repeat(250_000)}\r\n`, hello) },
  {
    name: "From of groups and routes",
    write: () => withoutFrom(`From: ${"a:<@b,@c:d@e.co>;,".repeat(50_000)}\r\n`, hello),
  },
  {
    name: "From of encoded words",
    write: () => withoutFrom(`From: ${"=?utf-8?q?=40?= ".repeat(60_000)}<a@sender.example>\r\n`, hello),
  },
  { name: "1 MB of encoded words", write: () => subject("=?utf-8?B?w7w=?= ", 55_000) },
  { name: "encoded words of broken charsets", write: () => subject("=?iso-2022-jp?Q?=1B$B?= ", 40_000) },
  { name: "one encoded word of 1 MB", write: () => subject(`=?utf-8?Q?${"=C3".repeat(330_000)}?=`, 1) },
  {
    name: "regex traps in headers",
    write: () =>
      text(
        `Received: ${"from a ".repeat(30_000)}\r\nSubject: ${"=?a?q?=".repeat(20_000)}\r\nDate: ${"Mon, ".repeat(20_000)}\r\nMessage-ID: ${"<".repeat(50_000)}\r\n`,
        hello,
      ),
  },
  { name: "75,000 Received lines", write: () => text("Received: a\r\n".repeat(75_000), hello) },
  {
    name: "100 Received lines of 10 KB",
    write: () => text(`Received: from ${"a (b [1.2.3.4] ".repeat(650)}; ${"(".repeat(200)}\r\n`.repeat(100), hello),
  },
  {
    name: "100,000 List-Unsubscribe links",
    write: () => text(`List-Unsubscribe: ${"<http:a>,".repeat(100_000)}<mailto:a@b>\r\n`, hello),
  },
  { name: "1 MB of References", write: () => text(`References: ${"<a@b> ".repeat(megabyte / 6)}\r\n`, hello) },
  { name: "1 MB of To", write: () => text(`Cc: ${"Ann (x) <a@b.co>,".repeat(megabyte / 17)}\r\n`, hello) },
  { name: "100,000 parameters", write: () => text(`Content-Type: text/plain${"; a*0*=b".repeat(100_000)}\r\n`, hello) },
  {
    name: "10,000 continuations of one parameter",
    write: () => {
      const pieces = Array.from({ length: 10_000 }, (_, index) => `;\r\n name*${index}*=%e2`);
      return text(`Content-Type: text/plain${pieces.join("")}\r\n`, hello);
    },
  },
  {
    name: "Authentication-Results without end",
    write: () => text(`Authentication-Results: mx.example${"; spf=pass (a (b)) x.y=z".repeat(40_000)}\r\n`, hello),
  },
];

function subject(word: string, count: number): Buffer {
  return text(`Subject: ${word.repeat(count)}\r\n`, hello);
}
