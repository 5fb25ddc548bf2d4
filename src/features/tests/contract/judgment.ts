// What a report says about a message, as the Test resource shows it: findings, scores, and what could not be checked.

import { z } from "zod";
import type { CheckCatalog } from "../../../analyzer/checks/catalog.ts";
import { areas, owners, severities } from "../../../analyzer/checks/check.ts";
import { whyWords } from "../../../analyzer/checks/inner-title.ts";
import { kinds } from "../../../analyzer/checks/kind.ts";
import { toReferences } from "../../../analyzer/checks/references.ts";
import { volumes } from "../../../analyzer/checks/volume.ts";
import { wellChecked } from "../../../analyzer/reports/grade-words.ts";
import type { JudgedFinding, Judgment } from "../../../analyzer/reports/judgment.ts";
import { issuesOf, stepsOf } from "../../../analyzer/reports/plan.ts";
import { gradeOf, type Judged } from "../../../analyzer/reports/report.ts";
import { areaLabels } from "../../../analyzer/reports/score.ts";
import { withholdsFixes } from "../../../analyzer/reports/suspicion.ts";
import { toCureLine } from "../words/cure-words.ts";
import { type NoteFinding, noteReaders, toNote } from "../words/note-words.ts";
import { kindDetail, toKindDetail } from "./kind-detail.ts";
import { notices, suspicion, toNotices, toSuspicion } from "./notices.ts";
import { providerRules, reference, toProviderRules } from "./rules.ts";

const gate = z.strictObject({
  provider: z.string(),
  sender: z.enum(["any", "bulk"]).describe("`bulk`: senders of more than about 5,000 messages a day."),
  reply: z.string().describe("The provider's SMTP reply, or what it does instead."),
  may: z.boolean().describe("At the provider's discretion, or depending on an unpublished limit."),
});

const evidence = z.record(z.string(), z.unknown());

const occurrence = z.strictObject({
  subject: z.string().nullable().describe("The affected link, selector, or image."),
  summary: z.string().describe("What was found, with the evidence."),
  fix: z.string().nullable(),
  evidence,
});

const proposedRecord = z
  .strictObject({
    name: z.string().describe("Fully qualified, without the trailing dot."),
    type: z.enum(["A", "AAAA", "MX", "PTR", "TXT"]),
    value: z.string().describe("A text value as a single string."),
    replaces: z.array(z.string()).describe("Existing records that it replaces."),
  })
  .meta({ id: "ProposedRecord" });
export type ProposedRecord = z.infer<typeof proposedRecord>;

export const finding = z
  .strictObject({
    id: z.string().describe("`check.finding`, a stable ID."),
    check: z.string(),
    area: z.enum(areas),
    severity: z.enum(severities),
    title: z.string().describe("A label of 2 to 6 words without evidence. The same wherever the finding appears."),
    summary: z.string().describe("A sentence that describes the finding, with the evidence."),
    detail: z.string().describe("Why it matters."),
    fix: z.string().nullable().describe("What to do, ready to paste."),
    owner: z
      .enum(owners)
      .describe(
        "Who can fix it. `content`: the author of the email or its template. `email-service`: the admin of the sending service or app. `dns`: the DNS admin. `mail-server`: the admin of the sending server.",
      ),
    records: z
      .array(proposedRecord)
      .describe(
        "Complete records that would fix it, checked as receivers would read them. Empty if `fix` only explains one.",
      ),
    cost: z.number().describe("Points, out of the area's 100."),
    gain: z.number().describe("Points that fixing only this finding would add to the score."),
    evidence,
    references: z.array(reference),
    gates: z.array(gate).describe("Mailbox providers that act on it, and how."),
    owned_by: z.string().nullable().describe("The finding that causes this one, or whose fix also fixes it."),
    occurrences: z.array(occurrence).describe("Occurrences of the same issue. The first is described above."),
    occurrences_left_out: z.int(),
  })
  .meta({ id: "Finding" });
export type Finding = z.infer<typeof finding>;

const skip = z.strictObject({
  check: z.string(),
  label: z.string().describe("The check's name."),
  why: z.string(),
  says: z.string().describe("The reason in plain words."),
  lacks: z
    .string()
    .nullable()
    .describe("The missing fact, if everything that does not depend on it was checked. `null` if nothing was checked."),
});

const step = z
  .strictObject({
    finding: z.string(),
    composite: z
      .number()
      .nullable()
      .describe(
        "Score after this step and all previous ones, if any. With the finding's records published, the message was judged again.",
      ),
    gain: z.number().describe("Points for this fix alone, as in the finding."),
    unlocks: z
      .number()
      .nullable()
      .describe("The score after all issues with this cap are fixed. `null` if the step has no cap."),
    reason: z
      .enum(["rejected", "cap", "severity", "gain"])
      .describe(
        "Why the step is in this position: a mailbox provider rejects mail for it, it caps the score, it is critical or major, or it gains more than the rest.",
      ),
    cap: z
      .strictObject({ value: z.number(), count: z.int().describe("Number of issues that share the cap.") })
      .nullable()
      .describe("The score cap when this step is reached. `null` if it has no cap."),
    cures: z.array(z.string()).describe("Other findings that this step also fixes."),
    providers: z
      .array(z.string())
      .describe("Large mailbox providers that reject the message before this step, and no longer after it."),
  })
  .meta({ id: "PlanStep" });
export type PlanStep = z.infer<typeof step>;

/** Each is null until the test is analyzed. */
export const judgmentFields = {
  findings: z.array(finding).nullable().describe("Most severe first. Passed checks come last."),
  category_scores: z
    .array(
      z.strictObject({
        id: z.enum(areas),
        label: z.string(),
        score: z.number().nullable().describe("`null` if nothing could be checked."),
        weight: z.number(),
        coverage: z.number().nullable().describe("`null` if no check applies."),
      }),
    )
    .nullable(),
  skipped: z.array(skip).nullable().describe("Checks that could not be completed. They neither pass nor fail."),
  not_applicable: z.array(z.strictObject({ check: z.string(), why: z.string() })).nullable(),
  grade: z
    .enum(["A", "B", "C", "D", "F"])
    .nullable()
    .describe(
      `Also \`null\` if less than ${wellChecked * 100}% of what applies could be checked, or authentication wasn’t judged.`,
    ),
  limit: z
    .strictObject({ value: z.number(), why: z.enum(["ceiling", "cap"]), findings: z.array(z.string()) })
    .nullable()
    .describe("What caps the score below the category average."),
  plan: z
    .array(step)
    .nullable()
    .describe(
      "The issues to fix, in order: those that cap the score or get mail rejected by a mailbox provider come first, then by severity, then by points gained.",
    ),
  notes: z
    .array(
      z.strictObject({ owner: z.enum(owners), label: z.string().describe("Who the note is for."), text: z.string() }),
    )
    .nullable()
    .describe("A note for each person who has something to fix, ready to paste into a chat or an email."),
  kind_detail: kindDetail.nullable(),
  rules: z.array(providerRules).nullable().describe("How many of each mailbox provider's rules the message meets."),
  notices: notices.nullable(),
  suspicion: suspicion.nullable(),
  sending_volume: z
    .enum(volumes)
    .nullable()
    .describe(
      "The workspace's sending volume setting when this report was created. `small`: rules for bulk senders are only notes. `large`: they count in full. `null`: not set, so a prediction can have `if_large`.",
    ),
};

/** Lists show these too. */
export const judgmentSummary = {
  composite: z.number().nullable(),
  kind: z.enum(kinds).nullable(),
  coverage: z.number().nullable().describe("Share of applicable checks that could be completed, from 0 to 1."),
};

type Fields = { [Name in keyof typeof judgmentFields]: z.infer<(typeof judgmentFields)[Name]> };

export function toJudgmentFields(report: Judged, catalog: CheckCatalog): Fields {
  const { judgment, authentication } = report;
  const { notApplicable, passes, score } = judgment;
  const limit = score.composite === null ? null : score.limit;
  const findings = [...judgment.findings.map(toFinding), ...passes.flatMap((pass) => toGood(pass, catalog))];
  const skipped = toSkipped(judgment, catalog);
  const plan = stepsOf(judgment).map((step) => ({ ...step, cures: [...step.cures], providers: [...step.providers] }));
  const issues = issuesOf(judgment).map((one) => ({
    ...toFinding(one),
    cures: toCureLine({ composite: score.composite, plan, findings: judgment.findings }, one.id),
  }));
  const author = authentication?.dmarcResult.known ? authentication.dmarcResult.value.fromDomain : null;
  return {
    findings,
    notes: withholdsFixes(judgment) ? [] : toNotes(issues, author),
    notices: toNotices(judgment.suspicion ?? null, { skipped, findings }),
    suspicion: judgment.suspicion ? toSuspicion(judgment.suspicion) : null,
    category_scores: score.areas.map(({ area, score, weight, coverage }) => ({
      id: area,
      label: areaLabels[area],
      score,
      weight: weight / 100,
      coverage,
    })),
    skipped,
    not_applicable: notApplicable.map((one) => ({ ...one })),
    grade: gradeOf(report),
    limit: limit && { ...limit, findings: [...limit.findings] },
    plan,
    kind_detail: toKindDetail(report),
    rules: judgment.tallies.map((tally) => toProviderRules(tally, catalog)),
    sending_volume: judgment.volume ?? null,
  };
}

/** The person with the first thing to fix comes first. */
function toNotes(issues: readonly (Finding & NoteFinding)[], domain: string | null): NonNullable<Fields["notes"]> {
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
      subject,
      summary,
      fix,
      evidence: { ...evidence },
    })),
    occurrences_left_out: leftOut,
  };
}

/** A passed check is also a finding, with severity "good". */
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

function toSkipped({ skipped, partly }: Judgment, { checks }: CheckCatalog): NonNullable<Fields["skipped"]> {
  const unlabeled = [...skipped.map((one) => ({ ...one, lacks: null })), ...partly];
  return unlabeled.map(({ check, why, lacks }) => ({
    check,
    label: checks.get(check)?.label ?? check,
    why,
    says: whyWords[why],
    lacks,
  }));
}
