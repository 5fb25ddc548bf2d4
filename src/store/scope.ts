// What belongs to a workspace is had only through a scope made for that workspace: its queries bear the workspace
// already, so that no function can forget it. Functions that find out the workspace (an address, a token's hash) or
// work for the whole installation take the db itself, and say so by it.

import {
  type DeleteQueryBuilder,
  type DeleteResult,
  type InsertQueryBuilder,
  type InsertResult,
  type SelectQueryBuilder,
  sql,
  type UpdateQueryBuilder,
  type UpdateResult,
} from "kysely";
import type { Db, Schema } from "./schema.ts";

type ScopedTable =
  | "seed_inboxes"
  | "memberships"
  | "invitations"
  | "billing_accounts"
  | "api_tokens"
  | "tests"
  | "test_counts"
  | "bounces"
  | "mail_reports"
  | "shares"
  | "contributions"
  | "rollup_changes"
  | "rollup_numbers"
  | "rollup_details";

export type Scope = {
  readonly workspaceId: string;
  readonly selectFrom: <T extends ScopedTable>(table: T) => SelectQueryBuilder<Schema, T, object>;
  readonly insertInto: <T extends ScopedTable>(
    table: T,
    row: Omit<Schema[T], "workspace_id">,
  ) => InsertQueryBuilder<Schema, T, InsertResult>;
  readonly updateTable: <T extends ScopedTable>(table: T) => UpdateQueryBuilder<Schema, T, T, UpdateResult>;
  readonly deleteFrom: <T extends ScopedTable>(table: T) => DeleteQueryBuilder<Schema, T, DeleteResult>;
};

export function inWorkspace(db: Db, workspaceId: string): Scope {
  const own = (table: ScopedTable) => sql<boolean>`${sql.ref(`${table}.workspace_id`)} = ${workspaceId}`;
  // One table stands for all three below: the types of Scope say what each call gives.
  const queries = {
    selectFrom: (table: "tests") => db.selectFrom(table).where(own(table)),
    insertInto: (table: "tests", row: Schema["tests"]) =>
      db.insertInto(table).values({ ...row, workspace_id: workspaceId }),
    updateTable: (table: "tests") => db.updateTable(table).where(own(table)),
    deleteFrom: (table: "tests") => db.deleteFrom(table).where(own(table)),
  };
  return { workspaceId, ...queries } as unknown as Scope;
}
