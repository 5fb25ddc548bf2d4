// Signatures: many of them, over large content, with slow keys.

import { type Letter, text } from "./compose.ts";
import { arcSet, signature } from "./signatures.ts";

const hello = "Hello.\r\n";

export const signedLetters: readonly Letter[] = [
  {
    name: "1,000 DKIM signatures",
    write: () =>
      text(
        repeat(1_000, (index) => signature(index)),
        body(1_000_000),
      ),
  },
  {
    name: "1,000 DKIM signatures, each over another length",
    write: () =>
      text(
        repeat(1_000, (index) => signature(index, { length: index * 1_000 })),
        body(5_000_000),
      ),
  },
  {
    name: "20 DKIM signatures under keys of 8,192 bits",
    write: () =>
      text(
        repeat(20, (index) => signature(index, { domain: "long-keys.example", body: hello })),
        hello,
      ),
  },
  {
    name: "20 DKIM signatures under keys of 16,384 bits",
    write: () =>
      text(
        repeat(20, (index) => signature(index, { domain: "huge-keys.example", body: hello })),
        hello,
      ),
  },
  {
    name: "20 DKIM signatures, each with 100 keys",
    write: () =>
      text(
        repeat(20, (index) => signature(index, { domain: "many-keys.example", body: hello })),
        hello,
      ),
  },
  {
    name: "20 DKIM signatures over 10,000 names and 10,000 fields",
    write: () => {
      const headers = "from".concat(":x-a".repeat(10_000));
      const signatures = repeat(20, (index) => signature(index, { headers, body: hello }));
      return text(signatures + "X-A: b\r\n".repeat(9_000), hello);
    },
  },
  {
    name: "20 DKIM signatures over 900 long fields",
    write: () => {
      const headers = "from".concat(":x-a".repeat(900));
      const signatures = repeat(20, (index) => signature(index, { headers, body: hello }));
      return text(signatures + `X-A: ${"b \r\n ".repeat(200)}\r\n`.repeat(900), hello);
    },
  },
  {
    name: "200 ARC sets",
    write: () =>
      text(
        repeat(200, (index) => arcSet(index + 1, hello)),
        hello,
      ),
  },
  {
    name: "50 ARC sets of 19 KB",
    write: () =>
      text(
        repeat(50, (index) => arcSet(50 - index, hello, " (a)".repeat(4_500))),
        hello,
      ),
  },
];

function repeat(count: number, write: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => write(index)).join("");
}

function body(length: number): string {
  return "All work and no play makes a dull day.\r\n".repeat(length / 40);
}
