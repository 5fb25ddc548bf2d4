// What belongs to a workspace is had only through a scope made for that workspace: its queries bear the workspace
// already, so that no function can forget it. A request is given no more than the part of the store that is its
// workspace's (http/route.ts). Functions that find out the workspace (an address, a token's hash) or
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
import type { Db, Schema } from "./schema/schema.ts";
import type { Store } from "./store.ts";

type ScopedTable =
  | "seed_inboxes"
  | "memberships"
  | "invitations"
  | "billing_accounts"
  | "api_tokens"
  | "tests"
  | "test_counts"
  | "released_addresses"
  | "bounces"
  | "mail_reports"
  | "tls_policies"
  | "shares"
  | "kind_rules"
  | "contributions"
  | "rollup_changes"
  | "rollup_numbers"
  | "rollup_details"
  | "domains"
  | "domain_watches"
  | "domain_reports"
  | "domain_changes"
  | "domain_rechecks"
  | "seen_senders"
  | "alerts"
  | "alert_events"
  | "deliveries"
  | "sends"
  | "signing_keys"
  | "integrations"
  | "mailbox_folders"
  | "oauth_states"
  | "observations"
  | "placement_shifts"
  | "test_marks"
  | "waiting_sightings"
  | "waiting_keys";

/** The row of the workspace itself is its own too. */
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

/** Made for every recipient of every message, hence without a function of its own for each query. */
class WorkspaceScope {
  readonly workspaceId: string;
  readonly #db: Db;

  constructor(db: Db, workspaceId: string) {
    this.#db = db;
    this.workspaceId = workspaceId;
  }

  // One table stands for all: the types of Scope say what each call gives.
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
    if (!(#db in scope)) throw new Error("A scope is made by inWorkspace alone.");
    return scope.#db;
  }
}

export function inWorkspace(db: Db, workspaceId: string): Scope {
  return new WorkspaceScope(db, workspaceId) as unknown as Scope;
}

/** For what others' rows tell a workspace, like whether an address is free; in store/ alone (test/laws/scopes.test.ts). */
export function unscoped(scope: Scope): Db {
  return WorkspaceScope.unscoped(scope);
}

/** The part of a store that is a workspace's; its doors are those of the store. */
export type WorkspaceStore = {
  readonly workspaceId: string;
  readonly read: Scope;
  readonly readInWorker: Scope;
  readonly write: <T>(work: (scope: Scope) => Promise<T>) => Promise<T>;
};

export function storeOf(
  { read, readInWorker, write }: Pick<Store, "read" | "readInWorker" | "write">,
  workspaceId: string,
): WorkspaceStore {
  return {
    workspaceId,
    read: inWorkspace(read, workspaceId),
    readInWorker: inWorkspace(readInWorker, workspaceId),
    write: (work) => write((db) => work(inWorkspace(db, workspaceId))),
  };
}
