// RCPT TO → the seed inbox that it means, or why it is refused.

import type { Db } from "../store/schema.ts";
import { findSeedInbox } from "../store/seed-inboxes.ts";

export type Recipient = {
  readonly workspaceId: string;
  /** Null where no inbox of its own took it. */
  readonly seedInboxId: string | null;
  /** What stands behind the plus sign. */
  readonly label: string | null;
  readonly address: string;
};

export type Routing =
  | { readonly outcome: "taken"; readonly recipient: Recipient }
  /** A domain that is not ours: never a relay. */
  | { readonly outcome: "foreign" }
  | { readonly outcome: "unknown" };

export async function routeRecipient(
  address: string,
  seedDomains: readonly string[],
  db: Db,
): Promise<Routing> {
  const at = address.lastIndexOf("@");
  const domain = address.slice(at + 1).toLowerCase();
  if (at < 1 || !seedDomains.includes(domain)) return { outcome: "foreign" };
  const [localPart = "", ...labelParts] = address.slice(0, at).split("+");
  const inbox = await findSeedInbox(db, localPart.toLowerCase(), domain);
  if (!inbox) return { outcome: "unknown" };
  const label = labelParts.join("+") || null;
  return {
    outcome: "taken",
    recipient: { workspaceId: inbox.workspace_id, seedInboxId: inbox.id, label, address },
  };
}
