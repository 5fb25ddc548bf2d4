// The open elements while the tree is built: what a tag closes, where it is attached, and what is wrong with it.

import {
  closedByOpening,
  endsForeign,
  endTagOptional,
  endTagScope,
  foreignRoots,
  headElements,
  htmlInForeign,
  voidElements,
} from "./nesting-table.ts";
import type { FaultKind, HtmlElement, TagFault } from "./tree.ts";

export type Tag = Pick<HtmlElement, "name" | "offset"> & { attributes: HtmlElement["attributes"] };
export type TreeCut = "depth" | "elements" | "attributes";

/** A large newsletter has 3,000. */
export const maxElements = 50_000;
/** Chromium has the same bound. */
export const maxDepth = 512;
const maxFaults = 50;
const maxStyleElements = 200;
/** Total steps up the stack. Otherwise each end tag without a start would search the whole depth. */
const maxLooks = 5_000_000;

/** Half of all elements have none and share this. Only html, head and body get some afterwards. */
export const noAttributes: HtmlElement["attributes"] = new Map();

export class OpenElements {
  readonly root: HtmlElement = { name: "html", attributes: new Map(), parent: null, children: [], offset: 0 };
  readonly faults: TagFault[] = [];
  faultCount = 0;
  elementCount = 0;
  readonly styleElements: HtmlElement[] = [];
  readonly ids = new Set<string>();
  readonly cuts = new Set<TreeCut>();

  private readonly stack: HtmlElement[] = [this.root];
  /** The single head and body. */
  private readonly sections = new Map<string, HtmlElement>();
  private looks = maxLooks;
  private hasEnded = false;
  private hasForeign = false;

  get isFull(): boolean {
    return this.elementCount >= maxElements;
  }

  /** The innermost SVG or MathML whose content is read by its own rules; 0 if there is none. */
  get foreign(): number {
    return this.hasForeign ? this.findOpen(foreignRoots, htmlInForeign) : 0;
  }

  open(tag: Tag): void {
    const { name } = tag;
    if (this.hasForeign && endsForeign.has(name)) this.leaveForeign();
    if (name === "html") mergeAttributes(this.root, tag);
    else if (name === "body" || name === "head") this.openSection(tag);
    else this.openElement(tag);
  }

  addText(text: string): void {
    if (hasContent(text)) {
      this.meetContent(this.top.offset);
      if (this.top.name === "head") this.stack.pop();
    }
    this.top.children.push(text);
  }

  close(name: string, offset: number): void {
    if (name === "html") this.hasEnded = true;
    // Browsers keep the body open: content after its end tag still belongs to it.
    if (name === "html" || name === "body") return;
    if (name === "p" || name === "br") this.leaveForeign();
    const at = this.findNamed(name);
    if (at > 0) this.popTo(at);
    // In a browser `</p>` and `</br>` create an element, which is odd but not a broken layout.
    else if (!voidElements.has(name) && name !== "p") this.note("stray-end", name, offset);
    if (foreignRoots.has(name)) this.hasForeign = this.stack.some((open) => foreignRoots.has(open.name));
  }

  /** At the end of the source. */
  closeAll(): void {
    for (const open of this.stack.slice(1).reverse()) this.noteUnclosed(open);
  }

  private get top(): HtmlElement {
    return this.stack.at(-1) ?? this.root;
  }

  private leaveForeign(): void {
    for (let at = this.foreign; at > 0; at = this.foreign) this.popTo(at);
  }

  private meetContent(offset: number): void {
    if (this.hasEnded) this.note("after-html", "html", offset);
    this.hasEnded = false;
  }

  private openElement(element: Tag): void {
    const { name } = element;
    this.meetContent(element.offset);
    if (this.top.name === "head" && !headElements.has(name)) this.stack.pop();
    this.closeImplied(name);
    if (foreignRoots.has(name)) this.hasForeign = true;
    this.push(element);
    if (voidElements.has(name)) this.stack.pop();
    this.noteId(element);
  }

  private openSection(tag: Tag): void {
    const earlier = this.sections.get(tag.name);
    if (earlier) mergeAttributes(earlier, tag);
    else if (this.stack.length === 1 || this.top.name === "head") {
      this.stack.length = 1;
      this.sections.set(tag.name, this.push({ ...tag, attributes: new Map(tag.attributes) }));
    }
  }

  private push({ name, attributes, offset }: Tag): HtmlElement {
    if (this.stack.length >= maxDepth) {
      this.cuts.add("depth");
      this.stack.pop();
    }
    const placed: HtmlElement = { name, attributes, parent: this.top, children: [], offset };
    this.top.children.push(placed);
    this.stack.push(placed);
    if (name === "style" && this.styleElements.length < maxStyleElements) this.styleElements.push(placed);
    this.elementCount++;
    return placed;
  }

  private closeImplied(name: string): void {
    const implied = closedByOpening.get(name);
    if (!implied) return;
    const at = this.findOpen(implied.closes, implied.scope);
    if (at > 0) this.popTo(at);
  }

  /** The stack position of the innermost of these within the scope; 0 if there is none. */
  private findOpen(names: { has(name: string): boolean }, scope: ReadonlySet<string>): number {
    for (let at = this.stack.length - 1; at > 0 && this.looks > 0; at--) {
      this.looks--;
      const open = this.stack[at]?.name ?? "";
      if (names.has(open)) return at;
      if (scope.has(open)) return 0;
    }
    return 0;
  }

  /** It is nearly always the innermost. */
  private findNamed(name: string): number {
    const last = this.stack.length - 1;
    return last > 0 && this.top.name === name ? last : this.findOpen(new Set([name]), endTagScope(name));
  }

  private popTo(at: number): void {
    while (this.stack.length - 1 > at) this.noteUnclosed(this.stack.pop());
    this.stack.pop();
  }

  private noteUnclosed(element: HtmlElement | undefined): void {
    if (element && !endTagOptional.has(element.name)) this.note("unclosed", element.name, element.offset);
  }

  private noteId({ attributes, name, offset }: Tag): void {
    if (attributes.size === 0) return;
    const id = attributes.get("id");
    const anchor = name === "a" ? attributes.get("name") : undefined;
    if (anchor && anchor !== id) this.ids.add(anchor);
    if (!id) return;
    if (this.ids.has(id)) this.note("duplicate-id", name, offset);
    this.ids.add(id);
  }

  /** Past the depth limit the nesting is ours, not the sender's. */
  private note(kind: FaultKind, tag: string, offset: number): void {
    if (this.cuts.has("depth")) return;
    this.faultCount++;
    if (this.faults.length < maxFaults) this.faults.push({ kind, tag: tag.slice(0, 40), offset });
  }
}

function hasContent(text: string): boolean {
  const first = text.charCodeAt(0);
  return (first > 32 && first < 127) || /\S/.test(text);
}

function mergeAttributes(into: HtmlElement, from: Tag): void {
  for (const [name, value] of from.attributes) if (!into.attributes.has(name)) into.attributes.set(name, value);
}
