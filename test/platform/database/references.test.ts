import { sql } from "kysely";
import { expect, test } from "vitest";
import { openSqliteStore, temporaryFolder } from "./temporary.ts";

/** Tables with a few rows for each connected workspace. */
const small = ["mailbox_folders", "oauth_states"];

test("deleting a workspace, domain, or webhook row scans no large table", async () => {
  const { read } = await openSqliteStore(`${temporaryFolder()}/assay.db`);
  const { rows } = await sql<{ table: string }>`
    select t.name as "table" from sqlite_schema t join pragma_foreign_key_list(t.name) f
    where t.type = 'table' and f."table" in ('workspaces', 'domains', 'alerts', 'alert_events') and not exists (
      select 1 from pragma_index_list(t.name) l join pragma_index_info(l.name) i
      where i.seqno = 0 and i.name = f."from" and l.partial = 0)`.execute(read);
  expect(rows.map(({ table }) => table).sort()).toEqual(small);
});
