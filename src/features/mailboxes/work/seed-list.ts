// Addresses for a placement test: the seed inbox that creates the test, and the seed mailboxes that observe it.

import { readEmail } from "../../../platform/contract/emails.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import type { System } from "../../../platform/system/system.ts";
import { readSampleInbox, toInboxAddress } from "../../intake/rows/seed-inboxes.ts";
import type { SeedAddress } from "../contract/seed-list.ts";
import { listMailboxes } from "../rows/mailboxes.ts";
import { showsPlacement } from "./follow-observations.ts";

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

export async function listSeedAddresses(scope: Scope, seedDomains: readonly string[]): Promise<SeedAddress[]> {
  const inbox = await readSampleInbox(scope, seedDomains);
  const mailboxes = (await listMailboxes(scope))
    .filter(showsPlacement)
    .map(
      ({ id, account, seed_provider: provider, status }): SeedAddress => ({
        kind: "mailbox",
        address: readEmail(account) ?? null,
        account,
        provider,
        status,
        integrationId: id,
      }),
    );
  if (!inbox) return mailboxes;
  const address = toInboxAddress(inbox);
  const own = { kind: "inbox", address, account: address, provider: null } as const;
  return [{ ...own, status: "connected", integrationId: null }, ...mailboxes];
}

/** 100 random bits. The token is not stored, because a message that contains it proves its own origin. */
export function createBodyToken({ random }: Pick<System, "random">): string {
  return `assay-${Array.from(random(20), (byte) => alphabet[byte & 31]).join("")}`;
}
