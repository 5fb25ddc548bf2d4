// How a domain stands by reports, bounces and complaints.

import { parseDomainReport } from "../../../analyzer/reports/stored-report.ts";
import type { WorkspaceStore } from "../../../platform/database/scope.ts";
import type { Feature } from "../../../platform/server.ts";
import { readLastReport } from "../../domains/rows/domains.ts";
import { listProblemsOfDomain, readDomainFeedback } from "../rows/problems.ts";
import { toLearningUntil } from "../rules/evaluate.ts";
import type { FeedbackEvidence } from "../rules/problem.ts";
import {
  problemAreas,
  toComplaintsStanding,
  toPolicyStanding,
  toProblemStanding,
  toSendersStanding,
} from "../words/standing-words.ts";
import { toFeedbackWords } from "../words/words.ts";
import { coachPolicy } from "./policy-coach.ts";
import type { FeedbackSummary } from "./read-feedback.ts";
import { readDomainSources } from "./sources.ts";

/** Without those that a member muted. */
async function readProblems({ read }: WorkspaceStore, domainId: string, area: "senders" | "complaints" | "records") {
  const rows = await listProblemsOfDomain(read, domainId, 20);
  return toProblemStanding(
    rows
      .filter((row) => row.resolved_at === null && row.acknowledged_at === null && problemAreas[row.kind] === area)
      .map(({ kind, evidence }) =>
        toFeedbackWords({ kind, evidence: JSON.parse(evidence) as FeedbackEvidence, resolution: null }),
      ),
  );
}

/** In force. Null: none, or DNS didn't say. */
async function readPolicy({ read }: WorkspaceStore, domainId: string) {
  const last = await readLastReport(read, domainId);
  const dmarc = last && parseDomainReport(last.report)?.facts.dmarc;
  return dmarc?.known && !dmarc.value.tags?.t ? dmarc.value.policy : null;
}

export const feedbackStanding: NonNullable<Feature["standing"]> = {
  records: (domain, store) => readProblems(store, domain.id, "records"),

  senders: async (domain, store, server) => {
    const asked = { now: server.system.now(), days: 30, isAuthenticated: true };
    return (
      (await readProblems(store, domain.id, "senders")) ??
      toSendersStanding(await readDomainSources(store, domain, asked, server), await readPolicy(store, domain.id))
    );
  },

  complaints: async (domain, store, { system }) => {
    const problem = await readProblems(store, domain.id, "complaints");
    const row = await readDomainFeedback(store.read, domain.id);
    const until = toLearningUntil(row?.first_day ?? null);
    const isLearning = until === null || until > system.now();
    return (
      problem ??
      toComplaintsStanding(row?.summary ? { ...(JSON.parse(row.summary) as FeedbackSummary), isLearning } : null)
    );
  },

  policy: async (domain, store, server) => {
    return toPolicyStanding(await coachPolicy(store, domain, server), `/domains/${domain.id}/policy`);
  },
};
