// The formats of a command's result, and what decides its exit code.

import { writeFile } from "node:fs/promises";
import { isNotInUse } from "../../../analyzer/checks/fact.ts";
import { whyWords } from "../../../analyzer/checks/inner-title.ts";
import { leastChecked, toWholeScore, wellChecked } from "../../../analyzer/reports/grade-words.ts";
import { toList, toPercent } from "../../../analyzer/words/plain-words.ts";
import { type Arguments, type ExitCode, exitCodes, type Option, type Terminal } from "../../../platform/cli/command.ts";
import { toFileReason } from "../../../platform/cli/input-files.ts";
import { Refusal } from "../../../platform/errors.ts";
import type { Authentication } from "../contract/authentication.ts";
import { type ReportFormat, reportFiles, reportFormats } from "../contract/report-formats.ts";

export const outputOptions: Readonly<Record<string, Option>> = {
  junit: { doc: "Print JUnit XML, for CI." },
  sarif: { doc: "Print SARIF 2.1.0, for code scanning." },
  markdown: { doc: "Print a Markdown summary, for a job page." },
  save: {
    value: "file",
    isList: true,
    doc: "Also write the result to this file. Its extension sets the format: .txt, .json, .xml (JUnit), .sarif, or .md. Can be repeated.",
  },
  "fail-under": { value: "score", doc: "Exit with code 1 if the score is below this number (0 to 100)." },
  strict: {
    doc: "Exit with code 3 if any check could not be completed. Checks that are turned off, and blocklists that failed their own test, do not count.",
  },
};

/** Exit code 3 of all commands that print a report. The handbook says the same (ci.md). */
export const notWhollyChecked =
  "the analysis failed, there is no score for --fail-under, or SPF, DKIM, DMARC, or a domain was only partly checked, except by analyze; with --strict, any check not completed, for example because DNS did not respond";

export type Output = {
  readonly form: ReportFormat;
  readonly files: readonly { readonly path: string; readonly form: ReportFormat }[];
  readonly failUnder: number | null;
  readonly isStrict: boolean;
};

export function readOutput(args: Arguments): Output {
  const asked = reportFormats.filter((form) => form !== "text" && args.flag(form));
  if (asked.length > 1)
    throw new Refusal(
      "invalid_request",
      "Use only one of --json, --junit, --sarif, and --markdown. --save writes more.",
    );
  return {
    form: asked[0] ?? "text",
    files: args.list("save").map((path) => ({ path, form: toForm(path) })),
    failUnder: readFailUnder(args),
    isStrict: args.flag("strict"),
  };
}

function toForm(path: string): ReportFormat {
  const extension = path.slice(path.lastIndexOf(".") + 1).toLowerCase();
  const form = reportFormats.find((one) => reportFiles[one].extension === extension);
  if (form !== undefined) return form;
  const known = Object.values(reportFiles).map((one) => `.${one.extension}`);
  throw new Refusal("invalid_request", `--save needs a file name that ends with ${known.join(", ")}.`);
}

function readFailUnder(args: Arguments): number | null {
  const written = args.option("fail-under");
  if (written === undefined) return null;
  const score = /^\d{1,3}(\.\d+)?$/.test(written) ? Number(written) : Number.NaN;
  if (score >= 0 && score <= 100) return score;
  throw new Refusal("invalid_request", "--fail-under must be a number from 0 to 100.");
}

/** What was found, as far as it decides the exit code. */
export type Checked = {
  readonly composite: number | null;
  /** The score of what was checked, even if it was too little for a composite; null if nothing was. */
  readonly points: number | null;
  /** The share of checks that were completed; null if unknown. */
  readonly coverage: number | null;
  /** What should be known but isn't, such as "a DNS lookup failed". Null: nothing. */
  readonly trouble: string | null;
  /** The rest can be judged without it. */
  readonly isPartial: boolean;
  /** Checks that were not completed, without those whose source is not in use. */
  readonly missing: readonly string[];
  /** What could not be known, although nothing went wrong. */
  readonly note: string | null;
};

type Skipped = { readonly check: string; readonly why: string };

/** The fields of a test, from a stored report or from a server. */
type CheckedFields = {
  readonly composite: number | null;
  readonly coverage: number | null;
  /** Only a partial score is judged by them. */
  readonly points?: number | null;
  readonly authentication: Pick<Authentication, "spf" | "dkim" | "dmarc" | "arc" | "unknown"> | null;
  readonly skipped: readonly Skipped[] | null;
};

/** `isPartial`: for a file on a build machine, which may have no DNS. A server that waits for mail should have it. */
export function toChecked(fields: CheckedFields, isPartial = false): Checked {
  const { composite, coverage, points = composite, authentication, skipped } = fields;
  return {
    composite,
    coverage,
    points,
    isPartial,
    trouble: authentication && findTrouble(authentication),
    missing: toMissing(skipped),
    note: authentication && toNote(authentication),
  };
}

/** The results that a receiver bases its decision on. */
const mechanisms: Readonly<Record<string, string>> = { spf: "SPF", dkim: "DKIM", dmarc_result: "DMARC", arc: "ARC" };

/** Why a result can't be known, however often it is checked: there was no session, or it came from a private network. */
const hopeless: ReadonlySet<string> = new Set(["no-session", "not-public", "not-seen", "reserved-name"]);

function findTrouble({ unknown, spf, dkim, dmarc, arc }: NonNullable<CheckedFields["authentication"]>) {
  const lacking = unknown.filter(({ what, why }) => what in mechanisms && !hopeless.has(why));
  const [first] = lacking;
  if (first !== undefined) return `${namesOf(lacking)} could not be checked: ${toReason(first.why)}`;
  const verdicts = Object.entries({ SPF: [spf], DKIM: dkim, DMARC: [dmarc], ARC: [arc] });
  const partly = verdicts.flatMap(([name, list]) =>
    list.some((verdict) => verdict?.result === "temperror") ? [name] : [],
  );
  return partly.length === 0 ? null : `${toList(partly)} not fully checked, because a DNS lookup failed`;
}

function toNote({ unknown }: NonNullable<CheckedFields["authentication"]>): string | null {
  const lacking = unknown.filter(({ what, why }) => what in mechanisms && hopeless.has(why));
  const [first] = lacking;
  if (first === undefined) return null;
  return first.why === "no-session"
    ? `${namesOf(lacking)} not checked, because the sending server is unknown. To check, use --ip, --helo, and --mail-from`
    : `${namesOf(lacking)} not checked, because ${toReason(first.why)}`;
}

function namesOf(lacking: readonly { readonly what: string }[]): string {
  return toList(lacking.map(({ what }) => mechanisms[what] ?? what));
}

function toReason(why: string): string {
  return why in whyWords ? whyWords[why as keyof typeof whyWords] : why;
}

export function toMissing(skipped: readonly Skipped[] | null): string[] {
  return [...new Set(skipped?.filter(({ why }) => !isNotInUse(why)).map(({ check }) => check))];
}

/** `checked` is null for messages that have no score, such as bounces. */
type Judged = { readonly name: string; readonly checked: Checked | null };

/** The exit code, and sentences that explain it. A score that is too low weighs most: missing results could not raise it. */
export function judge(
  { name, checked }: Judged,
  { failUnder, isStrict }: Pick<Output, "failUnder" | "isStrict">,
): { readonly code: ExitCode; readonly says: readonly string[] } {
  const what = JSON.stringify(name);
  const { composite = null, points = null } = checked ?? {};
  const isTolerated = checked?.isPartial === true && !isStrict;
  const notes = [isTolerated ? checked.trouble : null, checked?.note ?? null];
  const note = notes.flatMap((one) => (one === null ? [] : [`${what}: ${one}.`]));
  if (failUnder !== null && points !== null && points < failUnder)
    return { code: exitCodes.failed, says: [`${what} ${toFailed(composite)} below ${failUnder}.`, ...note] };
  const incomplete = [
    ...(failUnder !== null && points === null ? [`${what} has no score to compare with ${failUnder}.`] : []),
    ...(checked?.trouble == null || isTolerated ? [] : [`${what}: ${checked.trouble}.`]),
    ...(isStrict && checked !== null && checked.missing.length > 0
      ? [`${what} was not fully checked (--strict). Not completed: ${toFewNames(checked.missing)}.`]
      : []),
  ];
  const code = incomplete.length > 0 ? exitCodes.notWhollyChecked : exitCodes.fine;
  const passed = code === exitCodes.fine && failUnder !== null ? toPassed(what, failUnder, checked) : [];
  return { code, says: [...passed, ...incomplete, ...note] };
}

function toFailed(composite: number | null): string {
  return composite === null ? "is, as far as it could be checked," : `scored ${composite},`;
}

/** A score of few checks is no reason to fail, but it is no proof either, so the output says how much was checked. */
function toPassed(what: string, failUnder: number, checked: Checked | null): string[] {
  const { composite = null, coverage = null } = checked ?? {};
  const share = toShare(coverage);
  if (share === null) return [];
  const scored = composite === null ? "as far as it could be checked" : `with a score of ${toWholeScore(composite)}`;
  return [`${what} passed ${scored} (at least ${failUnder} required). ${share}`];
}

/** Null if everything was checked. */
function toShare(coverage: number | null): string | null {
  if (coverage === null || coverage >= 1) return null;
  const percent = toPercent(coverage);
  if (coverage >= wellChecked) return `${percent} of checks were completed.`;
  const result = coverage < leastChecked ? "there is no score" : "the score is provisional";
  return `Only ${percent} of checks were completed, so ${result}.`;
}

const mostNamed = 5;

/** The JSON has them all. */
function toFewNames(names: readonly string[]): string {
  const more = names.length - mostNamed;
  if (more <= 1) return names.join(", ");
  return `${names.length} checks, such as ${names.slice(0, mostNamed).join(", ")}; --json lists all`;
}

/** A result in any format. */
export type Subject = Judged & { readonly write: (form: ReportFormat, place: Terminal) => string | Promise<string> };

/** Prints and saves the result. Says on standard error what decided the exit code. */
export async function tellResult(subject: Subject, output: Output, terminal: Terminal): Promise<ExitCode> {
  const { code, says } = judge(subject, output);
  const write = async (form: ReportFormat, place: Terminal) => {
    const text = await subject.write(form, place);
    return form === "markdown" ? withVerdict(text, toVerdict(subject, code, output)) : text;
  };
  terminal.out(await write(output.form, terminal));
  const plain = { ...terminal, columns: null, colour: false };
  for (const { path, form } of output.files) await saveFile(path, await write(form, plain));
  for (const sentence of says) terminal.err(`${sentence}\n`);
  return code;
}

export async function saveFile(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text);
  } catch (error) {
    throw new Refusal("invalid_request", `Cannot write ${JSON.stringify(path)}: ${toFileReason(error)}.`);
  }
}

/** Only with a required score, because without one nothing passes or fails. */
export function toVerdict({ checked }: Judged, code: ExitCode, { failUnder }: Output): string | null {
  if (failUnder === null) return null;
  if (code === exitCodes.failed)
    return `**Failed:** ${checked?.composite ?? "what could be checked"} is below ${failUnder}.`;
  const share = toShare(checked?.coverage ?? null);
  return code === exitCodes.fine
    ? `**Passed:** at least ${failUnder} required.${share === null ? "" : ` ${share}`}`
    : "**Failed:** not everything could be checked.";
}

/** After the heading. */
export function withVerdict(markdown: string, verdict: string | null): string {
  return verdict === null ? markdown : markdown.replace("\n\n", `\n\n${verdict.replaceAll("$", "$$$$")}\n\n`);
}
