// The score of each area, and what was not checked.

import { toSentence } from "../api/plain-words.ts";
import type { Area } from "../checks/check.ts";
import type { Why } from "../checks/fact.ts";
import { whyWords } from "../checks/inner-title.ts";
import { checksById } from "../checks/list.ts";
import { isAboveInfo } from "../reports/causes.ts";
import type { Judgment } from "../reports/judgment.ts";
import { type AreaScore, areaLabels } from "../reports/score.ts";
import { toParagraph } from "./paragraph.ts";
import type { Style } from "./style.ts";

const labelWidth = Math.max(...Object.values(areaLabels).map(({ length }) => length));
const barWidth = 10;

export function toAreaLines(judgment: Judgment, style: Style): string[] {
  const asked = judgment.score.areas.filter(({ coverage }) => coverage !== null);
  if (asked.length === 0) return [];
  return [
    style.paint("strong", "Score by area: points, weight, checks passed"),
    ...asked.map((area) => toAreaLine(area, judgment, style)),
  ];
}

function toAreaLine({ area, score, weight, coverage }: AreaScore, judgment: Judgment, style: Style): string {
  const points = score === null ? "?" : String(Math.round(score));
  const tone = score === 100 ? "good" : "major";
  const cells = [
    `  ${areaLabels[area].padEnd(labelWidth)}`,
    points.padStart(3),
    style.paint(tone, toBar(score ?? 0, coverage ?? 0, style)),
    `${String(weight).padStart(2)}%`,
    countIn(area, judgment),
  ];
  return cells.join("  ");
}

/** The reached part, the lost part and the unknown part. A full bar means that nothing was lost. */
function toBar(score: number, coverage: number, { signs }: Style): string {
  const known = Math.round(coverage * barWidth);
  const reached = Math.floor((score / 100) * known);
  return (
    signs.full.repeat(reached) + signs.empty.repeat(known - reached) + signs.unknown.repeat(barWidth - known)
  );
}

function countIn(area: Area, { findings, passes, withheld = [], skipped }: Judgment): string {
  const isHere = ({ check }: { readonly check: string }) => checksById.get(check)?.area === area;
  const found = findings.filter(isHere);
  const faulty = new Set(found.filter(isAboveInfo).map(({ check }) => check)).size;
  const judged = new Set([...found, ...[...passes, ...withheld].filter(isHere)].map(({ check }) => check))
    .size;
  const unknown = skipped.filter(isHere).length;
  const all = judged === 1 ? "1 check" : `all ${judged} checks`;
  const counted = faulty === 0 ? all : `${judged - faulty} of ${judged} checks`;
  if (judged === 0) return `${unknown} ${unknown === 1 ? "check" : "checks"} not completed`;
  return `${counted}${unknown > 0 ? `, ${unknown} not completed` : ""}`;
}

/** One line for each reason, with the checks. A check that was made in part is shown with what was missing. */
export function toNotCheckedLines({ skipped, partly }: Judgment, style: Style): string[] {
  const lacking = partly.map(({ check, lacks, why }) => ({ check: `${check} (without ${lacks})`, why }));
  const groups = Map.groupBy([...skipped, ...lacking], ({ why }) => why);
  if (groups.size === 0) return [];
  const lead = { text: `  ${style.signs.point} `, width: 4 };
  return [
    style.paint("strong", "Not checked (no effect on the score)"),
    ...[...groups].flatMap(([why, alike]) =>
      toParagraph(`${toReason(why)}: ${alike.map(({ check }) => check).join(", ")}.`, lead, style),
    ),
  ];
}

function toReason(why: Why | "broken"): string {
  const remedy = remedies[why];
  return `${toSentence(why === "off" ? "turned off" : whyWords[why])}${remedy ? ` (${remedy})` : ""}`;
}

/** What a person at a terminal can do. */
const remedies: Readonly<Partial<Record<Why | "broken", string>>> = {
  "no-session": "use --ip, --helo and --mail-from",
  off: "turn on blocklists with ASSAY_DNSBLS, scanners with ASSAY_RSPAMD_URL or ASSAY_SPAMD_ADDRESS",
};
