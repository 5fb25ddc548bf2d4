// What a report says of a message: findings, scores, and what nobody could check, as the Test resource shows them.

import { z } from "zod";
import type { CheckCatalog } from "../checks/catalog.ts";
import { areas, owners, severities } from "../checks/check.ts";
import { whyWords } from "../checks/inner-title.ts";
import { kinds } from "../checks/kind.ts";
import { toReferences } from "../checks/references.ts";
import { volumes } from "../checks/volume.ts";
import { toGrade, wellChecked } from "../reports/grade-words.ts";
import type { JudgedFinding, Judgment } from "../reports/judgment.ts";
import { issuesOf, stepsOf } from "../reports/plan.ts";
import { areaLabels } from "../reports/score.ts";
import { kindDetail, toKindDetail } from "./kind-detail.ts";
import { noteReaders, toNote } from "./note-words.ts";
import { providerRules, reference, toProviderRules } from "./rules.ts";

const gate = z.strictObject({
  provider: z.string(),
  sender: z.enum(["any", "bulk"]).describe("bulk: who sends more than about 5,000 messages a day."),
  reply: z.string().describe("What the provider answers over SMTP, or does instead."),
  may: z.boolean().describe("At its discretion, or by an unpublished limit."),
});

const evidence = z.record(z.string(), z.unknown());

const occurrence = z.strictObject({
  subject: z.string().nullable().describe("The link, selector, picture … that it is about."),
  summary: z.string().describe("What was found of it, with the evidence."),
  fix: z.string().nullable(),
  evidence,
});

const proposedRecord = z
  .strictObject({
    name: z.string().describe("In full, without the closing dot."),
    type: z.enum(["A", "AAAA", "MX", "PTR", "TXT"]),
    value: z.string().describe("A text as one piece."),
    replaces: z.array(z.string()).describe("The records there now that it replaces."),
  })
  .meta({ id: "ProposedRecord" });
export type ProposedRecord = z.infer<typeof proposedRecord>;

const finding = z
  .strictObject({
    id: z.string().describe("check.finding: a public name."),
    check: z.string(),
    area: z.enum(areas),
    severity: z.enum(severities),
    title: z
      .string()
      .describe("Short: 2 to 6 words without evidence; the same wherever the finding is named."),
    summary: z.string().describe("A sentence that says what was found, with the evidence."),
    detail: z.string().describe("Why it matters."),
    fix: z.string().nullable().describe("What to do, ready to paste."),
    owner: z
      .enum(owners)
      .describe(
        "Who fixes it. content: whoever writes the email or its template. email-service: the settings of the service or program that sends. dns: whoever runs the DNS. mail-server: whoever runs the sending server.",
      ),
    records: z
      .array(proposedRecord)
      .describe(
        "Whole records that would fix it, checked as receivers would read them; none where one is only explained in `fix`.",
      ),
    cost: z.number().describe("In points of its area's 100."),
    gain: z.number().describe("What mending it alone would give, in points of the composite."),
    evidence,
    references: z.array(reference),
    gates: z.array(gate).describe("Mailbox providers that act on it, and how."),
    owned_by: z
      .string()
      .nullable()
      .describe("The finding that it follows from; it then costs nothing itself."),
    occurrences: z.array(occurrence).describe("The same fault of several things; the first is told above."),
    occurrences_left_out: z.int(),
  })
  .meta({ id: "Finding" });
export type Finding = z.infer<typeof finding>;

const skip = z.strictObject({
  check: z.string(),
  why: z.string(),
  says: z.string().describe("The same in words."),
  lacks: z
    .string()
    .nullable()
    .describe(
      "The fact that was missing where the check judged all that does not rest on it; null: it judged nothing.",
    ),
});

const step = z
  .strictObject({
    finding: z.string(),
    composite: z.number().describe("After this step and those before it."),
    gain: z.number().describe("Of this fix alone, as in the finding."),
    unlocks: z
      .number()
      .nullable()
      .describe("The score once everything that holds the cap is fixed; null where it holds none."),
    reason: z
      .enum(["rejected", "cap", "severity", "gain"])
      .describe(
        "Why it comes here: a mailbox provider rejects mail for it, it holds the score down, it is critical or major, or it gives more than the rest.",
      ),
    cap: z
      .strictObject({ value: z.number(), count: z.int().describe("How many issues hold it together.") })
      .nullable()
      .describe("What it holds the score at when its turn comes; null where it holds nothing."),
  })
  .meta({ id: "PlanStep" });

/** Each is null until the test is analysed. */
export const judgmentFields = {
  findings: z.array(finding).nullable().describe("The most severe first; what is in order comes last."),
  category_scores: z
    .array(
      z.strictObject({
        id: z.enum(areas),
        label: z.string(),
        score: z.number().nullable().describe("Null where nothing could be checked."),
        weight: z.number(),
        coverage: z.number().nullable().describe("Null where no check applies."),
      }),
    )
    .nullable(),
  skipped: z.array(skip).nullable().describe("What was not checked: neither a pass nor a fault."),
  not_applicable: z.array(z.strictObject({ check: z.string(), why: z.string() })).nullable(),
  grade: z
    .enum(["A", "B", "C", "D", "F"])
    .nullable()
    .describe(`Null too where less than ${wellChecked * 100}% of what applies could be checked.`),
  limit: z
    .strictObject({ value: z.number(), why: z.enum(["ceiling", "cap"]), findings: z.array(z.string()) })
    .nullable()
    .describe("What holds the composite below the mean of the categories."),
  plan: z
    .array(step)
    .nullable()
    .describe(
      "The issues to fix, in order: what holds the score down or makes a mailbox provider reject the message, then the most severe, then what gives most.",
    ),
  notes: z
    .array(
      z.strictObject({
        owner: z.enum(owners),
        label: z.string().describe("Whom it is for."),
        text: z.string(),
      }),
    )
    .nullable()
    .describe("A message for each person who has something to fix, ready to paste into a chat or an email."),
  kind_detail: kindDetail.nullable(),
  rules: z.array(providerRules).nullable().describe("How many of each mailbox provider's rules it keeps."),
  sending_volume: z
    .enum(volumes)
    .nullable()
    .describe(
      "What the workspace said of how much it sends when this report was made. small: rules for bulk senders are notes; large: they count in full; null: it had not said, so that a prediction may have `if_large`.",
    ),
};

/** What lists show too. */
export const judgmentSummary = {
  composite: z.number().nullable(),
  kind: z.enum(kinds).nullable(),
  coverage: z.number().nullable().describe("How much of what applies could be checked, from 0 to 1."),
};

type Fields = { [Name in keyof typeof judgmentFields]: z.infer<(typeof judgmentFields)[Name]> };

export const noJudgment: Fields = {
  findings: null,
  category_scores: null,
  skipped: null,
  not_applicable: null,
  grade: null,
  limit: null,
  plan: null,
  notes: null,
  kind_detail: null,
  rules: null,
  sending_volume: null,
};

/** `domain`: of the sender, for the notes. */
export function toJudgmentFields(
  judgment: Judgment,
  catalog: CheckCatalog,
  domain: string | null = null,
): Fields {
  const { findings, passes, notApplicable, score } = judgment;
  return {
    findings: [...findings.map(toFinding), ...passes.flatMap((pass) => toGood(pass, catalog))],
    notes: toNotes(issuesOf(judgment).map(toFinding), domain),
    category_scores: score.areas.map(({ area, score, weight, coverage }) => ({
      id: area,
      label: areaLabels[area],
      score,
      weight: weight / 100,
      coverage,
    })),
    skipped: toSkipped(judgment),
    not_applicable: notApplicable.map((one) => ({ ...one })),
    grade: toGrade(score),
    limit: score.limit && { ...score.limit, findings: [...score.limit.findings] },
    plan: stepsOf(judgment).map((step) => ({ ...step })),
    kind_detail: toKindDetail(judgment),
    rules: judgment.tallies.map((tally) => toProviderRules(tally, catalog)),
    sending_volume: judgment.volume ?? null,
  };
}

/** Whoever has the first thing to fix comes first. */
function toNotes(issues: readonly Finding[], domain: string | null): NonNullable<Fields["notes"]> {
  return [...Map.groupBy(issues, ({ owner }) => owner)].map(([owner, findings]) => ({
    owner,
    label: noteReaders[owner],
    text: toNote({ owner, domain, findings, link: null }),
  }));
}

function toFinding(judged: JudgedFinding): Finding {
  const { says, why, references, gates, ownedBy, records = [], occurrences, leftOut, ...finding } = judged;
  return {
    ...finding,
    summary: says,
    records: records.map((record) => ({ ...record, replaces: [...record.replaces] })),
    detail: why,
    evidence: { ...occurrences[0]?.evidence },
    references: references.flatMap(toReferences),
    gates: gates.map(({ provider, sender, reply, may = false }) => ({ provider, sender, reply, may })),
    owned_by: ownedBy,
    occurrences: occurrences.map(({ subject, says: summary, fix, evidence }) => ({
      ...{ subject, summary, fix },
      evidence: { ...evidence },
    })),
    occurrences_left_out: leftOut,
  };
}

/** What is in order is a finding too, of severity "good". */
function toGood({ check: id, says }: Judgment["passes"][number], { checks }: CheckCatalog): Finding[] {
  const check = checks.get(id);
  if (!check) return [];
  return [
    {
      id: `${id}.passed`,
      check: id,
      area: check.area,
      severity: "good",
      title: check.label,
      summary: says,
      detail: check.why,
      fix: null,
      owner: check.owner,
      cost: 0,
      gain: 0,
      evidence: {},
      references: check.refs.flatMap(toReferences),
      gates: [],
      owned_by: null,
      records: [],
      occurrences: [],
      occurrences_left_out: 0,
    },
  ];
}

function toSkipped({ skipped, partly }: Judgment): NonNullable<Fields["skipped"]> {
  return [
    ...skipped.map(({ check, why }) => ({ check, why, says: whyWords[why], lacks: null })),
    ...partly.map(({ check, lacks, why }) => ({ check, why, says: whyWords[why], lacks })),
  ];
}
