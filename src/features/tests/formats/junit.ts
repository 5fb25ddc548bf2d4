// Judgments as JUnit XML for CI servers: a suite for each file or domain, a case for each check. A case has one failure,
// because many servers show only the first. Checks that do not apply have no case, because a hundred skipped cases would hide
// the ones that need attention.

import type { ListedCheck, Severity } from "../../../analyzer/checks/check.ts";
import { whyWords } from "../../../analyzer/checks/inner-title.ts";
import { checks } from "../../../analyzer/checks/list.ts";
import { toReferences } from "../../../analyzer/checks/references.ts";
import { isAboveInfo } from "../../../analyzer/reports/causes.ts";
import type { JudgedFinding, Judgment } from "../../../analyzer/reports/judgment.ts";
import { gradeOf, type Judged } from "../../../analyzer/reports/report.ts";
import { escapeMarkup, toVisible } from "../../../analyzer/visible-text.ts";
import { type JudgedSubject, toDetails } from "./gate-text.ts";

export function toJunit(judged: readonly JudgedSubject[]): string {
  const suites = judged.map(toSuite);
  // The format has no count of skipped cases for all suites.
  const { skipped: _, ...counts } = countCases(suites.flatMap(({ cases }) => cases));
  const root = element("testsuites", { name: "assay", ...counts });
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root(suites.map(({ xml }) => xml))}\n`;
}

type Result = "failure" | "skipped" | "passed";
type Case = { readonly result: Result; readonly xml: string };

function toSuite({ name, report }: JudgedSubject): { readonly cases: readonly Case[]; readonly xml: string } {
  const cases = report ? checks.flatMap((check) => toCase(check, report.judgment)) : [];
  const suite = element("testsuite", { name, ...countCases(cases) });
  const properties = report ? [toProperties(report)] : [];
  return { cases, xml: suite([...properties, ...cases.map(({ xml }) => xml)]) };
}

function countCases(cases: readonly Case[]): Record<string, string> {
  const count = (wanted: Result) => String(cases.filter(({ result }) => result === wanted).length);
  return { tests: String(cases.length), failures: count("failure"), errors: "0", skipped: count("skipped") };
}

function toProperties(report: Judged): string {
  const { kind, score } = report.judgment;
  const { composite, coverage } = score;
  const grade = gradeOf(report);
  const values = {
    ...(kind !== null && { kind: kind.kind }),
    ...(composite !== null && { score: String(composite) }),
    ...(grade !== null && { grade }),
    coverage: coverage.toFixed(3),
  };
  const properties = Object.entries(values).map(([name, value]) => element("property", { name, value })([]));
  return element("properties", {})(properties);
}

/** Empty for a check that does not apply. */
function toCase({ id, area }: ListedCheck, judgment: Judgment): Case[] {
  const outcome = toOutcome(id, judgment);
  if (outcome === null) return [];
  const { result, message, lines } = outcome;
  const testcase = element("testcase", { classname: `assay.${area}`, name: id });
  const told =
    result === "passed"
      ? element("system-out", {})([toText([message, ...lines])])
      : element(result, { message, ...(outcome.type && { type: outcome.type }) })([toText(lines)]);
  return [{ result, xml: testcase([told]) }];
}

type CaseOutcome = {
  readonly result: Result;
  readonly message: string;
  readonly lines: readonly string[];
  readonly type?: Severity;
};

function toOutcome(id: string, judgment: Judgment): CaseOutcome | null {
  const skip = judgment.skipped.find(({ check }) => check === id);
  if (skip) return { result: "skipped", message: `Not checked: ${whyWords[skip.why]}`, lines: [] };
  const found = judgment.findings.filter(({ check }) => check === id);
  const pass = judgment.passes.find(({ check }) => check === id);
  const isWithheld = judgment.withheld?.some(({ check }) => check === id) ?? false;
  if (!pass && !isWithheld && found.length === 0) return null;
  const faults = found.filter(isAboveInfo);
  return (
    toFailure(faults) ?? {
      result: "passed",
      message: pass?.says ?? "",
      lines: [...found.map(({ says }) => says), ...toLacks(id, judgment)],
    }
  );
}

function toLacks(id: string, { partly }: Judgment): string[] {
  return partly
    .filter(({ check }) => check === id)
    .map(({ lacks, why }) => `Checked without ${lacks}: ${whyWords[why]}.`);
}

function toFailure(faults: readonly JudgedFinding[]): CaseOutcome | null {
  const own = faults.filter(({ ownedBy }) => ownedBy === null);
  const [first, ...others] = own;
  if (first) {
    const message = `${first.title}${others.length > 0 ? ` (and ${others.length} more)` : ""}`;
    return { result: "failure", type: first.severity, message, lines: own.flatMap(toLines) };
  }
  const [owned] = faults;
  // The case of its cause fails. A second failure would count one issue twice.
  return owned ? { result: "skipped", message: `Same fix as ${owned.ownedBy}: ${owned.title}`, lines: [] } : null;
}

function toLines(finding: JudgedFinding): string[] {
  const { id, severity, says, fix, occurrences, leftOut, references } = finding;
  return [
    `${id}, ${severity}: ${says}`,
    ...occurrences.slice(1).map((other) => `- ${other.says}`),
    ...(leftOut > 0 ? [`- and ${leftOut} more`] : []),
    ...toDetails(finding, fix),
    ...references
      .flatMap(toReferences)
      .map(({ title, url }) => `See ${[title, url].filter((part) => part !== null).join(", ")}`),
  ];
}

/** Writes an element with elements or text inside. */
function element(name: string, attributes: Readonly<Record<string, string>>) {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${toText([value])}"`);
  const open = `${name}${written.join("")}`;
  return (children: readonly string[]): string => {
    const inside = children.join("\n");
    if (inside === "") return `<${open}/>`;
    return `<${open}>${inside.startsWith("<") ? `\n${inside}\n` : inside}</${name}>`;
  };
}

/** XML 1.0 §2.2 does not allow these two. `toVisible` has already replaced control characters and lone surrogates. */
const barred = /[\ufffe\uffff]/g;

function toText(lines: readonly string[]): string {
  const text = lines
    .filter((line) => line !== "")
    .map(toVisible)
    .join("\n");
  return escapeMarkup(text).replace(barred, (character) => `\\u${character.charCodeAt(0).toString(16)}`);
}
