// The thread of long reads: a read-only connection that answers queries, one after the other, or writes one copy of
// the whole database. Ended by whoever started it (thread-reader.ts).

import { parentPort, workerData } from "node:worker_threads";
import { openDatabase } from "./sqlite-database.ts";

export type ReadingThreadSetup = { readonly file: string; readonly addonFile: string | undefined };
export type ThreadRequest =
  | { readonly id: number; readonly sql: string; readonly parameters: readonly unknown[] }
  | { readonly id: number; readonly copyTo: string };
export type ThreadAnswer =
  | { readonly id: number; readonly rows: unknown[] }
  | { readonly id: number; readonly error: { readonly message: string; readonly code: unknown } };

const setup = workerData as ReadingThreadSetup;
const database = openDatabase(setup.file, { readonly: true, lockWaitMs: 5_000, addonFile: setup.addonFile });

parentPort?.on("message", (request: ThreadRequest) => parentPort?.postMessage(answer(request)));

function answer(request: ThreadRequest): ThreadAnswer {
  try {
    if ("copyTo" in request) {
      database.run("vacuum into ?", [request.copyTo]);
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
