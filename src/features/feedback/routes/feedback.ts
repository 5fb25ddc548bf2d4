import type { z } from "zod";
import { auditedObject } from "../../../platform/audit/rows/objects.ts";
import { recordChange } from "../../../platform/audit/rows/recording.ts";
import { toTimestamp, toTimestampOrNull } from "../../../platform/contract/primitives.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { Refusal } from "../../../platform/errors.ts";
import { answerCounted } from "../../../platform/http/paging.ts";
import { type Route, route } from "../../../platform/route.ts";
import { listDomainNames } from "../../domains/rows/domains.ts";
import { requireDomain } from "../../domains/work/domains.ts";
import * as api from "../contract/feedback.ts";
import * as coachApi from "../contract/policy-coach.ts";
import * as rows from "../rows/problems.ts";
import { toLearningUntil } from "../rules/evaluate.ts";
import type { FeedbackProblemsTable } from "../tables.ts";
import { toProblemData } from "../work/evaluate-feedback.ts";
import { markSender } from "../work/mark-sender.ts";
import { type CoachRecord, coachPolicy, type PolicyCoaching } from "../work/policy-coach.ts";
import type { FeedbackSummary } from "../work/read-feedback.ts";

const auditedProblem = auditedObject({
  kind: "problem",
  table: "feedback_problems",
  columns: ["kind", "subject"],
  toName: ({ subject }) => subject,
});

export const feedbackRoutes: readonly Route[] = [
  route(api.listFeedbackProblems, async (call) => {
    const { state, domainId } = call.query;
    const filter = { isOpen: state === "open", domainId };
    const list = {
      rows: async (scope: Scope, page: Parameters<typeof rows.listProblems>[1]) => {
        const listed = await rows.listProblems(scope, page, filter);
        const names = await listDomainNames(scope, [...new Set(listed.map(({ domain_id }) => domain_id))]);
        return listed.map((row) => ({ ...row, domain: names.get(row.domain_id) ?? "" }));
      },
      count: (scope: Scope) => rows.countProblems(scope, filter),
    };
    return await answerCounted(call, list, toProblem);
  }),

  route(api.acknowledgeFeedbackProblem, async ({ store, params: { id } }, { system }) => {
    const now = system.now();
    await store.write(async (scope) => {
      const row = await requireProblem(scope, id);
      recordChange();
      if (row.acknowledged_at !== null || row.resolution === "acknowledged") return;
      if (row.resolved_at !== null) throw new Refusal("conflict", "This problem is already over.");
      if (row.kind === "new-source")
        await markSender(scope, row.domain_id, { key: row.subject, mark: "approved" }, now);
      else await rows.updateOpenProblem(scope, id, { acknowledged_at: now, updated_at: now });
    });
    const row = await requireProblem(store.read, id);
    const names = await listDomainNames(store.read, [row.domain_id]);
    return toProblem({ ...row, domain: names.get(row.domain_id) ?? "" });
  }).recording({ action: "problem.acknowledge", object: auditedProblem }),

  route(api.readDomainFeedback, async ({ store: { read }, params: { id } }) => {
    const { domain } = await requireDomain(read, id);
    const row = await rows.readDomainFeedback(read, id);
    const summary = row?.summary ? (JSON.parse(row.summary) as FeedbackSummary) : nothing;
    const until = toLearningUntil(row?.first_day ?? null);
    return {
      evaluatedAt: toTimestampOrNull(row?.evaluated_at ?? null),
      learningUntil: until === null ? null : new Date(until).toISOString().slice(0, 10),
      ...summary,
      problems: (await rows.listProblemsOfDomain(read, id, mostShown)).map((each) => toProblem({ ...each, domain })),
    };
  }),
];

export const policyCoachRoutes: readonly Route[] = [
  route(coachApi.readPolicyCoach, async ({ store, params: { id } }, server) => {
    const row = await requireDomain(store.read, id);
    return toCoach(row.domain, await coachPolicy(store, row, server));
  }),
];

function toCoach(domain: string, coaching: PolicyCoaching): z.input<typeof coachApi.readPolicyCoach.answer> {
  const { from, to, policy, next, nextRecord, enforcedRecord, present, stored, ...rest } = coaching;
  const toDate = (day: number) => new Date(day).toISOString().slice(0, 10);
  const toRecord = (record: CoachRecord | null) => record && { ...record, type: "TXT" as const };
  const record = toRecord(nextRecord);
  return {
    ...rest,
    domain,
    from: toDate(from),
    to: toDate(to),
    policy: policy && { record: policy.record, p: policy.p, sp: policy.sp, np: policy.np, testing: policy.testing },
    sources: rest.sources.map((source) => ({
      ...source,
      addresses: [...source.addresses],
      selectors: [...source.selectors],
      fixes: [...source.fixes],
    })),
    reporterList: rest.reporterList.slice(0, mostReporters),
    subdomains: [...rest.subdomains],
    criteria: [...rest.criteria],
    ignoredRecords: [...rest.ignoredRecords],
    reportsTo: [...rest.reportsTo],
    present: toRecord(present),
    next: next && record && { record, tag: next.tag, p: next.p, sp: next.sp, testing: next.testing, says: next.says },
    stored: { ...stored, record: enforcedRecord?.value ?? null },
  };
}

const mostShown = 20;
const mostReporters = 50;

const nothing: FeedbackSummary = {
  reports: 0,
  authenticatedReports: 0,
  reporters: 0,
  newReporters: 0,
  notices: 0,
  authenticatedNotices: 0,
};

async function requireProblem(scope: Scope, id: string): Promise<FeedbackProblemsTable> {
  const row = await rows.readProblem(scope, id);
  if (!row) throw new Refusal("not_found", "Problem not found.");
  return row;
}

function toProblem(row: rows.ListedProblem): api.FeedbackProblem {
  const { domain, problem } = toProblemData({ id: row.domain_id, domain: row.domain }, row);
  const { evidence, says, ...fields } = problem;
  return {
    ...fields,
    domain,
    sourceKey: row.kind === "new-source" ? row.subject : null,
    says: [...says],
    updatedAt: toTimestamp(row.updated_at),
    acknowledgedAt: toTimestampOrNull(row.acknowledged_at),
    evidence: {
      ...evidence,
      reporters: [...evidence.reporters],
      reports: [...evidence.reports],
      detail: {
        ...evidence.detail,
        sourceKind: evidence.detail.sourceKind ?? null,
        addresses: [...evidence.detail.addresses],
        headerFroms: [...evidence.detail.headerFroms],
        failures: [...evidence.detail.failures],
      },
    },
  };
}
