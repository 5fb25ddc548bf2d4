// The message judged on its bytes: the fact `raw`. What a lenient reader forgives is told here, with its line and offset.

import { type EncodedWordFault, inspectEncodedWords } from "./encoded-words.ts";
import type { HeaderField } from "./header-fields.ts";
import { unfoldedText } from "./header-text.ts";
import { type Lines, type Occurrences, type Place, readLines } from "./line-facts.ts";
import type { Message } from "./message.ts";
import type { Mime } from "./mime.ts";
import { type Cut, mimeBounds } from "./mime-bounds.ts";
import { findMimeFaults, type MimeFault } from "./mime-faults.ts";
import { type Entity, ownEntities } from "./mime-tree.ts";
import { toStorableCut } from "./storable.ts";

export type RawHeader = Place & {
  readonly name: string;
  /** Lower case. */
  readonly key: string;
  /** What follows the colon, folds and all, one character a byte. Not for showing. */
  readonly rawValue: string;
};

export type Raw = {
  readonly sizeBytes: number;
  /** In the order of the message. */
  readonly headers: readonly RawHeader[];
  /** With the empty line that ends the section. */
  readonly headerBytes: number;
  readonly headerLines: number;
  /** An empty line parts headers and body. */
  readonly blankLine: boolean;
  /** Lines that are no field, or have white space before the colon. */
  readonly badHeaderLines: readonly (Place & { readonly text: string })[];
  /** Folded lines of nothing but white space. */
  readonly blankFolds: readonly (Place & { readonly name: string })[];
  /** Fields with bytes above 127, and what they seem to say. */
  readonly eightBitHeaders: readonly (Place & { readonly name: string; readonly value: string })[];
  readonly encodedWords: readonly (EncodedWordFault & { readonly line: number })[];
  /** `where`: "header", or the path of the part. */
  readonly longestLine: Place & { readonly bytes: number; readonly where: string };
  readonly bareLf: Occurrences;
  readonly bareCr: Occurrences;
  readonly nul: Occurrences;
  readonly hasEightBit: boolean;
  readonly faults: readonly (MimeFault & { readonly line: number })[];
  /** How many of each kind there are, where the lists are bounded. */
  readonly counts: Readonly<Record<ListName, number>>;
  readonly cuts: readonly Cut[];
};

type Lists = ReturnType<typeof readLists>;
type ListName = keyof Lists;

export function readRaw(mime: Mime, message: Message): Raw {
  const { raw, tree } = mime;
  const { root } = tree;
  const lists = readLists(mime);
  const fields = root.fields.slice(0, mimeBounds.headerFields);
  const bounded = boundLists(lists);
  const offsets = [...fields, ...Object.values(bounded).flat()].map(({ offset }) => offset);
  const lines = readLines(raw, [...offsets, root.bodyOffset]);
  const placed = <At extends { readonly offset: number }>(list: readonly At[]) =>
    list.map((each) => ({ ...each, line: lines.lineOf(each.offset) }));
  return {
    sizeBytes: raw.length,
    headers: placed(fields.map(({ name, key, value, offset }) => ({ name, key, rawValue: value, offset }))),
    headerBytes: root.bodyOffset,
    headerLines: headerLines(lines, root),
    blankLine: root.hasBlankLine,
    badHeaderLines: placed(bounded.badHeaderLines),
    blankFolds: placed(bounded.blankFolds),
    eightBitHeaders: placed(bounded.eightBitHeaders),
    encodedWords: placed(bounded.encodedWords),
    longestLine: { ...lines.longest, where: whereIs(lines.longest.offset, root) },
    bareLf: toPlain(lines.bareLf),
    bareCr: toPlain(lines.bareCr),
    nul: toPlain(lines.nul),
    hasEightBit: lines.hasEightBit,
    faults: placed(bounded.faults),
    counts: {
      badHeaderLines: lists.badHeaderLines.length,
      blankFolds: lists.blankFolds.length,
      eightBitHeaders: lists.eightBitHeaders.length,
      encodedWords: lists.encodedWords.length,
      faults: lists.faults.length,
    },
    cuts: message.cuts,
  };
}

function readLists(mime: Mime) {
  const { root } = mime.tree;
  const fields = root.fields.slice(0, mimeBounds.headerFields);
  return {
    badHeaderLines: findBadLines(root),
    blankFolds: fields.flatMap(findBlankFolds),
    eightBitHeaders: fields.filter(isEightBit).map(toEightBit),
    encodedWords: fields.flatMap(inspectEncodedWords),
    faults: findMimeFaults(mime),
  };
}

function boundLists(lists: Lists): Lists {
  return {
    badHeaderLines: lists.badHeaderLines.slice(0, mimeBounds.faults),
    blankFolds: lists.blankFolds.slice(0, mimeBounds.faults),
    eightBitHeaders: lists.eightBitHeaders.slice(0, mimeBounds.faults),
    encodedWords: lists.encodedWords.slice(0, mimeBounds.faults),
    faults: lists.faults.slice(0, mimeBounds.faults),
  };
}

const longestShown = 200;

function findBadLines({ badLines, fields }: Entity): { offset: number; text: string }[] {
  const spaced = fields.filter(({ line, name }) => line[name.length] !== ":");
  return [...badLines, ...spaced.map(({ offset, line }) => ({ offset, text: line }))]
    .sort((one, other) => one.offset - other.offset)
    .map(({ offset, text }) => ({ offset, text: toStorableCut(text, longestShown) }));
}

/** RFC 5322 §3.2.2, §4.2: only the obsolete syntax has them. */
function findBlankFolds({ line, name, offset }: HeaderField): { offset: number; name: string }[] {
  const at = line.search(/\n[ \t]+(?:\r?\n|$)/);
  return at < 0 ? [] : [{ offset: offset + at + 1, name }];
}

function isEightBit({ line }: HeaderField): boolean {
  return /[\x80-\xff]/.test(line);
}

function toEightBit(field: HeaderField): { offset: number; name: string; value: string } {
  const { name, offset } = field;
  return { offset, name, value: toStorableCut(unfoldedText(field), longestShown) };
}

function headerLines(lines: Lines, { bodyOffset, hasBlankLine }: Entity): number {
  const last = lines.lineOf(bodyOffset);
  return hasBlankLine ? last - 2 : last;
}

function whereIs(offset: number, root: Entity): string {
  if (offset < root.bodyOffset) return "header";
  return ownEntities(root).findLast((entity) => entity.offset <= offset)?.path ?? root.path;
}

function toPlain({ count, first }: Occurrences): Occurrences {
  return { count, first };
}
