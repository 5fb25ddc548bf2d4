// The thread for long reads. A thread either answers queries and batches of them (readWholeOn) one after the other on a
// read-only connection, or moves the log into the file. thread-reader.ts starts and ends it.

import { parentPort, workerData } from "node:worker_threads";
import { openDatabase, type SqliteDatabase } from "./engine/sqlite-database.ts";
import { createReader, executeOn } from "./engine/sqlite-driver.ts";
import { type ReadBatch, readWholeOn, type WholeQuestion, type WholeReadName, type WholeReads } from "./store.ts";

export type ReadingThreadSetup = {
  readonly file: string;
  readonly addonFile: string | undefined;
  /** Still only reads. The last connection that may write removes SQLite's other files when it closes. */
  readonly isWritable?: boolean;
};
export type ThreadQuestion =
  | { readonly sql: string; readonly parameters: readonly unknown[] }
  | {
      readonly [Name in WholeReadName]: { readonly name: Name; readonly question: WholeQuestion<Name> };
    }[WholeReadName]
  | { readonly quickCheck: string }
  | { readonly moveLog: true };
export type ThreadRequest = { readonly id: number } & ThreadQuestion;
export type ThreadAnswer =
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly error: { readonly message: string; readonly code: unknown } };

const setup = workerData as ReadingThreadSetup;
const { file, addonFile, isWritable = false } = setup;
const database = openDatabase(file, { readonly: !isWritable, lockWaitMs: 5_000, addonFile });
if (isWritable) database.script("pragma query_only = on");
let mover: SqliteDatabase | undefined;

/** `reads`: what the main thread asks for as a whole. */
export function answerReads(reads: WholeReads): void {
  const readBatch = readWholeOn(createReader(executeOn(database)), reads);
  parentPort?.on("message", async (request: ThreadRequest) =>
    parentPort?.postMessage(await answer(request, readBatch)),
  );
}

async function answer(request: ThreadRequest, readBatch: ReadBatch): Promise<ThreadAnswer> {
  const { id } = request;
  try {
    return { id, answer: await comply(request, readBatch) };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { id, error: { message: error.message, code: "code" in error ? error.code : undefined } };
  }
}

function comply(request: ThreadRequest, readBatch: ReadBatch): unknown {
  if ("sql" in request) return database.query(request.sql, request.parameters).rows;
  if ("name" in request) return readBatch(request.name, request.question);
  if ("quickCheck" in request) return checkTable(request.quickCheck);
  return moveLog();
}

function checkTable(table: string): unknown {
  return database.pragma(`quick_check('${table.replaceAll("'", "''")}')`);
}

/** The second run moves what was written during the first, so that little is left for the writer. */
function moveLog(): void {
  mover ??= openDatabase(file, { lockWaitMs: 0, addonFile });
  for (let time = 0; time < 2; time++) mover.pragma("wal_checkpoint(passive)");
}
