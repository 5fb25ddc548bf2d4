// Computes how an element's text looks: inherited from its parent, changed by its own declarations and attributes. An
// element that changes nothing shares its parent's object, so that equal styles are mostly one object.

import type { Specified } from "./cascade.ts";
import {
  black,
  blend,
  type Color,
  contrastOf,
  parseAttributeColor,
  parseColor,
  parseFontAttribute,
  parseFontSize,
  parseLength,
  parseShare,
  white,
} from "./css-values.ts";
import type { HtmlElement } from "./tree.ts";

export type HiddenHow =
  | "display"
  | "visibility"
  | "opacity"
  | "font-size"
  | "off-screen"
  | "height"
  | "contrast"
  /** Hidden only from Outlook. */
  | "mso-hide";

export type ComputedStyle = {
  /** Null if only its colors could hide it. */
  readonly hidden: HiddenHow | null;
  readonly isVisible: boolean;
  readonly isMsoHidden: boolean;
  readonly opacity: number;
  readonly fontPx: number;
  /** Null where they can't be known: there may be an image behind the text, or a color may be a variable. */
  readonly color: Color | null;
  readonly background: Color | null;
  readonly isBold: boolean;
  readonly isCode: boolean;
  readonly isQuoted: boolean;
};

export const plainStyle: ComputedStyle = {
  hidden: null,
  isVisible: true,
  isMsoHidden: false,
  opacity: 1,
  fontPx: 16,
  color: black,
  background: white,
  isBold: false,
  isCode: false,
  isQuoted: false,
};

const linkBlue = parseColor("#0000ee");
const sizes: ReadonlyMap<string, number> = new Map([
  ["h1", 2],
  ["h2", 1.5],
  ["h3", 1.17],
  ["h5", 0.83],
  ["h6", 0.67],
  ["small", 1 / 1.2],
  ["sub", 1 / 1.2],
  ["sup", 1 / 1.2],
  ["big", 1.2],
]);
const bold = new Set("b strong th h1 h2 h3 h4 h5 h6".split(" "));
const code = new Set("code pre tt kbd samp".split(" "));

type Draft = { -readonly [Key in keyof ComputedStyle]: ComputedStyle[Key] };

export type ComputeStyle = (element: HtmlElement, parent: ComputedStyle, specified: Specified) => ComputedStyle;

const maxKeptLooks = 20_000;

/** Caches results, because the rows of a newsletter look alike. */
export function createStyleComputer(): ComputeStyle {
  const kept = new Map<ComputedStyle, Map<Specified, Map<string, ComputedStyle>>>();
  let count = 0;
  return (element, parent, specified) => {
    const { name, attributes } = element;
    if (attributes.size > 0 && hasOwnLook(attributes)) return lookOf(element, parent, specified);
    if (specified.size === 0 && !changesByName(element)) return parent;
    const byStyle = kept.get(parent) ?? new Map<Specified, Map<string, ComputedStyle>>();
    const byName = byStyle.get(specified) ?? new Map<string, ComputedStyle>();
    const key = name === "a" && !attributes.has("href") ? "" : name;
    const known = byName.get(key);
    if (known !== undefined) return known;
    const look = lookOf(element, parent, specified);
    if (count++ < maxKeptLooks) kept.set(parent, byStyle.set(specified, byName.set(key, look)));
    return look;
  };
}

const lookAttributes = new Set(["bgcolor", "background", "color", "hidden", "text", "size"]);

function hasOwnLook(attributes: HtmlElement["attributes"]): boolean {
  for (const name of attributes.keys()) if (lookAttributes.has(name)) return true;
  const classes = attributes.get("class");
  return classes !== undefined && quotes.test(classes);
}

function lookOf(element: HtmlElement, parent: ComputedStyle, specified: Specified): ComputedStyle {
  const look: Draft = { ...parent };
  applyName(element, look, parent);
  applyAttributes(element, look);
  if (specified.size > 0) {
    applyFont(specified, look, parent);
    applyColors(specified, look, parent);
    applyHiding(specified, look);
  }
  if (look.hidden === null && !look.isVisible) look.hidden = "visibility";
  return isSame(look, parent) ? parent : look;
}

export function isLarge({ fontPx, isBold }: ComputedStyle): boolean {
  return fontPx >= 24 || (isBold && fontPx >= 18.66);
}

/** Null where a color isn't known. */
export function contrastIn({ color, background, opacity }: ComputedStyle): number | null {
  if (color === null || background === null) return null;
  return contrastOf(blend({ ...color, a: color.a * opacity }, background), background);
}

function changesByName({ name, attributes }: HtmlElement): boolean {
  if (name === "a") return attributes.has("href");
  return sizes.has(name) || bold.has(name) || code.has(name) || name === "blockquote";
}

function applyName({ name }: HtmlElement, look: Draft, parent: ComputedStyle): void {
  look.fontPx = parent.fontPx * (sizes.get(name) ?? 1);
  if (bold.has(name)) look.isBold = true;
  if (code.has(name)) look.isCode = true;
  if (name === "blockquote") look.isQuoted = true;
}

function applyAttributes({ name, attributes }: HtmlElement, look: Draft): void {
  const background = attributes.get("bgcolor");
  if (background !== undefined) look.background = parseAttributeColor(background) ?? look.background;
  if (attributes.get("background")) look.background = null;
  if (attributes.has("hidden")) look.hidden ??= "display";
  if (name === "a" && attributes.has("href")) look.color = linkBlue;
  const color = attributes.get(name === "body" ? "text" : "color");
  if (color !== undefined) look.color = parseAttributeColor(color) ?? look.color;
  if (name === "font") look.fontPx = parseFontAttribute(attributes.get("size") ?? "") ?? look.fontPx;
  if (quotes.test(attributes.get("class") ?? "")) look.isQuoted = true;
}

const quotes = /\b(?:gmail_quote|moz-cite-prefix|yahoo_quoted)\b/;

function applyFont(specified: Specified, look: Draft, parent: ComputedStyle): void {
  const size = specified.get("font-size");
  if (size !== undefined) look.fontPx = parseFontSize(size, parent.fontPx) ?? look.fontPx;
  const weight = specified.get("font-weight");
  if (weight !== undefined) look.isBold = /^(?:bold|bolder|[6-9]\d\d)$/.test(weight);
  const family = specified.get("font-family");
  if (family !== undefined) look.isCode = /^\W{0,9}(?:monospace|courier|consolas|menlo|monaco)/.test(family);
}

function applyColors(specified: Specified, look: Draft, parent: ComputedStyle): void {
  const color = specified.get("color");
  if (color === "inherit" || color === "currentcolor") look.color = parent.color;
  else if (color !== undefined) look.color = parseColor(color);
  const background = specified.get("background-color");
  if (background !== undefined && !/^(?:inherit|initial|unset)$/.test(background)) {
    const parsed = parseColor(background);
    if (parsed === null || parsed.a >= 1) look.background = parsed;
    else if (look.background !== null) look.background = blend(parsed, look.background);
  }
  const image = specified.get("background-image");
  if (image !== undefined && image !== "none") look.background = null;
}

function applyHiding(specified: Specified, look: Draft): void {
  const visibility = specified.get("visibility");
  if (visibility !== undefined) look.isVisible = !/^(?:hidden|collapse)$/.test(visibility);
  const opacity = Number(parseShare(specified.get("opacity") ?? "1"));
  if (opacity < 1) look.opacity *= opacity;
  if (specified.get("mso-hide") === "all") look.isMsoHidden = true;
  // Only visibility can be undone by a child.
  if (look.hidden === "visibility" && look.isVisible) look.hidden = null;
  look.hidden ??= hidingOf(specified, look);
}

function hidingOf(specified: Specified, look: ComputedStyle): HiddenHow | null {
  if (specified.get("display") === "none") return "display";
  if (look.opacity < 0.05) return "opacity";
  if (isOffScreen(specified, look.fontPx)) return "off-screen";
  const isClipped = /^(?:hidden|clip)/.test(specified.get("overflow") ?? "");
  if (isClipped && ["height", "max-height", "width", "max-width"].some((name) => isTiny(specified.get(name))))
    return "height";
  return null;
}

function isTiny(value: string | undefined): boolean {
  const length = value === undefined ? null : parseLength(value, 16, 100);
  return length !== null && length <= 1;
}

const farPx = 500;
/** More than ten screens below the text before it. */
const farBelowPx = 10_000;

function isOffScreen(specified: Specified, emPx: number): boolean {
  const lengthOf = (name: string) => parseLength(specified.get(name) ?? "", emPx) ?? 0;
  if (lengthOf("text-indent") <= -farPx || lengthOf("margin-left") <= -farPx) return true;
  if (lengthOf("margin-top") >= farBelowPx) return true;
  if (!/^(?:absolute|fixed)$/.test(specified.get("position") ?? "")) return false;
  if (/^rect\((?:0(?:px)?[\s,]{0,3}|1px[\s,]{0,3}){4}\)$/.test(specified.get("clip") ?? "")) return true;
  return lengthOf("left") <= -farPx || lengthOf("top") <= -farPx;
}

function isSame(look: ComputedStyle, other: ComputedStyle): boolean {
  return (Object.keys(look) as (keyof ComputedStyle)[]).every((key) => look[key] === other[key]);
}
