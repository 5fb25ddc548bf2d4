// How a domain stands by reports, bounces and complaints.

import { toRegistrableDomain } from "../../../analyzer/mail/headers/registrable-domain.ts";
import type { WorkspaceStore } from "../../../platform/database/scope.ts";
import type { Feature } from "../../../platform/server.ts";
import { sumByReporterDay } from "../rows/figures.ts";
import { listProblemsOfDomain, readDomainFeedback } from "../rows/problems.ts";
import { findEstablished, toLearningUntil } from "../rules/evaluate.ts";
import { dayMs, type FeedbackEvidence, startOfDay } from "../rules/problem.ts";
import {
  problemAreas,
  toComplaintsStanding,
  toMutedStanding,
  toPolicyStanding,
  toProblemStanding,
  toSendersStanding,
  withMuted,
} from "../words/standing-words.ts";
import { toFeedbackWords } from "../words/words.ts";
import { coachPolicy } from "./policy-coach.ts";
import { type FeedbackSummary, readDmarc } from "./read-feedback.ts";
import { mostGroups, readDomainSources } from "./sources.ts";

async function readProblems({ read }: WorkspaceStore, domainId: string, area: "senders" | "complaints" | "records") {
  const rows = (await listProblemsOfDomain(read, domainId, mostRead)).filter(
    ({ resolved_at, kind }) => resolved_at === null && problemAreas[kind] === area,
  );
  const [open, muted] = [true, false].map((isOpen) =>
    rows
      .filter(({ acknowledged_at }) => (acknowledged_at === null) === isOpen)
      .map(({ kind, evidence }) =>
        toFeedbackWords({ kind, evidence: JSON.parse(evidence) as FeedbackEvidence, resolution: null }),
      ),
  );
  return { worst: toProblemStanding(open ?? []), muted: muted ?? [] };
}

const mostRead = 20;
const standingDays = 30;

type Named = { readonly domain: string };

/** Anyone can send authenticated reports with made-up figures, so only those of reporters that count are judged. */
async function listEstablished({ readInWorker }: WorkspaceStore, { domain }: Named, now: number) {
  const to = startOfDay(now);
  const from = to - (standingDays - 1) * dayMs;
  const asked = { domain, registrableDomain: toRegistrableDomain(domain), others: [], from, to };
  return [...findEstablished(await sumByReporterDay(readInWorker, asked))];
}

const nothingReported = ({ domain }: Named) => ({ domain, messages: 0, passed: 0, senders: [] });

/** In force. Null: none, or DNS didn't say. */
async function readPolicy({ read }: WorkspaceStore, domainId: string) {
  const dmarc = await readDmarc(read, domainId);
  if (dmarc === null || dmarc.tags?.t) return null;
  const { policy, foundAt, domain, tags } = dmarc;
  // A parent domain's policy covers all names below it in the same way.
  return policy && { p: policy, sp: (foundAt === domain ? tags?.sp : null) ?? policy };
}

export const feedbackStanding: NonNullable<Feature["standing"]> = {
  records: async (domain, store) => {
    const { worst, muted } = await readProblems(store, domain.id, "records");
    return worst ?? toMutedStanding(muted);
  },

  senders: async (domain, store, server) => {
    const { worst, muted } = await readProblems(store, domain.id, "senders");
    if (worst !== null) return worst;
    const now = server.system.now();
    const reporters = await listEstablished(store, domain, now);
    const asked = { now, days: standingDays, reporters, most: mostGroups };
    const sources =
      reporters.length > 0 ? await readDomainSources(store, domain, asked, server) : nothingReported(domain);
    return withMuted(toSendersStanding(sources, await readPolicy(store, domain.id)), muted);
  },

  complaints: async (domain, store, { system }) => {
    const { worst, muted } = await readProblems(store, domain.id, "complaints");
    if (worst !== null) return worst;
    const row = await readDomainFeedback(store.read, domain.id);
    const until = toLearningUntil(row?.first_day ?? null);
    const isLearning = until === null || until > system.now();
    const summary = row?.summary ? (JSON.parse(row.summary) as FeedbackSummary) : null;
    return withMuted(toComplaintsStanding(summary && { ...summary, isLearning }), muted);
  },

  policy: async (domain, store, server) => {
    return toPolicyStanding(await coachPolicy(store, domain, server), `/domains/${domain.id}/policy`);
  },
};
