// Data of a workspace is accessed only through its scope: the scope's queries include the workspace, so no function can
// forget it. A request gets only its workspace's part of the store (platform/route.ts). Functions that find the workspace
// (by an address, by a token's hash) or work for the whole server take the db itself, which makes that visible.

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
import type { Messages } from "./messages.ts";
import type { Db, Schema } from "./schema.ts";
import type { Store } from "./store.ts";

/** Every table whose rows name their workspace. */
type ScopedTable = { [T in keyof Schema]: Schema[T] extends { workspace_id: string | null } ? T : never }[keyof Schema];

/** The workspace's own row belongs to it too. */
type OwnTable = ScopedTable | "workspaces";

export type Scope = {
  readonly workspaceId: string;
  readonly selectFrom: <T extends OwnTable>(table: T) => SelectQueryBuilder<Schema, T, object>;
  readonly insertInto: <T extends ScopedTable>(
    table: T,
    row: Omit<Schema[T], "workspace_id">,
  ) => InsertQueryBuilder<Schema, T, InsertResult>;
  readonly updateTable: <T extends OwnTable>(table: T) => UpdateQueryBuilder<Schema, T, T, UpdateResult>;
  readonly deleteFrom: <T extends ScopedTable>(table: T) => DeleteQueryBuilder<Schema, T, DeleteResult>;
};

/** Created for every recipient of every message, so it is a class without a closure for each query. */
class WorkspaceScope {
  readonly workspaceId: string;
  readonly #db: Db;

  constructor(db: Db, workspaceId: string) {
    this.#db = db;
    this.workspaceId = workspaceId;
  }

  // One table stands for all. The types of Scope give each call its result type.
  selectFrom(table: "tests") {
    return this.#db.selectFrom(table).where(this.#own(table));
  }

  insertInto(table: "tests", row: Schema["tests"]) {
    return this.#db.insertInto(table).values({ ...row, workspace_id: this.workspaceId });
  }

  updateTable(table: "tests") {
    return this.#db.updateTable(table).where(this.#own(table));
  }

  deleteFrom(table: "tests") {
    return this.#db.deleteFrom(table).where(this.#own(table));
  }

  #own(table: OwnTable) {
    const column = table === "workspaces" ? "workspaces.id" : `${table}.workspace_id`;
    return sql<boolean>`${sql.ref(column)} = ${this.workspaceId}`;
  }

  static unscoped(scope: object): Db {
    if (!(#db in scope)) throw new Error("Only inWorkspace creates a scope.");
    return scope.#db;
  }
}

export function inWorkspace(db: Db, workspaceId: string): Scope {
  return new WorkspaceScope(db, workspaceId) as unknown as Scope;
}

/**
 * For what a workspace may learn from others' rows, such as whether an address is free. Only for store/
 * (test/laws/scopes.test.ts).
 */
export function unscoped(scope: Scope): Db {
  return WorkspaceScope.unscoped(scope);
}

/** A workspace's part of a store, with the same methods as the store. */
export type WorkspaceStore = {
  readonly workspaceId: string;
  readonly read: Scope;
  readonly readInWorker: Scope;
  readonly write: <T>(work: (scope: Scope) => Promise<T>) => Promise<T>;
  /** Opens rows that were read through a scope. */
  readonly messages: Messages;
};

export function storeOf(
  { read, readInWorker, write, messages }: Pick<Store, "read" | "readInWorker" | "write" | "messages">,
  workspaceId: string,
): WorkspaceStore {
  return {
    workspaceId,
    read: inWorkspace(read, workspaceId),
    readInWorker: inWorkspace(readInWorker, workspaceId),
    write: (work) => write((db) => work(inWorkspace(db, workspaceId))),
    messages,
  };
}
