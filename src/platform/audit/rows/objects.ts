// What the audit log may show of an object: what it was before a change, and what it is after.

import type { Db, Schema } from "../../database/schema.ts";
import type { AuditDetails } from "../rules/entry.ts";

type Row = Readonly<Record<string, unknown>>;

/** Columns are listed one by one, so that a new one, such as a secret, isn't recorded by accident. */
type Columns<Column> = {
  /** The column with its ID. Default: id. */
  readonly key?: Column;
  readonly columns: readonly Column[];
  /** Columns with an address, of which only the host is recorded, because a login is often part of it. */
  readonly hosts?: readonly Column[];
  /** Columns of which it is only recorded that they were set or changed. */
  readonly secrets?: readonly Column[];
};

type ObjectTraits = {
  /** As the log names it. */
  readonly kind: string;
  /** False: its table has no workspace. */
  readonly isScoped?: false;
  /** Who is the caller where a route names no other. */
  readonly isPerson?: true;
};

export type AuditedObject = ObjectTraits &
  Columns<string> & { readonly table: keyof Schema; readonly toName?: (row: Row, db: Db) => unknown };

/** A feature says of its objects what the log shows. */
export function auditedObject<Table extends keyof Schema>(
  object: ObjectTraits &
    Columns<keyof Schema[Table] & string> & {
      readonly table: Table;
      readonly toName?: (row: Readonly<Schema[Table]>, db: Db) => unknown;
    },
): AuditedObject {
  // Its rows are those of its table, which a type for all objects can't say.
  return object as unknown as AuditedObject;
}

/** Times as people and programs read them. */
const timeColumn = /_at$/;

type Shown = {
  readonly name: string | null;
  readonly values: Readonly<Record<string, unknown>>;
  /** Never leave this process: only compared. */
  readonly secrets: Readonly<Record<string, unknown>>;
};

async function showObject(db: Db, object: AuditedObject, row: Row): Promise<Shown> {
  const values = object.columns.map((column) => [column, toShownValue(column, row[column])]);
  const hosts = (object.hosts ?? []).map((column) => ["host", toHost(row[column])]);
  const secrets = (object.secrets ?? []).map((column) => [column, row[column]]);
  const name = (await object.toName?.(row, db)) ?? null;
  return {
    name: name === null ? null : String(name),
    values: Object.fromEntries([...values, ...hosts]),
    secrets: Object.fromEntries(secrets),
  };
}

function toShownValue(column: string, value: unknown): unknown {
  if (!timeColumn.test(column) || typeof value !== "number") return value ?? null;
  const time = new Date(value);
  return Number.isNaN(time.getTime()) ? value : time.toISOString();
}

/** The address itself for mail. */
function toHost(url: unknown): string | null {
  const parsed = URL.parse(String(url ?? ""));
  if (parsed === null) return null;
  return parsed.protocol === "mailto:" ? decodeURIComponent(parsed.pathname) : parsed.host;
}

export type Found = { readonly shown: Shown; readonly workspaceId: string | null };

type Whose = { readonly object?: AuditedObject | undefined; readonly workspaceId: string | null };

/** Only of the workspace in question, because an ID in a request may be another's. Null: of any, for a command. */
export async function readObject(
  db: Db,
  { object, workspaceId }: Whose,
  id: string | undefined,
): Promise<Found | undefined> {
  if (object === undefined || id === undefined) return undefined;
  // One table stands for all: each has its key, and `workspace_id` unless it says otherwise.
  const table = db.selectFrom(object.table as "api_tokens").selectAll();
  const row = await table
    .where((object.key ?? "id") as "id", "=", id)
    .$if(object.isScoped !== false && workspaceId !== null, (query) =>
      query.where("workspace_id", "=", workspaceId ?? ""),
    )
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return { shown: await showObject(db, object, row), workspaceId: object.isScoped === false ? null : row.workspace_id };
}

/** A change has only what differs. */
export function compareObject(
  before: Found | undefined,
  after: Found | undefined,
): { readonly name: string | null; readonly details: AuditDetails } {
  const name = before?.shown.name ?? after?.shown.name ?? null;
  if (before === undefined || after === undefined) {
    const details = {
      ...(before && { before: before.shown.values }),
      ...(after && { after: after.shown.values, ...secretsOf(after.shown) }),
    };
    return { name, details };
  }
  const changed = Object.keys(after.shown.values).filter((key) => !isSame(before.shown, after.shown, key, "values"));
  const pick = ({ values }: Shown) => Object.fromEntries(changed.map((key) => [key, values[key]]));
  const secrets = Object.keys(after.shown.secrets).filter((key) => !isSame(before.shown, after.shown, key, "secrets"));
  const details = {
    ...(changed.length > 0 && { before: pick(before.shown), after: pick(after.shown) }),
    ...(secrets.length > 0 && { secrets }),
  };
  return { name, details };
}

function secretsOf({ secrets }: Shown): Pick<AuditDetails, "secrets"> {
  const set = Object.keys(secrets).filter((key) => secrets[key] !== null && secrets[key] !== undefined);
  return set.length > 0 ? { secrets: set } : {};
}

function isSame(before: Shown, after: Shown, key: string, what: "values" | "secrets"): boolean {
  return before[what][key] === after[what][key];
}
