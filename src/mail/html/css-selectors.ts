// Selectors: parsed for the cascade and, by the same parts, written anew by the sanitiser.

import type { Declaration } from "./css.ts";
import { decodeEscapes, findStop } from "./css-text.ts";

type AttributeTest = { readonly name: string; readonly operator: string; readonly value: string };

export type Compound = {
  /** How it hangs on the compound before it; " " for the first. */
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

/** What cannot be read is left out: browsers drop the whole rule, mail programs differ. */
export function parseSelectors(prelude: string): Selector[] {
  const selectors: Selector[] = [];
  for (let start = 0; start < prelude.length && selectors.length < maxSelectors; ) {
    const end = findStop(prelude, start, ",");
    const selector =
      end - start <= maxSelectorLength ? parseSelector(prelude.slice(start, end).trim()) : null;
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
  return (
    (id === null ? 0 : 1_000_000) +
    (classes.length + attributes.length + pseudos.length) * 1_000 +
    (tag ? 1 : 0)
  );
}

// Of all declarations those that decide whether and how text is seen, with their shorthands resolved.

const tracked = new Set(
  "background-color background-image bottom clip color display font-family font-size font-weight height left line-height margin-left max-height max-width mso-hide opacity overflow position right text-indent top visibility white-space width".split(
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
    else if (property === "overflow-y")
      found.push({ property: "overflow", value: value.toLowerCase(), important });
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
