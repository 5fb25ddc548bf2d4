// Parses selectors for the cascade. The sanitizer writes them from the same parts.

import type { Declaration } from "./css.ts";

type AttributeTest = { readonly name: string; readonly operator: string; readonly value: string };

export type Compound = {
  /** The combinator before this compound; " " for the first. */
  readonly combinator: " " | ">" | "+" | "~";
  /** In lower case; null for any. */
  readonly tag: string | null;
  readonly id: string | null;
  readonly classes: readonly string[];
  readonly attributes: readonly AttributeTest[];
  /** With their colons, in lower case. */
  readonly pseudos: readonly string[];
};

export type Selector = {
  readonly compounds: readonly Compound[];
  /** Ids, classes and tags as one number. */
  readonly specificity: number;
};

const maxSelectors = 200;
const maxCompounds = 20;
const maxSelectorLength = 1_000;

/** Selectors that can't be parsed are left out. Browsers drop the whole rule; email clients differ. */
export function parseSelectors(prelude: string): Selector[] {
  const selectors: Selector[] = [];
  for (let start = 0; start < prelude.length && selectors.length < maxSelectors; ) {
    const end = findStop(prelude, start, ",");
    const selector = end - start <= maxSelectorLength ? parseSelector(prelude.slice(start, end).trim()) : null;
    if (selector) selectors.push(selector);
    start = end + 1;
  }
  return selectors;
}

const name = String.raw`(?:[\w-]|[^\x00-\x7f]|\\[^\n]){1,200}`;
const piece = new RegExp(
  String.raw`\s*([>+~])\s*|(\s+)|(\*|${name})|#(${name})|\.(${name})|\[\s*([\w:-]{1,100})\s*(?:([~|^$*]?=)\s*("[^"]*"|'[^']*'|[^\s\]]+)\s*(?:[is]\s*)?)?\]|(::?[\w-]{1,60}(?:\([^()]{0,200}\))?)`,
  "gy",
);

type Draft = { -readonly [Key in keyof Compound]: Compound[Key] } & {
  classes: string[];
  attributes: AttributeTest[];
  pseudos: string[];
};

function parseSelector(text: string): Selector | null {
  if (text === "") return null;
  let draft = newDraft(" ");
  const compounds = [draft];
  for (piece.lastIndex = 0; piece.lastIndex < text.length; ) {
    const match = piece.exec(text);
    if (!match || compounds.length > maxCompounds) return null;
    const combinator = match[1] ?? (match[2] ? " " : undefined);
    if (combinator === undefined) addPiece(draft, match);
    else {
      draft = newDraft(combinator as Compound["combinator"]);
      compounds.push(draft);
    }
  }
  return { compounds, specificity: compounds.reduce((sum, compound) => sum + weigh(compound), 0) };
}

function newDraft(combinator: Compound["combinator"]): Draft {
  return { combinator, tag: null, id: null, classes: [], attributes: [], pseudos: [] };
}

function addPiece(draft: Draft, match: RegExpExecArray): void {
  const [, , , tag, id, className, attribute, operator, value, pseudo] = match;
  if (tag !== undefined) draft.tag = tag === "*" ? null : decodeEscapes(tag).toLowerCase();
  else if (id !== undefined) draft.id = decodeEscapes(id);
  else if (className !== undefined) draft.classes.push(decodeEscapes(className));
  else if (pseudo !== undefined) draft.pseudos.push(pseudo.toLowerCase());
  else if (attribute !== undefined)
    draft.attributes.push({
      name: attribute.toLowerCase(),
      operator: operator ?? "",
      value: decodeEscapes(value?.replace(/^(["'])(.*)\1$/s, "$2") ?? ""),
    });
}

function weigh({ tag, id, classes, attributes, pseudos }: Compound): number {
  return (id === null ? 0 : 1_000_000) + (classes.length + attributes.length + pseudos.length) * 1_000 + (tag ? 1 : 0);
}

// The declarations that decide whether and how text is visible, with their shorthands expanded.

const tracked = new Set(
  "background-color background-image bottom clip color display font-family font-size font-weight height left line-height margin-left margin-top max-height max-width mso-hide opacity overflow position right text-indent top visibility white-space width".split(
    " ",
  ),
);
/** Values in lower case. */
export function toTracked(declarations: readonly Declaration[]): Declaration[] {
  const found: Declaration[] = [];
  for (const { property, value, important } of declarations) {
    if (tracked.has(property)) found.push({ property, value: value.toLowerCase(), important });
    else if (property === "background") found.push(...fromBackground(value.toLowerCase(), important));
    else if (property === "font") found.push(...fromFont(value.toLowerCase(), important));
    else if (property === "overflow-y") found.push({ property: "overflow", value: value.toLowerCase(), important });
  }
  return found;
}

function fromBackground(value: string, important: boolean): Declaration[] {
  const image = /url\(|gradient\(|image-set\(/.test(value) ? "set" : "none";
  const color = /#[0-9a-f]{3,8}\b|\b(?:rgb|hsl)a?\([^()]{1,80}\)/.exec(value)?.[0];
  const words = value.slice(0, 500).replace(/\([^()]*\)?/g, " ");
  const named = words.split(/[\s,]+/).find((word) => /^[a-z]{3,20}$/.test(word) && !notColors.has(word));
  const found = color ?? (words.includes("var") ? "var" : (named ?? "transparent"));
  return [
    { property: "background-color", value: found, important },
    { property: "background-image", value: image, important },
  ];
}

const notColors = new Set(
  "url repeat none scroll fixed local center top bottom left right cover contain auto round space linear-gradient border-box padding-box content-box".split(
    " ",
  ),
);

function fromFont(value: string, important: boolean): Declaration[] {
  const match =
    /^(?<before>(?:[a-z0-9-]{1,20} ){0,4})(?<size>[\d.]{1,9}[a-z%]{1,4}|(?:xx?-)?(?:small|large)|medium|smaller|larger)(?:\s?\/\s?[\w.%]{1,12})?\s(?<family>.{0,200})/.exec(
      value,
    );
  if (!match?.groups) return [];
  const { before = "", size = "", family = "" } = match.groups;
  const weight = /\b(bold|bolder|[6-9]00)\b/.test(before) ? "bold" : "normal";
  return [
    { property: "font-size", value: size, important },
    { property: "font-weight", value: weight, important },
    { property: "font-family", value: family, important },
  ];
}

// CSS as text, apart from strings, brackets, escapes and comments.

const escapes = /\\(?:([0-9a-f]{1,6})\s?|(\r\n|[\n\r\f])|([\s\S]))/gi;

/** §4.3.7: `\75rl(` is `url(`. */
export function decodeEscapes(text: string): string {
  if (!text.includes("\\")) return text;
  return text.replace(escapes, (_, hex?: string, newline?: string, other?: string) => {
    if (newline !== undefined || hex === undefined) return other ?? "";
    const code = Number.parseInt(hex, 16);
    return code === 0 || code > 0x10ffff ? "\ufffd" : String.fromCodePoint(code);
  });
}

const signs = /["'\\()[\]{};,]/g;

/** The offset of the first of these characters outside strings, brackets and escapes, or the end of the text. */
export function findStop(text: string, from: number, stops: string): number {
  let depth = 0;
  signs.lastIndex = from;
  for (let match = signs.exec(text); match; match = signs.exec(text)) {
    const at = match.index;
    const sign = match[0];
    // Braces also count inside open brackets. Otherwise an unclosed bracket would swallow the rest of the sheet.
    if (stops.includes(sign) && (depth === 0 || sign === "{" || sign === "}")) return at;
    if (sign === "\\") signs.lastIndex = at + 2;
    else if (sign === '"' || sign === "'") signs.lastIndex = endOfString(text, at) + 1;
    else depth = Math.max(0, depth + (steps[sign] ?? 0));
  }
  return text.length;
}

const steps: Readonly<Record<string, number>> = { "(": 1, "[": 1, ")": -1, "]": -1 };

/** An unclosed string ends with its line. */
function endOfString(text: string, from: number): number {
  const quote = text[from];
  for (let at = from + 1; at < text.length; at++) {
    const sign = text[at];
    if (sign === "\\") at++;
    else if (sign === quote) return at;
    else if (sign === "\n") return at;
  }
  return text.length;
}

/** Also removes the `<!--` and `-->` around old style sheets. */
export function withoutComments(text: string): string {
  if (!text.includes("/*") && !text.includes("-->") && !text.includes("<!--")) return text;
  return text.replace(/\/\*[\s\S]*?(?:\*\/|$)|<!--|-->/g, " ");
}
