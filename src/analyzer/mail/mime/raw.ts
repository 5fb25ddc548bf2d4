// The fact `raw`: problems in a message's bytes that lenient parsers tolerate, each with its line and offset.

import { isAscii } from "node:buffer";
import { type EncodedWordFault, inspectEncodedWords, unfoldedText } from "../headers/encoded-words.ts";
import type { HeaderField } from "../headers/fields.ts";
import { type Cut, mimeBounds, toStorableCut } from "../text/bounds.ts";
import type { Mime } from "./decode.ts";
import { findMimeFaults, type MimeFault } from "./faults.ts";
import { type LinePosition, type Lines, type Occurrences, readLines } from "./line-facts.ts";
import type { Message } from "./message.ts";
import { type Entity, ownEntities } from "./tree.ts";

type RawHeader = LinePosition & {
  readonly name: string;
  /** Lower case. */
  readonly key: string;
  /** The text after the colon, folds included, one character a byte. Not for display. */
  readonly rawValue: string;
};

export type Raw = {
  readonly sizeBytes: number;
  /** In message order. */
  readonly headers: readonly RawHeader[];
  /** Includes the empty line that ends the section. */
  readonly headerBytes: number;
  readonly headerLines: number;
  /** An empty line separates headers and body. */
  readonly blankLine: boolean;
  /** Lines that aren't fields, or have white space before the colon. */
  readonly badHeaderLines: readonly (LinePosition & { readonly text: string })[];
  /** Folded lines of white space only. */
  readonly blankFolds: readonly (LinePosition & { readonly name: string })[];
  /** Fields with bytes above 127, and what they appear to say. */
  readonly eightBitHeaders: readonly (LinePosition & { readonly name: string; readonly value: string })[];
  readonly encodedWords: readonly (EncodedWordFault & { readonly line: number })[];
  /** `where` is "header" or the path of the part. */
  readonly longestLine: LinePosition & { readonly bytes: number; readonly where: string };
  readonly bareLf: Occurrences;
  readonly bareCr: Occurrences;
  readonly nul: Occurrences;
  readonly hasEightBit: boolean;
  /** The body has 8-bit bytes. */
  readonly hasEightBitBody: boolean;
  readonly faults: readonly (MimeFault & { readonly line: number })[];
  /** The full number of each kind, where the lists are bounded. */
  readonly counts: Readonly<Record<ListName, number>>;
  readonly cuts: readonly Cut[];
};

type ListName = "badHeaderLines" | "blankFolds" | "eightBitHeaders" | "encodedWords" | "faults";

/** The first of them, and the full number. */
type Bounded<T> = { readonly list: readonly T[]; readonly count: number };

export function readRaw(mime: Mime, message: Message): Raw {
  const { raw, tree } = mime;
  const { root } = tree;
  const { fields } = root;
  const found = {
    badHeaderLines: findBadLines(root),
    blankFolds: bounded(fields.flatMap(findBlankFolds)),
    eightBitHeaders: findEightBit(fields),
    encodedWords: bounded(fields.flatMap(inspectEncodedWords)),
    faults: bounded(findMimeFaults(mime)),
  };
  const listed = Object.values(found).flatMap(({ list }: Bounded<{ offset: number }>) => list);
  const offsets = [...fields, ...listed].map(({ offset }) => offset);
  const lines = readLines(raw, [...offsets, root.bodyOffset]);
  const placed = <At extends { readonly offset: number }>(list: readonly At[]) =>
    list.map((each) => ({ ...each, line: lines.lineOf(each.offset) }));
  return {
    sizeBytes: raw.length,
    headers: placed(fields.map(({ name, key, value, offset }) => ({ name, key, rawValue: value, offset }))),
    headerBytes: root.bodyOffset,
    headerLines: headerLines(lines, root),
    blankLine: root.hasBlankLine,
    badHeaderLines: placed(found.badHeaderLines.list),
    blankFolds: placed(found.blankFolds.list),
    eightBitHeaders: placed(found.eightBitHeaders.list),
    encodedWords: placed(found.encodedWords.list),
    longestLine: { ...lines.longest, where: whereIs(lines.longest.offset, root) },
    bareLf: lines.bareLf,
    bareCr: lines.bareCr,
    nul: lines.nul,
    hasEightBit: lines.hasEightBit,
    hasEightBitBody: lines.hasEightBit && !isAscii(raw.subarray(root.bodyOffset)),
    faults: placed(found.faults.list),
    counts: {
      badHeaderLines: found.badHeaderLines.count,
      blankFolds: found.blankFolds.count,
      eightBitHeaders: found.eightBitHeaders.count,
      encodedWords: found.encodedWords.count,
      faults: found.faults.count,
    },
    cuts: message.cuts,
  };
}

function bounded<T>(all: readonly T[]): Bounded<T> {
  return { list: all.slice(0, mimeBounds.faults), count: all.length };
}

const longestShown = 200;

function findBadLines({ badLines, fields }: Entity): Bounded<{ offset: number; text: string }> {
  const spaced = fields.filter(({ line, name }) => line[name.length] !== ":");
  const first = [
    ...bounded(badLines).list,
    ...bounded(spaced).list.map(({ offset, line }) => ({ offset, text: line })),
  ].sort((one, other) => one.offset - other.offset);
  const list = bounded(first).list.map(({ offset, text }) => ({ offset, text: toStorableCut(text, longestShown) }));
  return { list, count: badLines.length + spaced.length };
}

/** RFC 5322 §3.2.2, §4.2: only the obsolete syntax allows them. */
function findBlankFolds({ line, name, offset }: HeaderField): { offset: number; name: string }[] {
  const at = line.search(/\n[ \t]+(?:\r?\n|$)/);
  return at < 0 ? [] : [{ offset: offset + at + 1, name }];
}

function findEightBit(fields: readonly HeaderField[]): Bounded<{ offset: number; name: string; value: string }> {
  const { list, count } = bounded(fields.filter(({ line }) => /[\x80-\xff]/.test(line)));
  const toShown = (field: HeaderField) => toStorableCut(unfoldedText(field), longestShown);
  return { list: list.map((field) => ({ offset: field.offset, name: field.name, value: toShown(field) })), count };
}

function headerLines(lines: Lines, { bodyOffset, hasBlankLine }: Entity): number {
  const last = lines.lineOf(bodyOffset);
  return hasBlankLine ? last - 2 : last;
}

function whereIs(offset: number, root: Entity): string {
  if (offset < root.bodyOffset) return "header";
  return ownEntities(root).findLast((entity) => entity.offset <= offset)?.path ?? root.path;
}
