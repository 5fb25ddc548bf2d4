// Small handmade files: archives and documents with only the bytes that identify them.

export type ZipEntry = {
  readonly name: string;
  readonly content?: string;
  /** The size that the archive claims. */
  readonly bytes?: number;
  readonly encrypted?: boolean;
};

/** Stored, not compressed. Checksums are left out, because they are never read. */
export function zip(...entries: readonly ZipEntry[]): Buffer {
  const locals: Buffer[] = [];
  const centrals: Buffer[] = [];
  let offset = 0;
  for (const { name, content = "", bytes, encrypted } of entries) {
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(encrypted ? 1 : 0, 6);
    local.writeUInt32LE(content.length, 18);
    local.writeUInt32LE(bytes ?? content.length, 22);
    local.writeUInt16LE(name.length, 26);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50, 0);
    central.writeUInt16LE(encrypted ? 1 : 0, 8);
    central.writeUInt32LE(content.length, 20);
    central.writeUInt32LE(bytes ?? content.length, 24);
    central.writeUInt16LE(name.length, 28);
    central.writeUInt32LE(offset, 42);
    const written = Buffer.concat([local, Buffer.from(name), Buffer.from(content)]);
    locals.push(written);
    centrals.push(central, Buffer.from(name));
    offset += written.length;
  }
  const directory = Buffer.concat(centrals);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, directory, end]);
}

/** An OLE compound file of one directory sector. */
export function compoundFile(...names: readonly string[]): Buffer {
  const bytes = Buffer.alloc(512 * 3 + 128 * names.length, 0);
  bytes.write("d0cf11e0a1b11ae1", 0, "hex");
  bytes.writeUInt16LE(9, 30);
  bytes.writeUInt32LE(1, 48);
  bytes.writeUInt32LE(0, 76);
  // The table: its own sector, then the directory's chain of one.
  bytes.writeUInt32LE(0xfffffffd, 512);
  bytes.writeUInt32LE(0xfffffffe, 516);
  for (const [at, name] of names.entries()) {
    bytes.write(name, 1_024 + at * 128, "utf16le");
    bytes.writeUInt16LE((name.length + 1) * 2, 1_024 + at * 128 + 64);
  }
  return bytes.subarray(0, 1_536);
}

export function tar(...names: readonly string[]): Buffer {
  return Buffer.concat(
    names.map((name) => {
      const header = Buffer.alloc(512);
      header.write(name);
      header.write("00000000000", 124);
      header.write("0", 156);
      header.write("ustar", 257);
      return header;
    }),
  );
}

/** RAR 4: a marker, a main header, one file. */
export function rar4(name: string, { encrypted = false, headersEncrypted = false } = {}): Buffer {
  const main = Buffer.alloc(13);
  main[2] = 0x73;
  main.writeUInt16LE(headersEncrypted ? 0x80 : 0, 3);
  main.writeUInt16LE(13, 5);
  const file = Buffer.alloc(32);
  file[2] = 0x74;
  file.writeUInt16LE(encrypted ? 4 : 0, 3);
  file.writeUInt16LE(32 + name.length, 5);
  file.writeUInt16LE(name.length, 26);
  return Buffer.concat([Buffer.from("526172211a0700", "hex"), main, file, Buffer.from(name)]);
}

/** RAR 5: a main header and one file, or a header that says that all others are encrypted. */
export function rar5(name: string, { headersEncrypted = false } = {}): Buffer {
  const header = (...fields: readonly number[]) => [0, 0, 0, 0, fields.length, ...fields];
  const blocks = headersEncrypted
    ? header(4, 0, 0, 0, 0, 0, 0)
    : [...header(1, 0, 0), ...header(2, 0, 0, 9, 0, 0, 0, name.length, ...Buffer.from(name))];
  return Buffer.concat([Buffer.from("526172211a070100", "hex"), Buffer.from([...blocks, 0, 0, 0, 0, 0, 0, 0])]);
}
