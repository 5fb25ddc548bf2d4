// Monitored domains of a workspace: added, checked right away, changed, removed (src/decisions.md, "Monitored domains").
// The hourly checks are in watcher.ts.

import type { Plans } from "../../accounts/plans.ts";
import { known } from "../../checks/fact.ts";
import { readSelector } from "../../dns/signing-names.ts";
import { Refusal } from "../../errors.ts";
import { createId } from "../../ids.ts";
import { insertRecheck, listRechecks, type Recheck } from "../../store/domains/domain-checks.ts";
import {
  countMonitored,
  hasDomain,
  insertDomain,
  listOwnDomains,
  readDomain,
  removeDomain,
  updateSelector,
} from "../../store/domains/domains.ts";
import { readDomainHistory } from "../../store/domains/seen-senders.ts";
import { lockWorkspace } from "../../store/people/workspaces.ts";
import type { Db } from "../../store/schema/schema.ts";
import type { DomainsTable } from "../../store/schema/watch.ts";
import { inWorkspace, type Scope, type WorkspaceStore } from "../../store/scope.ts";
import type { System } from "../../system/system.ts";
import type { DomainInput } from "../analysis/check-domain.ts";
import { requireRoom } from "../billing/ceilings.ts";
import { requireDomainName } from "../named-domain.ts";
import type { DomainWatcher } from "./watcher.ts";

export type WantedDomain = {
  /** As a person types or pastes it. */
  readonly domain: string;
  readonly dkimSelector: string | null;
  readonly plans: Plans;
};

/** Whatever the plan says: the monitor checks each within the hour. */
const maxDomains = 10_000;
/** Who adds a domain waits for its first check, and is answered with what is known by then. */
const firstCheckMs = 5_000;
/** Who asks for a check waits for it; a domain whose servers are silent takes the longest. */
const recheckMs = 20_000;
/** Records of mail stand at names below it, of which this is about the longest that there must be room for. */
const longestPrefix = "default._bimi.";

/** Answers its id. */
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
      throw new Refusal(
        "conflict",
        `A workspace monitors at most ${maxDomains} domains: remove one that is no longer needed.`,
      );
    if (!(await insertDomain(scope, { id, domain, dkim_selector, created_at: now })))
      throw isThereAlready(domain);
  });
  await watcher.checkNow(id, firstCheckMs);
  return id;
}

/** Null: selectors are learned and tried. */
export async function changeSelector(
  store: Pick<WorkspaceStore, "write">,
  { now }: Pick<System, "now">,
  { id, dkimSelector }: { readonly id: string; readonly dkimSelector: string | null },
): Promise<void> {
  await store.write(async (scope) => {
    await lockWorkspace(scope);
    const { domain, dkim_selector: before } = await requireDomain(scope, id);
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
    if (created_at > at - hourMs)
      await insertRecheck(scope, { domain_id: id, at, kind: "removed" }, at - hourMs);
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

export async function requireDomain(scope: Scope, id: string): Promise<DomainsTable> {
  const row = await readDomain(scope, id);
  if (!row) throw noSuchDomain();
  return row;
}

const hourMs = 3_600_000;
const limits = { perDomain: { windowMs: 60_000, most: 1 }, perWorkspace: { windowMs: hourMs, most: 30 } };

/** In any window of that length there are no more, wherever it begins. One that is refused does not count. */
async function admitRecheck(scope: Scope, recheck: Recheck): Promise<void> {
  const { domain_id, at } = recheck;
  const asked = await listRechecks(scope, { kind: "asked", since: at - hourMs, until: at });
  const ofDomain = asked.filter((earlier) => earlier.domain_id === domain_id);
  requirePause(ofDomain, at, limits.perDomain, "A domain is checked at most once a minute by hand");
  requirePause(
    asked,
    at,
    limits.perWorkspace,
    "The domains of a workspace are checked at most 30 times an hour by hand",
  );
  await insertRecheck(scope, recheck, at - hourMs);
}

/** Each change has the domain checked. Who mistyped a selector may mend it at once. */
async function admitChange(scope: Scope, change: Recheck): Promise<void> {
  const { at } = change;
  const changed = await listRechecks(scope, { kind: "changed", since: at - hourMs, until: at });
  const why = "The selectors of a workspace's domains are changed at most 30 times an hour";
  requirePause(changed, at, limits.perWorkspace, why);
  await insertRecheck(scope, change, at - hourMs);
}

/** Who adds and removes domains in turn would have the world asked without end: each is checked when it is added. */
async function requireSteadiness(scope: Scope, at: number): Promise<void> {
  const removed = await listRechecks(scope, { kind: "removed", since: at - hourMs, until: at });
  const why = "This workspace has removed 30 domains within an hour of adding them";
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
  throw new Refusal("rate_limited", `${why}; try again in ${retryAfterSeconds} seconds.`, {
    retryAfterSeconds,
  });
}

/** People paste the whole name of a key too. */
function toAskable(typed: string, domain: string): string {
  const written = typed.trim().replace(/\._domainkey(\..*)?$/is, "");
  const selector = readSelector(written, domain);
  if (selector !== null) return selector;
  throw new Refusal("invalid_request", '"dkimSelector" must be the s= tag of a signature, like s1.', {
    field: "dkimSelector",
  });
}

function isThereAlready(domain: string): Refusal {
  return new Refusal("conflict", `This workspace monitors ${domain} already.`, { field: "domain" });
}

export function noSuchDomain(): Refusal {
  return new Refusal("not_found", "There is no such domain.");
}

// What is known beforehand of a monitored domain: how its mail was seen to be sent, and which domains are its workspace's.

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
  return {
    history: known(history),
    own: known({ domains }),
    senders: addresses.map(({ value }) => value),
  };
}
