// Attachments: archives that inflate, list endless entries, or lead their parser in circles.

import { deflateRawSync } from "node:zlib";
import { attachment, type Letter, text, toBase64 } from "./compose.ts";

export const fileLetters: readonly Letter[] = [
  { name: "a zip that inflates to 4 GB", write: () => attachment("bomb.zip", zipBomb()) },
  { name: "a zip of 60,000 entries", write: () => attachment("many.zip", zipOfMany(60_000)) },
  { name: "billion laughs in an SVG", write: () => attachment("laughs.svg", Buffer.from(billionLaughs())) },
  { name: "a report that inflates to 1 GB", write: () => report(deflateBomb()) },
  { name: "20 MB of broken base64", write: () => attachment("broken.bin", null, "=A".repeat(10_000_000)) },
  { name: "20 MB of spaces as base64", write: () => attachment("spaces.bin", null, " ".repeat(20_000_000)) },
  { name: "1,000 attachments of 20 KB", write: () => manyAttachments(1_000, 20_000) },
  { name: "a compound file that bites its tail", write: () => attachment("loop.doc", loopingCompoundFile()) },
];

/** One entry that claims 4 GB, with data that would inflate to a fifth of a gigabyte. */
function zipBomb(): Buffer {
  const deflated = deflateRawSync(Buffer.alloc(200_000_000));
  return zip([{ name: "zeros.bin", bytes: deflated, method: 8, size: 0xffff_fff0 }]);
}

function zipOfMany(count: number): Buffer {
  const entry = (_: unknown, index: number) => ({ name: `${index}.txt`, bytes: Buffer.from("x"), method: 0, size: 1 });
  return zip(Array.from({ length: count }, entry));
}

type ZipEntry = { readonly name: string; readonly bytes: Buffer; readonly method: number; readonly size: number };

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
    common.writeUInt16LE(name.length, 22); // no extra field
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

function report(gzip: Buffer): Buffer {
  return text(
    "MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n",
    `--b\r\nContent-Type: application/gzip; name="a!b!1!2.xml.gz"\r\nContent-Transfer-Encoding: base64\r\n\r\n${toBase64(gzip)}\r\n--b--\r\n`,
  );
}

/** A gzip file of a raw stream of zeros. */
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

function manyAttachments(count: number, sizeBytes: number): Buffer {
  const content = toBase64(zip([{ name: "a.exe", bytes: Buffer.alloc(sizeBytes), method: 0, size: sizeBytes }]));
  const part = `--b\r\nContent-Type: application/zip; name=a.zip\r\nContent-Transfer-Encoding: base64\r\n\r\n${content}\r\n`;
  return text(
    "MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n",
    `${part.repeat(Math.min(count, Math.floor(25_000_000 / part.length)))}--b--\r\n`,
  );
}

/** Each sector of its table and of its directory refers to itself. */
function loopingCompoundFile(): Buffer {
  const file = Buffer.alloc(1_000_000);
  Buffer.from("d0cf11e0a1b11ae1", "hex").copy(file);
  file.writeUInt16LE(9, 30); // 512-byte sectors
  file.writeUInt32LE(100_000, 44);
  return file;
}
