// Header fields as findings show them: decoded, with their place in the message.

import type { Message } from "../../mail/mime/message.ts";
import type { Raw } from "../../mail/mime/raw.ts";
import { toStorableCut } from "../../mail/text/bounds.ts";

export type HeaderLine = {
  readonly header: string;
  readonly value: string;
  /** Starts at 1. */
  readonly line: number;
  /** In bytes from the start of the message. */
  readonly offset: number;
};

const longestShown = 200;

/** Both facts come from one parse, so they list the same fields in the same order. */
export function linesNamed(
  { raw, message }: { readonly raw: Raw; readonly message: Message },
  key: string,
): HeaderLine[] {
  return raw.headers.flatMap((field, index) =>
    field.key === key ? [toHeaderLine(field, message.headers[index]?.value ?? "")] : [],
  );
}

function toHeaderLine({ name, line, offset }: Raw["headers"][number], value: string): HeaderLine {
  return { header: toStorableCut(name, longestShown), value: toStorableCut(value.trim(), longestShown), line, offset };
}

/** Evidence for an issue that several fields cause together. */
export function seenIn(lines: readonly HeaderLine[]) {
  return { fields: lines.slice(0, maxTold) };
}

/** True when some fields were not read, so a field may not really be missing. */
export function isHeaderCut({ cuts }: Pick<Message, "cuts">): boolean {
  return cuts.some(({ what }) => what === "headerBytes" || what === "headerFields");
}

/** The same for parts. */
export function arePartsCut({ cuts }: Pick<Message, "cuts">): boolean {
  return cuts.some(({ what }) => what === "parts" || what === "nesting" || what === "delimiters");
}

/** How many occurrences of one issue are listed. The rest are only counted. */
export const maxTold = 10;

/** The first few values, and the number of the rest. */
export function toFew(values: readonly string[]): string[] {
  return values.length <= maxListed
    ? [...values]
    : [...values.slice(0, maxListed - 1), `${values.length - maxListed + 1} more`];
}

/** The longest list that a sentence shows in full (words.ts). */
const maxListed = 5;
