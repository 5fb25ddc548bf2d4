// The output format of a command, and the score that it requires.

import { Refusal } from "../errors.ts";
import type { Judgment } from "../reports/judgment.ts";
import type { Report } from "../reports/report.ts";
import { type Arguments, type ExitCode, exitCodes, type Option, type Terminal } from "./command.ts";

const forms = ["json", "junit", "sarif"] as const;
export type Form = (typeof forms)[number] | "text";

export const outputOptions: Readonly<Record<string, Option>> = {
  junit: { doc: "Print JUnit XML, for CI." },
  sarif: { doc: "Print SARIF 2.1.0, for code scanning." },
  "fail-under": { value: "score", doc: "Exit with code 1 if the score is below this number (0 to 100)." },
};

export function readForm(args: Arguments): Form {
  const asked = forms.filter((form) => args.flag(form));
  if (asked.length > 1) throw new Refusal("invalid_request", "Use only one of --json, --junit, and --sarif.");
  return asked[0] ?? "text";
}

export function readFailUnder(args: Arguments): number | null {
  const written = args.option("fail-under");
  if (written === undefined) return null;
  const score = /^\d{1,3}(\.\d+)?$/.test(written) ? Number(written) : Number.NaN;
  if (score >= 0 && score <= 100) return score;
  throw new Refusal("invalid_request", "--fail-under must be a number from 0 to 100.");
}

/** Prints the reason to standard error. `judgment` is null for messages that have no score, such as bounces. */
export function compareScore(
  judgment: Judgment | null,
  { failUnder, name }: { readonly failUnder: number | null; readonly name: string },
  terminal: Terminal,
): ExitCode {
  if (failUnder === null) return exitCodes.fine;
  const composite = judgment?.score.composite ?? null;
  const what = JSON.stringify(name);
  if (composite === null) {
    terminal.err(`${what} has no score to compare with ${failUnder}.\n`);
    return exitCodes.notWhollyChecked;
  }
  if (composite >= failUnder) return exitCodes.fine;
  terminal.err(`${what} scored ${composite}, below ${failUnder}.\n`);
  return exitCodes.failed;
}

/** Whether all authentication checks have a result, good or bad. */
export function isWhollyChecked({ authentication: { spf, dkim, dmarcResult, arc } }: Report): boolean {
  if (!spf.known || !dkim.known || !dmarcResult.known || !arc.known) return false;
  return [spf.value, dmarcResult.value, arc.value, ...dkim.value.signatures].every(
    ({ result }) => result !== "temperror",
  );
}
