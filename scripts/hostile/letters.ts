// Messages made to cost a reader more than they cost their sender. Each stays below what the listener takes by default.

import { createHash } from "node:crypto";
import { deflateRawSync } from "node:zlib";

export type Letter = { readonly name: string; readonly write: () => Buffer };

const largest = 26_000_000;

export const letters: readonly Letter[] = [
  { name: "25 MB of text", write: () => text("", "The same line again and again.\r\n".repeat(largest / 34)) },
  { name: "25 MB of spaces, signed relaxed", write: () => text(signature(0), " ".repeat(largest)) },
  { name: "25 MB of bare LF, signed relaxed", write: () => text(signature(0), "\n".repeat(largest)) },
  { name: "25 MB of empty lines", write: () => text(signature(0), "\r\n".repeat(largest / 2)) },
  { name: "10,000 nested parts", write: () => nested(10_000) },
  { name: "100,000 parts side by side", write: () => sideBySide(100_000) },
  { name: "5,000 messages inside messages", write: () => messagesInMessages(5_000) },
  {
    name: "1 MB of folded header",
    write: () => text(`X-Long: a\r\n${" b\r\n".repeat(250_000)}`, "Hello.\r\n"),
  },
  {
    name: "1 MB of folded header, signed",
    write: () => text(`${signature(0)}Subject: a\r\n${" b\r\n".repeat(250_000)}`, "Hello.\r\n"),
  },
  { name: "200,000 headers", write: () => text("a:\r\n".repeat(200_000), "Hello.\r\n") },
  {
    name: "100,000 From addresses",
    write: () => withoutFrom(`From: ${"a@b.co, ".repeat(100_000)}a@b.co\r\n`, "Hello.\r\n"),
  },
  {
    name: "From of open comments and quotes",
    write: () => withoutFrom(`From: ${'("\\'.repeat(250_000)}\r\n`, "Hello.\r\n"),
  },
  {
    name: "1,000 DKIM signatures",
    write: () =>
      text(Array.from({ length: 1_000 }, (_, index) => signature(index)).join(""), body(1_000_000)),
  },
  {
    name: "1,000 DKIM signatures, each over another length",
    write: () =>
      text(
        Array.from({ length: 1_000 }, (_, index) => signature(index, index * 1_000)).join(""),
        body(5_000_000),
      ),
  },
  {
    name: "200 ARC sets",
    write: () => text(Array.from({ length: 200 }, (_, index) => arcSet(index + 1)).join(""), "Hello.\r\n"),
  },
  { name: "a million dot-stuffed lines", write: () => text("", "..\r\n".repeat(1_000_000)) },
  { name: "100,000 links", write: () => html(links(100_000)) },
  { name: "100,000 links in plain text", write: () => text("", "http://a.example/ ".repeat(100_000)) },
  { name: "10 MB of HTML on one line", write: () => html("<b>x</b>".repeat(1_250_000)) },
  { name: "100,000 elements inside each other", write: () => html("<div>".repeat(100_000)) },
  { name: "100,000 tables inside each other", write: () => html("<table><tr><td>".repeat(100_000)) },
  { name: "1 MB of one tag", write: () => html(`<a ${'b="c" '.repeat(170_000)}>`) },
  { name: "5 MB that opens and never closes", write: () => html("<".repeat(5_000_000)) },
  { name: "5 MB of entities", write: () => html("&amp".repeat(1_250_000)) },
  {
    name: "20,000 style rules for 20,000 elements",
    write: () =>
      html(`<style>${".a b>c~d{color:red}".repeat(20_000)}</style>${'<b class="a">x</b>'.repeat(20_000)}`),
  },
  {
    name: "a style sheet that opens and never closes",
    write: () => html(`<style>${"a{b:c(".repeat(300_000)}`),
  },
  { name: "a zip that inflates to 4 GB", write: () => attachment("bomb.zip", zipBomb()) },
  { name: "a zip of 60,000 entries", write: () => attachment("many.zip", zipOfMany(60_000)) },
  { name: "billion laughs in an SVG", write: () => attachment("laughs.svg", Buffer.from(billionLaughs())) },
  { name: "a report that inflates to 1 GB", write: () => report(deflateBomb()) },
  { name: "regex traps in the text", write: () => text("", `${"a".repeat(50_000)}!`.repeat(20)) },
  {
    name: "regex traps in headers",
    write: () =>
      text(
        `Received: ${"from a ".repeat(30_000)}\r\nSubject: ${"=?a?q?=".repeat(20_000)}\r\nDate: ${"Mon, ".repeat(20_000)}\r\nMessage-ID: ${"<".repeat(50_000)}\r\n`,
        "Hello.\r\n",
      ),
  },
  { name: "100,000 Received lines", write: () => text("Received: a\r\n".repeat(75_000), "Hello.\r\n") },
  {
    name: "charsets that nobody knows",
    write: () =>
      text(
        `Content-Type: text/plain; charset="${"x".repeat(1_000)}"\r\nSubject: =?utf-7?q?+ADw-?= =?x?b?////?=\r\n`,
        "\xff\xfe\x00\x80".repeat(250_000),
      ),
  },
  { name: "20 MB of broken base64", write: () => attachment("broken.bin", null, "=A".repeat(10_000_000)) },
  { name: "20 MB of broken quoted-printable", write: () => quotedPrintable("=\r\n".repeat(6_000_000)) },
  { name: "a boundary of 60 KB", write: () => longBoundary(60_000) },
  {
    name: "100,000 parameters",
    write: () => text(`Content-Type: text/plain${"; a*0*=b".repeat(100_000)}\r\n`, "Hello.\r\n"),
  },
  { name: "NULs", write: () => text("", "\0".repeat(5_000_000)) },
];

const head = "To: b@seed.example\r\nSubject: hostile\r\nDate: Sat, 21 Nov 2026 06:00:00 +0000\r\n";
const from = "From: Ann <a@sender.example>\r\n";

function withoutFrom(headers: string, content: string): Buffer {
  return Buffer.from(`${headers}${head}\r\n${content}`, "latin1");
}

function text(headers: string, content: string): Buffer {
  return withoutFrom(headers + from, content);
}

function html(content: string): Buffer {
  return text("MIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\n", content);
}

function quotedPrintable(content: string): Buffer {
  return text(
    "MIME-Version: 1.0\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: quoted-printable\r\n",
    content,
  );
}

function body(length: number): string {
  return "All work and no play makes a dull day.\r\n".repeat(length / 40);
}

/** Of the right form; the zone of the script holds a key for each selector. */
function signature(index: number, length?: number): string {
  const hash = createHash("sha256").update(String(index)).digest("base64");
  const limit = length === undefined ? "" : ` l=${length};`;
  return `DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=sender.example; s=s${index % 50};${limit}\r\n h=from:to:subject; bh=${hash};\r\n b=${"A".repeat(340)}==\r\n`;
}

function arcSet(instance: number): string {
  const tags = `i=${instance}; a=rsa-sha256; d=sender.example; s=s1`;
  return (
    `ARC-Seal: ${tags}; cv=pass; t=1; b=AAAA\r\n` +
    `ARC-Message-Signature: ${tags}; c=relaxed/relaxed; h=from; bh=AAAA; b=AAAA\r\n` +
    `ARC-Authentication-Results: i=${instance}; mx.example; spf=pass\r\n`
  );
}

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
  return text(
    "MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n",
    `${part.repeat(count)}--b--\r\n`,
  );
}

function messagesInMessages(depth: number): Buffer {
  return Buffer.from(
    `${from}${head}MIME-Version: 1.0\r\n${"Content-Type: message/rfc822\r\n\r\n".repeat(depth)}Hello.\r\n`,
    "latin1",
  );
}

function links(count: number): string {
  return Array.from(
    { length: count },
    (_, index) => `<a href="https://h${index}.example/?u=${index}">https://other${index}.example</a>`,
  ).join("");
}

function attachment(filename: string, bytes: Buffer | null, encoded = toBase64(bytes)): Buffer {
  const type = filename.endsWith(".svg") ? "image/svg+xml" : "application/octet-stream";
  return text(
    "MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n",
    `--b\r\nContent-Type: text/plain\r\n\r\nSee below.\r\n--b\r\nContent-Type: ${type}; name="${filename}"\r\n` +
      `Content-Disposition: attachment; filename="${filename}"\r\nContent-Transfer-Encoding: base64\r\n\r\n${encoded}\r\n--b--\r\n`,
  );
}

function report(gzip: Buffer): Buffer {
  return text(
    "MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n",
    `--b\r\nContent-Type: application/gzip; name="a!b!1!2.xml.gz"\r\nContent-Transfer-Encoding: base64\r\n\r\n${toBase64(gzip)}\r\n--b--\r\n`,
  );
}

function toBase64(bytes: Buffer | null): string {
  return (bytes?.toString("base64") ?? "").replace(/.{76}/g, "$&\r\n");
}

/** One entry that says it is 4 GB, over bytes that would inflate to a fifth of a gigabyte. */
function zipBomb(): Buffer {
  const deflated = deflateRawSync(Buffer.alloc(200_000_000));
  return zip([{ name: "zeros.bin", bytes: deflated, method: 8, size: 0xffff_fff0 }]);
}

function zipOfMany(count: number): Buffer {
  const entry = (_: unknown, index: number) => ({
    name: `${index}.txt`,
    bytes: Buffer.from("x"),
    method: 0,
    size: 1,
  });
  return zip(Array.from({ length: count }, entry));
}

type ZipEntry = {
  readonly name: string;
  readonly bytes: Buffer;
  readonly method: number;
  readonly size: number;
};

function zip(entries: readonly ZipEntry[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, bytes, method, size } of entries) {
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(method, 4);
    common.writeUInt32LE(bytes.length, 14);
    common.writeUInt32LE(size, 18);
    common.writeUInt16LE(name.length, 22); // and no extra field
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    const local = Buffer.concat([Buffer.from("PK\x03\x04"), common, Buffer.from(name), bytes]);
    files.push(local);
    directory.push(Buffer.from("PK\x01\x02\x14\0"), common, tail, Buffer.from(name));
    offset += local.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...files, listed, end]);
}

/** A gzip file over a raw stream of zeros. */
function deflateBomb(): Buffer {
  const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]);
  return Buffer.concat([header, deflateRawSync(Buffer.alloc(1_000_000_000)), Buffer.alloc(8)]);
}

function billionLaughs(): string {
  const entities = Array.from({ length: 30 }, (_, level) =>
    level === 0 ? '<!ENTITY l0 "lol">' : `<!ENTITY l${level} "${`&l${level - 1};`.repeat(10)}">`,
  );
  return `<?xml version="1.0"?><!DOCTYPE svg [${entities.join("")}]><svg xmlns="http://www.w3.org/2000/svg"><text>&l29;</text></svg>`;
}

function longBoundary(length: number): Buffer {
  const boundary = "b".repeat(length);
  return text(
    `MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=${boundary}\r\n`,
    `--${boundary}\r\n\r\nx\r\n`.repeat(20),
  );
}
