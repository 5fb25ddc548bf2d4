// RCPT TO → the workspace that it means, or why it is refused. Asked for each recipient while the client waits, so at
// most three look-ups by key; nothing here waits for DNS.

import { isReserved } from "../../accounts/emails.ts";
import { type Plans, selfHostedPlans } from "../../accounts/plans.ts";
import { parseSeedAddress, type SeedMailbox } from "../../mail/headers/seed-address.ts";
import { readFirstWorkspaceId } from "../../store/people/workspaces.ts";
import type { Db } from "../../store/schema/schema.ts";
import { inWorkspace } from "../../store/scope.ts";
import { isHeldForAnother } from "../../store/sending/released-addresses.ts";
import { findSeedInbox } from "../../store/sending/seed-inboxes.ts";
import { isFull } from "../billing/ceilings.ts";
import type { Loopback } from "./loopback.ts";

export type Recipient = {
  readonly workspaceId: string;
  /** Null where no inbox of its own took it. */
  readonly seedInboxId: string | null;
  /** What stands behind the plus sign. */
  readonly label: string | null;
  /** As sent. */
  readonly address: string;
};

export type Routing =
  | { readonly outcome: "taken"; readonly recipient: Recipient }
  /** A domain that is not ours: never a relay. */
  | { readonly outcome: "foreign" }
  | { readonly outcome: "unknown" }
  /** Its workspace has received what its plan allows this month. */
  | { readonly outcome: "full" };

export type RoutingTable = {
  readonly db: Db;
  /** As the settings give them: A-labels in lower case. */
  readonly seedDomains: readonly string[];
  /** The workspace that takes every other local part. */
  readonly catchAll: string | null;
  /** Absent: none has a ceiling. */
  readonly plans?: Plans;
  readonly now: () => number;
  /** Whose send bounces to this address; absent: nothing is sent from here. */
  readonly findReturnPath?: Loopback["findReturnPath"];
};

/** The order: the return path of a send, an inbox of its own, the names that are nobody's but the server's, the catch-all. */
export async function routeRecipient(address: string, table: RoutingTable): Promise<Routing> {
  const { db, seedDomains } = table;
  const mailbox = parseSeedAddress(address, seedDomains);
  if (mailbox === undefined) return { outcome: "foreign" };
  const sender = mailbox.localPart === "bounce" ? await table.findReturnPath?.(address) : undefined;
  if (sender !== undefined)
    return { outcome: "taken", recipient: { workspaceId: sender, seedInboxId: null, label: null, address } };
  const inbox = await findSeedInbox(db, mailbox.localPart, mailbox.domain);
  const workspaceId = inbox?.workspace_id ?? (await workspaceWithoutInbox(mailbox, table));
  if (workspaceId === undefined) return { outcome: "unknown" };
  const recipient = { workspaceId, seedInboxId: inbox?.id ?? null, label: mailbox.label, address };
  return { outcome: "taken", recipient };
}

const rememberedMs = 1_000;
const mostRemembered = 1_000;

/**
 * Remembers for a second what was taken, so that a sender of many messages costs one look-up. What was refused is asked
 * again: an inbox that was just made receives at once.
 */
export function createRouter(table: RoutingTable): (address: string) => Promise<Routing> {
  const remembered = new Map<string, { readonly routing: Routing; readonly at: number }>();
  return async (address) => {
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

/** Asked for each recipient anew: a month's last test may have come a moment ago. */
async function withinPlan(
  routing: Routing,
  { db, plans = selfHostedPlans, now }: RoutingTable,
): Promise<Routing> {
  if (routing.outcome !== "taken") return routing;
  const { workspaceId } = routing.recipient;
  const asked = { plans, ceiling: "testsPerMonth", now: now() } as const;
  return (await isFull(inWorkspace(db, workspaceId), asked)) ? { outcome: "full" } : routing;
}

async function workspaceWithoutInbox(
  mailbox: SeedMailbox,
  { db, catchAll, now }: RoutingTable,
): Promise<string | undefined> {
  if (isReserved(mailbox.localPart)) return readFirstWorkspaceId(db);
  if (catchAll === null || (await isHeldForAnother(inWorkspace(db, catchAll), mailbox, now())))
    return undefined;
  return catchAll;
}
