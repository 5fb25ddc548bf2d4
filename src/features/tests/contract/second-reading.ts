// What a second, independent reader makes of a test's message.

import { z } from "zod";
import { owners, severities } from "../../../analyzer/checks/check.ts";
import type { Surroundings } from "../../../analyzer/checks/infrastructure-facts.ts";
import { toReferences } from "../../../analyzer/checks/references.ts";
import { secondReaderCheck } from "../../../analyzer/reports/second-reader-check.ts";
import {
  comparedThings,
  comparisonOutcomes,
  outcomeOf,
  type SecondReaderIssue,
  type SecondReading,
  secondReaders,
} from "../../../analyzer/reports/second-reading.ts";
import { secondReadingCauses } from "../../../analyzer/reports/second-reading-causes-table.ts";
import { secondReaderIssues } from "../../../analyzer/reports/second-reading-issues-table.ts";
import { toPagePath } from "../../../handbook/pages.ts";
import { pick, timestamp } from "../../../platform/contract/primitives.ts";
import { reference } from "./rules.ts";

const compared = z
  .strictObject({
    thing: z.enum(comparedThings),
    outcome: z
      .enum(comparisonOutcomes)
      .describe(
        "`explained`: they differ only where a library departs from the standards, or where the standards leave a choice.",
      ),
    why: z.string().nullable().describe("Why it was not compared."),
  })
  .meta({ id: "ReadersCompared" });

const difference = z
  .strictObject({
    thing: z.enum(comparedThings),
    about: z.string().nullable().describe("Which one, if there may be several: a signature, an attachment."),
    ours: z.string().describe("What Assay made of it, bounded, with unprintable characters escaped."),
    theirs: z.string().describe("What the second reader made of it."),
    cause: z.string(),
    blame: z.enum(["message", "choice", "library", "unknown"]),
    says: z.string().describe("Why they differ."),
  })
  .meta({ id: "ReadersDifference" });

const issue = z
  .strictObject({
    id: z.string().describe("As in `GET /api/checks`."),
    severity: z.enum(severities),
    title: z.string(),
    summary: z.string().describe("A sentence with the evidence."),
    why: z.string(),
    fix: z.string(),
    owner: z.enum(owners),
    help: z.string().describe("Path of the handbook page."),
    references: z.array(reference),
    bytes: z
      .array(z.strictObject({ offset: z.int(), text: z.string() }))
      .describe("The bytes of the message that cause it, with their offsets."),
  })
  .meta({ id: "SecondReaderIssue" });

const scanner = z
  .strictObject({
    scanner: z.string(),
    score: z.number().nullable(),
    threshold: z.number().nullable(),
    problem: z.string().nullable().describe("Why there is no score."),
  })
  .meta({ id: "ScannerScore" });

const reading = z.strictObject({
  outcome: z
    .enum(["agree", "explained", "differ", "partly"])
    .describe("`partly`: nothing differs, but a library gave no answer."),
  compared: z.array(compared),
  differences: z.array(difference),
  issues: z.array(issue).describe("They were found after the report, so they don't change the score."),
  unread: z.array(z.strictObject({ by: z.enum(secondReaders), why: z.string() })),
  asked: z
    .array(z.strictObject({ name: z.string(), type: z.string(), status: z.string() }))
    .describe("DNS questions that only the second reader asked."),
});

export const secondReaderResult = z
  .strictObject({
    state: z.enum(["waiting", "done", "failed"]),
    examined_at: timestamp.nullable(),
    failure: z.string().nullable(),
    result: reading.nullable(),
    scanners: z.array(scanner).describe("rspamd and SpamAssassin, as recorded in the report."),
  })
  .meta({ id: "SecondReader" });
export type SecondReaderResult = z.infer<typeof secondReaderResult>;

export function toScannerScores({ scanners }: Pick<Surroundings, "scanners">): SecondReaderResult["scanners"] {
  return scanners.map(({ of, fact }) =>
    fact.known
      ? { scanner: of, score: fact.value.score, threshold: fact.value.threshold, problem: null }
      : { scanner: of, score: null, threshold: null, problem: fact.why },
  );
}

export function toSecondReading(reading: SecondReading): NonNullable<SecondReaderResult["result"]> {
  return {
    outcome: outcomeOf(reading),
    compared: reading.compared.map((one) => ({ ...one })),
    differences: reading.differences.map((one) => ({ ...one, ...secondReadingCauses[one.cause] })),
    issues: reading.issues.map(toIssue),
    unread: reading.unread.map((one) => ({ ...one })),
    asked: reading.asked.map((one) => ({ ...one })),
  };
}

function toIssue({ finding, evidence, bytes }: SecondReaderIssue): z.infer<typeof issue> {
  const words = secondReaderIssues[finding];
  return {
    id: `${secondReaderCheck.id}.${finding}`,
    ...pick(words, ["severity", "title", "why", "fix", "owner"]),
    summary: words.says.replace("{evidence}", () => evidence),
    help: toPagePath(secondReaderCheck.helpPage),
    references: secondReaderCheck.refs.flatMap(toReferences),
    bytes: bytes.map((one) => ({ ...one })),
  };
}
