// Inserts received messages: durable when `insert` resolves. A port with one implementation for each dialect, because
// this is the one place where Kysely would cost more than the insert itself.

import type { Insertable } from "kysely";
import { decodedText } from "../../../analyzer/mail/headers/encoded-words.ts";
import { readHeaderSection } from "../../../analyzer/mail/headers/fields.ts";
import { toStorableCut } from "../../../analyzer/mail/text/bounds.ts";
import type { RawDb, SqlValue } from "../../../platform/database/engine/sqlite-database.ts";
import { deferToCommit } from "../../../platform/database/engine/write-context.ts";
import { inDatabase, type Messages, type Placed } from "../../../platform/database/messages.ts";
import type { Db, RawMessagesTable } from "../../../platform/database/schema.ts";
import type { SqliteDoors, Store } from "../../../platform/database/store.ts";
import { countReceivedTests, insertTests } from "../../tests/rows/insert-tests.ts";
import { encodeRaw } from "../../tests/rows/raw-messages.ts";
import type { TestsTable } from "../../tests/tables.ts";

export type Intake = {
  /** Inserts all of them, or none and throws. `check` may refuse them in the same transaction. */
  readonly insert: (messages: readonly NewMessage[], check?: (db: Db) => Promise<void>) => Promise<void>;
};

/** One message of one SMTP transaction. */
export type NewMessage = {
  readonly bytes: Uint8Array;
  readonly receivedAt: number;
  readonly sender: string | null;
  /** One for each workspace among the recipients. */
  readonly tests: readonly NewTest[];
};

export type NewTest = {
  readonly id: string;
  readonly workspaceId: string;
  readonly seedInboxId: string | null;
  readonly label: string | null;
  readonly recipients: readonly string[];
  /** Our send that caused it. */
  readonly sendId?: string | null;
  /** From the sample gallery. */
  readonly isSample?: boolean;
  /** When it may be analyzed. Absent: at once. */
  readonly dueAt?: number;
  /** Sent by a monitor. */
  readonly isCanary?: boolean;
  /** The SMTP session as this workspace may see it, serialized by analyzer/mail/session/session-text.ts. */
  readonly session: string;
};

export function createIntake(store: Store): Intake {
  const portable = createPortableIntake(store);
  if (!store.sqlite) return portable;
  const quick = createSqliteIntake(store.sqlite, store.messages);
  return {
    insert: (messages, check) =>
      check || messages.some(hasCanary) ? portable.insert(messages, check) : quick.insert(messages),
  };
}

/** The quick statement has the class of a test written into it. */
function hasCanary({ tests }: NewMessage): boolean {
  return tests.some(({ isCanary }) => isCanary);
}

/** PostgreSQL groups commits itself; this saves round trips. On SQLite it is used for the few inserts with a check. */
function createPortableIntake({ write, messages: place }: Pick<Store, "write" | "messages">): Intake {
  return {
    insert: async (messages, check) => {
      const rows = await placeRows(messages.flatMap(toRows), place);
      if (rows.length === 0) return;
      let isRefused = false;
      const insert = async (db: Db) => {
        isRefused = true; // for as long as the check decides
        await check?.(db);
        isRefused = false;
        for (const some of inChunks(rows)) {
          await insertTests(
            db,
            some.map(({ test }) => test),
          );
          await db
            .insertInto("raw_messages")
            .values(some.map(({ raw }) => raw))
            .execute();
        }
      };
      try {
        await write(insert);
      } catch (error) {
        if (isRefused) await removeObjects(rows, place);
        throw error;
      }
    },
  };
}

/** A statement takes at most 65,535 parameters. */
function inChunks(rows: readonly IntakeRows[], size = 1_000): IntakeRows[][] {
  const chunks: IntakeRows[][] = [];
  for (let start = 0; start < rows.length; start += size) chunks.push(rows.slice(start, start + size));
  return chunks;
}

/** Compresses before its turn in the queue, because inside a write every millisecond delays everyone. */
export function createSqliteIntake({ writeRaw }: Pick<SqliteDoors, "writeRaw">, place: Messages = inDatabase): Intake {
  const insertTest = createInsert("tests");
  const insertRaw = createInsert("raw_messages");
  return {
    insert: async (messages) => {
      const rows = await placeRows(messages.flatMap(toRows), place);
      if (rows.length === 0) return;
      const bytes = rows.reduce((sum, { raw }) => sum + raw.bytes.length, 0);
      await writeRaw((db) => {
        for (const { test, raw } of rows) {
          insertTest(db, test);
          insertRaw(db, raw);
          deferToCommit(countReceivedTests, test);
        }
      }, bytes);
    },
  };
}

/**
 * Every row of a table has the same columns in the same order, because one function creates them: the first row names
 * them. Constant values are written into the statement, because each bound value costs time.
 */
function createInsert(table: string): (db: RawDb, row: Readonly<Record<string, SqlValue>>) => void {
  let text: string | undefined;
  let bound: string[] = [];
  return (db, row) => {
    if (text === undefined) {
      const columns = Object.keys(row);
      bound = columns.filter((column) => !(column in alike));
      text = toInsertText(table, columns);
    }
    db.run(
      text,
      bound.map((column) => row[column] ?? null),
    );
  };
}

function toInsertText(table: string, columns: readonly string[]): string {
  const literals: Readonly<Record<string, string | number>> = alike;
  const values = columns.map((column) => (column in literals ? toLiteral(literals[column]) : "?"));
  return `insert into ${table} (${columns.join(", ")}) values (${values.join(", ")})`;
}

/** Only for our own values. */
function toLiteral(value: string | number | undefined): string {
  return typeof value === "string" ? `'${value}'` : `${value}`;
}

type IntakeRows = {
  readonly test: Insertable<TestsTable>;
  readonly raw: Placed & Pick<RawMessagesTable, "test_id" | "session">;
};

/**
 * Stores the objects before the rows. If a row can't be written, its object stays: whether a commit that failed to
 * answer was made is unknown. The sweep removes it if it wasn't (features/server/upkeep/objects.ts).
 */
async function placeRows(rows: readonly IntakeRows[], messages: Messages): Promise<readonly IntakeRows[]> {
  if (messages.place === "database") return rows;
  return await Promise.all(
    rows.map(async ({ test, raw }) => ({ test, raw: { ...raw, ...(await messages.put(test.id, raw)) } })),
  );
}

/** A refused message has no row for certain. If its object can't be removed now, the sweep removes it. */
async function removeObjects(rows: readonly IntakeRows[], { s3 }: Messages): Promise<void> {
  await Promise.allSettled(rows.map(async ({ raw: { object_key } }) => object_key && (await s3?.remove(object_key))));
}

export function toRows(message: NewMessage): IntakeRows[] {
  const encoded = encodeRaw(message.bytes);
  const shown = readShownHeaders(message.bytes);
  return message.tests.map((test) => ({
    test: { ...toTestRow(message, test), ...shown },
    raw: { test_id: test.id, session: test.session, ...encoded },
  }));
}

/** The same for every message that hasn't been analyzed. */
const alike = { became: "test", status: "received", tries_alone: 0, attempts: 0 } as const;

const headBytes = 65_536;
const maxFields = 200;
const longestShown = 1_000;

/** Lists show them until the analysis has read the whole message. */
function readShownHeaders(bytes: Uint8Array): Pick<TestsTable, "header_from" | "subject"> {
  const { fields } = readHeaderSection(bytes.subarray(0, headBytes), maxFields);
  const read = (key: string) => {
    const field = fields.find((one) => one.key === key);
    return field === undefined
      ? null
      : toStorableCut(decodedText({ value: field.value.slice(0, longestShown) }), longestShown);
  };
  return { header_from: read("from"), subject: read("subject") };
}

/**
 * Leaves out columns that are null for every message not yet analyzed, because each bound value costs time and there
 * are two dozen.
 */
function toTestRow(message: NewMessage, test: NewTest): Insertable<TestsTable> {
  return {
    ...alike,
    ...(test.isCanary && { became: "canary" as const }),
    id: test.id,
    workspace_id: test.workspaceId,
    seed_inbox_id: test.seedInboxId,
    received_at: message.receivedAt,
    label: test.label,
    sender: message.sender,
    recipients: JSON.stringify(test.recipients),
    size_bytes: message.bytes.length,
    send_id: test.sendId ?? null,
    sample: test.isSample ? 1 : 0,
    due_at: test.dueAt ?? message.receivedAt,
  };
}
