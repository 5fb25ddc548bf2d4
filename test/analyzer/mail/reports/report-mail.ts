// Reports as receivers mail them: compressed, with the usual subject and file name.

import { deflateRawSync } from "node:zlib";

type Archived = { readonly name: string; readonly content: Uint8Array | string };

export function zip(files: readonly Archived[], method: 0 | 8 = 8): Buffer {
  const locals: Buffer[] = [];
  const centrals: Buffer[] = [];
  let offset = 0;
  for (const { name, content } of files) {
    const packed = method === 8 ? deflateRawSync(content) : Buffer.from(content);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(method, 8);
    local.writeUInt16LE(name.length, 26);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50, 0);
    central.writeUInt16LE(method, 10);
    central.writeUInt32LE(packed.length, 20);
    central.writeUInt32LE(Buffer.byteLength(content), 24);
    central.writeUInt16LE(name.length, 28);
    central.writeUInt32LE(offset, 42);
    locals.push(local, Buffer.from(name), packed);
    centrals.push(central, Buffer.from(name));
    offset += 30 + name.length + packed.length;
  }
  const directory = Buffer.concat(centrals);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, directory, end]);
}

export const subject = "Report Domain: shop.example Submitter: provider.example Report-ID: <r-1>";
export const fileName = "provider.example!shop.example!1762041600!1762127999.xml.gz";

type Attachment = { readonly content: Uint8Array; readonly type?: string; readonly name?: string };

export function toReportMail(
  content: Uint8Array,
  { head, ...named }: Omit<Attachment, "content"> & { head?: string } = {},
) {
  return toMailOf([{ content, ...named }], head);
}

export function toMailOf(attachments: readonly Attachment[], head = `Subject: ${subject}`) {
  const bodies = attachments.map(
    ({ content, type = "application/gzip", name = fileName }) =>
      `Content-Type: ${type}; name="${name}"\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(content).toString("base64")}\r\n`,
  );
  return Buffer.from(
    `From: r@provider.example\r\n${head}\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nA report.\r\n--b\r\n${bodies.join("--b\r\n")}--b--\r\n`,
  );
}
