// The macro strings of SPF (RFC 7208 §7): parsed once into parts and expanded when the values are known. Text between
// macros is one part, so that a long record takes linear time.

import { toVisibleCut } from "../visible-text.ts";

const termLetters = ["s", "l", "o", "d", "i", "p", "v", "h"] as const;
/** The last three are allowed only in an explanation. */
const letters = [...termLetters, "c", "r", "t"] as const;

export type MacroLetter = (typeof letters)[number];

type MacroExpansion = {
  readonly letter: MacroLetter;
  /** How many parts to keep, counted from the right; null keeps all. */
  readonly keep: number | null;
  readonly reverse: boolean;
  /** The characters that split the value; empty for the default. */
  readonly delimiters: string;
  /** An upper-case letter: the value is escaped as in a URL. */
  readonly urlEscape: boolean;
};

export type MacroString = readonly (string | MacroExpansion)[];

type ParsedMacro =
  | { readonly ok: true; readonly macro: MacroString; readonly endsInMacro: boolean }
  | { readonly ok: false; readonly problem: string };

/** The last alternative matches what is not allowed. */
const tokens = /%\{([A-Za-z])(\d*)([rR]?)([-.+,/_=]*)\}|%([%_-])|([\x20-\x24\x26-\x7e]+)|(%\{[^}]{0,40}\}?|%.?|.)/gs;
const escapes: Readonly<Record<string, string>> = { "%": "%", _: " ", "-": "%20" };

/** A term has no spaces, because spaces separate terms. An explanation may (§6.2). */
export function parseMacroString(text: string, place: "term" | "explanation"): ParsedMacro {
  const macro: (string | MacroExpansion)[] = [];
  let endsInMacro = false;
  for (const match of text.matchAll(tokens)) {
    const [token, letter, , , , escaped, literal] = match;
    endsInMacro = literal === undefined;
    const part = letter === undefined ? (literal ?? escapes[escaped ?? ""]) : toExpansion(match, place);
    if (part === undefined) return { ok: false, problem: tokenProblem(token) };
    if (typeof part !== "string" && "problem" in part) return { ok: false, problem: part.problem };
    macro.push(part);
  }
  return { ok: true, macro, endsInMacro };
}

function toExpansion(
  [token, written = "", digits = "", reverse, delimiters = ""]: RegExpExecArray,
  place: "term" | "explanation",
): MacroExpansion | { readonly problem: string } {
  const letter = toLetter(written, place);
  if (letter === null) return { problem: letterProblem(token, written) };
  const keep = digits === "" ? null : Number(digits);
  if (keep === 0) return { problem: `${quote(token)} keeps 0 parts` };
  return { letter, keep, reverse: reverse !== "", delimiters, urlEscape: written !== letter };
}

/** A macro string that ends with a macro, or with a label that can be a top-level domain (§7.1). */
export function parseDomainSpec(text: string): ParsedMacro {
  if (text === "") return { ok: false, problem: "the domain is missing" };
  const parsed = parseMacroString(text, "term");
  if (!parsed.ok || parsed.endsInMacro) return parsed;
  const problem = findNoDomain(text);
  return problem === null ? parsed : { ok: false, problem };
}

function findNoDomain(text: string): string | null {
  const bare = text.endsWith(".") ? text.slice(0, -1) : text;
  const lastDot = bare.lastIndexOf(".");
  if (lastDot < 0) return `${quote(text)} is a single label, not a domain`;
  const topLabel = bare.slice(lastDot + 1);
  if (/^\d+$/.test(topLabel))
    return `${quote(text)} ends in a number, so it is not a domain (use ip4: or ip6: for an address)`;
  if (/^[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?$/.test(topLabel)) return null;
  return `${quote(text)} does not end like a domain`;
}

export function usesLetter(macro: MacroString, ...wanted: readonly MacroLetter[]): boolean {
  return macro.some((part) => typeof part !== "string" && wanted.includes(part.letter));
}

export type MacroValue = (letter: MacroLetter) => string;

const maxNameLength = 253;

/** A name to look up. If it is too long, labels are removed on the left (§7.3). The result may still be invalid. */
export function expandToName(macro: MacroString, valueFor: MacroValue): string {
  let name = "";
  // From the right, because what exceeds a full name on the left is cut. A hostile record repeats a macro 10,000 times.
  for (const part of macro.toReversed()) {
    name = expandPart(part, valueFor) + name;
    if (name.length > maxNameLength + 1) break;
  }
  const bare = name.endsWith(".") ? name.slice(0, -1) : name;
  if (bare.length <= maxNameLength) return bare;
  const dot = bare.indexOf(".", bare.length - maxNameLength - 1);
  return bare.slice(dot + 1);
}

export function expandToText(macro: MacroString, valueFor: MacroValue, maxLength: number): string {
  let text = "";
  for (const part of macro) {
    text += expandPart(part, valueFor);
    if (text.length > maxLength) break;
  }
  return text;
}

function expandPart(part: string | MacroExpansion, valueFor: MacroValue): string {
  if (typeof part === "string") return part;
  const { keep, reverse, delimiters, urlEscape } = part;
  const value = valueFor(part.letter);
  const isWhole = keep === null && !reverse && delimiters === "";
  const pieces = isWhole ? [value] : splitAt(value, delimiters || ".");
  if (reverse) pieces.reverse();
  const kept = (keep === null ? pieces : pieces.slice(-keep)).join(".");
  return urlEscape ? toUrlText(kept) : kept;
}

function splitAt(value: string, delimiters: string): string[] {
  const pieces: string[] = [];
  let start = 0;
  for (let position = 0; position < value.length; position++) {
    if (!delimiters.includes(value.charAt(position))) continue;
    pieces.push(value.slice(start, position));
    start = position + 1;
  }
  return [...pieces, value.slice(start)];
}

/** All but the unreserved characters of RFC 3986 §2.3. */
function toUrlText(value: string): string {
  return encodeURIComponent(value.toWellFormed()).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function toLetter(letter: string, place: "term" | "explanation"): MacroLetter | null {
  const allowed: readonly MacroLetter[] = place === "term" ? termLetters : letters;
  return allowed.find((known) => known === letter.toLowerCase()) ?? null;
}

function letterProblem(token: string, letter: string): string {
  return letters.some((known) => known === letter.toLowerCase())
    ? `${quote(token)} is allowed only in an explanation`
    : `${quote(token)} is not a macro (the letters are ${termLetters.join(" ")})`;
}

function tokenProblem(token: string): string {
  if (token.startsWith("%{")) return `${quote(token)} is not a valid macro`;
  if (token.startsWith("%")) return `a single "%" must be written as "%%"`;
  return `the character ${quote(token)} is not printable ASCII`;
}

function quote(text: string): string {
  return `"${toVisibleCut(text, 80)}"`;
}
