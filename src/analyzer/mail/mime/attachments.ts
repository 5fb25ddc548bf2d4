// The fact `attachments`: each file with its declared type, its actual type, and what makes a provider reject or
// distrust it. Archives are listed, never unpacked.

import { createHash } from "node:crypto";
import { mimeBounds } from "../text/bounds.ts";
import type { ArchiveEntry } from "./archive.ts";
import { contentOf } from "./decode.ts";
import { type LookedInto, lookInto } from "./file-kind.ts";
import {
  endingOf,
  gmailRefuses,
  hasDirectionOverride,
  hasHiddenCharacters,
  hiddenEnding,
  isArchiveName,
  macroEndings,
  microsoftRejects,
  outlookBlocks,
  pageEndings,
  refusedEnding,
} from "./file-names.ts";
import { type FileFamily, type FileKind, fileKinds } from "./file-types-table.ts";
import type { Message, MessagePart } from "./message.ts";
import { isEmbeddedType } from "./tree.ts";

export type AttachmentWarningKind =
  | "gmail-refuses"
  | "gmail-refuses-inside"
  /** Gmail rejects an encrypted archive that contains an archive. */
  | "archive-in-encrypted"
  | "outlook-blocks"
  | "hidden-ending"
  | "direction-override"
  | "hidden-characters"
  | "two-names"
  | "type-mismatch"
  | "outlook-only"
  | "page"
  | "macros"
  | "encrypted"
  | "bomb"
  | "damaged"
  | "not-opened";

export type AttachmentWarning = {
  readonly warning: AttachmentWarningKind;
  /** The evidence: an ending, a name, a type. */
  readonly value: string | null;
};

export type Attachment = {
  /** The part's path. */
  readonly part: string;
  readonly filename: string | null;
  /** The media type that the message declares. */
  readonly declared: string;
  /** The type by the bytes. Null where they don't tell. */
  readonly actual: Pick<FileKind, "name" | "family" | "mediaType"> | null;
  readonly disposition: string | null;
  readonly cid: string | null;
  /** Decoded. */
  readonly bytes: number;
  readonly encrypted: boolean;
  readonly macros: boolean;
  /** The files in an archive or an embedded message. */
  readonly entries: readonly ArchiveEntry[];
  readonly entryCount: number;
  /** The first archive inside it. */
  readonly nestedArchive: string | null;
  readonly warnings: readonly AttachmentWarning[];
};

export function readAttachments(raw: Uint8Array, message: Message): Attachment[] {
  return message.attachments.map((part, at) =>
    at < mimeBounds.attachments ? readAttachment(raw, part) : unopened(part),
  );
}

/** Computed on demand, because it costs more than everything else. */
export function sha256Of(content: Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

const nothing: LookedInto = { kind: null, contents: null, encrypted: false, macros: false };

function unopened(part: MessagePart): Attachment {
  return describe(part, nothing, [{ warning: "not-opened", value: null }]);
}

function readAttachment(raw: Uint8Array, part: MessagePart): Attachment {
  if (isEmbeddedType(part.type)) return describe(part, { ...nothing, kind: mailKind }, []);
  return describe(part, lookInto(contentOf(raw, part)), []);
}

const mailKind = fileKinds.find(({ mediaType }) => mediaType === "message/rfc822") ?? null;

function describe(part: MessagePart, seen: LookedInto, first: readonly AttachmentWarning[]): Attachment {
  const { kind, contents } = seen;
  const entries = isEmbeddedType(part.type) ? filesOf(part) : (contents?.entries ?? []);
  const nestedArchive = isOffice(kind) ? null : (entries.find(({ name }) => isArchiveName(name))?.name ?? null);
  const macros = seen.macros || macroEndings.has(endingOf(part.filename ?? ""));
  const found = { ...seen, macros };
  return {
    part: part.path,
    filename: part.filename,
    declared: part.type,
    actual: kind && { name: kind.name, family: kind.family, mediaType: kind.mediaType },
    disposition: part.disposition,
    cid: part.cid,
    bytes: part.decodedBytes,
    encrypted: seen.encrypted,
    macros,
    entries,
    entryCount: isEmbeddedType(part.type) ? entries.length : (contents?.count ?? 0),
    nestedArchive,
    warnings: [...first, ...warningsOf(part, found, entries, nestedArchive)],
  };
}

function isOffice(kind: FileKind | null): boolean {
  return kind !== null && kind.family === "document";
}

/** The attachments of an embedded message. */
function filesOf(part: MessagePart): ArchiveEntry[] {
  return part.parts.flatMap((inner) => [
    ...(inner.filename === null ? [] : [{ name: inner.filename, bytes: inner.decodedBytes, encrypted: false }]),
    ...filesOf(inner),
  ]);
}

function warningsOf(
  part: MessagePart,
  seen: LookedInto,
  entries: readonly ArchiveEntry[],
  nestedArchive: string | null,
): AttachmentWarning[] {
  return [
    ...refusals(part.filename ?? "", seen.kind, isOffice(seen.kind) ? [] : entries),
    ...warn("archive-in-encrypted", seen.encrypted && nestedArchive),
    ...warningsOfName(part),
    ...warningsOfKind(part, seen),
  ];
}

function warn(warning: AttachmentWarningKind, value: string | null | false): AttachmentWarning[] {
  return value === null || value === false ? [] : [{ warning, value }];
}

function warningsOfName(part: MessagePart): AttachmentWarning[] {
  const name = part.filename ?? "";
  return [
    ...warn("hidden-ending", hiddenEnding(name)),
    ...warn("direction-override", hasDirectionOverride(name) && name),
    ...warn("hidden-characters", hasHiddenCharacters(name) && name),
    ...warn("two-names", otherName(part)),
  ];
}

function warningsOfKind(part: MessagePart, { kind, contents, macros, encrypted }: LookedInto): AttachmentWarning[] {
  const known = kind?.name ?? endingOf(part.filename ?? "");
  const isTnef = kind?.name === "TNEF" || /ms-tnef$/.test(part.type);
  return [
    ...warn("type-mismatch", kind !== null && isMismatch(part, kind) && kind.mediaType),
    ...warn("outlook-only", isTnef && part.type),
    ...warn("page", isPage(part, kind) && known),
    ...warn("macros", macros && known),
    ...warn("encrypted", encrypted && known),
    ...warn("bomb", contents !== null && isBomb(part, contents.unpackedBytes) && `${contents.unpackedBytes}`),
    ...warn("damaged", contents?.isDamaged === true && known),
  ];
}

function refusals(name: string, kind: FileKind | null, entries: readonly ArchiveEntry[]): AttachmentWarning[] {
  // The actual type counts too: a renamed program is still a program.
  const byKind = kind?.family === "program" || kind?.family === "disk-image" ? kind.extensions : [];
  const find = (refused: ReadonlySet<string>) =>
    refusedEnding(name, refused) ?? byKind.find((ending) => refused.has(ending)) ?? null;
  const gmail = find(gmailRefuses);
  if (gmail !== null) return [{ warning: "gmail-refuses", value: gmail }];
  const inside = entries.find((entry) => refusedEnding(entry.name, gmailRefuses) !== null);
  if (inside) return [{ warning: "gmail-refuses-inside", value: inside.name }];
  const outlook = find(microsoftRejects) ?? find(outlookBlocks);
  return outlook === null ? [] : [{ warning: "outlook-blocks", value: outlook }];
}

/** The same name in two encodings is one name. Two extensions are two names. */
function otherName({ type, names, filename }: MessagePart): string | null {
  // Thunderbird used to write this name with the extension in one place and without it in the other.
  if (type === "application/pgp-signature") return null;
  const ending = endingOf(filename ?? "");
  return names.find(({ value }) => endingOf(value) !== ending)?.value ?? null;
}

const manyTimes = 200;
const muchBytes = 104_857_600;

function isBomb({ decodedBytes }: MessagePart, unpackedBytes: number): boolean {
  return unpackedBytes > muchBytes && unpackedBytes > decodedBytes * manyTimes;
}

function isPage({ filename, cid, disposition }: MessagePart, kind: FileKind | null): boolean {
  const isShown = disposition !== "attachment" && cid !== null && kind?.name === "SVG";
  return !isShown && (kind?.family === "page" || pageEndings.has(endingOf(filename ?? "")));
}

const byEnding = new Map(fileKinds.flatMap((kind) => kind.extensions.map((ending) => [ending, kind] as const)));
const byType = new Map(
  fileKinds.flatMap((kind) => [kind.mediaType, ...(kind.alsoTypes ?? [])].map((type) => [type, kind] as const)),
);

/**
 * The name counts more than the type, because clients derive the type from it. A name without an extension claims
 * nothing.
 */
function isMismatch({ filename, type }: MessagePart, actual: FileKind): boolean {
  const claimed = byEnding.get(endingOf(filename ?? "")) ?? byType.get(type) ?? familyOfType(type);
  if (claimed === null || groupOf(claimed.family) === groupOf(actual.family)) return false;
  // Office documents are packed, and their container can look like an archive.
  const isContainer = actual.name === "ZIP" || actual.name === "OLE file";
  return !(isContainer && /^(document|program|message)$/.test(claimed.family));
}

function familyOfType(type: string): Pick<FileKind, "family"> | null {
  const [, family] = /^(image|audio|video|font)\//.exec(type) ?? [];
  if (family === undefined) return null;
  return { family: family === "image" ? "image" : family === "font" ? "font" : "media" };
}

/** Bytes can't tell kinds of text apart. */
function groupOf(family: FileFamily): FileFamily {
  return family === "page" || family === "message" || family === "signature" ? "text" : family;
}
