import { expect, test } from "vitest";
import { listTables } from "../../../../src/features/backups/rows/own-names.ts";
import { leftOut, workspaceTables } from "../../../../src/features/backups/rows/workspace-tables.ts";
import { openDatabase } from "../../../../src/platform/database/engine/sqlite-database.ts";
import { openSqliteStore, temporaryFolder } from "../../../platform/database/temporary.ts";

type Reference = { readonly from: string; readonly table: string };

/** Rows of the whole server. */
const ofServer = [
  "billing_events",
  "chores",
  "confirmation_mails",
  "login_failures",
  "meta",
  "object_removals",
  "password_resets",
  "sessions",
  "users",
  "workspaces",
  "identities",
  "session_logins",
  "emergency_accounts",
  "second_factors",
  "recovery_codes",
];

test("every table with rows of workspaces moves with them or is left out with a reason", async () => {
  const file = `${temporaryFolder()}/assay.db`;
  await openSqliteStore(file);
  const database = openDatabase(file, { readonly: true, lockWaitMs: 0, addonFile: undefined });
  const tables = listTables(database);
  const known = [...workspaceTables.map(({ name }) => name), ...Object.keys(leftOut), ...ofServer];
  expect(tables.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([]);
  const elsewhere = ["workspaces", "users", "memberships", "api_tokens"];
  const before = new Set(elsewhere);
  for (const { name, owned = {} } of workspaceTables) {
    const references = database.all<Reference>('select "from", "table" from pragma_foreign_key_list(?)', [name]);
    for (const { from, table } of references.filter((each) => !elsewhere.includes(each.table))) {
      expect({ name, from, owned: owned[from] }).toEqual({ name, from, owned: table });
      expect({ name, after: before.has(table) }).toEqual({ name, after: true });
    }
    before.add(name);
  }
  database.close();
});
