// The message in a form that is safe to show: written from the tree with allowlists, never by deleting from text,
// because a browser may read the remaining text in unexpected ways. It contains nothing that browsers parse as another
// language (SVG, MathML, raw text except our own style sheet), so parsing it again gives the same tree.

import { toStorable } from "../text/bounds.ts";
import { trackerByAddress } from "../urls/known-trackers.ts";
import { readWebAddress } from "../urls/web-address.ts";
import type { Cascade } from "./cascade.ts";
import { type DarkMode, toDarkAttribute, toDarkCascade } from "./dark-mode.ts";
import { voidElements } from "./nesting-table.ts";
import { type AllowedUrl, isSafeName, namePrefix, rootClass, toSafeSheet, toSafeStyle } from "./safe-css.ts";
import { droppedElements, safeAttributes, safeElements, safePictureTypes } from "./safe-tables.ts";
import type { HtmlElement, HtmlNode } from "./tree.ts";
import type { Page } from "./visible-content.ts";

export type CidPicture = { readonly type: string; readonly bytes: Uint8Array };

export type SafeHtmlOptions = {
  /** Load images from the network, over https only. */
  readonly images?: boolean;
  /** Leave out even embedded images. */
  readonly isBare?: boolean;
  /** Tracking pixels. They are never loaded. */
  readonly trackingElements?: ReadonlySet<HtmlElement>;
  /** Finds an embedded image. */
  readonly findCid?: (cid: string) => CidPicture | null;
  /** Null: with its colors as sent. */
  readonly dark?: DarkMode | null;
  /** Names that the elements get as `data-pin`. */
  readonly pins?: Pins;
  /** For strangers: applied to all text, and links lead nowhere, because they may identify the recipient. */
  readonly mask?: ((text: string) => string) | null;
};

export type Pins = ReadonlyMap<HtmlElement, ReadonlySet<string>>;

export type SafeHtml = { readonly html: string; readonly isCut: boolean };

/** Escapes and styles make the result longer than its source. */
const maxLength = 4_000_000;
const maxKeptStyles = 5_000;
export const maxCidBytes = 2_000_000;
const maxAllCidBytes = 6_000_000;

export function toSafeHtml(page: Page, options: SafeHtmlOptions = {}): SafeHtml {
  const writer = new SafeWriter(page, options);
  return writer.write();
}

class SafeWriter {
  private readonly pieces: string[] = [];
  private length = 0;
  private isCut = false;
  private cidBytesLeft = maxAllCidBytes;
  private readonly page: Page;
  private readonly cascade: Cascade;
  private readonly options: SafeHtmlOptions;
  private readonly allowInStyle: AllowedUrl;
  private readonly styles = new Map<string, string>();
  private readonly pins: Pins;
  private readonly toShown: (text: string) => string;

  constructor(page: Page, options: SafeHtmlOptions) {
    this.page = page;
    this.options = options;
    this.cascade = options.dark ? toDarkCascade(page.cascade, options.dark) : page.cascade;
    this.pins = toShownPins(options.pins ?? new Map());
    this.toShown = options.mask ?? ((text) => text);
    this.allowInStyle = (url) => (isTracker(url) ? null : this.toPicture(url));
  }

  write(): SafeHtml {
    const { tree } = this.page;
    const sheet = toSafeSheet(this.cascade, this.allowInStyle);
    // It can't contain `<` by construction. If it ever did, no style is better than a closed element.
    if (sheet !== "" && !sheet.includes("<")) this.add(`<style>${sheet}</style>`);
    const body = tree.root.children.find((child) => typeof child === "object" && child.name === "body");
    this.add(
      `<div${this.rootAttributes(tree.root, typeof body === "object" ? body : tree.root)}${toPin(this.pins.get(tree.root))}>`,
    );
    this.writeAll(tree.root.children);
    this.pieces.push("</div>");
    return { html: toStorable(this.pieces.join("")), isCut: this.isCut || tree.cuts.size > 0 };
  }

  private add(text: string): void {
    this.pieces.push(text);
    this.length += text.length;
  }

  private writeAll(nodes: readonly HtmlNode[]): void {
    for (const node of nodes) {
      if (this.length > maxLength) {
        this.isCut = true;
        return;
      }
      if (typeof node === "string") this.add(escapeText(this.toShown(node)));
      else this.writeElement(node);
    }
  }

  private writeElement(element: HtmlElement): void {
    const { name, children } = element;
    if (droppedElements.has(name)) return;
    if (!safeElements.has(name)) {
      this.writeAll(children);
      return;
    }
    this.add(`<${name}${this.attributesOf(element)}${toPin(this.pins.get(element))}>`);
    if (voidElements.has(name)) return;
    this.writeAll(children);
    this.add(`</${name}>`);
  }

  private attributesOf(element: HtmlElement): string {
    const { name, attributes } = element;
    if (attributes.size === 0) return "";
    const written = [...attributes].map(([attribute, value]) => this.attributeOf(attribute, this.toShown(value)));
    if (name === "a" && !this.options.mask)
      written.push(linkAttributes(attributes.get("href"), attributes.get("name")));
    if (name === "img") written.push(this.sourceOf(element));
    return written.join("");
  }

  private attributeOf(attribute: string, value: string): string {
    if (attribute === "style") return this.styleOf(value);
    if (attribute === "class") return toAttribute("class", toSafeClasses(value));
    if (attribute === "id") return isSafeName(value) ? ` id="${namePrefix}${value}"` : "";
    const pattern = safeAttributes.get(attribute);
    if (!pattern?.test(value)) return "";
    const shown = this.inDark(attribute, value);
    return attribute === "alt" || shown !== "" ? ` ${attribute}="${escapeAttribute(shown)}"` : "";
  }

  private inDark(attribute: string, value: string): string {
    const role = colorAttributes[attribute];
    return this.options.dark && role ? toDarkAttribute(value, role, this.options.dark) : value;
  }

  /** Written once for all elements that share it. */
  private styleOf(value: string): string {
    const known = this.styles.get(value);
    if (known !== undefined) return known;
    const written = toAttribute("style", toSafeStyle(this.cascade.declarationsOf(value), this.allowInStyle));
    if (this.styles.size < maxKeptStyles) this.styles.set(value, written);
    return written;
  }

  private rootAttributes(root: HtmlElement, body: HtmlElement): string {
    const { attributes } = body;
    const colors = [
      ["background-color", this.inDark("bgcolor", attributes.get("bgcolor") ?? "")],
      ["color", this.inDark("color", attributes.get("text") ?? "")],
    ].filter(([, value = ""]) => safeAttributes.get("bgcolor")?.test(value));
    const own = this.cascade.declarationsOf(attributes.get("style") ?? "");
    const style = [...colors.map((pair) => pair.join(":")), toSafeStyle(own, this.allowInStyle), confined].filter(
      (text) => text !== "",
    );
    const classes = `${rootClass} ${toSafeClasses(attributes.get("class") ?? "")}`.trim();
    const id = attributes.get("id") ?? "";
    const inherited = ["lang", "dir"].map((name) =>
      this.attributeOf(name, attributes.get(name) ?? root.attributes.get(name) ?? ""),
    );
    return `${toAttribute("class", classes)}${this.attributeOf("id", id)}${inherited.join("")}${toAttribute("style", style.join(";"))}`;
  }

  private sourceOf(element: HtmlElement): string {
    if (this.options.trackingElements?.has(element)) return "";
    return toAttribute("src", this.toPicture(element.attributes.get("src") ?? "") ?? "");
  }

  private toPicture(url: string): string | null {
    if (this.options.isBare) return null;
    const source = url.trim();
    if (/^data:/i.test(source)) return toSafeDataUri(source);
    if (/^cid:/i.test(source)) return this.fromCid(source.slice(4));
    if (!this.options.images) return null;
    const parsed = URL.parse(source.startsWith("//") ? `https:${source}` : source);
    return parsed?.protocol === "https:" && parsed.username === "" && parsed.password === "" ? parsed.href : null;
  }

  private fromCid(cid: string): string | null {
    const picture = this.options.findCid?.(cid) ?? null;
    if (!picture || !safePictureTypes.has(picture.type.toLowerCase())) return null;
    const { byteLength } = picture.bytes;
    if (byteLength > maxCidBytes || byteLength > this.cidBytesLeft) return null;
    this.cidBytesLeft -= byteLength;
    return `data:${picture.type.toLowerCase()};base64,${Buffer.from(picture.bytes).toString("base64")}`;
  }
}

const colorAttributes: Readonly<Record<string, "background" | "text" | "line">> = {
  bgcolor: "background",
  bordercolor: "line",
  color: "text",
};

/** For `<img>` the options decide, because they know each size. */
function isTracker(url: string): boolean {
  return /^(?:https?:)?\/\//i.test(url) && trackerByAddress(readWebAddress(url)) !== null;
}

/** Keeps the message inside its own box, whatever position it sets. */
const confined = "position:relative!important;overflow:auto!important";

function toSafeDataUri(source: string): string | null {
  const head = /^data:(image\/[\w.+-]{1,20});base64,/i.exec(source.slice(0, 100));
  const type = head?.[1]?.toLowerCase() ?? "";
  if (!head || !safePictureTypes.has(type)) return null;
  const content = source.slice(head[0].length).replace(/\s+/g, "");
  return /^[A-Za-z0-9+/=]+$/.test(content) ? `data:${type};base64,${content}` : null;
}

/** The opened page gets neither a referrer nor a window handle. */
function linkAttributes(href: string | undefined, name: string | undefined): string {
  const anchor = name !== undefined && isSafeName(name) ? ` name="${namePrefix}${name}"` : "";
  const target = href?.trim() ?? "";
  if (target.startsWith("#"))
    return isSafeName(target.slice(1)) ? `${anchor} href="#${namePrefix}${target.slice(1)}"` : anchor;
  const url = URL.parse(target.startsWith("//") ? `https:${target}` : target);
  if (!url || !/^(?:https?|mailto|tel):$/.test(url.protocol)) return anchor;
  return `${anchor}${toAttribute("href", url.href)} target="_blank" rel="noopener noreferrer"`;
}

function toSafeClasses(value: string): string {
  const names = value.trim().split(/\s+/, 50).filter(isSafeName);
  return names.map((name) => namePrefix + name).join(" ");
}

/** On elements that are written and can be seen: others pass theirs to the next one around them. */
function toShownPins(pins: Pins): Pins {
  const shown = new Map<HtmlElement, ReadonlySet<string>>();
  for (const [element, names] of pins) {
    const place = toShownElement(element);
    shown.set(place, names.union(shown.get(place) ?? new Set()));
  }
  return shown;
}

function toShownElement(element: HtmlElement): HtmlElement {
  const written = toWrittenElement(element);
  if (!mayBeNothing(written)) return written;
  const around = toWrittenElement(written.parent ?? written);
  // The whole message would say less than an empty place in it.
  return around.parent === null ? written : around;
}

function toWrittenElement(element: HtmlElement): HtmlElement {
  let written = element;
  for (let at = element; at.parent; at = at.parent)
    if (droppedElements.has(at.name) || (at === written && !safeElements.has(at.name))) written = at.parent;
  return written;
}

/** An image that isn't loaded takes up no space without a size or an alt text. */
function mayBeNothing({ name, attributes }: HtmlElement): boolean {
  const isTiny = ["width", "height"].some((side) => !/^\s*(?:[3-9]|\d\d)/.test(attributes.get(side) ?? ""));
  return name === "img" && isTiny && !attributes.get("alt")?.trim();
}

export function toPin(names: ReadonlySet<string> = new Set()): string {
  return toAttribute("data-pin", [...names].join(" "));
}

function toAttribute(name: string, value: string): string {
  return value === "" ? "" : ` ${name}="${escapeAttribute(value)}"`;
}

export function escapeText(text: string): string {
  return /[&<>\u00a0]/.test(text) ? text.replace(/[&<>\u00a0]/g, (sign) => escapes[sign] ?? sign) : text;
}

function escapeAttribute(text: string): string {
  return /[&<>"'`\u00a0]/.test(text) ? text.replace(/[&<>"'`\u00a0]/g, (sign) => escapes[sign] ?? sign) : text;
}

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "`": "&#96;",
  "\u00a0": "&nbsp;",
};
