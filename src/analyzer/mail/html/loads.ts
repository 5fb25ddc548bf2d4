// Everything that opening a message would load except `<img src>`: backgrounds, style sheets, fonts, posters, and what
// only Outlook reads.

import type { AtRule, Declaration } from "./css.ts";
import { urlInImport } from "./page.ts";
import type { HtmlElement } from "./tree.ts";
import type { Page } from "./visible-content.ts";

export type LoadPlace =
  | "img"
  | "srcset"
  | "background"
  | "style"
  | "import"
  | "font"
  | "stylesheet"
  | "media"
  | "outlook";
export type Load = { readonly url: string; readonly place: LoadPlace };

const maxLoads = 2_000;

/** At most `maxLoads`. */
export function loadsOf(page: Page): Load[] {
  const loads = new LoadList();
  for (const { sheet } of page.cascade.sheets) {
    for (const { declarations } of sheet.rules) loads.addStyles(declarations, "style");
    for (const rule of sheet.atRules) loads.addAtRule(rule);
  }
  visit(page.tree.root, page, loads);
  for (const { text } of page.tree.comments) loads.addOutlook(text);
  return loads.found;
}

function visit(element: HtmlElement, page: Page, loads: LoadList): void {
  if (element.attributes.size > 0) readElement(element, page, loads);
  for (const child of element.children) if (typeof child === "object") visit(child, page, loads);
}

function readElement({ name, attributes }: HtmlElement, page: Page, loads: LoadList): void {
  loads.add(attributes.get("background"), "background");
  const style = attributes.get("style");
  if (style?.includes("(")) loads.addStyles(page.cascade.declarationsOf(style), "style");
  const srcset = attributes.get("srcset");
  if (srcset !== undefined) for (const url of urlsInSrcset(srcset)) loads.add(url, "srcset");
  const attribute = otherSources.get(name);
  if (attribute === undefined) return;
  if (name !== "link") loads.add(attributes.get(attribute), "media");
  else if (/stylesheet|icon|preload/i.test(attributes.get("rel") ?? ""))
    loads.add(attributes.get("href"), "stylesheet");
}

class LoadList {
  readonly found: Load[] = [];

  add(url: string | undefined, place: LoadPlace): void {
    if (url && this.found.length < maxLoads) this.found.push({ url, place });
  }

  addStyles(declarations: readonly Declaration[], place: LoadPlace): void {
    for (const { value } of declarations)
      if (value.includes("(")) for (const url of urlsIn(value)) this.add(url, place);
  }

  addAtRule({ name, prelude, declarations }: AtRule): void {
    if (name === "import") this.add(urlInImport(prelude), "import");
    if (name === "font-face") this.addStyles(declarations, "font");
  }

  /** VML is in comments, but Outlook for Windows loads it. */
  addOutlook(comment: string): void {
    if (!/^\s*\[\s*if\b/i.test(comment.slice(0, 100))) return;
    const sources = /\b(?:src|background)\s{0,9}=\s{0,9}["']?(https?:[^"'\s>]{1,2000})/gi;
    for (const [, url] of comment.slice(0, 100_000).matchAll(sources)) this.add(url, "outlook");
  }
}

const otherSources: ReadonlyMap<string, string> = new Map([
  ["video", "poster"],
  ["audio", "src"],
  ["source", "src"],
  ["embed", "src"],
  ["iframe", "src"],
  ["input", "src"],
  ["bgsound", "src"],
  ["object", "data"],
  ["link", "href"],
  ["v:fill", "src"],
  ["v:image", "src"],
  ["v:imagedata", "src"],
]);

/** `url(…)` in a value whose escapes are decoded. */
export function urlsIn(value: string): string[] {
  const found = value
    .slice(0, 100_000)
    .matchAll(/url\(\s{0,20}(?:"([^"]{0,4000})"?|'([^']{0,4000})'?|([^)"'\s]{0,4000}))/gi);
  return [...found]
    .map(([, double, single, bare]) => (double ?? single ?? bare ?? "").trim())
    .filter((url) => url !== "" && !url.startsWith("#"));
}

function urlsInSrcset(srcset: string): string[] {
  const candidates = srcset.slice(0, 20_000).split(/,\s+|,(?=https?:)/, 50);
  return candidates.map((candidate) => candidate.trim().split(/\s/, 1)[0] ?? "").filter((url) => url !== "");
}
