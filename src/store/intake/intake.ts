// How received messages come into the database: durable when `insert` resolves. A port with a file a dialect, because
// this is the one place where Kysely would cost more than the insert itself.

import type { Db } from "../schema.ts";
import type { Store } from "../store.ts";
import { createPortableIntake } from "./portable.ts";
import { createSqliteIntake } from "./sqlite.ts";

export type Intake = {
  /** All of them, or none and an error. `check` may refuse them, in the transaction that they come in by. */
  readonly insert: (messages: readonly NewMessage[], check?: (db: Db) => Promise<void>) => Promise<void>;
};

/** One message of one SMTP transaction. */
export type NewMessage = {
  readonly bytes: Uint8Array;
  readonly receivedAt: number;
  readonly sender: string | null;
  readonly subject: string | null;
  /** One a workspace among the recipients. */
  readonly tests: readonly NewTest[];
};

export type NewTest = {
  readonly id: string;
  readonly workspaceId: string;
  readonly seedInboxId: string | null;
  readonly label: string | null;
  readonly recipients: readonly string[];
  /** The send of ours that it comes of. */
  readonly sendId?: string | null;
  /** Of the laboratory. */
  readonly isSample?: boolean;
  /** The SMTP session as this workspace may see it, as mail/session-text.ts writes it. */
  readonly session: string;
};

export function createIntake(store: Store): Intake {
  const portable = createPortableIntake(store);
  if (!store.sqlite) return portable;
  const quick = createSqliteIntake(store.sqlite);
  return { insert: (messages, check) => (check ? portable.insert(messages, check) : quick.insert(messages)) };
}
