import type { z } from "zod";
import { checkCatalog } from "../../analyzer/checks/catalog.ts";
import type { Change } from "../../analyzer/domains/drift.ts";
import { toRecordsToPublish, toZoneFile } from "../../analyzer/domains/records-to-publish.ts";
import { lastKnown, parseWatch } from "../../analyzer/domains/watch.ts";
import { toKeyRecord } from "../../analyzer/mail/signing/signing-algorithms.ts";
import type { Mechanism } from "../../analyzer/reports/domain-report.ts";
import { parseDomainReport } from "../../analyzer/reports/stored-report.ts";
import { toTimestamp, toTimestampOrNull } from "../../platform/contract/primitives.ts";
import type { Page } from "../../platform/database/engine/page.ts";
import type { Scope, WorkspaceStore } from "../../platform/database/scope.ts";
import { answerCounted } from "../../platform/http/paging.ts";
import { type Route, route } from "../../platform/route.ts";
import type { Server } from "../../platform/server.ts";
import { toVerifyText, verifyToken } from "../people/rules/verification.ts";
import { auditedDomain } from "./audited.ts";
import * as api from "./contract/domains.ts";
import { readStanding as readStandingEndpoint } from "./contract/standing.ts";
import * as rows from "./rows/domains.ts";
import type { DomainChangesTable, DomainsTable } from "./tables.ts";
import * as tasks from "./work/domains.ts";
import { readStanding } from "./work/standing.ts";

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
  }).recording({ action: "domain.create", object: auditedDomain }),

  route(api.checkDomainOnce, async ({ store, workspaceId, body }, { system, domainWatcher }) => {
    const report = await tasks.checkDomainOnce(store, system, { workspaceId, typed: body.domain }, domainWatcher);
    return api.toChecked(report, () => null, checkCatalog);
  }).recording({ nothing: "It reads DNS and keeps only the time, for the limit." }),

  route(api.readDomain, ({ store, params: { id } }, dependencies) => readBatch(store, id, dependencies)),

  route(api.changeDomain, async ({ store, params: { id }, body: { dkimSelector } }, dependencies) => {
    await tasks.changeSelector(store, dependencies.system, { id, dkimSelector });
    return await readBatch(store, id, dependencies);
  }).recording({ action: "domain.change", object: auditedDomain }),

  route(api.deleteDomain, async ({ store, params: { id } }, { system }) => {
    await tasks.deleteDomain(store, system, id);
    return undefined;
  }).recording({ action: "domain.delete", object: auditedDomain }),

  route(api.recheckDomain, async ({ store, params: { id } }, dependencies) => {
    await tasks.recheckDomain(store, dependencies.system, id, dependencies.domainWatcher);
    return await readBatch(store, id, dependencies);
  }).recording({ nothing: "It reads DNS earlier than the next hourly check would." }),

  route(readStandingEndpoint, async ({ store, params: { id } }, server) =>
    readStanding(await tasks.requireDomain(store.read, id), store, server),
  ),

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
    const report = await tasks.requireDomainReport(read, id);
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
  const checked = report ? api.toChecked(report, lastKnownOf, checkCatalog) : api.nothingYet;
  return { ...checked, ...toSummary(row, verificationKey) };
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
