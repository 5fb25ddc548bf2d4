// Measures how well bounces are recognized, on a folder of labeled notices:
// npm run script -- scripts/measure-bounces.ts [folder] [--verbose] [--only odd|even]
// The folder has .eml files and expected.json, as in ../shared/data/bounces.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { recognise } from "../src/analyzer/mail/bounces/classify.ts";
import type { BounceClass, Recognised } from "../src/analyzer/mail/reports/mail-class.ts";

export type Sample = {
  readonly file: string;
  readonly expect: readonly { readonly reason: string; readonly hard: boolean; readonly feedback: string | null }[];
  readonly recipients: readonly string[];
};

/**
 * Maps the labels' reasons to our classes. If a reason fits two of ours, both are correct. Reasons without a class
 * aren't counted.
 */
export const classesOfReason: Readonly<Record<string, readonly BounceClass[]>> = {
  authfailure: ["authentication"],
  badreputation: ["reputation"],
  blocked: ["reputation"],
  contenterror: ["content"],
  emailtoolarge: ["too_big"],
  exceedlimit: ["too_big"],
  expired: ["expired"],
  failedstarttls: ["policy"],
  filtered: ["user_unknown", "policy"],
  hasmoved: ["user_unknown"],
  hostunknown: ["host_unknown"],
  mailboxfull: ["mailbox_full"],
  mailererror: ["system"],
  mesgtoobig: ["too_big"],
  networkerror: ["expired", "system"],
  norelaying: ["policy"],
  notaccept: ["host_unknown"],
  notcompliantrfc: ["content"],
  onhold: ["unknown"],
  policyviolation: ["policy"],
  ratelimited: ["rate"],
  rejected: ["policy"],
  requireptr: ["authentication"],
  securityerror: ["policy"],
  spamdetected: ["content"],
  speeding: ["rate"],
  suppressed: ["policy"],
  suspend: ["disabled"],
  syntaxerror: ["system"],
  systemerror: ["system"],
  systemfull: ["system"],
  toomanyconn: ["rate"],
  undefined: ["unknown"],
  userunknown: ["user_unknown"],
  virusdetected: ["content"],
};

export type Judged = {
  readonly file: string;
  readonly detected: boolean;
  /** Null if the label doesn't say. */
  readonly recipients: boolean | null;
  readonly hard: boolean | null;
  readonly class: boolean | null;
  readonly got: string;
};

export function judge(sample: Sample, recognised: Recognised): Judged {
  const [first] = sample.expect;
  const kind = first?.reason === "feedback" ? "complaint" : first?.reason === "vacation" ? "auto-reply" : "bounce";
  const notice = "notice" in recognised ? recognised.notice : null;
  const told = notice?.recipients ?? [];
  const addresses = told.map(({ address }) => address?.toLowerCase() ?? "").sort();
  const wanted = sample.recipients.map((address) => address.toLowerCase()).sort();
  const reasons = sample.expect.map(({ reason }) => classesOfReason[reason] ?? []);
  const known = reasons.filter((classes) => classes.length > 0);
  return {
    file: sample.file,
    detected: recognised.kind === kind,
    recipients:
      kind === "auto-reply" || wanted.length === 0 ? null : JSON.stringify(addresses) === JSON.stringify(wanted),
    hard: kind === "bounce" ? sample.expect.every(({ hard }, index) => (told[index]?.hard ?? null) === hard) : null,
    class:
      known.length === 0
        ? null
        : reasons.every((classes, index) => told[index] !== undefined && classes.includes(told[index].class)),
    got: JSON.stringify({ kind: recognised.kind, recipients: told }),
  };
}

export function readSamples(folder: string): Sample[] {
  return JSON.parse(readFileSync(join(folder, "expected.json"), "utf8")) as Sample[];
}

export function judgeFolder(folder: string, samples: readonly Sample[]): Judged[] {
  return samples.map((sample) =>
    judge(sample, recognise(readFileSync(join(folder, sample.file)), { mailFrom: "", rcptTo: [] })),
  );
}

export const measures = ["detected", "recipients", "hard", "class"] as const;

export function shareOf(judged: readonly Judged[], measure: (typeof measures)[number]): { right: number; of: number } {
  const counted = judged.filter((one) => one[measure] !== null);
  return { right: counted.filter((one) => one[measure]).length, of: counted.length };
}

function main(folder: string, isVerbose: boolean, only: string | undefined): void {
  if (!existsSync(join(folder, "expected.json"))) {
    console.log(`Skipped: ${folder} has no expected.json.`);
    return;
  }
  const samples = readSamples(folder).toSorted((one, other) => (one.file < other.file ? -1 : 1));
  const chosen = samples.filter((_, index) => only === undefined || (only === "odd") === (index % 2 === 1));
  const judged = judgeFolder(folder, chosen);
  for (const measure of measures) {
    const { right, of } = shareOf(judged, measure);
    console.log(`${measure.padEnd(11)} ${right}/${of}  ${((100 * right) / Math.max(of, 1)).toFixed(1)} %`);
  }
  if (!isVerbose) return;
  for (const one of judged) {
    const missed = measures.filter((measure) => one[measure] === false);
    if (missed.length === 0) continue;
    const sample = chosen.find(({ file }) => file === one.file);
    console.log(`\n${one.file}: ${missed.join(", ")}\n  want ${JSON.stringify(sample)}\n  got  ${one.got}`);
  }
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    options: { verbose: { type: "boolean", default: false }, only: { type: "string" } },
    allowPositionals: true,
  });
  main(positionals[0] ?? join(import.meta.dirname, "../../shared/data/bounces"), values.verbose, values.only);
}
