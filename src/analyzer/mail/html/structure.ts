// A sketch of a message's layout, by which two messages from one template are recognized although their texts differ.
//
// The layout is the set of distinct layout elements with their classes and sizes. A set, because newsletters repeat a
// section as often as they have articles. The sketch has the smallest hashes of the set, so that the similarity of two
// sets can be estimated from their sketches (bottom-k sketch, Broder 1997).

import { Buffer } from "node:buffer";
import type { HtmlElement, Tree } from "./tree.ts";

const layoutTags: ReadonlySet<string> = new Set([
  "body",
  "table",
  "tbody",
  "tr",
  "td",
  "th",
  "div",
  "center",
  "section",
  "header",
  "footer",
  "main",
  "article",
  "aside",
  "h1",
  "h2",
  "h3",
]);
const layoutAttributes = ["class", "width", "bgcolor", "align", "role"] as const;
/** Declarations that a template sets, as opposed to those that an editor changes from issue to issue. */
const layoutDeclarations = /(?:^|;)\s*(?:max-width|padding|background-color|border-radius)\s*:[^;]{1,40}/gi;

const sketchSize = 32;
const maxElements = 5_000;
const maxValueLength = 120;

/** In base64. */
export function sketchStructure({ root }: Pick<Tree, "root">): string {
  const found = new Set<number>();
  for (const element of layoutElements(root)) found.add(hashText(describe(element)));
  const smallest = [...found].sort((one, other) => one - other).slice(0, sketchSize);
  return Buffer.from(Uint32Array.from(smallest).buffer).toString("base64");
}

/** Different ones, up to the size of a sketch. */
export function countLayoutElements(sketch: string): number {
  return Buffer.from(sketch, "base64").length / Uint32Array.BYTES_PER_ELEMENT;
}

function* layoutElements(root: HtmlElement): Generator<HtmlElement> {
  const waiting: HtmlElement[] = [root];
  for (let seen = 0; waiting.length > 0 && seen < maxElements; seen++) {
    const element = waiting.pop();
    if (!element) return;
    if (layoutTags.has(element.name)) yield element;
    for (const child of element.children) if (typeof child !== "string") waiting.push(child);
  }
}

function describe({ name, attributes, parent }: HtmlElement): string {
  const values = layoutAttributes.map((attribute) => cut(attributes.get(attribute) ?? ""));
  const style = cut(attributes.get("style") ?? "", 1_000).match(layoutDeclarations) ?? [];
  return [parent?.name ?? "", name, ...values, ...style.map(toPlain).sort()].join("|").toLowerCase();
}

function toPlain(declaration: string): string {
  return declaration.replace(/[\s;]/g, "");
}

function cut(text: string, length = maxValueLength): string {
  return text.length > length ? text.slice(0, length) : text;
}

/** FNV-1a: short, and the same on every machine. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
  return hash;
}

/** From 0 to 1: the share of layout elements that two messages have in common. */
export function similarityOf(one: string, other: string): number {
  const [first, second] = [readSketch(one), readSketch(other)];
  if (first.length === 0 && second.length === 0) return 1;
  const union = [...new Set([...first, ...second])].sort((a, b) => a - b).slice(0, sketchSize);
  const inFirst = new Set(first);
  const inSecond = new Set(second);
  return union.filter((hash) => inFirst.has(hash) && inSecond.has(hash)).length / union.length;
}

function readSketch(sketch: string): readonly number[] {
  const bytes = Buffer.from(sketch, "base64").subarray(0, sketchSize * 4);
  return Array.from({ length: Math.floor(bytes.length / 4) }, (_, index) => bytes.readUInt32LE(index * 4));
}
