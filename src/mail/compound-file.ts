// The names in an OLE compound file ([MS-CFB]): which program wrote it, and whether it holds macros or is encrypted.

const endOfChain = 0xfffffffe;
/** Of a file's allocation table and directory: 64 MB are described by 256 sectors. */
const maxSectors = 512;
const maxNames = 2_000;

export type CompoundFile = {
  readonly names: ReadonlySet<string>;
  /** Of the root storage: which kind of program it belongs to. */
  readonly classId: string;
};

export function readCompoundFile(bytes: Buffer): CompoundFile {
  const names = new Set<string>();
  let classId = "";
  if (bytes.length < 512) return { names, classId };
  const shift = bytes.readUInt16LE(30);
  if (shift !== 9 && shift !== 12) return { names, classId };
  const size = 1 << shift;
  const table = readTable(bytes, size);
  let sector = bytes.readUInt32LE(48);
  for (let count = 0; count < maxSectors && sector < endOfChain; count++) {
    const begin = (sector + 1) * size;
    const content = bytes.subarray(begin, begin + size);
    for (let at = 0; at + 128 <= content.length && names.size < maxNames; at += 128) {
      const entry = content.subarray(at, at + 128);
      const length = Math.min(64, entry.readUInt16LE(64));
      if (entry[66] === 5) classId = entry.toString("hex", 80, 96);
      if (length > 2) names.add(entry.toString("utf16le", 0, length - 2));
    }
    sector = table(sector);
  }
  return { names, classId };
}

/** The allocation table's own sectors stand in the header: 109 of them are enough for 6 MB, and the directory comes early. */
function readTable(bytes: Buffer, size: number): (sector: number) => number {
  const perSector = size / 4;
  return (sector) => {
    const index = Math.floor(sector / perSector);
    if (index >= 109) return endOfChain;
    const at = (bytes.readUInt32LE(76 + index * 4) + 1) * size + (sector % perSector) * 4;
    return at + 4 <= bytes.length ? bytes.readUInt32LE(at) : endOfChain;
  };
}
