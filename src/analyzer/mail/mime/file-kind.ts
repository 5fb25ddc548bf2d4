// Detects the kind of a file from its bytes, whatever its name.

import { type ArchiveEntry, type Contents, readGzip, readRarNames, readTarNames, readZipDirectory } from "./archive.ts";
import { type FileKind, fileKinds, textBeginnings } from "./file-types-table.ts";

export type LookedInto = {
  readonly kind: FileKind | null;
  /** An archive's contents. Null if they can't be read, or if it isn't an archive. */
  readonly contents: Contents | null;
  readonly encrypted: boolean;
  readonly macros: boolean;
};

const named = new Map(fileKinds.map((kind) => [kind.name, kind]));

function kindNamed(name: string): FileKind | null {
  return named.get(name) ?? null;
}

export function lookInto(content: Uint8Array): LookedInto {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const kind = kindOf(bytes);
  const plain: LookedInto = { kind, contents: null, encrypted: false, macros: false };
  switch (kind?.name) {
    case "ZIP":
      return lookIntoZip(bytes, plain);
    case "OLE file":
      return lookIntoCompound(readCompoundFile(bytes), plain);
    case "gzip":
      return lookIntoGzip(bytes, plain);
    case "tar":
      return { ...plain, contents: readTarNames(bytes) };
    case "RAR":
      return withContents(plain, readRarNames(bytes));
    case "PDF":
      return { ...plain, encrypted: isEncryptedPdf(bytes) };
    default:
      return plain;
  }
}

export function kindOf(bytes: Buffer): FileKind | null {
  const found = magics.find(({ marks }) => marks.every(({ at, mark }) => stands(bytes, at, mark)))?.kind;
  if (found && !isFalseProgram(bytes, found)) return found;
  if (bytes.subarray(-512).indexOf("koly") === 0) return kindNamed("macOS disk image");
  return kindOfText(bytes);
}

const magics = fileKinds.flatMap((kind) => {
  const marks = (kind.magic ?? []).map(({ at, text, hex }) => ({
    at,
    mark: text === undefined ? Buffer.from(hex ?? "", "hex") : Buffer.from(text, "latin1"),
  }));
  return marks.length > 0 ? [{ kind, marks }] : [];
});

function stands(bytes: Buffer, at: number, mark: Buffer): boolean {
  const end = at + mark.length;
  return end <= bytes.length && bytes.compare(mark, 0, mark.length, at, end) === 0;
}

/** A text may begin with MZ, but a program's first 64 bytes contain zeros. */
function isFalseProgram(bytes: Buffer, { name }: FileKind): boolean {
  return name === "Windows program" && !bytes.subarray(0, 64).includes(0);
}

const sniffedBytes = 1_500;

function kindOfText(bytes: Buffer): FileKind | null {
  const isWide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[1] === 0 && bytes[3] === 0);
  const text = bytes.toString(isWide ? "utf16le" : "utf8", 0, sniffedBytes);
  const beginning = text
    .replace(/^\ufeff/, "")
    .trimStart()
    .toLowerCase();
  const kind = textBeginnings.find(({ pattern }) => pattern.test(beginning))?.kind;
  return kind === undefined ? null : kindNamed(kind);
}

function withContents(plain: LookedInto, contents: Contents): LookedInto {
  return { ...plain, contents, encrypted: contents.encrypted };
}

function lookIntoZip(bytes: Buffer, plain: LookedInto): LookedInto {
  const contents = readZipDirectory(bytes);
  const kind = kindOfZip(contents.entries, storedType(bytes)) ?? plain.kind;
  const macros = contents.entries.some(({ name }) => /(^|\/)vbaProject\.bin$/i.test(name));
  return { ...withContents(plain, contents), kind, macros };
}

/** OpenDocument and EPUB: the first file names the type and isn't compressed. */
function storedType(bytes: Buffer): string {
  const name = bytes.toString("latin1", 30, 38);
  return name === "mimetype" ? bytes.toString("latin1", 38, 118) : "";
}

function kindOfZip(entries: readonly ArchiveEntry[], storedAs: string): FileKind | null {
  const stored = fileKinds.findLast(({ mediaType }) => storedAs.startsWith(mediaType));
  const openDocument = openDocumentKinds.find(({ mediaType }) => storedAs.startsWith(mediaType));
  if (openDocument ?? stored) return openDocument ?? stored ?? null;
  const found = zipSigns.find(({ sign }) => entries.some(({ name }) => sign.test(name)));
  return found ? kindNamed(found.kind) : null;
}

/** Longer media types first, because some are prefixes of others. */
const openDocumentKinds = fileKinds
  .filter(({ mediaType }) => mediaType.startsWith("application/vnd.oasis."))
  .toSorted((one, other) => other.mediaType.length - one.mediaType.length);

const zipSigns = [
  { sign: /^word\//i, kind: "Word (OOXML)" },
  { sign: /^xl\//i, kind: "Excel (OOXML)" },
  { sign: /^ppt\//i, kind: "PowerPoint (OOXML)" },
  { sign: /^AndroidManifest\.xml$/, kind: "Android package" },
  { sign: /^Appx(Bundle)?Manifest\.xml$|^AppxMetadata\//i, kind: "Windows app package" },
  { sign: /^pass\.json$/, kind: "Apple pass" },
  { sign: /^Index\/Document\.iwa$/, kind: "Apple iWork" },
  { sign: /^META-INF\/MANIFEST\.MF$/i, kind: "Java archive" },
];

/** Installer, patch and transform. */
const installerClass = /^8[246]100c00/;

const compoundSigns = [
  { sign: /^EncryptedPackage$/, kind: "encrypted Office" },
  { sign: /^WordDocument$/, kind: "Word" },
  { sign: /^(Workbook|Book)$/, kind: "Excel" },
  { sign: /^PowerPoint Document$/, kind: "PowerPoint" },
  { sign: /^__properties_version1\.0$/, kind: "Outlook message" },
];

function lookIntoCompound({ names, classId }: CompoundFile, plain: LookedInto): LookedInto {
  const found = compoundSigns.find(({ sign }) => [...names].some((name) => sign.test(name)));
  const isInstaller = installerClass.test(classId) || [...names].some(isInstallerName);
  const name = isInstaller ? "Windows installer" : (found?.kind ?? "OLE file");
  return {
    kind: kindNamed(name),
    contents: plain.contents,
    encrypted: names.has("EncryptedPackage"),
    macros: ["Macros", "_VBA_PROJECT_CUR", "_VBA_PROJECT", "VBA"].some((each) => names.has(each)),
  };
}

/** Installers encode the names of their tables in a private character range. */
function isInstallerName(name: string): boolean {
  return name.startsWith("\u4840");
}

function lookIntoGzip(bytes: Buffer, plain: LookedInto): LookedInto {
  const { name, beginning } = readGzip(bytes);
  const inner = kindOf(beginning);
  if (inner?.name === "tar") return { ...plain, contents: readTarNames(beginning) };
  const [extension = ""] = inner?.extensions ?? [];
  const entry = { name: name ?? (extension === "" ? "" : `content.${extension}`), bytes: null, encrypted: false };
  const entries = [entry, ...programEntry(entry.name, inner)];
  const contents = { entries, count: 1, unpackedBytes: 0, encrypted: false, isDamaged: false };
  return { ...plain, contents: entry.name === "" ? null : contents };
}

/** A renamed program is listed under its actual type. */
function programEntry(name: string, inner: FileKind | null): ArchiveEntry[] {
  const [extension = ""] = inner?.extensions ?? [];
  if (inner?.family !== "program" || name.toLowerCase().endsWith(`.${extension}`)) return [];
  return [{ name: `${name}.${extension}`, bytes: null, encrypted: false }];
}

const maxLooks = 50;

/** ISO 32000-1 §7.6: the trailer contains the dictionary or refers to it. */
function isEncryptedPdf(bytes: Buffer): boolean {
  let at = bytes.indexOf("/Encrypt");
  for (let look = 0; at >= 0 && look < maxLooks; look++) {
    if (/^\s{0,10}(\d{1,10} \d{1,5} R|<<)/.test(bytes.toString("latin1", at + 8, at + 40))) return true;
    at = bytes.indexOf("/Encrypt", at + 8);
  }
  return false;
}

// Reads the names in an OLE compound file ([MS-CFB]): which application wrote it, and whether it has macros or is
// encrypted.

const endOfChain = 0xfffffffe;
/** For the allocation table and the directory: 256 sectors describe 64 MB. */
const maxSectors = 512;
const maxNames = 2_000;

type CompoundFile = {
  readonly names: ReadonlySet<string>;
  /** The root storage's class id, which names the application. */
  readonly classId: string;
};

function readCompoundFile(bytes: Buffer): CompoundFile {
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

/**
 * The first 109 sectors of the allocation table are listed in the header. They cover 6 MB, and the directory comes
 * early.
 */
function readTable(bytes: Buffer, size: number): (sector: number) => number {
  const perSector = size / 4;
  return (sector) => {
    const index = Math.floor(sector / perSector);
    if (index >= 109) return endOfChain;
    const at = (bytes.readUInt32LE(76 + index * 4) + 1) * size + (sector % perSector) * 4;
    return at + 4 <= bytes.length ? bytes.readUInt32LE(at) : endOfChain;
  };
}
