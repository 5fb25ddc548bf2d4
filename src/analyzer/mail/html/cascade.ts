// Finds the declarations that apply to an element, among those that decide whether and how text is visible, by origin,
// specificity and order (CSS Cascade Level 4). It models a wide screen without preferences: rules under other
// conditions don't apply, but it records whether they would show hidden content.

import { type Declaration, parseDeclarations, parseSheet, type Sheet } from "./css.ts";
import { type Compound, type Selector, toTracked } from "./css-selectors.ts";
import type { HtmlElement, Tree } from "./tree.ts";

/** Property → value in lower case. */
export type Specified = ReadonlyMap<string, string>;

type StyleElement = {
  readonly sheet: Sheet;
  readonly bytes: number;
  readonly isInHead: boolean;
  readonly media: string | null;
};

export type Cascade = {
  readonly sheets: readonly StyleElement[];
  readonly specify: (element: HtmlElement) => Specified;
  /** A conditional rule, such as one for narrow screens, shows it. */
  readonly isShownOnCondition: (element: HtmlElement) => boolean;
  readonly declarationsOf: (style: string) => readonly Declaration[];
  /** From the elements specified so far, each text once; bounded. */
  readonly inlineStyles: () => Iterable<readonly Declaration[]>;
  /** More rules than we read. */
  readonly isCut: () => boolean;
};

/** Total matching steps. Rules times elements would otherwise be quadratic. A large newsletter takes 50,000. */
const maxSteps = 1_000_000;
const maxKeptStyles = 5_000;

const nothing: Specified = new Map();

type Entry = { readonly selector: Selector; readonly order: number; readonly declarations: readonly Declaration[] };

export function createCascade(tree: Tree): Cascade {
  const sheets = tree.styleElements.map(readStyleElement);
  const budget = { steps: maxSteps };
  const [plain, conditional] = [new RuleIndex(budget), new RuleIndex(budget)];
  for (const sheet of sheets) addRules(sheet, plain, conditional);
  const parsed = new Map<string, readonly Declaration[]>();
  const inline = new Map<string, Specified>();
  const matched = new Map<string, Specified>();
  const declarationsOf = (style: string) => keep(parsed, style, parseDeclarations);
  const specifyInline = (style: string): Specified =>
    keep(inline, style, () => resolve(toTracked(declarationsOf(style)), []));
  return {
    sheets,
    declarationsOf,
    inlineStyles: () => parsed.values(),
    specify: (element) => {
      const style = element.attributes.get("style");
      const entries = plain.match(element);
      if (entries.length === 0) return style === undefined ? nothing : specifyInline(style);
      // Elements that match the same rules share one answer, and so their computed styles.
      const key = `${entries.map(({ order }) => order).join()} ${style ?? ""}`;
      return keep(matched, key, () => resolve(toTracked(declarationsOf(style ?? "")), entries));
    },
    isShownOnCondition: (element) => conditional.match(element).some(({ declarations }) => declarations.some(shows)),
    isCut: () => budget.steps <= 0 || sheets.some(({ sheet }) => sheet.isCut),
  };
}

function keep<Value>(kept: Map<string, Value>, style: string, make: (style: string) => Value): Value {
  const known = kept.get(style);
  if (known !== undefined) return known;
  const made = make(style);
  if (kept.size < maxKeptStyles) kept.set(style, made);
  return made;
}

function readStyleElement(element: HtmlElement): StyleElement {
  const text = element.children.filter((child) => typeof child === "string").join("");
  const media = element.attributes.get("media") ?? null;
  let above: HtmlElement | null = element.parent;
  while (above && above.name !== "head" && above.name !== "body") above = above.parent;
  const before = element.parent?.children ?? [];
  const isFirst = before.every(
    (node) =>
      typeof node === "string" || node.offset >= element.offset || node.name === "style" || node.name === "meta",
  );
  const isInHead = above ? above.name === "head" : isFirst;
  return { sheet: parseSheet(text), bytes: Buffer.byteLength(text), isInHead, media };
}

function addRules({ sheet, media }: StyleElement, plain: RuleIndex, conditional: RuleIndex): void {
  for (const { conditions: own, selectors, declarations } of sheet.rules) {
    const conditions = media === null ? own : [`@media ${media}`, ...own];
    if (conditions.some(isNever)) continue;
    (conditions.every(isAlways) ? plain : conditional).add(selectors, declarations);
  }
}

const noEntries: readonly Entry[] = [];

class RuleIndex {
  private readonly budget: { steps: number };
  private readonly byId = new Map<string, Entry[]>();
  private readonly byClass = new Map<string, Entry[]>();
  private readonly byTag = new Map<string, Entry[]>();
  private readonly byNothing: Entry[] = [];
  private count = 0;

  constructor(budget: { steps: number }) {
    this.budget = budget;
  }

  match(element: HtmlElement): readonly Entry[] {
    if (this.count === 0) return noEntries;
    const found: Entry[] = [];
    const id = this.byId.size > 0 ? element.attributes.get("id") : undefined;
    if (id !== undefined) this.collect(this.byId.get(id), element, found);
    const classes = this.byClass.size > 0 ? element.attributes.get("class") : undefined;
    if (classes !== undefined)
      for (const name of new Set(classes.split(/\s+/, 50))) this.collect(this.byClass.get(name), element, found);
    this.collect(this.byTag.get(element.name), element, found);
    this.collect(this.byNothing, element, found);
    return found.length > 1 ? found.sort(bySpecificity) : found;
  }

  add(selectors: readonly Selector[], all: readonly Declaration[]): void {
    const declarations = toTracked(all);
    if (declarations.length === 0) return;
    for (const selector of selectors) {
      const last = selector.compounds.at(-1);
      if (!last) continue;
      this.listOf(last).push({ selector, declarations, order: this.count });
      this.count++;
    }
  }

  private listOf({ id, classes, tag }: Compound): Entry[] {
    const [first] = classes;
    if (id !== null) return listIn(this.byId, id);
    if (first !== undefined) return listIn(this.byClass, first);
    return tag === null ? this.byNothing : listIn(this.byTag, tag);
  }

  private collect(list: readonly Entry[] | undefined, element: HtmlElement, found: Entry[]): void {
    if (list === undefined) return;
    for (const entry of list) {
      if (this.budget.steps-- <= 0) return;
      if (this.isMatch(entry.selector.compounds, element)) found.push(entry);
    }
  }

  /**
   * Matched from the right. Descendants are matched greedily, which is exact unless child and descendant combinators
   * are mixed.
   */
  private isMatch(compounds: readonly Compound[], element: HtmlElement): boolean {
    let at: HtmlElement | null = element;
    for (let index = compounds.length - 1; index >= 0; index--) {
      const compound = compounds[index];
      const right = compounds[index + 1];
      if (compound === undefined) return false;
      if (right) at = at?.parent ?? null;
      if (right?.combinator === "+" || right?.combinator === "~") return false;
      while (right?.combinator === " " && at && !isCompoundOf(compound, at) && this.budget.steps-- > 0) at = at.parent;
      if (!at || !isCompoundOf(compound, at)) return false;
    }
    return true;
  }
}

function listIn(lists: Map<string, Entry[]>, key: string): Entry[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

function isCompoundOf({ tag, id, classes, attributes, pseudos }: Compound, element: HtmlElement): boolean {
  if (tag !== null && tag !== element.name) return false;
  if (id !== null && element.attributes.get("id") !== id) return false;
  if (classes.length > 0) {
    const own = ` ${(element.attributes.get("class") ?? "").replace(/\s/g, " ")} `;
    if (!classes.every((name) => own.includes(` ${name} `))) return false;
  }
  if (!attributes.every((test) => isAttributeMatch(test, element.attributes.get(test.name)))) return false;
  return pseudos.every((pseudo) => pseudo === ":link" || (pseudo === ":root" && element.name === "html"));
}

function isAttributeMatch({ operator, value }: Compound["attributes"][number], actual: string | undefined): boolean {
  if (actual === undefined) return false;
  if (operator === "") return true;
  if (operator === "=") return actual === value;
  if (value === "") return false;
  if (operator === "^=") return actual.startsWith(value);
  if (operator === "$=") return actual.endsWith(value);
  if (operator === "*=") return actual.includes(value);
  return operator === "~=" ? actual.split(/\s+/).includes(value) : actual === value || actual.startsWith(`${value}-`);
}

function bySpecificity(one: Entry, other: Entry): number {
  return one.selector.specificity - other.selector.specificity || one.order - other.order;
}

/** Later declarations win, style attributes come after sheets, and important ones come last. */
function resolve(inline: readonly Declaration[], entries: readonly Entry[]): Specified {
  const specified = new Map<string, string>();
  const lists = [...entries.map(({ declarations }) => declarations), inline];
  for (const important of [false, true])
    for (const list of lists)
      for (const declaration of list)
        if (declaration.important === important) specified.set(declaration.property, declaration.value);
  return specified;
}

function shows({ property, value }: Declaration): boolean {
  if (property === "display") return value !== "none";
  if (property === "visibility") return value === "visible";
  return /^(?:(?:max-)?height|(?:max-)?width|font-size|opacity)$/.test(property) && !/^0(?![.\d]*[1-9])/.test(value);
}

/** Conditions that hold on a wide screen without preferences. */
function isAlways(condition: string): boolean {
  return /^@layer|^@media\s*(?:only\s+)?(?:(?:screen|all)\s*)?(?:,.{0,100})?$/.test(condition);
}

function isNever(condition: string): boolean {
  return /^@media\s+(?:only\s+)?(?:print|speech|tty|aural|braille)\b[^,]*$/.test(condition);
}
