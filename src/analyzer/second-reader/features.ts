// Places in a message that readers are known to read differently.

import type { Message, MessagePart } from "../mail/mime/message.ts";
import type { Raw } from "../mail/mime/raw.ts";
import type { CauseId } from "../reports/second-reading-causes-table.ts";

export type OwnReading = { readonly message: Message; readonly raw: Raw };

/** Offsets of the places with this feature. Empty: the message doesn't have it. */
type FindFeature = (own: OwnReading) => readonly number[];

function fieldsNamed({ raw }: OwnReading, ...keys: readonly string[]): number[] {
  return raw.headers.filter(({ key }) => keys.includes(key)).map(({ offset }) => offset);
}

const several =
  (...keys: readonly string[]): FindFeature =>
  (own) =>
    keys.flatMap((key) => {
      const offsets = fieldsNamed(own, key);
      return offsets.length > 1 ? offsets : [];
    });

const withFault =
  (...kinds: readonly string[]): FindFeature =>
  ({ raw, message }) =>
    raw.faults
      .filter(({ fault }) => kinds.includes(fault))
      // A part that is never closed has nothing to show at its end, so its headers are shown.
      .map(({ fault, part, offset }) => (fault === "unclosed" ? beginOf(message, part) : offset));

function beginOf({ root }: Message, path: string): number {
  return partsOf(root).find((part) => part.path === path)?.offset ?? 0;
}

function partsOf(part: MessagePart): MessagePart[] {
  return [part, ...part.parts.flatMap(partsOf)];
}

const withPart =
  (is: (part: MessagePart) => boolean): FindFeature =>
  ({ message, raw }) => {
    // The message's own headers are long, so its Content-Type is shown instead of their beginning.
    const own = raw.headers.find(({ key }) => key === "content-type")?.offset ?? 0;
    return partsOf(message.root)
      .filter(is)
      .map(({ depth, offset }) => (depth === 0 ? own : offset));
  };

export const findSeveralFrom = several("from");
export const findSeveralSubjects = several("subject");
export const findSeveralDates = several("date");

/** An address that isn't plain, or text that belongs to none. */
export const findFromSyntax: FindFeature = (own) => {
  const { from, fromText } = own.message;
  const isPlain = from.count === 1 && from.groups.length === 0 && from.list[0]?.problem === null;
  return fromText === null || isPlain ? [] : fieldsNamed(own, "from");
};

export const findHeaderLines: FindFeature = ({ raw }) =>
  [...raw.badHeaderLines, ...raw.blankFolds].map(({ offset }) => offset);

export const findStructure = withFault(
  "boundary-missing",
  "boundary-illegal",
  "boundary-absent",
  "boundary-repeated",
  "unclosed",
  "text-before-parts",
  "text-behind-parts",
);

export const findPartType: FindFeature = (own) => [
  ...withFault("unreadable-type")(own),
  ...withPart(({ type, typeWritten }) => typeWritten !== null && !isPlainType(type, typeWritten))(own),
];

/** A type that is read as written, without comments and with each parameter once. */
function isPlainType(type: string, written: string): boolean {
  const bare = written.replace(/"[^"]*"/g, '""');
  const names = [...bare.matchAll(/;\s*([\w*-]+)\s*=/g)].map(([, name]) => name?.toLowerCase());
  const isOnce = new Set(names).size === names.length;
  return (bare.split(";")[0] ?? "").trim().toLowerCase() === type && !bare.includes("(") && isOnce;
}

export const findPartFields: FindFeature = (own) => [
  ...withFault("repeated-field")(own),
  ...several("content-type", "content-transfer-encoding", "content-disposition")(own),
];

export const findPartEncoding = withFault("unknown-encoding", "encoded-container");
export const findDamage = withFault("damaged-encoding");
export const findCharset = withFault("charset-unknown", "charset-invalid");
export const findEightBit: FindFeature = (own) => [
  ...own.raw.eightBitHeaders.map(({ offset }) => offset),
  ...withFault("eight-bit", "charset-undeclared", "charset-invalid")(own),
];

export const findTwoNames = withPart(
  ({ names }) => names.length > 1 && new Set(names.map(({ value }) => value)).size > 1,
);

export const findDisposition = withPart(
  ({ disposition }) => disposition !== null && disposition !== "inline" && disposition !== "attachment",
);

/** More than one text or HTML part outside files. */
export const findSeveralBodies: FindFeature = ({ message }) => {
  const bodies = partsOf(message.root).filter(
    ({ type, disposition }) => /^text\/(plain|html)$/.test(type) && disposition !== "attachment",
  );
  const isSeveral = ["text/plain", "text/html"].some((type) => bodies.filter((part) => part.type === type).length > 1);
  return isSeveral ? bodies.map(({ offset }) => offset) : [];
};

export const findControls: FindFeature = ({ raw }) =>
  [raw.nul, raw.bareCr].flatMap(({ first }) => (first === null ? [] : [first.offset]));

/** Without a Content-Type. */
export const findUntyped = withPart(({ typeWritten }) => typeWritten === null);

export const findFlowed = withPart(({ typeWritten }) => /format\s*=\s*"?flowed/i.test(typeWritten ?? ""));

/** The first cause whose feature the message has. */
export function findCause(
  own: OwnReading,
  causes: readonly (readonly [CauseId, FindFeature])[],
): { readonly cause: CauseId; readonly offsets: readonly number[] } {
  for (const [cause, find] of causes) {
    const offsets = find(own);
    if (offsets.length > 0) return { cause, offsets };
  }
  return { cause: "unknown", offsets: [] };
}
