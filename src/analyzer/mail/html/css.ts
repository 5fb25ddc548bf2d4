// Parses style sheets and style attributes tolerantly in one pass (CSS Syntax Level 3, as far as mail needs it).
// css-tree isn't used, because it builds a node for every token of every value, which costs several times as much as
// parsing the HTML.

import { decodeEscapes, findStop, parseSelectors, type Selector, withoutComments } from "./css-selectors.ts";

export type Declaration = {
  /** Lower case. Custom properties as written. */
  readonly property: string;
  readonly value: string;
  readonly important: boolean;
};

export type Rule = {
  readonly selectors: readonly Selector[];
  readonly declarations: readonly Declaration[];
  /** The conditions that apply to it, outermost first, as `@media (max-width:600px)`. */
  readonly conditions: readonly string[];
};

export type AtRule = { readonly name: string; readonly prelude: string; readonly declarations: readonly Declaration[] };

export type Sheet = {
  readonly rules: readonly Rule[];
  /** All except those that only group rules: @import, @font-face, @keyframes … */
  readonly atRules: readonly AtRule[];
  /** The conditions of all groups, even of empty ones. */
  readonly conditions: readonly string[];
  readonly isCut: boolean;
};

/** Ten times as many as a large newsletter has. */
const maxRules = 5_000;

const maxAtRules = 500;

const maxDeclarations = 500;

const maxGroupDepth = 5;

const groups = new Set(["media", "supports", "layer", "container", "scope", "document", "-moz-document"]);

export function parseSheet(text: string): Sheet {
  const reader = new SheetReader(withoutComments(text));
  reader.readRules(0, []);
  return reader;
}

class SheetReader implements Sheet {
  readonly rules: Rule[] = [];
  readonly atRules: AtRule[] = [];
  readonly conditions: string[] = [];
  isCut = false;
  private readonly text: string;
  private at = 0;

  constructor(text: string) {
    this.text = text;
  }

  readRules(depth: number, conditions: readonly string[]): void {
    while (this.at < this.text.length && !this.isCut) {
      const start = this.at;
      const end = findStop(this.text, start, "{};");
      const prelude = this.text.slice(start, end).trim();
      const stop = this.text[end];
      this.at = end + 1;
      if (stop === "}" && depth > 0) return;
      if (prelude.startsWith("@")) this.readAtRule(prelude, stop === "{", depth, conditions);
      else if (stop === "{") this.readRule(prelude, conditions);
    }
  }

  private readRule(prelude: string, conditions: readonly string[]): void {
    const declarations = parseDeclarations(this.readBlock());
    if (this.rules.length >= maxRules) this.isCut = true;
    else this.rules.push({ selectors: parseSelectors(prelude), declarations, conditions });
  }

  private readAtRule(prelude: string, hasBlock: boolean, depth: number, conditions: readonly string[]): void {
    const name = (/^@([\w-]{1,40})/.exec(prelude)?.[1] ?? "").toLowerCase();
    if (!hasBlock || !groups.has(name) || depth >= maxGroupDepth) {
      const block = hasBlock ? this.readBlock() : "";
      if (this.atRules.length >= maxAtRules) this.isCut = true;
      else this.atRules.push({ name, prelude: prelude.slice(0, 2_048), declarations: blockOf(name, block) });
      return;
    }
    const condition = prelude.slice(0, 500).replace(/\s+/g, " ").toLowerCase();
    if (this.conditions.length < maxAtRules) this.conditions.push(condition);
    this.readRules(depth + 1, [...conditions, condition]);
  }

  /** The content of the braces that were just opened. */
  private readBlock(): string {
    const start = this.at;
    let depth = 1;
    while (depth > 0 && this.at < this.text.length) {
      const stop = findStop(this.text, this.at, "{}");
      depth += this.text[stop] === "{" ? 1 : -1;
      this.at = stop + 1;
    }
    return this.text.slice(start, this.at - 1);
  }
}

function blockOf(name: string, block: string): Declaration[] {
  return name === "font-face" || name === "page" ? parseDeclarations(block) : [];
}

export function parseDeclarations(text: string): Declaration[] {
  const found: Declaration[] = [];
  const source = text.includes("/*") ? withoutComments(text) : text;
  for (let start = 0; start < source.length && found.length < maxDeclarations; ) {
    const end = findStop(source, start, ";");
    const declaration = parseDeclaration(source.slice(start, end));
    if (declaration) found.push(declaration);
    start = end + 1;
  }
  return found;
}

function parseDeclaration(text: string): Declaration | undefined {
  const colon = text.indexOf(":");
  if (colon < 0) return undefined;
  const name = decodeEscapes(text.slice(0, colon).trim());
  const value = text.slice(colon + 1).trim();
  if (name === "" || name.length > 100 || value === "") return undefined;
  const mark = value.endsWith("t") || value.endsWith("T") ? /!\s{0,20}important$/i.exec(value) : null;
  return {
    property: name.startsWith("--") ? name : name.toLowerCase(),
    value: decodeEscapes(mark ? value.slice(0, mark.index).trimEnd() : value),
    important: mark !== null,
  };
}
