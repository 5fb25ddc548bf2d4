// The thread of long reads: a read-only connection that answers queries, one after the other, or writes one copy of
// the whole database; or one that moves the log into the file. Ended by whoever started it (thread-reader.ts).

import { parentPort, workerData } from "node:worker_threads";
import { openDatabase, type SqliteDatabase } from "./sqlite-database.ts";

export type ReadingThreadSetup = { readonly file: string; readonly addonFile: string | undefined };
export type ThreadRequest =
  | { readonly id: number; readonly sql: string; readonly parameters: readonly unknown[] }
  | { readonly id: number; readonly copyTo: string }
  | { readonly id: number; readonly moveLog: true };
export type ThreadAnswer =
  | { readonly id: number; readonly rows: unknown[] }
  | { readonly id: number; readonly error: { readonly message: string; readonly code: unknown } };

const setup = workerData as ReadingThreadSetup;
const { file, addonFile } = setup;
const database = openDatabase(file, { readonly: true, lockWaitMs: 5_000, addonFile });
let mover: SqliteDatabase | undefined;

parentPort?.on("message", (request: ThreadRequest) => parentPort?.postMessage(answer(request)));

function answer(request: ThreadRequest): ThreadAnswer {
  try {
    if ("copyTo" in request) {
      database.run("vacuum into ?", [request.copyTo]);
      return { id: request.id, rows: [] };
    }
    if ("moveLog" in request) {
      moveLog();
      return { id: request.id, rows: [] };
    }
    return { id: request.id, rows: database.query(request.sql, request.parameters).rows };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return {
      id: request.id,
      error: { message: error.message, code: "code" in error ? error.code : undefined },
    };
  }
}

/** The second time takes what was written during the first, so that little is left to the writer. */
function moveLog(): void {
  mover ??= openDatabase(file, { lockWaitMs: 0, addonFile });
  for (let time = 0; time < 2; time++) mover.pragma("wal_checkpoint(passive)");
}
