// A backtracking matcher that counts its steps, so that cost is a number and not a time. It tries what ECMAScript
// §22.2.2 tries, in that order and without an engine's shortcuts, so an engine never needs more.

import { type AST, parseRegExpLiteral } from "@eslint-community/regexpp";

export class TooManySteps extends Error {}

export type Matcher = {
  /** Steps for finding every match in the text, one after the other. */
  countSteps(text: string, limit: number): number;
};

/** Performs one step. Returns the index of the next, or the result. */
type Step = (run: Run) => number;
const failed = -1;
const accepted = -2;

class Run {
  at = 0;
  stepsDone = 0;
  readonly registers: number[] = [];
  /** Three numbers each: where to continue (or `undo`), the position (or the register), its earlier content. */
  readonly choices: number[] = [];
  readonly text: readonly number[];
  readonly limit: number;

  constructor(text: readonly number[], limit: number) {
    this.text = text;
    this.limit = limit;
  }

  set(register: number, value: number): void {
    this.choices.push(undo, register, this.registers[register] ?? -1);
    this.registers[register] = value;
  }

  choose(place: number): void {
    this.choices.push(place, this.at, 0);
  }

  matches(steps: readonly Step[], start: number): boolean {
    const floor = this.choices.length;
    let place = start;
    while (place !== accepted) {
      this.stepsDone += 1;
      if (this.stepsDone > this.limit) throw new TooManySteps();
      place = (steps[place] as Step)(this);
      if (place === failed) place = this.backtrack(floor);
      if (place === failed) return false;
    }
    // Backtracking never goes back into an atomic group (a lookaround, a whole match).
    this.choices.length = floor;
    return true;
  }

  private backtrack(floor: number): number {
    while (this.choices.length > floor) {
      const former = this.choices.pop() ?? 0;
      const at = this.choices.pop() ?? 0;
      const place = this.choices.pop() ?? failed;
      if (place !== undo) {
        this.at = at;
        return place;
      }
      this.registers[at] = former;
    }
    return failed;
  }
}
const undo = -3;

/** Repetitions from `endlessFrom` on count as unbounded. Others over `mostRepeats` are cut to it. */
export type PatternCuts = { readonly mostRepeats: number; readonly endlessFrom: number };
const uncut: PatternCuts = { mostRepeats: Number.POSITIVE_INFINITY, endlessFrom: Number.POSITIVE_INFINITY };

export function createMatcher({ source, flags }: RegExp, cuts: PatternCuts = uncut): Matcher {
  const { pattern, flags: parsed } = parseRegExpLiteral(`/${source}/${flags}`);
  const compiler = new Compiler(flags, cuts);
  const start = compiler.alternatives(
    pattern.alternatives,
    compiler.add(() => accepted),
  );
  const toPoints = (text: string) =>
    parsed.unicode || parsed.unicodeSets
      ? Array.from(text, (character) => character.codePointAt(0) ?? 0)
      : Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
  return {
    countSteps(text, limit) {
      const run = new Run(toPoints(text), limit);
      for (let from = 0; from <= run.text.length; ) {
        run.at = from;
        run.registers.length = 0;
        const found = run.matches(compiler.steps, start);
        if (!found && parsed.sticky) break;
        from = found && run.at > from ? run.at : from + 1;
      }
      return run.stepsDone;
    },
  };
}

/** Builds steps from last to first, so that each node knows its successor. */
class Compiler {
  readonly steps: Step[] = [];
  private readonly cuts: PatternCuts;
  private readonly multiline: boolean;
  private readonly memberFlags: string;
  private readonly modifiers: string[] = [];
  private readonly registers = new Map<AST.Node, number>();
  private backward = false;

  constructor(flags: string, cuts: PatternCuts) {
    this.cuts = cuts;
    this.multiline = flags.includes("m");
    this.memberFlags = flags.replace(/[^isuv]/g, "");
  }

  add(step: Step): number {
    return this.steps.push(step) - 1;
  }

  alternatives(alternatives: readonly AST.Alternative[], next: number): number {
    return alternatives
      .map(({ elements }) => this.sequence(elements, next))
      .reduceRight((other, first) => this.either(first, other));
  }

  private sequence(elements: readonly AST.Element[], next: number): number {
    const ordered = this.backward ? elements : elements.toReversed();
    return ordered.reduce((place, element) => this.element(element, place), next);
  }

  private either(first: number, other: number): number {
    return this.add((run) => {
      run.choose(other);
      return first;
    });
  }

  private element(node: AST.Element, next: number): number {
    switch (node.type) {
      case "Group":
        return this.group(node, next);
      case "CapturingGroup":
        return this.capture(node, next);
      case "Quantifier":
        return this.quantifier(node, next);
      case "Assertion":
        return this.assertion(node, next);
      case "Backreference":
        return this.backreference(node, next);
      default:
        return this.member(node, next);
    }
  }

  private group({ alternatives, modifiers }: AST.Group, next: number): number {
    if (modifiers) this.modifiers.push(`(?${modifiers.raw}:`);
    const start = this.alternatives(alternatives, next);
    if (modifiers) this.modifiers.pop();
    return start;
  }

  private member(node: AST.Element, next: number): number {
    const has = memberTest(
      `${this.modifiers.join("")}${node.raw}${")".repeat(this.modifiers.length)}`,
      this.memberFlags,
    );
    const [offset, width] = this.backward ? [-1, -1] : [0, 1];
    return this.add((run) => {
      const point = run.text[run.at + offset];
      if (point === undefined || !has(point)) return failed;
      run.at += width;
      return next;
    });
  }

  private capture(node: AST.CapturingGroup, next: number): number {
    const first = this.registersOf(node);
    const last = first + 1;
    const [before, after] = this.backward ? [last, first] : [first, last];
    const close = this.save(after, next);
    return this.save(before, this.alternatives(node.alternatives, close));
  }

  private save(register: number, next: number): number {
    return this.add((run) => {
      run.set(register, run.at);
      return next;
    });
  }

  private quantifier(quantifier: AST.Quantifier, next: number): number {
    const { element, min, max, greedy } = quantifier;
    const { mostRepeats, endlessFrom } = this.cuts;
    const least = Math.min(min, mostRepeats);
    const most = max >= endlessFrom ? Number.POSITIVE_INFINITY : Math.min(max, mostRepeats);
    let place = most === Number.POSITIVE_INFINITY ? this.loop(quantifier, next) : next;
    if (most !== Number.POSITIVE_INFINITY)
      for (let count = least; count < most; count += 1)
        place = this.oneMore(this.element(element, place), next, greedy);
    for (let count = 0; count < least; count += 1) place = this.element(element, place);
    return place;
  }

  private oneMore(body: number, next: number, greedy: boolean): number {
    return greedy ? this.either(body, next) : this.either(next, body);
  }

  private loop(quantifier: AST.Quantifier, next: number): number {
    const { element, greedy } = quantifier;
    const register = this.registersOf(quantifier);
    let again = next;
    // An iteration that consumed nothing doesn't count.
    const close = this.add((run) => (run.registers[register] === run.at ? failed : again));
    const body = this.save(register, this.element(element, close));
    again = this.oneMore(body, next, greedy);
    return again;
  }

  private assertion(node: AST.Assertion, next: number): number {
    if (node.kind === "lookahead" || node.kind === "lookbehind") return this.look(node, next);
    const holds = node.kind === "word" ? atWordEdge : node.kind === "start" ? this.atStart() : this.atEnd();
    const wanted = !("negate" in node && node.negate);
    return this.add((run) => (holds(run) === wanted ? next : failed));
  }

  private look(node: AST.LookaroundAssertion, next: number): number {
    const outside = this.backward;
    this.backward = node.kind === "lookbehind";
    const start = this.alternatives(
      node.alternatives,
      this.add(() => accepted),
    );
    this.backward = outside;
    return this.add((run) => {
      const { at } = run;
      const holds = run.matches(this.steps, start) !== node.negate;
      run.at = at;
      return holds ? next : failed;
    });
  }

  private atStart(): (run: Run) => boolean {
    const { multiline } = this;
    return ({ at, text }) => at === 0 || (multiline && isLineEnd(text[at - 1]));
  }

  private atEnd(): (run: Run) => boolean {
    const { multiline } = this;
    return ({ at, text }) => at === text.length || (multiline && isLineEnd(text[at]));
  }

  private backreference({ resolved }: AST.Backreference, next: number): number {
    const [group] = [resolved].flat();
    if (!group) return next;
    const first = this.registersOf(group);
    return this.add((run) => {
      const from = run.registers[first] ?? -1;
      const length = (run.registers[first + 1] ?? -1) - from;
      if (from < 0 || length <= 0) return next;
      run.stepsDone += length;
      for (let index = 0; index < length; index += 1)
        if (run.text[run.at + index] !== run.text[from + index]) return failed;
      run.at += length;
      return next;
    });
  }

  /** The first of two registers that belong to the node: a group's begin and end, or where a loop's iteration began. */
  private registersOf(node: AST.Node): number {
    const register = this.registers.get(node) ?? 2 * this.registers.size;
    this.registers.set(node, register);
    return register;
  }
}

const memberTests = new Map<string, (point: number) => boolean>();

/** Whether a character, class or escape of a pattern matches a character, according to the engine. */
export function memberTest(raw: string, flags: string): (point: number) => boolean {
  const known = memberTests.get(`${flags}/${raw}`);
  if (known) return known;
  const pattern = new RegExp(`^(?:${raw})$`, flags);
  const answers: boolean[] = [];
  const test = (point: number): boolean => {
    answers[point] ??= pattern.test(String.fromCodePoint(point));
    return answers[point];
  };
  memberTests.set(`${flags}/${raw}`, test);
  return test;
}

const isWord = (point: number | undefined) => point !== undefined && memberTest("\\w", "")(point);
const isLineEnd = (point: number | undefined) => point !== undefined && memberTest("[\\n\\r\\u2028\\u2029]", "")(point);
const atWordEdge = ({ at, text }: Run) => isWord(text[at - 1]) !== isWord(text[at]);
