// Facts about the markup itself, visible or not: counts, metadata, active content, tables.

import { toStorableCut } from "../text/bounds.ts";
import type { HtmlElement, Tree } from "./tree.ts";

export type Markup = {
  /** The number of elements by lower-case name. Names beyond the bound are left out. */
  readonly elements: ReadonlyMap<string, number>;
  /** From `<html>`, or from the outermost element that has one. */
  readonly lang: string | null;
  readonly dir: string | null;
  /** An element says that its text runs right to left, or leaves the direction to the text. */
  readonly marksRightToLeft: boolean;
  /** `<h1>` to `<h6>`, and elements with a heading role. */
  readonly headings: number;
  /** Null when there is no `<title>`; without outer spaces. */
  readonly title: string | null;
  readonly viewport: string | null;
  readonly colorScheme: string | null;
  /** From the `charset` or `content` of a `<meta>`. */
  readonly charset: string | null;
  readonly linkedSheets: readonly { readonly href: string; readonly isFont: boolean }[];
  readonly active: ActiveContent;
  readonly tables: { readonly layout: number; readonly layoutWithRole: number; readonly withHeaders: number };
  /** Types of schema.org in JSON-LD or microdata. */
  readonly structuredTypes: readonly string[];
  readonly isAmp: boolean;
};

export type ActiveContent = {
  /** `<script>`, except for structured data. */
  readonly scripts: number;
  readonly scriptLinks: number;
  /** Names of iframe, frame, object, embed, applet. */
  readonly frames: readonly string[];
  readonly base: string | null;
  readonly refresh: string | null;
  /** Form elements, except for the toggles with which script-free mail opens menus and rotates images. */
  readonly forms: number;
  readonly handlers: { readonly elements: number; readonly names: readonly string[] };
};

const maxNames = 300;
const maxListed = 50;
/** How deep "the outermost element" may be. */
const outermostDepth = 4;

const frames = new Set("iframe frame object embed applet".split(" "));
const fields = new Set("form input select textarea".split(" "));
const headings = new Set("h1 h2 h3 h4 h5 h6".split(" "));

type Draft = {
  elements: Map<string, number>;
  lang: string | null;
  dir: string | null;
  marksRightToLeft: boolean;
  headings: number;
  title: string | null;
  viewport: string | null;
  colorScheme: string | null;
  charset: string | null;
  linkedSheets: { href: string; isFont: boolean }[];
  scripts: number;
  scriptLinks: number;
  frames: Set<string>;
  base: string | null;
  refresh: string | null;
  forms: number;
  handlerElements: number;
  handlerNames: Set<string>;
  tables: { layout: number; layoutWithRole: number; withHeaders: number };
  types: Set<string>;
};

export function readMarkup({ root }: Tree): Markup {
  const draft = newDraft();
  draft.lang = attributeOf(root, "lang") ?? attributeOf(root, "xml:lang");
  draft.dir = attributeOf(root, "dir")?.toLowerCase() ?? null;
  visit(root, draft, 0, null);
  const { scripts, scriptLinks, frames, base, refresh, forms, handlerElements, handlerNames, types, ...told } = draft;
  return {
    ...told,
    active: {
      scripts,
      scriptLinks,
      base,
      refresh,
      forms,
      frames: [...frames],
      handlers: { elements: handlerElements, names: [...handlerNames] },
    },
    structuredTypes: [...types],
    isAmp: root.attributes.has("amp4email") || root.attributes.has("⚡4email"),
  };
}

function newDraft(): Draft {
  return {
    elements: new Map(),
    lang: null,
    dir: null,
    marksRightToLeft: false,
    headings: 0,
    title: null,
    viewport: null,
    colorScheme: null,
    charset: null,
    linkedSheets: [],
    scripts: 0,
    scriptLinks: 0,
    frames: new Set(),
    base: null,
    refresh: null,
    forms: 0,
    handlerElements: 0,
    handlerNames: new Set(),
    tables: { layout: 0, layoutWithRole: 0, withHeaders: 0 },
    types: new Set(),
  };
}

type Table = { hasHeaders: boolean };

function visit(element: HtmlElement, draft: Draft, depth: number, table: Table | null): void {
  const { name, attributes } = element;
  if (depth > 0) count(draft, name);
  const hasRole = attributes.size > 0 && readAttributes(element, draft, depth);
  if (hasRole || headings.has(name)) draft.headings++;
  if (special.has(name)) readSpecial(element, draft);
  if (table && (name === "th" || name === "caption" || name === "thead")) table.hasHeaders = true;
  const inner = name === "table" ? { hasHeaders: false } : table;
  for (const child of element.children) if (typeof child === "object") visit(child, draft, depth + 1, inner);
  if (name === "table" && inner) countTable(attributes, inner, draft.tables);
}

function readSpecial(element: HtmlElement, draft: Draft): void {
  const { name } = element;
  readers.get(name)?.(element, draft);
  if (frames.has(name)) draft.frames.add(name);
  if (fields.has(name) && !isSwitch(element)) draft.forms++;
}

function isSwitch({ name, attributes }: HtmlElement): boolean {
  return name === "input" && /^\s*(?:checkbox|radio|hidden)\s*$/i.test(attributes.get("type")?.slice(0, 20) ?? "");
}

function count({ elements }: Draft, name: string): void {
  const known = elements.get(name);
  if (known === undefined && elements.size >= maxNames) return;
  elements.set(known === undefined ? toStorableCut(name, 40) : name, (known ?? 0) + 1);
}

function countTable(attributes: HtmlElement["attributes"], { hasHeaders }: Table, tables: Draft["tables"]): void {
  const role = attributes.get("role")?.toLowerCase();
  const isMarked = role === "presentation" || role === "none";
  if (isMarked || !hasHeaders) tables.layout++;
  else tables.withHeaders++;
  if (isMarked) tables.layoutWithRole++;
}

/** Returns whether it has a heading role. */
function readAttributes(element: HtmlElement, draft: Draft, depth: number): boolean {
  let isHandling = false;
  for (const name of element.attributes.keys()) {
    const read = attributeReaders.get(name);
    if (read !== undefined) read(element.attributes.get(name) ?? "", draft);
    else if (name.startsWith("on") && /^on[a-z]{3,30}$/.test(name)) {
      isHandling = true;
      if (draft.handlerNames.size < maxListed) draft.handlerNames.add(name);
    }
  }
  if (isHandling) draft.handlerElements++;
  if (depth <= outermostDepth) {
    draft.lang ??= attributeOf(element, "lang");
    draft.dir ??= attributeOf(element, "dir")?.toLowerCase() ?? null;
  }
  return element.attributes.get("role") === "heading";
}

const attributeReaders: ReadonlyMap<string, (value: string, draft: Draft) => void> = new Map([
  ["itemtype", (value, draft) => addType(draft, value)],
  ["href", readAddress],
  ["src", readAddress],
  ["action", readAddress],
  ["dir", readDirection],
  ["style", readStyle],
]);

function readAddress(value: string, draft: Draft): void {
  if (isScriptAddress(value)) draft.scriptLinks++;
}

function readDirection(value: string, draft: Draft): void {
  if (/^\s{0,9}(?:rtl|auto)\s{0,9}$/i.test(value)) draft.marksRightToLeft = true;
}

function readStyle(value: string, draft: Draft): void {
  if (value.includes("rtl") && /\bdirection\s{0,9}:\s{0,9}rtl\b/i.test(value)) draft.marksRightToLeft = true;
}

/**
 * Parsed like a browser: spaces and control characters before and inside the scheme are ignored. `void` does nothing.
 */
function isScriptAddress(value: string): boolean {
  if (!/^[\0-\x20]{0,100}[jv]/i.test(value)) return false;
  const start = value
    .slice(0, 200)
    .replace(/[\0-\x20]+/g, "")
    .toLowerCase();
  return /^(?:javascript|vbscript):/.test(start) && !/^javascript:(?:void\(?0?\)?;?)?;?$/.test(start);
}

const readers: ReadonlyMap<string, (element: HtmlElement, draft: Draft) => void> = new Map([
  ["title", readTitle],
  ["meta", readMeta],
  ["link", readLink],
  ["base", readBase],
  ["script", readScript],
]);

const special = new Set([...readers.keys(), ...frames, ...fields]);

function readTitle(element: HtmlElement, draft: Draft): void {
  draft.title ??= toStorableCut(textIn(element).replace(/\s+/g, " ").trim(), 500);
}

function readMeta(element: HtmlElement, draft: Draft): void {
  const content = attributeOf(element, "content");
  const name = (attributeOf(element, "name") ?? attributeOf(element, "http-equiv") ?? "").toLowerCase();
  if (name === "viewport") draft.viewport ??= content ?? "";
  if (name === "color-scheme" || name === "supported-color-schemes") draft.colorScheme ??= content ?? "";
  if (name === "content-type")
    draft.charset ??= /charset\s{0,9}=\s{0,9}["']?([\w.:-]{1,40})/i.exec(content ?? "")?.[1] ?? null;
  draft.charset ??= attributeOf(element, "charset");
  if (name === "refresh") draft.refresh ??= content ?? "";
}

function readLink(element: HtmlElement, draft: Draft): void {
  const href = attributeOf(element, "href");
  if (!href || !/\bstylesheet\b/i.test(element.attributes.get("rel") ?? "")) return;
  if (draft.linkedSheets.length < maxListed) draft.linkedSheets.push({ href, isFont: isFontSheet(href) });
}

function readBase(element: HtmlElement, draft: Draft): void {
  draft.base ??= attributeOf(element, "href");
}

function readScript(element: HtmlElement, draft: Draft): void {
  if ((element.attributes.get("type") ?? "").trim().toLowerCase() !== "application/ld+json") draft.scripts++;
  else
    for (const [, type = ""] of textIn(element)
      .slice(0, 50_000)
      .matchAll(/"@type"\s{0,9}:\s{0,9}"([^"]{1,100})"/g))
      addType(draft, type);
}

function addType({ types }: Draft, type: string): void {
  if (types.size < maxListed) types.add(toStorableCut(type.slice(0, 300).replace(/^.*\//, ""), 60));
}

/** A sheet that only loads fonts. */
export function isFontSheet(url: string): boolean {
  return /^(?:https?:)?\/\/(?:fonts\.googleapis\.com|fonts\.bunny\.net|use\.typekit\.net|p\.typekit\.net|fast\.fonts\.net|cloud\.typography\.com|use\.fontawesome\.com)\/|\/[^?#]{0,200}\bfonts?\b/i.test(
    url.slice(0, 500),
  );
}

function textIn(element: HtmlElement): string {
  return element.children.filter((child) => typeof child === "string").join("");
}

/** Storable and cut. */
function attributeOf(element: HtmlElement, name: string): string | null {
  const value = element.attributes.get(name);
  return value === undefined ? null : toStorableCut(value.trim(), 500);
}
