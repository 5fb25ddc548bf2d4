// Generates texts that make a pattern work hard: a beginning, a repeated piece, and an end that doesn't match. All
// pieces come from the pattern itself, because only text that it partly matches costs more than a glance.

import { type AST, parseRegExpLiteral, visitRegExpAST } from "@eslint-community/regexpp";
import { memberTest } from "./matcher.ts";

export type Attack = { readonly wayIn: string; readonly pump: string; readonly end: string };

const mostLetters = 48;
/** With this few, every pair of characters is repeated too. */
const fewLetters = 9;
const variants = [0, 1, 2];
const ends = ["", "\n\u0001"];

export const attackText = ({ wayIn, pump, end }: Attack, times: number): string =>
  `${wayIn}${pump.repeat(times)}${end}`;

/** Attacks repetitions of `loopFrom` and more. */
export function attacksOn(regex: RegExp, loopFrom: number): Attack[] {
  const pieces = piecesOf(regex, loopFrom);
  if (pieces.loops.length === 0) return [];
  const letters = lettersOf(pieces, regex.flags);
  const samples = createSampler(letters, regex.flags);
  const waysIn = new Set([""]);
  const pumps = new Set(letters);
  for (const loop of pieces.loops) {
    for (const variant of variants) {
      const before = samples.before(loop, variant);
      const round = samples.of(loop.element, variant);
      waysIn.add(before);
      pumps
        .add(round)
        .add(before)
        .add(before + round);
    }
  }
  if (letters.length <= fewLetters) for (const one of letters) for (const other of letters) pumps.add(one + other);
  pumps.delete("");
  return [...waysIn].flatMap((wayIn) => [...pumps].flatMap((pump) => ends.map((end) => ({ wayIn, pump, end }))));
}

type Pieces = {
  readonly pattern: AST.Pattern;
  readonly loops: readonly AST.Quantifier[];
  readonly members: readonly string[];
};

function piecesOf({ source, flags }: RegExp, loopFrom: number): Pieces {
  const literal = parseRegExpLiteral(`/${source}/${flags}`);
  const loops: AST.Quantifier[] = [];
  const members = new Set<string>();
  const add = ({ raw, parent }: AST.Character | AST.CharacterSet | AST.CharacterClass) => {
    if (parent?.type !== "CharacterClass" && parent?.type !== "CharacterClassRange") members.add(raw);
  };
  visitRegExpAST(literal, {
    onQuantifierEnter: (quantifier) => {
      if (quantifier.max >= loopFrom) loops.push(quantifier);
    },
    onCharacterEnter: add,
    onCharacterSetEnter: add,
    onCharacterClassEnter: add,
  });
  return { pattern: literal.pattern, loops, members: [...members] };
}

/** One character for each way in which the pattern distinguishes characters. */
function lettersOf({ pattern, members }: Pieces, flags: string): string[] {
  const tests = members.map((raw) => memberTest(raw, memberFlags(flags)));
  const byAnswers = new Map<string, string>();
  for (const letter of new Set([...common, ...pattern.raw])) {
    const point = letter.codePointAt(0) ?? 0;
    const answers = tests.map((test) => (test(point) ? 1 : 0)).join("");
    if (!byAnswers.has(answers)) byAnswers.set(answers, letter);
  }
  return [...byAnswers.values()].slice(0, mostLetters);
}

const common = `a0 A-_.,:;=@<>"'()[]{}\\/|!?*+&%#$~\n\r\t\0\u00a0é你я\u2028${Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index)).join("")}`;
const memberFlags = (flags: string) => flags.replace(/[^isuv]/g, "");

/** Texts that a part of the pattern matches. Other variants take other branches. */
function createSampler(letters: readonly string[], flags: string) {
  const of = (node: AST.Element, variant: number): string => {
    switch (node.type) {
      case "Assertion":
      case "Backreference":
        return "";
      case "Group":
      case "CapturingGroup":
        return oneOf(node.alternatives, variant);
      case "Quantifier":
        return of(node.element, variant).repeat(Math.max(node.min, variant % 2 === 0 ? Math.min(1, node.max) : 0));
      default:
        return letterFor(node, variant);
    }
  };
  const letterFor = (node: AST.Element, variant: number): string => {
    if (node.type === "Character") return String.fromCodePoint(node.value);
    const taken = letters.filter((letter) => memberTest(node.raw, memberFlags(flags))(letter.codePointAt(0) ?? 0));
    return taken[variant % taken.length] ?? "";
  };
  const oneOf = (alternatives: readonly AST.Alternative[], variant: number): string =>
    (alternatives[variant % alternatives.length]?.elements ?? []).map((element) => of(element, variant)).join("");
  /** A text that leads from the pattern's beginning to the node. */
  const before = (node: AST.Node, variant: number): string => {
    const { parent } = node;
    if (!parent) return "";
    const own =
      parent.type === "Alternative" ? parent.elements.slice(0, parent.elements.indexOf(node as AST.Element)) : [];
    return before(parent, variant) + own.map((element) => of(element, variant)).join("");
  };
  return { of, before };
}
