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
  const address = inbox && toInboxAddress(inbox);
  const mailboxes = (await listMailboxes(scope)).filter(showsPlacement);
  return [
    ...(address === undefined
      ? []
      : [
          {
            ...({ kind: "inbox", address, account: address } as const),
            ...({ provider: null, status: "connected", integrationId: null } as const),
          },
        ]),
    ...mailboxes.map((row) => ({
      ...({ kind: "mailbox", address: readEmail(row.account) ?? null } as const),
      account: row.account,
      provider: row.seed_provider,
      status: row.status,
      integrationId: row.id,
    })),
  ];
}

/** 100 random bits. The token is not stored, because a message that contains it proves its own origin. */
export function createBodyToken({ random }: Pick<System, "random">): string {
  return `assay-${Array.from(random(20), (byte) => alphabet[byte & 31]).join("")}`;
}
