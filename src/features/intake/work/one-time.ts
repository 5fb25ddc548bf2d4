// Addresses that take one message each. A feature brings them; without it, there are none.

import type { SeedMailbox } from "../../../analyzer/mail/headers/seed-address.ts";
import type { Db } from "../../../platform/database/schema.ts";
import type { Routing } from "./route-recipient.ts";

export type OneTimeAddresses = {
  /** Undefined: the address isn't one of them. `client`: the address of the SMTP client. */
  readonly route: (mailbox: SeedMailbox, address: string, client: string) => Promise<Routing | undefined>;
  /** In the transaction that stores the message. Throws a refusal with `conflict` if another message was first. */
  readonly take: (db: Db, address: string, test: TakenBy) => Promise<void>;
};

type TakenBy = { readonly id: string; readonly receivedAt: number; readonly bytes: number };
