// Parses HTML into a light tree in one pass: htmlparser2's tokenizer with our own tree builder. htmlparser2's parser
// isn't used, because it searches and shifts its stack at every tag (quadratic in the depth) and reports no errors.
// parse5 isn't used, because it costs several times as much and corrects what the checks want to see.

import { Tokenizer } from "htmlparser2";
import { noAttributes, OpenElements, type Tag, type TreeCut } from "./nesting.ts";
import { foreignRoots } from "./nesting-table.ts";
import { decodeReferences } from "./references.ts";

// Lower-case names of elements and attributes. The usual ones are found in place, without a copy, and are always the
// same string, which makes lookups in the many sets and maps faster.

const usual =
  "a align alt bgcolor blockquote body border br cellpadding cellspacing center class color colspan div dir em font h1 h2 h3 h4 h5 h6 head height href hr html i id img lang li link meta name ol p role rowspan s span src strong style sub sup table target tbody td th thead title tr u ul valign width".split(
    " ",
  );

const places = 4_096;
/** Indexed by the sum of their characters. No two have the same sum. */
const bySum: string[] = new Array(places).fill("");
for (const name of usual) bySum[sumOf(name, 0, name.length)] = name;

function nameOf(source: string, start: number, end: number): string {
  const name = bySum[sumOf(source, start, end)] ?? "";
  if (name.length === end - start && source.startsWith(name, start)) return name;
  return source.slice(start, end).toLowerCase();
}

function sumOf(source: string, start: number, end: number): number {
  let sum = 0;
  for (let at = start; at < end; at++) sum = (sum * 31 + source.charCodeAt(at)) % places;
  return sum;
}

export type HtmlElement = {
  /** In lower case. */
  readonly name: string;
  /** Lower-case names. The first of repeated attributes counts, as in browsers. */
  readonly attributes: Map<string, string>;
  readonly parent: HtmlElement | null;
  readonly children: HtmlNode[];
  readonly offset: number;
};
export type HtmlNode = HtmlElement | string;

export type Comment = { readonly text: string; readonly offset: number };

export type FaultKind = "unclosed" | "stray-end" | "after-html" | "duplicate-id";
export type TagFault = { readonly kind: FaultKind; readonly tag: string; readonly offset: number };

export type Tree = {
  readonly source: string;
  readonly root: HtmlElement;
  /** Without `<!` and `>`. Null if there is none. */
  readonly doctype: string | null;
  /** Includes declarations such as `<![if mso]>`, which browsers treat as comments. */
  readonly comments: readonly Comment[];
  readonly faults: readonly TagFault[];
  readonly faultCount: number;
  readonly elementCount: number;
  /** In document order. */
  readonly styleElements: readonly HtmlElement[];
  /** Ids and anchor names: possible targets of links within the message. */
  readonly ids: ReadonlySet<string>;
  /** The limits that were reached. Content past them isn't in the tree. */
  readonly cuts: ReadonlySet<TreeCut>;
};

/** Inside these the tokenizer only looks for their end tag. */
const rawTexts = new Set("script style textarea xmp".split(" "));
/** Browsers read these the same way, and the tokenizer doesn't: a `<style>` in them would hide the rest of the message. */
const moreRawTexts = new Map(["iframe", "noembed", "noframes"].map((name) => [name, Buffer.from(`</${name}`)]));

const maxAttributes = 100;
const maxComments = 20_000;

export function parseTree(source: string): Tree {
  const reader = new TreeReader(source);
  reader.run();
  const { doctype, comments, elements } = reader;
  const { root, faults, faultCount, elementCount, styleElements, ids, cuts } = elements;
  return { source, root, doctype, comments, faults, faultCount, elementCount, styleElements, ids, cuts };
}

class TreeReader {
  doctype: string | null = null;
  readonly comments: Comment[] = [];
  readonly elements = new OpenElements();

  private readonly source: string;
  private readonly tokenizer: Tokenizer;
  private tag: Tag = this.elements.root;
  private text = "";
  private isRawText = false;
  private ampersand = -1;
  private attribute = "";
  private value = "";
  private valueEnd = 0;

  constructor(source: string) {
    this.source = source;
    this.tokenizer = new Tokenizer({ decodeEntities: false }, this);
    // The tokenizer takes no raw text from an element with a slash, as in `<style/>`. Browsers ignore the slash.
    const stateInSelfClosingTag = Reflect.get(this.tokenizer, "stateBeforeAttributeName");
    Object.assign(this.tokenizer, { fastForwardTo, stateInSelfClosingTag });
  }

  run(): void {
    this.tokenizer.write(asBrowsersRead(this.source));
    this.tokenizer.end();
    this.flushText();
    this.elements.closeAll();
  }

  ontext(start: number, end: number): void {
    const text = this.source.slice(start, end);
    this.text += !this.isRawText && this.holdsReference(start, end) ? decodeReferences(text, false) : text;
  }

  onopentagname(start: number, end: number): void {
    this.flushText();
    this.tag = { name: nameOf(this.source, start, end), attributes: noAttributes, offset: start - 1 };
  }

  onattribname(start: number, end: number): void {
    this.attribute = nameOf(this.source, start, end);
    this.value = "";
  }

  onattribdata(start: number, end: number): void {
    const value = this.source.slice(start, end);
    this.value = this.holdsReference(start, end) ? decodeReferences(value, true) : value;
  }

  onattribend(_quote: unknown, end: number): void {
    this.valueEnd = end;
    if (this.tag.attributes === noAttributes) this.tag.attributes = new Map();
    const { attributes } = this.tag;
    if (attributes.size >= maxAttributes) this.elements.cuts.add("attributes");
    else if (!attributes.has(this.attribute)) attributes.set(this.attribute, this.value);
  }

  onopentagend(end: number): void {
    const { name } = this.tag;
    const isForeign = this.elements.foreign > 0;
    const currentSequence = isForeign ? undefined : moreRawTexts.get(name);
    if (isForeign || currentSequence) Object.assign(this.tokenizer, { isSpecial: !isForeign, currentSequence });
    this.isRawText = !isForeign && (currentSequence !== undefined || rawTexts.has(name));
    this.open();
    const hasSlash = this.source[end - 1] === "/" && this.valueEnd !== end;
    if (hasSlash && (isForeign || foreignRoots.has(name))) this.elements.close(name, end);
  }

  /** Never called: the tokenizer reads a slash like white space. */
  onselfclosingtag(): void {}

  onclosetag(start: number, end: number): void {
    this.flushText();
    this.isRawText = false;
    this.elements.close(nameOf(this.source, start, end), start - 2);
  }

  oncomment(start: number, end: number, endOffset: number): void {
    this.flushText();
    this.addComment(start, end - endOffset);
  }

  oncdata(start: number, end: number, endOffset: number): void {
    this.oncomment(start, end, endOffset);
  }

  ondeclaration(start: number, end: number): void {
    this.flushText();
    if (this.source.startsWith("[CDATA[", start) && this.elements.foreign > 0) {
      const at = this.source.indexOf("]]>", start);
      const to = at < 0 ? this.source.length : at;
      this.text = this.source.slice(start + "[CDATA[".length, to);
      Object.assign(this.tokenizer, { index: to + "]>".length });
      return;
    }
    const text = this.source.slice(start, Math.min(end, start + 200));
    if (/^doctype\b/i.test(text)) this.doctype ??= text;
    else this.addComment(start, end);
  }

  onprocessinginstruction(): void {
    this.flushText();
  }

  onend(): void {}

  /** Decoding is off, so this is never called. */
  ontextentity(): void {}
  onattribentity(): void {}

  private addComment(start: number, end: number): void {
    if (this.comments.length < maxComments) this.comments.push({ text: this.source.slice(start, end), offset: start });
  }

  /** Called in source order, so each ampersand is searched once. */
  private holdsReference(start: number, end: number): boolean {
    if (this.ampersand < start) {
      const next = this.source.indexOf("&", start);
      this.ampersand = next < 0 ? this.source.length : next;
    }
    return this.ampersand < end;
  }

  private flushText(): void {
    if (this.text !== "") this.elements.addText(this.text);
    this.text = "";
  }

  private open(): void {
    if (!this.elements.isFull) this.elements.open(this.tag);
    else {
      this.elements.cuts.add("elements");
      this.tokenizer.pause();
    }
  }
}

/**
 * Replaces the tokenizer's own method, which looks at one character after another and takes a third of its time.
 * Offsets are those of `buffer`, because the source is written at once.
 */
export function fastForwardTo(this: { index: number; readonly buffer: string }, code: number): boolean {
  const found = this.buffer.indexOf(String.fromCharCode(code), this.index + 1);
  this.index = found < 0 ? this.buffer.length - 1 : found;
  return found >= 0;
}

/**
 * Endings that browsers know and the tokenizer doesn't: `--!>` ends a comment, `</style/` an element, and outside SVG a
 * CDATA section is a comment up to the next `>`. Otherwise readers would see content that we don't. All offsets stay the same.
 */
function asBrowsersRead(source: string): string {
  const read = source.replace(/(<\/[a-z\d]+)\//gi, "$1 ");
  if (!read.includes("!>") && !read.includes("![CDATA[")) return read;
  return read.replaceAll("--!>", "--->").replaceAll("<![CDATA[", "<!_CDATA[");
}
