// RCPT TO → the workspace that it means, or why it is refused. Asked for each recipient while the client waits, so at
// most three look-ups by key; nothing here waits for DNS.

import { domainToASCII } from "node:url";
import { isReserved } from "../accounts/reserved-addresses.ts";
import { toStorable } from "../mail/storable.ts";
import { isHeldForAnother } from "../store/released-addresses.ts";
import type { Db } from "../store/schema.ts";
import { findSeedInbox } from "../store/seed-inboxes.ts";
import { readFirstWorkspaceId } from "../store/workspaces.ts";

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
  | { readonly outcome: "unknown" };

export type RoutingTable = {
  readonly db: Db;
  /** As the settings give them: A-labels in lower case. */
  readonly seedDomains: readonly string[];
  /** The workspace that takes every other local part. */
  readonly catchAll: string | null;
  readonly now: () => number;
};

const longestLabel = 200;
/** RFC 5321 §4.5.3.1.2 allows 255 octets; a U-label may take a few more. */
const longestDomain = 1_000;

/** The order: an inbox of its own, the names that are nobody's but the server's, the catch-all. */
export async function routeRecipient(address: string, table: RoutingTable): Promise<Routing> {
  const { db, seedDomains } = table;
  const mailbox = parseMailbox(address, seedDomains);
  if (mailbox === undefined) return { outcome: "foreign" };
  const { local_part, domain, label } = mailbox;
  const inbox = await findSeedInbox(db, local_part, domain);
  const workspaceId = inbox?.workspace_id ?? (await workspaceWithoutInbox(mailbox, table));
  if (workspaceId === undefined) return { outcome: "unknown" };
  const recipient = { workspaceId, seedInboxId: inbox?.id ?? null, label, address };
  return { outcome: "taken", recipient };
}

type Mailbox = { readonly local_part: string; readonly domain: string; readonly label: string | null };

async function workspaceWithoutInbox(
  mailbox: Mailbox,
  { db, catchAll, now }: RoutingTable,
): Promise<string | undefined> {
  if (isReserved(mailbox.local_part)) return readFirstWorkspaceId(db);
  if (catchAll === null || (await isHeldForAnother(db, mailbox, catchAll, now()))) return undefined;
  return catchAll;
}

/** Undefined when it is at no domain of ours. */
function parseMailbox(address: string, seedDomains: readonly string[]): Mailbox | undefined {
  // RFC 5321 §4.5.1: postmaster alone needs no domain.
  if (address.toLowerCase() === "postmaster")
    return { local_part: "postmaster", domain: seedDomains[0] ?? "", label: null };
  const at = address.lastIndexOf("@");
  const domain = toSeedDomain(address.slice(at + 1), seedDomains);
  if (at < 1 || domain === undefined) return undefined;
  const localPart = unquote(address.slice(0, at));
  const plus = localPart.indexOf("+");
  const local_part = (plus < 0 ? localPart : localPart.slice(0, plus)).toLowerCase();
  // Behind `bounce+` stands a token of ours and no label.
  const hasLabel = plus >= 0 && local_part !== "bounce";
  const label = hasLabel ? toStorable(localPart.slice(plus + 1, plus + 1 + longestLabel)) || null : null;
  return { local_part: toStorable(local_part), domain, label };
}

function toSeedDomain(domain: string, seedDomains: readonly string[]): string | undefined {
  if (domain.length > longestDomain) return undefined;
  const name = domain.toLowerCase().replace(/\.$/, "");
  if (seedDomains.includes(name)) return name;
  // Of printable ASCII there is nothing to convert, and the URL parser would take a slash or a port for the end of the name.
  if (!/[^\0-\x7f]/.test(name) || /[\0-,/:-@[-^`{-\x7f]/.test(name)) return undefined;
  const ascii = domainToASCII(name);
  return seedDomains.includes(ascii) ? ascii : undefined;
}

/** RFC 5321 §4.1.2: `"w7k3"` and `w7k3` are the same mailbox, and a backslash only shields what follows it. */
function unquote(localPart: string): string {
  const isQuoted = localPart.length > 2 && localPart.startsWith('"') && localPart.endsWith('"');
  return isQuoted ? localPart.slice(1, -1).replace(/\\(.)/gs, "$1") : localPart;
}
