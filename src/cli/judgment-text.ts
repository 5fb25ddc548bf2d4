// What was found of a message or a domain, for a person: the score and what holds it down, what to mend and in which
// order, what is good to know, how each area stands, and what nobody could check.

import { isAboveInfo, type JudgedFinding, type Judgment } from "../reports/judgment.ts";
import { toGrade } from "../reports/score.ts";
import { toAreaLines, toNotCheckedLines } from "./checked-text.ts";
import { type Fault, toFaultLines } from "./finding-text.ts";
import { indent, toParagraph } from "./paragraph.ts";
import type { Style, Tone } from "./style.ts";

/** Sections, parted by empty lines. */
export function toJudgmentText(judgment: Judgment, style: Style): string {
  const faults = toFaults(judgment);
  const sections = [
    toScoreLines(judgment, faults, style),
    ...toMendSections(judgment, faults, style),
    toRemarks(judgment, style),
    toAreaLines(judgment, style),
    toNotCheckedLines(judgment, style),
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n");
}

/** In the order of the plan; then what would raise nothing. What follows from another stands below it. */
function toFaults({ findings, plan, score }: Judgment): Fault[] {
  const ids = new Set(findings.filter(isAboveInfo).map(({ id }) => id));
  const heads = findings.filter((one) => isAboveInfo(one) && (one.ownedBy === null || !ids.has(one.ownedBy)));
  const stepOf = ({ id }: JudgedFinding) => {
    const step = plan.findIndex(({ finding }) => finding === id);
    return step < 0 ? plan.length : step;
  };
  return heads
    .sort((left, right) => stepOf(left) - stepOf(right))
    .map((finding, index) => {
      const step = stepOf(finding);
      const before = plan[step - 1]?.composite ?? score.composite ?? 0;
      const after = plan[step]?.composite;
      return {
        finding,
        number: index + 1,
        gain: after === undefined ? 0 : after - before,
        consequences: consequencesOf(finding, findings),
      };
    });
}

/** What follows from it, what follows from that, and so on. */
function consequencesOf(cause: JudgedFinding, findings: readonly JudgedFinding[]): JudgedFinding[] {
  const found = [cause];
  for (const { id } of found)
    found.push(...findings.filter((one) => one.ownedBy === id && !found.includes(one)));
  return found.slice(1);
}

function toScoreLines(judgment: Judgment, faults: readonly Fault[], style: Style): string[] {
  const { kind, score } = judgment;
  const { composite, coverage } = score;
  const share = `${Math.round(coverage * 100)} % of what applies was checked`;
  const head =
    composite === null
      ? style.paint("strong", "No score: nothing could be checked.")
      : `${style.paint(toTone(composite), `${composite} of 100, grade ${toGrade(composite)}`)} ${style.signs.point} ${share}`;
  const sentences = [
    ...(kind === null ? [] : [`Taken for ${kind.kind} mail: ${kind.reasons.join(" ")}`]),
    ...toLimit(judgment, faults),
  ];
  return [head, ...sentences.flatMap((text) => toParagraph(text, indent(0), style))];
}

function toTone(composite: number): Tone {
  if (composite >= 90) return "good";
  return composite >= 70 ? "major" : "critical";
}

function toLimit({ score: { limit, mean }, findings }: Judgment, faults: readonly Fault[]): string[] {
  if (limit === null || mean === null) return [];
  const otherwise = `by its parts it would be ${Math.round(mean * 10) / 10}`;
  if (limit.why === "ceiling") return [`Held at ${limit.value} by ${countGrave(findings)}; ${otherwise}.`];
  const holding = faults.filter(({ finding, consequences }) =>
    [finding, ...consequences].some(({ id }) => limit.findings.includes(id)),
  );
  const named = toList(holding.map(({ number }) => String(number)));
  const by = holding.length > 1 ? `faults ${named}` : `fault ${named}`;
  return [
    `Held at ${limit.value} by ${by}: large providers refuse or distrust such mail, whatever else is right; ${otherwise}.`,
  ];
}

function countGrave(findings: readonly JudgedFinding[]): string {
  const count = (severity: JudgedFinding["severity"]) => {
    const alike = findings.filter((one) => one.severity === severity && one.cost > 0);
    const { size } = new Set(alike.map(({ id }) => id));
    return size === 0 ? [] : [`${size} ${severity} ${size === 1 ? "fault" : "faults"}`];
  };
  return toList([...count("critical"), ...count("major")]);
}

function toList(words: readonly string[]): string {
  return words.length > 1 ? `${words.slice(0, -1).join(", ")} and ${words.at(-1)}` : words.join("");
}

const orderWords =
  "Points count in this order: while a graver fault stands, mending a lesser one alone may change nothing.";

function toMendSections({ plan }: Judgment, faults: readonly Fault[], style: Style): string[][] {
  const { signs, paint } = style;
  if (faults.length === 0) return [[paint("good", `${signs.good} Nothing to mend.`)]];
  const count = faults.length === 1 ? "1 fault" : `${faults.length} faults, what gives most first`;
  const reach = plan.at(-1)?.composite;
  const head = paint(
    "strong",
    `To mend: ${count}${reach === undefined ? "" : `; all of it brings ${reach}`}`,
  );
  const order = faults.length === 1 ? [] : toParagraph(orderWords, indent(0), style);
  return [
    [head, ...order.map((line) => paint("faint", line))],
    ...faults.map((fault) => toFaultLines(fault, style)),
  ];
}

/** Nothing that must be done. */
function toRemarks({ findings }: Judgment, style: Style): string[] {
  const shown = new Set(findings.filter(isAboveInfo).map(({ id }) => id));
  const remarks = findings.filter(
    ({ severity, ownedBy }) => severity === "info" && (ownedBy === null || !shown.has(ownedBy)),
  );
  if (remarks.length === 0) return [];
  const lead = { text: `  ${style.signs.point} `, width: 4 };
  return [
    style.paint("strong", "Good to know"),
    ...remarks.flatMap(({ title }) => toParagraph(title, lead, style)),
  ];
}
