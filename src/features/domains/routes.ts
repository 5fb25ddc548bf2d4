import type { z } from "zod";
import { checkCatalog } from "../../analyzer/checks/catalog.ts";
import type { Change } from "../../analyzer/domains/drift.ts";
import { toRecordsToPublish, toZoneFile } from "../../analyzer/domains/records-to-publish.ts";
import { lastKnown, parseWatch } from "../../analyzer/domains/watch.ts";
import { toKeyRecord } from "../../analyzer/mail/signing/signing-algorithms.ts";
import { compareFindings } from "../../analyzer/reports/compare-judgment.ts";
import type { DomainReport, Mechanism } from "../../analyzer/reports/domain-report.ts";
import { parseDomainReport } from "../../analyzer/reports/stored-report.ts";
import { toTimestamp, toTimestampOrNull } from "../../platform/contract/primitives.ts";
import type { Page } from "../../platform/database/engine/page.ts";
import type { Scope, WorkspaceStore } from "../../platform/database/scope.ts";
import { Refusal } from "../../platform/errors.ts";
import { answerCounted } from "../../platform/http/paging.ts";
import { type Route, route } from "../../platform/route.ts";
import type { Server } from "../../platform/server.ts";
import {
  askDomainWhatIf,
  type DomainSender,
  listDomainSenders,
  readDomainSources as sourcesOfDomain,
} from "../feedback/contract/domain-sources.ts";
import { readDomainSources } from "../feedback/work/sources.ts";
import { toVerifyText, verifyToken } from "../people/rules/verification.ts";
import { type ImaginedZone, requireDomainReport, type SeenMessage } from "../what-if/work/imagine-domains.ts";
import type { ResultSummary } from "../what-if/work/imagine-stored.ts";
import { toDomainReportJson } from "./contract/domain-report.ts";
import * as api from "./contract/domains.ts";
import * as rows from "./rows/domains.ts";
import { readDomainName } from "./rows/domains.ts";
import { type ListedSender, listSenders } from "./rows/seen-senders.ts";
import type { DomainChangesTable, DomainsTable } from "./tables.ts";
import * as tasks from "./work/domains.ts";

export const domainRoutes: readonly Route[] = [
  route(api.listDomains, (call, { verificationKey }) => {
    const { name } = call.query;
    const list = {
      rows: (scope: Scope, page: Page) => rows.listDomains(scope, page, name),
      count: (scope: Scope) => rows.countMonitored(scope, name),
    };
    return answerCounted(call, list, (row) => toSummary(row, verificationKey));
  }),

  route(api.addDomain, async ({ store, body }, dependencies) => {
    const { system, plans, domainWatcher } = dependencies;
    const id = await tasks.addDomain(store, system, { ...body, plans }, domainWatcher);
    return await readBatch(store, id, dependencies);
  }),

  route(api.readDomain, ({ store, params: { id } }, dependencies) => readBatch(store, id, dependencies)),

  route(api.changeDomain, async ({ store, params: { id }, body: { dkimSelector } }, dependencies) => {
    if (dkimSelector !== undefined) await tasks.changeSelector(store, dependencies.system, { id, dkimSelector });
    return await readBatch(store, id, dependencies);
  }),

  route(api.deleteDomain, async ({ store, params: { id } }, { system }) => {
    await tasks.deleteDomain(store, system, id);
    return undefined;
  }),

  route(api.recheckDomain, async ({ store, params: { id } }, dependencies) => {
    await tasks.recheckDomain(store, dependencies.system, id, dependencies.domainWatcher);
    return await readBatch(store, id, dependencies);
  }),

  route(api.readHistory, async (call) => {
    const { id } = await tasks.requireDomain(call.store.read, call.params.id);
    const history = {
      rows: (scope: Scope, page: Parameters<typeof rows.listDomainChanges>[2]) =>
        rows.listDomainChanges(scope, id, page),
      count: (scope: Scope) => rows.countDomainChanges(scope, id),
    };
    return await answerCounted(call, history, toToldChange);
  }),

  route(api.readZone, async ({ store: { read }, params: { id } }, { verificationKey, config, signingKeys }) => {
    const row = await tasks.requireDomain(read, id);
    const report = await requireDomainReport(read, id);
    const keys = await signingKeys.list(read, row.domain);
    const own = {
      signingKeys: keys.map(({ row: key, published }) => ({ ...toKeyRecord(key), published })),
      verifyRecord: toVerifyRecord(row, verificationKey),
      seedDomain: toPublicSeedDomain(config),
    };
    const records = toRecordsToPublish(report, own);
    return { records, zoneFile: toZoneFile(row.domain, records) };
  }),
];

/** Mail for localhost comes only from this machine (RFC 6761 §6.3). */
export function toPublicSeedDomain({ seedDomains }: Pick<Server["config"], "seedDomains">): string | null {
  return seedDomains.find((domain) => !/(^|\.)localhost$/.test(domain)) ?? null;
}

async function readBatch(
  { read }: WorkspaceStore,
  id: string,
  { verificationKey }: Pick<Server, "verificationKey">,
): Promise<z.input<typeof api.monitoredDomain>> {
  const row = await tasks.requireDomain(read, id);
  const last = await rows.readLastReport(read, id);
  const report = last && parseDomainReport(last.report);
  const watch = last && parseWatch(last.watch);
  const lastKnownOf = (mechanism: Mechanism) => watch && lastKnown(watch, mechanism);
  return { ...api.toCheckedFields(report, lastKnownOf, checkCatalog), ...toSummary(row, verificationKey) };
}

function toSummary(row: rows.ListedDomain, key: Uint8Array): api.DomainSummary {
  const { id, domain, spf, dkim, dmarc, bimi, score } = row;
  return {
    id,
    domain,
    dkimSelector: row.dkim_selector,
    spf,
    dkim,
    dmarc,
    bimi,
    score,
    verified: row.verified_at !== null,
    verifyRecord: toVerifyRecord(row, key),
    unstable: row.unstable === 1,
    createdAt: toTimestamp(row.created_at),
    checkedAt: toTimestampOrNull(row.checked_at),
    nextCheckAt: toTimestampOrNull(row.due_at),
    lastDriftAt: toTimestampOrNull(row.last_drift_at),
  };
}

function toVerifyRecord(
  { workspace_id, domain }: Pick<DomainsTable, "workspace_id" | "domain">,
  key: Uint8Array,
): api.DomainSummary["verifyRecord"] {
  return { name: domain, type: "TXT", value: toVerifyText(verifyToken(key, workspace_id, domain)) };
}

function toToldChange({ id, at, kind, changes }: DomainChangesTable): api.ToldChange {
  return { id, at: toTimestamp(at), kind, changes: JSON.parse(changes) as Change[] };
}

export const domainSenderRoutes: readonly Route[] = [
  route(listDomainSenders, async ({ store: { read }, params: { id } }, { system }) => {
    const domain = await readDomainName(read, id);
    if (domain === undefined) throw new Refusal("not_found", "Domain not found.");
    return { items: (await listSenders(read, domain, system.now())).map(toDomainSender) };
  }),
];

function toDomainSender({ firstSeenAt, lastSeenAt, isWatched, ...sender }: ListedSender): DomainSender {
  return { ...sender, firstSeenAt: toTimestamp(firstSeenAt), lastSeenAt: toTimestamp(lastSeenAt), watched: isWatched };
}

type Answered = z.input<typeof askDomainWhatIf.answer>;

export const domainWhatIfRoutes: readonly Route[] = [
  route(askDomainWhatIf, async ({ workspaceId, params: { id }, body: { records } }, { domainWhatIf }) => {
    const { before, after, messages } = await domainWhatIf({ workspaceId, domainId: id, records });
    const { gone, added } = compareFindings(before, after);
    const { findings, plan } = toDomainReportJson(after, checkCatalog);
    return {
      before: toStanding(before),
      after: toStanding(after),
      gone: [...gone],
      added: [...added],
      findings: findings ?? [],
      plan: plan ?? [],
      messages: toMessages(messages),
    };
  }),
];

function toStanding({ verdicts: { spf, dkim, dmarc, bimi }, judgment }: DomainReport): Answered["before"] {
  const score = judgment.score.composite;
  return { spf: spf.word, dkim: dkim.word, dmarc: dmarc.word, bimi: bimi.word, score };
}

function toMessages({ total, totalIsExact, seen, unclear }: ImaginedZone["messages"]): Answered["messages"] {
  const changed = seen.filter(({ isChanged }) => isChanged);
  const better = changed.filter((one) => toGain(one) > 0).length;
  const worse = changed.filter((one) => toGain(one) < 0).length;
  return {
    total,
    totalIsExact,
    seen: seen.length,
    unclear,
    leftOut: Math.max(0, total - seen.length - unclear),
    better,
    worse,
    otherwise: changed.length - better - worse,
    unchanged: seen.length - changed.length,
    changes: changed.map(({ test, before, after, says }) => ({
      testId: test.id,
      receivedAt: toTimestamp(test.received_at),
      from: test.header_from,
      subject: test.subject,
      before,
      after,
      says: [...says],
    })),
  };
}

/** By score. If it stays the same, as a capped score may, by placement, then by what passes. */
function toGain({ before, after }: SeenMessage): number {
  const gainOf = (read: (standing: ResultSummary) => number | null) => (read(after) ?? 0) - (read(before) ?? 0);
  const isScored = before.composite !== null && after.composite !== null;
  const gain = isScored ? gainOf(({ composite }) => composite) : 0;
  return gain || gainOf(({ inbox_rate }) => inbox_rate) || gainOf(countPasses);
}

function countPasses({ spf, dkim, dmarc }: ResultSummary): number {
  return [spf, dkim, dmarc].filter((word) => word === "pass").length;
}

export const domainSourceRoutes: readonly Route[] = [
  route(sourcesOfDomain, async ({ store, params: { id }, query: { days } }, { system }) => {
    const domain = await readDomainName(store.read, id);
    if (domain === undefined) throw new Refusal("not_found", "Domain not found.");
    return await readDomainSources(store.readInWorker, domain, { now: system.now(), days });
  }),
];
