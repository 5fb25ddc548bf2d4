// In which form a command answers, and what score it asks for.

import { Refusal } from "../errors.ts";
import type { Judgment } from "../reports/judgment.ts";
import type { Report } from "../reports/report.ts";
import { type Arguments, type ExitCode, exitCodes, type Option, type Terminal } from "./command.ts";

const forms = ["json", "junit", "sarif"] as const;
export type Form = (typeof forms)[number] | "text";

export const outputOptions: Readonly<Record<string, Option>> = {
  junit: { doc: "Answer as JUnit XML, for build servers." },
  sarif: { doc: "Answer as SARIF 2.1.0, for code scanners." },
  "fail-under": { value: "score", doc: "End with status 1 where the score is under this number, 0 to 100." },
};

export function readForm(args: Arguments): Form {
  const asked = forms.filter((form) => args.flag(form));
  if (asked.length > 1)
    throw new Refusal("invalid_request", "Of --json, --junit and --sarif only one can be given.");
  return asked[0] ?? "text";
}

export function readFailUnder(args: Arguments): number | null {
  const written = args.option("fail-under");
  if (written === undefined) return null;
  const score = /^\d{1,3}(\.\d+)?$/.test(written) ? Number(written) : Number.NaN;
  if (score >= 0 && score <= 100) return score;
  throw new Refusal("invalid_request", "--fail-under takes a number from 0 to 100.");
}

/** Says why, beside the answer. `judgment` is null for what is no test and has no score. */
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
  terminal.err(`${what} scores ${composite}, which is under ${failUnder}.\n`);
  return exitCodes.failed;
}

/** Whether every question of authentication was answered, whatever the answers are. */
export function isWhollyChecked({ authentication: { spf, dkim, dmarcResult, arc } }: Report): boolean {
  if (!spf.known || !dkim.known || !dmarcResult.known || !arc.known) return false;
  return [spf.value, dmarcResult.value, arc.value, ...dkim.value.signatures].every(
    ({ result }) => result !== "temperror",
  );
}
