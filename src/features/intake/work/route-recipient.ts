// Resolves RCPT TO to a workspace or a refusal. The client waits, so there are at most four lookups by key and no DNS
// queries.

import { parseRehearsalTag, type RehearsalTag } from "../../../analyzer/mail/headers/rehearsal-address.ts";
import { parseSeedAddress, type SeedMailbox } from "../../../analyzer/mail/headers/seed-address.ts";
import { isReserved } from "../../../platform/contract/emails.ts";
import type { Db } from "../../../platform/database/schema.ts";
import { inWorkspace } from "../../../platform/database/scope.ts";
import type { Config } from "../../../platform/settings/config.ts";
import { readFirstWorkspaceId, readRehearsalSetting } from "../../people/rows/workspaces.ts";
import { type Plans, selfHostedPlans } from "../../people/rules/plans.ts";
import type { RehearsalSetting } from "../../people/rules/rehearsal-setting.ts";
import { isFull } from "../../people/work/ceilings.ts";
import { isHeldForAnother } from "../rows/released-addresses.ts";
import { findSeedInbox } from "../rows/seed-inboxes.ts";
import type { Loopback } from "./loopback.ts";
import type { OneTimeAddresses } from "./one-time.ts";

export type Recipient = {
  readonly workspaceId: string;
  /** Null if no seed inbox matched. */
  readonly seedInboxId: string | null;
  /** The part after the plus sign. */
  readonly label: string | null;
  /** As sent. */
  readonly address: string;
  /** The address asks for a rehearsal. The listener decides whether this client gets one. */
  readonly rehearsal?: { readonly tag: RehearsalTag; readonly setting: RehearsalSetting };
  /** The address takes one message (intake/work/one-time.ts). */
  readonly isOneTime?: true;
};

export type Routing =
  | { readonly outcome: "taken"; readonly recipient: Recipient }
  /** Not one of our domains. We never relay. */
  | { readonly outcome: "foreign" }
  | { readonly outcome: "unknown" }
  /** The address takes one message, and has it. */
  | { readonly outcome: "spent" }
  /** This client has sent too much to such addresses. */
  | { readonly outcome: "slowed" }
  /** The workspace has reached its plan's monthly limit. */
  | { readonly outcome: "full" }
  /** Too many of the workspace's messages wait for analysis. */
  | { readonly outcome: "crowded"; readonly workspaceId: string };

export type RoutingTable = {
  readonly db: Db;
  /** A-labels, lower case. */
  readonly config: Pick<Config, "seedDomains">;
  /** The workspace that receives mail for all other addresses. */
  readonly catchAll: string | null;
  /** Absent: no limit. */
  readonly plans?: Plans;
  /** Whether too many of the workspace's messages wait for analysis. Absent: there is no limit. */
  readonly isCrowded?: (workspaceId: string) => boolean;
  readonly now: () => number;
  /** Finds the workspace whose send bounces to an address. Absent: nothing is sent from here. */
  readonly findReturnPath?: Loopback["findReturnPath"];
  /** Null: there are no addresses that take one message. */
  readonly oneTime?: OneTimeAddresses | null;
};

/** In this order: a send's return path, a seed inbox, the server's reserved addresses, the catch-all. */
export async function routeRecipient(address: string, table: RoutingTable): Promise<Routing> {
  const { db, config } = table;
  const mailbox = parseSeedAddress(address, config.seedDomains);
  if (mailbox === undefined) return { outcome: "foreign" };
  const sender = mailbox.localPart === "bounce" ? await table.findReturnPath?.(address) : undefined;
  if (sender !== undefined)
    return { outcome: "taken", recipient: { workspaceId: sender, seedInboxId: null, label: null, address } };
  const inbox = await findSeedInbox(db, mailbox.localPart, mailbox.domain);
  const workspaceId = inbox?.workspace_id ?? (await workspaceWithoutInbox(mailbox, table));
  if (workspaceId === undefined) return { outcome: "unknown" };
  const tag = inbox === undefined ? null : parseRehearsalTag(mailbox.label);
  const recipient = {
    workspaceId,
    seedInboxId: inbox?.id ?? null,
    label: mailbox.label,
    address,
    ...(tag !== null && { rehearsal: { tag, setting: await readRehearsalSetting(db, workspaceId) } }),
  };
  return { outcome: "taken", recipient };
}

const rememberedMs = 1_000;
const mostRemembered = 1_000;

/**
 * Caches accepted addresses for a second, so a sender of many messages costs one lookup. Refusals are not cached, so a
 * new inbox receives at once.
 */
export function createRouter(table: RoutingTable): (address: string, client: string) => Promise<Routing> {
  const remembered = new Map<string, { readonly routing: Routing; readonly at: number }>();
  return async (address, client) => {
    const mailbox = table.oneTime && parseSeedAddress(address, table.config.seedDomains);
    const oneTime = mailbox && (await table.oneTime?.route(mailbox, address, client));
    if (oneTime) return oneTime;
    const known = remembered.get(address);
    const now = table.now();
    if (known && Math.abs(now - known.at) < rememberedMs) return await withinPlan(known.routing, table);
    const routing = await routeRecipient(address, table);
    if (remembered.size >= mostRemembered) remembered.clear();
    if (routing.outcome === "taken") remembered.set(address, { routing, at: now });
    else remembered.delete(address);
    return await withinPlan(routing, table);
  };
}

/** Not cached, because the month's last test may have arrived a moment ago. */
async function withinPlan(
  routing: Routing,
  { db, plans = selfHostedPlans, now, isCrowded }: RoutingTable,
): Promise<Routing> {
  if (routing.outcome !== "taken") return routing;
  const { workspaceId } = routing.recipient;
  if (isCrowded?.(workspaceId)) return { outcome: "crowded", workspaceId };
  const asked = { plans, ceiling: "testsPerMonth", now: now() } as const;
  return (await isFull(inWorkspace(db, workspaceId), asked)) ? { outcome: "full" } : routing;
}

async function workspaceWithoutInbox(
  mailbox: SeedMailbox,
  { db, catchAll, now }: RoutingTable,
): Promise<string | undefined> {
  if (isReserved(mailbox.localPart)) return readFirstWorkspaceId(db);
  if (catchAll === null || (await isHeldForAnother(inWorkspace(db, catchAll), mailbox, now()))) return undefined;
  return catchAll;
}
