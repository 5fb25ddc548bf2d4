// The header fields that a check speaks of: decoded, and with the place where each stands.

import type { Message } from "../../mail/mime/message.ts";
import type { Raw } from "../../mail/mime/raw.ts";
import { toStorableCut } from "../../mail/text/bounds.ts";

export type HeaderLine = {
  readonly header: string;
  readonly value: string;
  /** The first of the message is 1. */
  readonly line: number;
  /** In bytes, from the beginning of the message. */
  readonly offset: number;
};

const longestShown = 200;

/** Both facts are of one reading: they list the same fields in the same order. */
export function linesNamed(
  { raw, message }: { readonly raw: Raw; readonly message: Message },
  key: string,
): HeaderLine[] {
  return raw.headers.flatMap((field, index) =>
    field.key === key ? [toHeaderLine(field, message.headers[index]?.value ?? "")] : [],
  );
}

function toHeaderLine({ name, line, offset }: Raw["headers"][number], value: string): HeaderLine {
  return {
    header: toStorableCut(name, longestShown),
    value: toStorableCut(value.trim(), longestShown),
    line,
    offset,
  };
}

/** Evidence of a fault that several fields make together. */
export function seenIn(lines: readonly HeaderLine[]) {
  return { fields: lines.slice(0, maxTold) };
}

/** Beyond the bound there may be fields that nobody looked at: then none is missing for certain. */
export function isHeaderCut({ cuts }: Pick<Message, "cuts">): boolean {
  return cuts.some(({ what }) => what === "headerBytes" || what === "headerFields");
}

/** As above, of parts. */
export function arePartsCut({ cuts }: Pick<Message, "cuts">): boolean {
  return cuts.some(({ what }) => what === "parts" || what === "nesting" || what === "delimiters");
}

/** How many occurrences of one fault are told one by one; the rest is counted. */
export const maxTold = 10;

/** The first few as a person reads them, and how many more there are. */
export function toFew(values: readonly string[]): string[] {
  return values.length <= maxListed
    ? [...values]
    : [...values.slice(0, maxListed - 1), `${values.length - maxListed + 1} more`];
}

/** What a sentence lists in full (words.ts). */
const maxListed = 5;
