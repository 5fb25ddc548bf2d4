// Adds, rechecks, changes and removes monitored domains (src/decisions.md, "Monitored domains"). The hourly checks are
// in watcher.ts.

import type { DomainInput } from "../../../analyzer/check-domain.ts";
import { known } from "../../../analyzer/checks/fact.ts";
import { readSelector } from "../../../analyzer/dns/signing-names.ts";
import type { DomainReport } from "../../../analyzer/reports/domain-report.ts";
import { parseDomainReport } from "../../../analyzer/reports/stored-report.ts";
import { recordChange } from "../../../platform/audit/rows/recording.ts";
import type { Db } from "../../../platform/database/schema.ts";
import { inWorkspace, type Scope, type WorkspaceStore } from "../../../platform/database/scope.ts";
import { overloaded, Refusal } from "../../../platform/errors.ts";
import { createId } from "../../../platform/ids.ts";
import type { System } from "../../../platform/system/system.ts";
import { lockWorkspace } from "../../people/rows/workspaces.ts";
import type { Plans } from "../../people/rules/plans.ts";
import { requireRoom } from "../../people/work/ceilings.ts";
import { insertRecheck, listRechecks, type Recheck } from "../rows/domain-checks.ts";
import {
  countMonitored,
  hasDomain,
  insertDomain,
  listOwnDomains,
  readDomain,
  readLastReport,
  removeDomain,
  updateSelector,
} from "../rows/domains.ts";
import { readDomainHistory } from "../rows/seen-senders.ts";
import { requireDomainName } from "../rules/named-domain.ts";
import type { DomainsTable } from "../tables.ts";
import type { DomainWatcher } from "./watcher.ts";

export type WantedDomain = {
  /** As typed or pasted. */
  readonly domain: string;
  readonly dkimSelector: string | null;
  readonly plans: Plans;
};

/** Independent of the plan, because each domain is checked every hour. */
const maxDomains = 10_000;
/** Adding a domain waits this long for its first check, then returns what is known. */
const firstCheckMs = 5_000;
/** A recheck waits this long. Domains with silent name servers take longest. */
const recheckMs = 20_000;
/** About the longest prefix of a mail record, for which the name must leave room. */
const longestPrefix = "default._bimi.";

/** Returns its ID. */
export async function addDomain(
  store: Pick<WorkspaceStore, "write">,
  system: Pick<System, "now" | "random">,
  { domain: typed, dkimSelector, plans }: WantedDomain,
  watcher: Pick<DomainWatcher, "checkNow">,
): Promise<string> {
  const domain = requireDomainName(typed, longestPrefix.length);
  const dkim_selector = dkimSelector === null ? null : toAskable(dkimSelector, domain);
  const now = system.now();
  const id = createId("domain", now, system.random(16));
  await store.write(async (scope) => {
    await lockWorkspace(scope);
    if (await hasDomain(scope, domain)) throw isThereAlready(domain);
    await requireSteadiness(scope, now);
    await requireRoom(scope, { plans, ceiling: "domains", now });
    if ((await countMonitored(scope)) >= maxDomains)
      throw new Refusal("conflict", `A workspace can monitor at most ${maxDomains} domains. Remove one first.`);
    if (!(await insertDomain(scope, { id, domain, dkim_selector, created_at: now }))) throw isThereAlready(domain);
    recordChange({ objectId: id });
  });
  await watcher.checkNow(id, firstCheckMs);
  return id;
}

/** Null: selectors are learned or guessed. Absent: nothing changes. */
export async function changeSelector(
  store: Pick<WorkspaceStore, "write">,
  { now }: Pick<System, "now">,
  { id, dkimSelector }: { readonly id: string; readonly dkimSelector?: string | null | undefined },
): Promise<void> {
  await store.write(async (scope) => {
    await lockWorkspace(scope);
    const { domain, dkim_selector: before } = await requireDomain(scope, id);
    recordChange();
    if (dkimSelector === undefined) return;
    const dkim_selector = dkimSelector === null ? null : toAskable(dkimSelector, domain);
    if (dkim_selector === before) return;
    const at = now();
    await admitChange(scope, { domain_id: id, at, kind: "changed" });
    await updateSelector(scope, id, { dkim_selector, due_at: at });
  });
}

export async function deleteDomain(
  store: Pick<WorkspaceStore, "write">,
  { now }: Pick<System, "now">,
  id: string,
): Promise<void> {
  const at = now();
  await store.write(async (scope) => {
    const { created_at } = await requireDomain(scope, id);
    if (!(await removeDomain(scope, id))) throw noSuchDomain();
    recordChange();
    if (created_at > at - hourMs) await insertRecheck(scope, { domain_id: id, at, kind: "removed" }, at - hourMs);
  });
}

export async function recheckDomain(
  store: Pick<WorkspaceStore, "write">,
  { now }: Pick<System, "now">,
  id: string,
  watcher: Pick<DomainWatcher, "checkNow">,
): Promise<void> {
  const at = now();
  await store.write(async (scope) => {
    await lockWorkspace(scope);
    await requireDomain(scope, id);
    await admitRecheck(scope, { domain_id: id, at, kind: "asked" });
  });
  await watcher.checkNow(id, recheckMs);
}

/** The same limits as for rechecks, because it asks as much of DNS. */
export async function checkDomainOnce(
  store: Pick<WorkspaceStore, "write">,
  { now }: Pick<System, "now">,
  { workspaceId, typed }: { readonly workspaceId: string; readonly typed: string },
  watcher: Pick<DomainWatcher, "checkOnce">,
): Promise<DomainReport> {
  const domain = requireDomainName(typed, longestPrefix.length);
  await store.write(async (scope) => {
    await lockWorkspace(scope);
    await admitRecheck(scope, { domain_id: domain, at: now(), kind: "asked" });
  });
  const report = await watcher.checkOnce({ workspace_id: workspaceId, domain });
  if (report === null) throw overloaded("The domain could not be checked");
  return report;
}

export async function requireDomain(scope: Scope, id: string): Promise<DomainsTable> {
  const row = await readDomain(scope, id);
  if (!row) throw noSuchDomain();
  return row;
}

const hourMs = 3_600_000;
const limits = { perDomain: { windowMs: 60_000, most: 1 }, perWorkspace: { windowMs: hourMs, most: 30 } };

/** The limits apply to any window of that length. Refused requests do not count. */
async function admitRecheck(scope: Scope, recheck: Recheck): Promise<void> {
  const { domain_id, at } = recheck;
  const asked = await listRechecks(scope, { kind: "asked", since: at - hourMs, until: at });
  const ofDomain = asked.filter((earlier) => earlier.domain_id === domain_id);
  requirePause(ofDomain, at, limits.perDomain, "Manual rechecks of a domain are limited to one per minute");
  requirePause(asked, at, limits.perWorkspace, "Manual rechecks are limited to 30 per hour for each workspace");
  await insertRecheck(scope, recheck, at - hourMs);
}

/** Each change triggers a check. There is no limit per domain, so a mistyped selector can be fixed at once. */
async function admitChange(scope: Scope, change: Recheck): Promise<void> {
  const { at } = change;
  const changed = await listRechecks(scope, { kind: "changed", since: at - hourMs, until: at });
  const why = "Selector changes are limited to 30 per hour for each workspace";
  requirePause(changed, at, limits.perWorkspace, why);
  await insertRecheck(scope, change, at - hourMs);
}

/** Adding a domain triggers a check, so adding and removing domains in turn would bypass the limits. */
async function requireSteadiness(scope: Scope, at: number): Promise<void> {
  const removed = await listRechecks(scope, { kind: "removed", since: at - hourMs, until: at });
  const why = "Too many new domains were removed in the last hour";
  requirePause(removed, at, limits.perWorkspace, why);
}

function requirePause(
  asked: readonly Recheck[],
  at: number,
  { windowMs, most }: (typeof limits)["perDomain"],
  why: string,
): void {
  const recent = asked.filter((earlier) => earlier.at > at - windowMs);
  const [oldest] = recent.slice(-most);
  if (!oldest || recent.length < most) return;
  const retryAfterSeconds = Math.max(1, Math.ceil((oldest.at + windowMs - at) / 1_000));
  throw new Refusal(
    "rate_limited",
    `${why}. Try again in ${retryAfterSeconds === 1 ? "1 second" : `${retryAfterSeconds} seconds`}.`,
    { retryAfterSeconds },
  );
}

/** Users also paste the key's full name. */
function toAskable(typed: string, domain: string): string {
  const written = typed.trim().replace(/\._domainkey(\..*)?$/is, "");
  const selector = readSelector(written, domain);
  if (selector !== null) return selector;
  throw new Refusal("invalid_request", '"dkimSelector" must be the s= tag of a DKIM signature, such as s1.', {
    field: "dkimSelector",
  });
}

function isThereAlready(domain: string): Refusal {
  return new Refusal("conflict", `This workspace already monitors ${domain}.`, { field: "domain" });
}

export function noSuchDomain(): Refusal {
  return new Refusal("not_found", "Domain not found.");
}

// What is known about a monitored domain before its check: how it sends, and the workspace's own domains.

export type Learned = Pick<DomainInput, "history" | "own" | "senders">;

export async function learnOfDomain(
  db: Db,
  { workspace_id, domain }: Pick<DomainsTable, "workspace_id" | "domain">,
  now: number,
): Promise<Learned> {
  const [{ history, addresses }, domains] = await Promise.all([
    readDomainHistory(inWorkspace(db, workspace_id), domain, now),
    listOwnDomains(db, workspace_id),
  ]);
  return { history: known(history), own: known({ domains }), senders: addresses.map(({ value }) => value) };
}

/** For requests that need the domain's last check. */
export async function requireDomainReport(scope: Scope, domainId: string) {
  const last = await readLastReport(scope, domainId);
  const report = last && parseDomainReport(last.report);
  if (report) return report;
  throw new Refusal("conflict", "This domain has not been checked yet. Try again after its first check.");
}
