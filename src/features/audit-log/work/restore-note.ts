// A restore replaces the database, and the log in it. So it is noted in a file, and the next command or server that opens
// the database records it there. The restored copy has a mark, so that a restore that was killed before it took effect is
// recorded as failed.

import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { type JsonObject, parseJsonObject } from "../../../analyzer/json.ts";
import { appendEntry, bySystem } from "../../../platform/audit/rows/append.ts";
import { serverChain, toDetailsText } from "../../../platform/audit/rules/entry.ts";
import { readMeta, writeMeta } from "../../../platform/database/engine/meta.ts";
import type { Store } from "../../../platform/database/store.ts";
import { Refusal } from "../../../platform/errors.ts";
import { createPrivateFile } from "../../../platform/system/private-file.ts";

type RestoreNote = {
  /** The mark in the restored copy. */
  readonly id: string;
  readonly at: number;
  readonly by: string;
  readonly file: string;
  readonly tests: number;
};

const noteFile = (dataDir: string) => join(dataDir, "restore.json");

/** Written before, because the process may be killed after. */
export async function withRestoreNote<T>(dataDir: string, note: RestoreNote, restore: () => Promise<T>): Promise<T> {
  await writeNote(dataDir, note);
  try {
    return await restore();
  } catch (error) {
    const code = error instanceof Refusal ? error.code : "internal";
    // The disk may be full. Then the first note is recorded, and the mark is missing.
    await writeNote(dataDir, { ...note, error: code }).catch(() => {});
    throw error;
  }
}

async function writeNote(dataDir: string, note: RestoreNote & { readonly error?: string }): Promise<void> {
  await rm(noteFile(dataDir), { force: true });
  await createPrivateFile(noteFile(dataDir), JSON.stringify(note));
}

export async function recordRestore({ write }: Pick<Store, "write">, dataDir: string): Promise<void> {
  const text = await readFile(noteFile(dataDir), "utf8").catch(() => null);
  if (text === null) return;
  const note = parseJsonObject(text) ?? {};
  const recorded = `recorded ${String(note.id)}`;
  await write(async (db) => {
    const mark = await readMeta(db, "restored");
    if (mark === recorded) return;
    await writeMeta(db, "restored", recorded);
    await appendEntry(db, [serverChain], toEntry(note, mark));
  });
  await rm(noteFile(dataDir), { force: true });
}

function toEntry({ id, at, by, file, tests, error }: JsonObject, mark: string | undefined) {
  const isDone = mark === id;
  return {
    ...bySystem,
    at: Number(at) || 0,
    action: "backup.restore",
    actor_type: "command" as const,
    actor_name: String(by ?? ""),
    outcome: isDone ? ("done" as const) : ("failed" as const),
    details: toDetailsText({
      request: { file: String(file ?? "") },
      ...(isDone ? { after: { tests } } : { error: String(error ?? "interrupted") }),
    }),
  };
}
