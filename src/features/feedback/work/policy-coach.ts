// Advice on a domain's DMARC policy from its reports, its record, and its stored mail. Nothing is looked up.

import { rewriteDmarc } from "../../../analyzer/checks/authentication/dmarc-text.ts";
import { type DmarcPolicy, parseDmarcRecord } from "../../../analyzer/dns/dmarc.ts";
import { publishDmarc } from "../../../analyzer/domains/publish-dmarc.ts";
import { toRegistrableDomain } from "../../../analyzer/mail/headers/registrable-domain.ts";
import { parseSeedAddress } from "../../../analyzer/mail/headers/seed-address.ts";
import type { DomainReport } from "../../../analyzer/reports/domain-report.ts";
import { parseDomainReport } from "../../../analyzer/reports/stored-report.ts";
import { isReserved } from "../../../platform/contract/emails.ts";
import type { WorkspaceStore } from "../../../platform/database/scope.ts";
import type { System } from "../../../platform/system/system.ts";
import { toPublicSeedDomain } from "../../domains/routes.ts";
import { readLastReport } from "../../domains/rows/domains.ts";
import { listProvenSenders } from "../../domains/rows/seen-senders.ts";
import type { DomainsTable } from "../../domains/tables.ts";
import { listSeedInboxes, toInboxAddress } from "../../intake/rows/seed-inboxes.ts";
import type { TestFinder } from "../../tests/work/find-tests.ts";
import * as figures from "../rows/figures.ts";
import { listProblemsOfDomain } from "../rows/problems.ts";
import { listMarks } from "../rows/source-marks.ts";
import { toCoachSentence } from "../rules/coach-sentence.ts";
import { findEstablished } from "../rules/evaluate.ts";
import { type Advice, type CoachPolicy, toAction, toAdvice } from "../rules/policy-coach.ts";
import { dayMs, type FeedbackEvidence, startOfDay } from "../rules/problem.ts";
import { toFeedbackWords } from "../words/words.ts";
import type { NamingTerms } from "./name-groups.ts";
import { toFeedbackRows } from "./read-feedback.ts";

type CoachTerms = NamingTerms & {
  readonly system: Pick<System, "now">;
  readonly testFinder: Pick<TestFinder, "find">;
  readonly catchAll: string | null;
  readonly config: Parameters<typeof toPublicSeedDomain>[0];
};

export type CoachRecord = { readonly name: string; readonly value: string };

export type PolicyCoaching = Omit<Advice, "reporters" | "blocker"> & {
  readonly says: string;
  readonly from: number;
  readonly to: number;
  readonly reports: number;
  readonly authenticatedReports: number;
  readonly reportDays: number;
  readonly reporters: number;
  /** Those that count, with what they report. */
  readonly reporterList: Advice["reporters"];
  readonly policy: CoachPolicy | null;
  /** The domain the record is at, if it isn't this one. */
  readonly recordAt: string | null;
  /** What that record asks receivers to do with mail from this domain. */
  readonly inheritedPolicy: DmarcPolicy | null;
  /** Several records, of which receivers use none. */
  readonly ignoredRecords: readonly string[];
  /** Where the record asks receivers to send reports. */
  readonly reportsTo: readonly string[];
  /** Whether one of these is an address at this server. Null if there is no record, or this server has no public domain. */
  readonly reportsArriveHere: boolean | null;
  /** What should be published now. Null: nothing is known of the domain's DNS yet. */
  readonly present: CoachRecord | null;
  /** The next step's record. */
  readonly nextRecord: CoachRecord | null;
  /** The same in force, without t=y. */
  readonly enforcedRecord: CoachRecord | null;
  readonly stored: StoredMail;
};

type StoredMail = {
  readonly total: number;
  readonly totalIsExact: boolean;
  readonly seen: number;
  readonly passed: number;
  readonly failed: number;
  /** Without a DMARC result. */
  readonly unknown: number;
  /** What the enforced record would ask receivers to do with those that fail. */
  readonly action: DmarcPolicy | null;
};

const coachedDays = 30;
/** As in the preview of changed records, so that both speak of the same messages. */
const mostMessages = 50;

export async function coachPolicy(
  { read, readInWorker, workspaceId }: Pick<WorkspaceStore, "read" | "readInWorker" | "workspaceId">,
  { id, domain }: Pick<DomainsTable, "id" | "domain">,
  { system, testFinder, config, catchAll, ...naming }: CoachTerms,
): Promise<PolicyCoaching> {
  const today = startOfDay(system.now());
  const seedDomain = toPublicSeedDomain(config);
  const asked = {
    domain,
    registrableDomain: toRegistrableDomain(domain),
    others: [],
    from: today - (coachedDays - 1) * dayMs,
    to: today + dayMs,
  };
  const [rows, days, counts, problems, last, proven, found, marks, inboxes] = await Promise.all([
    figures.listFeedbackRows(readInWorker, asked),
    figures.sumByReporterDay(readInWorker, asked),
    figures.countReports(readInWorker, asked),
    listProblemsOfDomain(read, id),
    readLastReport(read, id),
    listProvenSenders(read, domain),
    testFinder.find(workspaceId, { limit: mostMessages }, { fromDomain: domain }),
    listMarks(read, id),
    listSeedInboxes(read),
  ]);
  const named = await toFeedbackRows(rows, domain, naming);
  const established = findEstablished(days);
  const own = days.filter(({ reporter }) => established.has(reporter));
  const report = !last ? null : parseDomainReport(last.report);
  const { policy, recordAt, present, ...published } = toPresent(report, domain, seedDomain);
  const advice = toAdvice({
    domain,
    today,
    policy,
    marks,
    reports: counts,
    rows: named.filter(({ reporter }) => established.has(reporter)),
    days: own,
    isProven: ({ address, selectors }) =>
      (address !== null && proven.addresses.has(address)) || selectors.some((one) => proven.selectors.has(one)),
    openProblems: problems
      // Muting a problem doesn't end it.
      .filter(({ resolved_at }) => resolved_at === null)
      .map(({ kind, subject, evidence: text }) => {
        const evidence = JSON.parse(text) as FeedbackEvidence;
        return { kind, subject, evidence, title: toFeedbackWords({ kind, evidence, resolution: null }).title };
      }),
  });
  const { next } = advice;
  const nextRecord = present && next && { ...present, value: rewriteDmarc(present.value, next) };
  const enforcedRecord = nextRecord && { ...nextRecord, value: rewriteDmarc(nextRecord.value, { remove: ["t"] }) };
  const { reporters: reporterList, blocker, ...advised } = advice;
  const coaching = {
    ...advised,
    reporterList,
    from: asked.from,
    to: today,
    reports: counts.all,
    authenticatedReports: counts.authenticated,
    reportDays: countDays(own),
    reporters: established.size,
    policy,
    recordAt,
    present,
    nextRecord,
    enforcedRecord,
    ...published,
    reportsArriveHere:
      seedDomain === null || policy === null
        ? null
        : published.reportsTo.some((uri) =>
            takesReports(uri, { seedDomains: config.seedDomains, inboxes, isCatchAll: catchAll === workspaceId }),
          ),
    stored: toStored(found, next === null ? null : toAction(next.p, false)),
  };
  const told = { ...coaching, domain, blocker };
  return { ...coaching, says: toCoachSentence(told) };
}

function countDays(days: readonly { readonly day: number }[]): number {
  return new Set(days.map(({ day }) => day)).size;
}

function toPresent(report: DomainReport | null, domain: string, seedDomain: string | null) {
  const nothing = {
    policy: null,
    recordAt: null,
    present: null,
    inheritedPolicy: null,
    ignoredRecords: [] as readonly string[],
    reportsTo: [] as readonly string[],
  };
  const dmarc = report?.facts.dmarc;
  if (report === null || !dmarc?.known) return nothing;
  const { foundAt, policy: applied, records, tags: found } = dmarc.value;
  const reportsTo = found?.rua ?? [];
  if (foundAt !== null && foundAt !== domain)
    return { ...nothing, reportsTo, recordAt: foundAt, inheritedPolicy: applied };
  const row = publishDmarc(report, seedDomain);
  if (row === null) return nothing;
  const record = foundAt === null ? null : dmarc.value.record;
  const parsed = record === null ? null : parseDmarcRecord(record);
  if (record === null || !parsed?.policies || !parsed.tags) {
    // Nothing is in force, so the first step is one that only asks for reports, whatever the ignored records say.
    const first = rewriteDmarc(row.value, { set: { p: "none" }, remove: ["sp", "np", "t", "pct"] });
    const ignoredRecords = records.length > 1 ? records : [];
    return { ...nothing, ignoredRecords, present: { name: row.name, value: first } };
  }
  const { policies, tags } = parsed;
  const policy = { record, ...policies, hasOwnSp: tags.sp !== null, testing: tags.t };
  return { ...nothing, policy, reportsTo, present: { name: row.name, value: row.value } };
}

type Receiving = {
  readonly seedDomains: readonly string[];
  readonly inboxes: Awaited<ReturnType<typeof listSeedInboxes>>;
  /** Whether the workspace gets the mail for all other addresses. */
  readonly isCatchAll: boolean;
};

/** `uri`: an entry of rua. At a seed domain, an address may still be refused. */
function takesReports(uri: string, { seedDomains, inboxes, isCatchAll }: Receiving): boolean {
  const [, address = ""] = /^mailto:([^?!]{1,320})/i.exec(uri) ?? [];
  const mailbox = parseSeedAddress(address, seedDomains);
  if (mailbox === undefined) return false;
  const { localPart, domain } = mailbox;
  return (
    isCatchAll || isReserved(localPart) || inboxes.some((inbox) => toInboxAddress(inbox) === `${localPart}@${domain}`)
  );
}

type FoundTests = Awaited<ReturnType<TestFinder["find"]>>;

function toStored({ tests, total, totalIsExact }: FoundTests, action: DmarcPolicy | null): StoredMail {
  const count = (word: string) => tests.filter(({ dmarc }) => dmarc === word).length;
  const [passed, failed] = [count("pass"), count("fail")];
  const seen = tests.length;
  return { total, totalIsExact, seen, passed, failed, unknown: seen - passed - failed, action };
}
