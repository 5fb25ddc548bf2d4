// A report as Markdown (GitHub Flavored Markdown), for the summary page of a pipeline: the score, the verdicts, what to fix,
// where it likely lands, and what was not checked. Short, because a summary page is.

import { checkCatalog } from "../../../analyzer/checks/catalog.ts";
import { whyWords } from "../../../analyzer/checks/inner-title.ts";
import { toAssumedWords } from "../../../analyzer/mail/session/outgoing.ts";
import { toPlainName } from "../../../analyzer/placement/provider.ts";
import type { DomainReport } from "../../../analyzer/reports/domain-report.ts";
import { provisional, toWholeScore } from "../../../analyzer/reports/grade-words.ts";
import type { JudgedFinding, Judgment } from "../../../analyzer/reports/judgment.ts";
import { issuesOf } from "../../../analyzer/reports/plan.ts";
import { gradeOf, type Judged, type Report, toResultWords } from "../../../analyzer/reports/report.ts";
import { withholdsFixes } from "../../../analyzer/reports/suspicion.ts";
import { toVisibleCut } from "../../../analyzer/visible-text.ts";
import { toSentence } from "../../../analyzer/words/plain-words.ts";
import { toJudgmentFields } from "../contract/judgment.ts";
import { toStairWords } from "../words/cure-words.ts";
import { toFixWords } from "../words/note-words.ts";
import { toVerdictRows } from "./domain-text.ts";
import { toNotChecked } from "./not-checked.ts";

/** `more`: rows about how the message came in. */
export function toReportMarkdown(name: string, report: Report, more: readonly string[][] = []): string {
  const { spf, dkim, dmarc } = toResultWords(report);
  const { assumed } = report.authentication;
  return toMarkdown(name, report, [
    ["From", report.from ?? "(none)"],
    ["Subject", report.subject ?? "(none)"],
    ["SPF", spf ?? "not checked"],
    ["DKIM", dkim ?? "not checked"],
    ["DMARC", dmarc ?? "not checked"],
    ...(assumed ? [["Assumed", toAssumedWords(assumed).replace(/^Assumed: /, "")]] : []),
    ...more,
  ]);
}

export function toDomainMarkdown(report: DomainReport): string {
  return toMarkdown(report.domain, report, toVerdictRows(report));
}

/** A bounce, report, or automatic reply. */
export function toUnscoredMarkdown(name: string, kind: string): string {
  return `## ${escapeMarkdown(name)}: no score\n\nThis message is of the type ${escapeMarkdown(kind)}, which has no score.\n`;
}

function toMarkdown(name: string, report: Judged, rows: readonly (readonly string[])[]): string {
  const { judgment } = report;
  const sections = [
    [`## ${escapeMarkdown(name)}: ${toScore(report)}`],
    ...toNoticeLines(report),
    toTable(["", ...(rows[0]?.slice(1).map(() => "") ?? [])], rows),
    toIssues(judgment),
    toPlacement(judgment),
    toNotCheckedList(judgment),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

function toNoticeLines(report: Judged): string[][] {
  const { notices } = toJudgmentFields(report, checkCatalog);
  return (notices ?? []).map(({ title, text }) => {
    const [first = "", ...rest] = text.split("\n").map(escapeMarkdown);
    const points = rest.length === 0 ? [] : [">", ...rest.map((line) => `> - ${line}`)];
    return [`> **${escapeMarkdown(title)}** ${first}`, ...points];
  });
}

function toScore(report: Judged): string {
  const { composite, coverage } = report.judgment.score;
  const share = `${Math.floor(coverage * 100)}% of checks completed`;
  if (composite === null) return `no score, because only ${share}`;
  const grade = gradeOf(report);
  return `${toWholeScore(composite)} of 100, ${grade === null ? provisional : `grade ${grade}`} (${share})`;
}

/** The report has all of them. */
const shownIssues = 15;

function toIssues(judgment: Judgment): string[] {
  const issues = issuesOf(judgment);
  if (issues.length === 0) return ["No issues found in the completed checks."];
  const left = issues.length - shownIssues;
  return [
    `### ${issues.length === 1 ? "1 issue" : `${issues.length} issues`}${withholdsFixes(judgment) ? "" : toOrder(judgment)}`,
    "",
    ...issues.slice(0, shownIssues).flatMap(toIssue),
    ...(left > 0 ? ["", `And ${left} more.`] : []),
  ];
}

function toOrder({ plan, score }: Judgment): string {
  const stairs = toStairWords(plan, score.composite);
  return ` to fix${stairs === "" ? "" : `: ${stairs}`}`;
}

/** Continuation lines belong to the item if they are indented by three spaces (CommonMark §5.2). */
function toIssue({ title, severity, gain, says, fix, records = [] }: JudgedFinding, index: number): string[] {
  const points = Math.round(gain * 10) / 10;
  const rank = points > 0 ? `${severity}, +${points}` : severity;
  const published = records.map(({ name, type, value }) => toVisibleCut(`${name} ${type} ${value}`, 4_000));
  const fence = toFence(published.join("\n"), 3);
  return [
    `${index + 1}. **${escapeMarkdown(title)}** (${rank})<br>`,
    `   ${escapeMarkdown(says)}`,
    ...(fix === null ? [] : ["", `   Fix: ${toFix(toFixWords(fix, records))}`]),
    ...(published.length === 0 ? [] : ["", ...[`${fence}text`, ...published, fence].map((line) => `   ${line}`)]),
  ];
}

/** What is between backticks becomes code, however many backticks it needs. */
function toFix(fix: string): string {
  const parts = fix.split("`");
  return parts
    .map((part, index) => {
      if (index % 2 === 0) return escapeMarkdown(part);
      return index < parts.length - 1 ? toCode(part) : escapeMarkdown(`\`${part}`);
    })
    .join("");
}

function toPlacement({ placement }: Judgment): string[] {
  if (placement === null || placement.predictions.length === 0) return [];
  const rows = placement.predictions.map(({ provider, folder, confidence, ifLarge }) => [
    toPlainName(provider),
    ifLarge === undefined ? folder : `${folder} (bulk senders: ${ifLarge.folder})`,
    `${Math.round(confidence * 100)}%`,
  ]);
  return ["### Predicted placement", "", ...toTable(["Provider", "Folder", "Confidence"], rows)];
}

function toNotCheckedList(judgment: Judgment): string[] {
  const groups = toNotChecked(judgment);
  if (groups.length === 0) return [];
  return [
    "### Not checked",
    "",
    ...groups.map(({ why, what }) => `- ${escapeMarkdown(toSentence(whyWords[why]))}: ${escapeMarkdown(what)}`),
  ];
}

function toTable(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const toRow = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const body = rows.map((row) => toRow(row.map(escapeMarkdown)));
  return [toRow(head), toRow(head.map(() => "---")), ...body];
}

/** Longer values are cut. The report has all of them. */
const longestText = 500;

/** A stranger's text, escaped so that it makes no markup, link, mention, or table cell (CommonMark §2.4). */
function escapeMarkdown(text: string): string {
  return toVisibleCut(text, longestText)
    .replace(/[\\`*_{}[\]<>#|~&@$]/g, "\\$&")
    .replace(/:\/\//g, "\\://")
    .replace(/www\./gi, (word) => `${word.slice(0, -1)}\\.`);
}

/** CommonMark §6.1. A bar would end a table's cell even in code (GFM §4.10), so there is no code in our tables. */
function toCode(text: string): string {
  const visible = toVisibleCut(text, longestText);
  const fence = toFence(visible, 1);
  const room = /^[` ]|[` ]$/.test(visible) ? " " : "";
  return `${fence}${room}${visible}${room}${fence}`;
}

/** Longer than all runs of backticks in the text. */
function toFence(text: string, least: number): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  return "`".repeat(Math.max(least, longest + 1));
}
