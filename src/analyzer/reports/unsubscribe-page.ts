// What a page says and offers, as far as its HTML shows it without a style sheet or script.

import { blockElements } from "../mail/html/nesting-table.ts";
import { type HtmlElement, type HtmlNode, parseTree } from "../mail/html/tree.ts";
import { unsubscribeAddress } from "../mail/links/unsubscribe-words.ts";

type Control = {
  readonly words: string;
  /** It sends a form. */
  readonly sends: boolean;
  /** It opens another page, and scripts don't decide what it does. */
  readonly isLink: boolean;
};

export type VisitedPage = {
  readonly lines: readonly string[];
  readonly controls: readonly Control[];
  /** What may act without a click. */
  readonly acting: readonly string[];
  readonly asksPassword: boolean;
  /** A choice or a longer text, as in "Why did you leave?" */
  readonly asksMore: boolean;
  readonly isCut: boolean;
};

/** Null if the bytes don't fit the charset: garbled words would be judged. */
export function decodePage(body: Uint8Array, contentType: string): string | null {
  const named = /charset\s*=\s*["']?([\w.:-]+)/i;
  const beginning = Buffer.from(body.subarray(0, 1_024)).toString("latin1");
  const [, charset = "utf-8"] = named.exec(contentType) ?? named.exec(beginning) ?? [];
  try {
    // As a stream, so that a character that was cut at the end is no error.
    return new TextDecoder(charset, { fatal: true }).decode(body, { stream: true });
  } catch {
    return null;
  }
}

export function readVisitedPage(source: string, isHtml: boolean): VisitedPage {
  const { root, cuts } = isHtml ? parseTree(source) : { root: { children: [source] }, cuts: new Set() };
  const reader = new PageReader();
  for (const node of root.children) reader.read(node, nowhere);
  const { text, controls, acting, asksPassword, asksMore } = reader;
  return {
    lines: toLines(text.join(""), isHtml),
    controls: controls.map(({ label, ...control }) => {
      const words = toPlainSpace(control.words.join(""));
      return { ...control, words: words === "" ? toPlainSpace(label) : words };
    }),
    acting: [...acting],
    asksPassword,
    asksMore,
    isCut: cuts.size > 0,
  };
}

function toLines(text: string, isHtml: boolean): string[] {
  const lines = text.split(isHtml ? lineBreak : "\n");
  return lines.map(toPlainSpace).filter((line) => line !== "");
}

function toPlainSpace(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** `label`: what is shown or read aloud if it has no text. */
type Found = Omit<Control, "words"> & { readonly words: string[]; readonly label: string };
type Within = { readonly isForm: boolean; readonly words: string[] | null };

const nowhere: Within = { isForm: false, words: null };
/** Ends a line of HTML, where line feeds are spaces. */
const lineBreak = "\u2028";
const breaking = new Set([...blockElements, "br", "button", "title"]);
const unshown = new Set("script style template textarea option iframe".split(" "));
const hiding = /display\s*:\s*none|visibility\s*:\s*hidden/i;
const frames = new Set("iframe frame object embed".split(" "));

class PageReader {
  readonly text: string[] = [];
  readonly controls: Found[] = [];
  readonly acting = new Set<string>();
  asksPassword = false;
  asksMore = false;

  read(node: HtmlNode, within: Within): void {
    if (typeof node === "string") {
      this.text.push(node);
      within.words?.push(node);
      return;
    }
    this.noteActing(node);
    this.noteFields(node);
    if (isUnshown(node)) return;
    const control = findControl(node, within);
    if (control !== null) this.controls.push(control);
    const isForm = within.isForm || node.name === "form";
    const edge = breaking.has(node.name) ? [lineBreak] : [];
    this.text.push(...edge);
    for (const child of node.children) this.read(child, { isForm, words: control?.words ?? within.words });
    this.text.push(...edge);
  }

  private noteActing({ name, attributes }: HtmlElement): void {
    const isScript = name === "script" && !/json/i.test(attributes.get("type") ?? "");
    if (isScript || [...attributes.keys()].some((one) => actsAtOnce.test(one))) this.acting.add("a script");
    if (frames.has(name)) this.acting.add("a frame");
    if (name === "meta" && /refresh/i.test(attributes.get("http-equiv") ?? "")) this.acting.add("a refresh");
    if (name !== "script" && unsubscribeAddress.test(attributes.get("src") ?? ""))
      this.acting.add("a file that loads from an unsubscribe address");
  }

  private noteFields({ name, attributes }: HtmlElement): void {
    const type = typeOf(attributes);
    if (name === "input" && type === "password") this.asksPassword = true;
    const isChoice = name === "input" && (type === "radio" || type === "checkbox");
    if (isChoice || name === "select" || name === "textarea") this.asksMore = true;
  }
}

/** Handlers of events that need no click or key. */
const actsAtOnce = /^on(?!click$|submit$|change$|input$|key)/;

function typeOf(attributes: HtmlElement["attributes"]): string {
  return attributes.get("type")?.trim().toLowerCase() ?? "";
}

function isUnshown({ name, attributes }: HtmlElement): boolean {
  if (unshown.has(name) || attributes.has("hidden") || (name === "dialog" && !attributes.has("open"))) return true;
  return hiding.test(attributes.get("style") ?? "");
}

function findControl({ name, attributes }: HtmlElement, { isForm }: Within): Found | null {
  const type = typeOf(attributes);
  const isInput = name === "input" && /^(?:submit|image|button)$/.test(type);
  const named = isInput ? ["value", "alt", "aria-label"] : ["aria-label"];
  const [label = ""] = named.flatMap((key) => attributes.get(key) ?? []);
  const isButton = isInput || name === "button";
  const href = attributes.get("href")?.trim() ?? "";
  const isLink = name === "a" && !/^(?:#|javascript:|$)/i.test(href) && !attributes.has("onclick");
  const isControl = isButton || name === "a" || attributes.has("onclick") || attributes.get("role") === "button";
  const sends = isButton && type !== "button" && type !== "reset" && (isForm || attributes.has("form"));
  return isControl ? { label, words: [], sends, isLink } : null;
}
