// What a message asks of the program that shows it: layouts, media and styles that not every program knows. Only what
// holds on any screen counts: what stands under a condition (@media, @supports) is an addition for those that know it.

import type { Cascade, Specified } from "./cascade.ts";
import type { Declaration } from "./css.ts";
import type { HtmlElement } from "./tree.ts";
import type { Page } from "./visible-content.ts";

export type LayoutKind = "flex" | "grid" | "absolute";

export type HtmlFeatures = SeenFeatures & {
  /** Properties, functions as `linear-gradient()`, and at-rules as `@font-face`. */
  readonly styles: ReadonlySet<string>;
};

export type SeenFeatures = {
  /** How often each arranges visible elements that stand in no table. */
  readonly layouts: ReadonlyMap<LayoutKind, number>;
  /** Visible `<video>`, `<audio>` and `<svg>` with nothing to show instead. */
  readonly bareMedia: ReadonlyMap<string, number>;
};

const media = new Set("video audio svg".split(" "));
/** Smaller drawings are icons, which stand beside words. */
const iconPx = 32;
const maxStyles = 500;

export class FeatureNotes implements SeenFeatures {
  readonly layouts = new Map<LayoutKind, number>();
  readonly bareMedia = new Map<string, number>();

  /** Of a visible element. */
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
  // A picture placed so is mostly one that counts the reader.
  if (position !== undefined && /^(?:absolute|fixed)\b/.test(position))
    return children.length > 0 ? "absolute" : null;
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

/** Asked for when all elements have been seen: the cascade then knows all style attributes. */
function stylesIn({ sheets, inlineStyles }: Cascade): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { sheet, media: condition } of sheets) {
    if (condition !== null) continue;
    for (const { name } of sheet.atRules) if (found.size < maxStyles) found.add(`@${name}`);
    for (const { declarations, conditions } of sheet.rules)
      if (conditions.length === 0) addStyles(declarations, found);
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
