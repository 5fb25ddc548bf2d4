// The header as DKIM and ARC sign it (RFC 6376 §3.4.1, §3.4.2, §3.7, §5.4.2). Text is one character a byte.

import type { HeaderField, HeaderSection } from "./header-fields.ts";

export type HeaderCanonicalization = "simple" | "relaxed";
type FieldText = Pick<HeaderField, "key" | "line" | "value">;
export type FieldsByKey = ReadonlyMap<string, readonly HeaderField[]>;

export function groupFields(section: HeaderSection): FieldsByKey {
  return Map.groupBy(section.fields, ({ key }) => key);
}

/**
 * The fields that the names stand for, in that order: of several the lowest first, each once; a name that finds none
 * stands for nothing, so that a field added later breaks the signature. Never the signature itself (§3.5, h=).
 */
export function selectFields(fields: FieldsByKey, names: readonly string[], own: HeaderField): HeaderField[] {
  const left = new Map<string, HeaderField[]>();
  return names.flatMap((name) => {
    const candidates = left.get(name) ?? (fields.get(name) ?? []).filter((field) => field !== own);
    left.set(name, candidates);
    return candidates.pop() ?? [];
  });
}

/** What is signed: the fields, then the signature itself without its value and without a line end (§3.7). */
export function toSignedText(
  fields: readonly FieldText[],
  own: FieldText,
  canonicalization: HeaderCanonicalization,
): string {
  const lines = fields.map((field) => `${canonicalField(field, canonicalization)}\r\n`);
  return lines.join("") + canonicalField(withoutSignature(own), canonicalization);
}

/** Without the line end that closes it. */
export function canonicalField(
  { key, line, value }: FieldText,
  canonicalization: HeaderCanonicalization,
): string {
  return canonicalization === "simple" ? line : `${key}:${relaxedValue(value)}`;
}

/** §3.4.2: unfolded, each run of white space one space, none at the ends. */
export function relaxedValue(value: string): string {
  const text = value.replace(/\r?\n/g, "").replace(/[ \t]+/g, " ");
  return text.slice(text.startsWith(" ") ? 1 : 0, text.endsWith(" ") ? -1 : undefined);
}

/** §3.7: the value of b= goes, with the white space around it, and nothing else. */
function withoutSignature({ key, line, value }: FieldText): FieldText {
  const specs = value.split(";").map((spec) => /^[ \t\r\n]*b[ \t\r\n]*=/.exec(spec)?.[0] ?? spec);
  const bare = specs.join(";");
  return { key, line: line.slice(0, line.length - value.length) + bare, value: bare };
}
