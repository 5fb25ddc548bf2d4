// Inserts tests as rows, without receiving and analyzing a message.

import { toRows } from "../../../src/features/intake/rows/intake.ts";
import { insertTests as insertTestRows } from "../../../src/features/tests/rows/insert-tests.ts";
import type { TestsTable } from "../../../src/features/tests/tables.ts";
import type { Store } from "../../../src/platform/database/store.ts";
import { message } from "./nouns.ts";

const analyzed = { status: "analyzed", due_at: null, header_from: "Ann <ann@sender.example>" } as const;
/** Few enough for the number of values that a statement takes. */
const rowsAtOnce = 500;

export async function insertTests(
  { write }: Pick<Store, "write">,
  workspaceId: string,
  changes: readonly Partial<TestsTable>[],
): Promise<void> {
  const rows = changes.flatMap((changed) =>
    toRows(message(changed.id ?? "", { workspaceId })).map(({ test }) => ({ ...test, ...analyzed, ...changed })),
  );
  await write(async (db) => {
    for (let start = 0; start < rows.length; start += rowsAtOnce)
      await insertTestRows(db, rows.slice(start, start + rowsAtOnce));
  });
}
