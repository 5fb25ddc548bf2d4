// What a message requires of the email client: layouts, media and styles that not all clients support. Only
// unconditional features count; those under @media or @supports are extras for clients that support them.

import type { Cascade, Specified } from "./cascade.ts";
import type { Declaration } from "./css.ts";
import type { HtmlElement } from "./tree.ts";
import type { Page } from "./visible-content.ts";

export type LayoutKind = "flex" | "grid" | "absolute";

export type HtmlFeatures = SeenFeatures & {
  /** Properties, functions such as `linear-gradient()`, and at-rules such as `@font-face`. */
  readonly styles: ReadonlySet<string>;
};

export type SeenFeatures = {
  /** How many visible elements outside tables each layout arranges. */
  readonly layouts: ReadonlyMap<LayoutKind, number>;
  /** Visible `<video>`, `<audio>` and `<svg>` without fallback content. */
  readonly bareMedia: ReadonlyMap<string, number>;
};

const media = new Set("video audio svg".split(" "));
/** Smaller drawings are icons next to text. */
const iconPx = 32;
const maxStyles = 500;

export class FeatureNotes implements SeenFeatures {
  readonly layouts = new Map<LayoutKind, number>();
  readonly bareMedia = new Map<string, number>();

  /** Called for visible elements. */
  note(element: HtmlElement, specified: Specified): void {
    if (media.has(element.name) && isBare(element)) add(this.bareMedia, element.name);
    if (specified.size === 0) return;
    const kind = layoutOf(element, specified);
    if (kind !== null && !isInTable(element)) add(this.layouts, kind);
  }
}

function add<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function layoutOf({ children }: HtmlElement, specified: Specified): LayoutKind | null {
  const position = specified.get("position");
  // An image positioned like this is usually a tracking pixel.
  if (position !== undefined && /^(?:absolute|fixed)\b/.test(position)) return children.length > 0 ? "absolute" : null;
  const display = specified.get("display");
  const kind = display === undefined ? undefined : /^(?:inline-)?(flex|grid)\b/.exec(display)?.[1];
  if (kind === undefined || children.filter((child) => typeof child === "object").length < 2) return null;
  return kind === "flex" ? "flex" : "grid";
}

function isInTable({ name, parent }: HtmlElement): boolean {
  let above = parent;
  while (above && above.name !== "table") above = above.parent;
  return above !== null || name === "table";
}

function isBare({ name, attributes, children }: HtmlElement): boolean {
  if (name !== "svg")
    return !children.some((child) =>
      typeof child === "string" ? child.trim() !== "" : child.name !== "source" && child.name !== "track",
    );
  if (attributes.get("aria-hidden") === "true" || attributes.get("role") === "presentation") return false;
  return !(Number.parseFloat(attributes.get("width") ?? "") <= iconPx);
}

export function featuresIn({ sight, cascade }: Pick<Page, "sight" | "cascade">): HtmlFeatures {
  const { layouts, bareMedia } = sight.features;
  return { layouts, bareMedia, styles: stylesIn(cascade) };
}

/** Called after all elements, because only then the cascade knows all style attributes. */
function stylesIn({ sheets, inlineStyles }: Cascade): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { sheet, media: condition } of sheets) {
    if (condition !== null) continue;
    for (const { name } of sheet.atRules) if (found.size < maxStyles) found.add(`@${name}`);
    for (const { declarations, conditions } of sheet.rules) if (conditions.length === 0) addStyles(declarations, found);
  }
  for (const declarations of inlineStyles()) addStyles(declarations, found);
  return found;
}

function addStyles(declarations: readonly Declaration[], found: Set<string>): void {
  if (found.size >= maxStyles) return;
  for (const { property, value } of declarations) {
    if (!property.startsWith("--")) found.add(property);
    if (!value.includes("(")) continue;
    const start = value.slice(0, 500).toLowerCase();
    for (const [called = ""] of start.matchAll(/\b(?:(?:linear|radial|conic)-gradient|var)\(/g))
      found.add(`${called})`);
    if (property === "background" && start.includes("url(")) found.add("background-image");
  }
}
