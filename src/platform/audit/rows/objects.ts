// Reads an object before and after a change, and says what changed.

import type { Db } from "../../database/schema.ts";
import type { AuditDetails } from "../rules/entry.ts";
import { type AuditedObject, type AuditObjectKind, auditedObjects, type Shown, showObject } from "./objects-table.ts";

export type Found = { readonly shown: Shown; readonly workspaceId: string | null };

type Whose = { readonly object?: AuditObjectKind | undefined; readonly workspaceId: string | null };

/** Only of the workspace in question, because an ID in a request may be another's. Null: of any, for a command. */
export async function readObject(
  db: Db,
  { object: kind, workspaceId }: Whose,
  id: string | undefined,
): Promise<Found | undefined> {
  if (kind === undefined || id === undefined) return undefined;
  const object: AuditedObject = auditedObjects[kind];
  // One table stands for all: each has its key, and `workspace_id` unless it says otherwise.
  const table = db.selectFrom(object.table as "api_tokens").selectAll();
  const row = await table
    .where((object.key ?? "id") as "id", "=", id)
    .$if(object.isScoped !== false && workspaceId !== null, (query) =>
      query.where("workspace_id", "=", workspaceId ?? ""),
    )
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const shown = showObject(object, row);
  const own = object.isScoped === false ? null : row.workspace_id;
  if (kind === "share") {
    const test = await db
      .selectFrom("tests")
      .select("subject")
      .where("id", "=", String((row as { readonly test_id?: unknown }).test_id))
      .executeTakeFirst();
    return { shown: { ...shown, name: test?.subject ?? shown.name }, workspaceId: own };
  }
  if (kind !== "member") return { shown, workspaceId: own };
  const user = await db.selectFrom("users").select("name").where("id", "=", id).executeTakeFirst();
  return { shown: { ...shown, name: user?.name ?? null }, workspaceId: own };
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
