// A copy with everything in one file: raw messages that are stored outside the database are put into it. And what tells
// whether a copy is good.

import type { CopyContents } from "../../../platform/database/engine/restore.ts";
import {
  openDatabase,
  type SqliteDatabase,
  type SqlValue,
  sqliteCode,
} from "../../../platform/database/engine/sqlite-database.ts";
import { type MessageRow, type Messages, unlessMissing } from "../../../platform/database/messages.ts";
import { indexWords } from "../../../platform/database/search/sqlite.ts";
import { Refusal } from "../../../platform/errors.ts";
import { decodeRaw } from "../../tests/rows/raw-messages.ts";
import { decodeReport } from "../../tests/rows/reports.ts";
import type { Pace } from "./from-postgres.ts";

type CopyFile = { readonly file: string; readonly addonFile: string | undefined };

/** A message may be large. */
const messagesAtOnce = 4;
const rowsAtOnce = 200;

type OutsideRow = MessageRow & { readonly test_id: string };

/**
 * Returns how many messages are missing from their place: the tests of most were deleted after the copy was made. If the
 * place can't be reached, it throws.
 */
export async function embedMessages(
  { file, addonFile }: CopyFile,
  messages: Pick<Messages, "open">,
  pace: Pace,
): Promise<{ readonly embedded: number; readonly missing: number }> {
  using database = openDatabase(file, { lockWaitMs: 0, addonFile });
  let [embedded, missing] = [0, 0];
  for (const pragma of ["journal_mode = off", "synchronous = off"]) database.script(`pragma ${pragma}`);
  for (let after = ""; ; ) {
    const rows = database.all<OutsideRow>(
      `select test_id, encoding, bytes, session, stored_in, object_key, object_hash, object_bytes
        from raw_messages where object_key is not null and test_id > ? order by test_id limit ?`,
      [after, rowsAtOnce],
    );
    for (let from = 0; from < rows.length; from += messagesAtOnce) {
      const done = await embedSome(database, messages, rows.slice(from, from + messagesAtOnce));
      embedded += done.embedded;
      missing += done.missing;
      await pace(done.bytes);
    }
    const last = rows.at(-1);
    if (last === undefined) return { embedded, missing };
    after = last.test_id;
  }
}

async function embedSome(
  database: SqliteDatabase,
  messages: Pick<Messages, "open">,
  rows: readonly OutsideRow[],
): Promise<{ readonly embedded: number; readonly missing: number; readonly bytes: number }> {
  const opened = await Promise.all(rows.map((row) => unlessMissing(messages.open(row))));
  let [embedded, bytes] = [0, 0];
  for (const [index, kept] of opened.entries()) {
    if (kept === undefined) continue;
    embedOne(database, rows[index]?.test_id ?? "", kept.bytes);
    embedded += 1;
    bytes += kept.bytes.length;
  }
  return { embedded, missing: rows.length - embedded, bytes };
}

function embedOne(database: SqliteDatabase, testId: string, bytes: Uint8Array): void {
  database.run(
    `update raw_messages set bytes = ?, stored_in = null, object_key = null, object_hash = null, object_bytes = null
      where test_id = ?`,
    [bytes, testId],
  );
}

/** Notes in a copy, in its table `meta`. The server key is removed when the copy is restored. */
const keyNote = "backup_secret_key";

/** `keyText`: the content of secret.key, only for a copy that is encrypted. Null removes one that an older copy left. */
export function noteKey({ file, addonFile }: CopyFile, keyText: string | null): void {
  using database = openDatabase(file, { lockWaitMs: 0, addonFile });
  database.script("pragma journal_mode = delete");
  database.script("pragma secure_delete = on");
  database.run("delete from meta where key = ?", [keyNote]);
  if (keyText !== null) database.run("insert into meta (key, value) values (?, ?)", [keyNote, keyText]);
}

export function readNotedKey({ file, addonFile }: CopyFile): string | null {
  using database = openDatabase(file, { readonly: true, lockWaitMs: 0, addonFile });
  const [note] = database.all<{ readonly value: string }>("select value from meta where key = ?", [keyNote]);
  return note?.value ?? null;
}

/** How many reports and messages of a copy are opened. */
const sampled = 25;

/**
 * Beyond what `verifyCopy` reads: references, and a sample of reports and messages from the whole range, which are
 * decompressed and parsed.
 */
export function checkContents({ file, addonFile }: CopyFile, { tests }: Pick<CopyContents, "tests">): void {
  using database = openDatabase(file, { readonly: true, lockWaitMs: 0, addonFile });
  try {
    if (database.all("pragma foreign_key_check").length > 0) throw unusable(file, "rows point to missing rows");
    const step = Math.max(1, Math.floor(tests / sampled));
    for (let place = 0; place < tests; place += step) {
      const [test] = database.all<{ readonly id: string }>("select id from tests order by id limit 1 offset ?", [
        BigInt(place),
      ]);
      if (test !== undefined) checkTest(database, test.id);
    }
  } catch (error) {
    if (error instanceof Refusal) throw error;
    if (sqliteCode(error) !== undefined) throw unusable(file, "it cannot be read");
    throw unusable(file, "a report or a message in it cannot be opened");
  }
}

/** Opens the newest report of each month. */
export function openEachMonth({ file, addonFile }: CopyFile): void {
  using database = openDatabase(file, { readonly: true, lockWaitMs: 0, addonFile });
  let current = "";
  try {
    const newest = database.all<{ readonly month: string; readonly id: string }>(
      `select strftime('%Y-%m', received_at / 1000, 'unixepoch') as month, max(id) as id
        from tests join reports on test_id = id group by 1`,
    );
    for (const { month, id } of newest) {
      current = month;
      checkTest(database, id);
    }
  } catch {
    throw new Refusal("conflict", `A report or a message of ${current} cannot be opened.`);
  }
}

function checkTest(database: SqliteDatabase, id: string): void {
  const reports = database.all<{ readonly report: Uint8Array }>(
    "select report from reports where test_id = ? order by created_at desc limit 1",
    [id],
  );
  for (const { report } of reports) JSON.parse(decodeReport(report));
  const messages = database.all<{ readonly encoding: number; readonly bytes: Uint8Array } & Record<string, SqlValue>>(
    "select encoding, bytes from raw_messages where test_id = ? and object_key is null",
    [id],
  );
  for (const message of messages) decodeRaw(message);
}

function unusable(file: string, why: string): Refusal {
  return new Refusal("conflict", `The copy ${file} is not usable: ${why}. Make another one.`);
}

/** What the search finds tests by. A copy of PostgreSQL has only the words. */
export function fillTrigrams({ file, addonFile }: CopyFile): void {
  using database = openDatabase(file, { lockWaitMs: 0, addonFile });
  const [indexed] = database.all("select 1 from test_trigrams_docsize limit 1");
  if (indexed !== undefined) return;
  database.script("pragma journal_mode = delete");
  database.script("pragma synchronous = off");
  database.script("begin");
  indexWords(database);
  database.script("commit");
}
