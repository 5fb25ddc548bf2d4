// A second reading as text, after the report.

import {
  blameWords,
  type comparisonWords,
  readingHeadlines,
  scoreNote,
  thingLabels,
} from "../../../analyzer/words/second-reader-words.ts";
import type { SecondReaderResult } from "../contract/second-reading.ts";
import { indent, type Style, type Tone, toParagraph } from "./style.ts";

type Reading = NonNullable<SecondReaderResult["result"]>;

const tones: Readonly<Record<string, Tone>> = { critical: "critical", major: "major", minor: "minor" };

export function toSecondReaderText(reading: Reading, style: Style): string {
  const lines = (text: string, depth: number) => toParagraph(text, indent(depth), style);
  const { outcome, issues, differences, unread } = reading;
  const { paint, signs } = style;
  const isFine = outcome === "agree" || outcome === "explained";
  const head = `${isFine ? paint("good", signs.good) : paint("major", signs.problem)} ${readingHeadlines[outcome]}`;
  const sections = [
    [paint("strong", "Second reader"), head],
    ...issues.map(({ title, summary, fix, bytes, severity }) => [
      paint(tones[severity] ?? "faint", `${signs.fault} ${title}`),
      ...lines(summary, 2),
      ...bytes.flatMap(({ offset, text }) => lines(`Byte ${offset}: ${text}`, 4)),
      ...lines(fix, 2),
    ]),
    ...(issues.length > 0 ? [lines(scoreNote, 0)] : []),
    unread.flatMap(({ by, why }) => lines(`Could not be read by ${by}. ${why}`, 0)),
    differences.flatMap((one) => toDifference(one, lines)),
    lines(toCompared(reading), 0),
  ];
  const text = sections.filter((section) => section.length > 0).map((section) => section.join("\n"));
  return `\n${text.join("\n\n")}\n`;
}

function toDifference(
  { thing, about, ours, theirs, blame, says }: Reading["differences"][number],
  lines: (text: string, depth: number) => string[],
): string[] {
  const subject = about === null ? thingLabels[thing] : `${thingLabels[thing]}, ${about}`;
  return [
    ...lines(`${subject} (Assay: ${ours}; second reader: ${theirs})`, 0),
    ...lines(`${blameWords[blame]}. ${says}`, 2),
  ];
}

function toCompared({ compared }: Reading): string {
  const named = (outcome: keyof typeof comparisonWords) =>
    compared.flatMap((one) => (one.outcome === outcome ? [thingLabels[one.thing]] : []));
  const [agrees, open] = [named("agrees"), named("not-compared")];
  const parts = [
    agrees.length > 0 ? `Same in both: ${agrees.join(", ")}.` : "",
    open.length > 0 ? `Not compared: ${open.join(", ")}.` : "",
  ];
  return parts.filter((part) => part !== "").join(" ");
}
