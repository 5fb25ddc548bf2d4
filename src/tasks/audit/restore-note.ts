// A restore replaces the database, and the log in it. So it is noted in a file, and the next command or server that opens
// the restored database records it there.

import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { serverChain, toDetailsText } from "../../audit/entry.ts";
import { parseJsonObject } from "../../json.ts";
import { appendEntry } from "../../store/audit/append.ts";
import type { Store } from "../../store/store.ts";
import { createPrivateFile } from "../../system/private-file.ts";

type RestoreNote = {
  readonly at: number;
  readonly by: string;
  readonly file: string;
  readonly tests: number;
};

const noteFile = (dataDir: string) => join(dataDir, "restore.json");

/** Written before, because the process may be killed after. */
export async function withRestoreNote<T>(
  dataDir: string,
  note: RestoreNote,
  restore: () => Promise<T>,
): Promise<T> {
  await rm(noteFile(dataDir), { force: true });
  await createPrivateFile(noteFile(dataDir), JSON.stringify(note));
  try {
    return await restore();
  } catch (error) {
    await rm(noteFile(dataDir), { force: true });
    throw error;
  }
}

export async function recordRestore({ write }: Pick<Store, "write">, dataDir: string): Promise<void> {
  const text = await readFile(noteFile(dataDir), "utf8").catch(() => null);
  if (text === null) return;
  const { at, by, file, tests } = parseJsonObject(text) ?? {};
  await write((db) =>
    appendEntry(db, [serverChain], {
      ...{ at: Number(at) || 0, action: "backup.restore" },
      ...{ actor_type: "command", actor_id: null, actor_name: String(by ?? ""), actor_email: null },
      ...{ object_kind: null, object_id: null, object_name: null },
      ...{ outcome: "done", times: 1, address: null },
      details: toDetailsText({ request: { file: String(file ?? "") }, after: { tests } }),
    }),
  );
  await rm(noteFile(dataDir), { force: true });
}
