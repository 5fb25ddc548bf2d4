// Writes everything of a workspace into one file, from one snapshot of the database, so that another server can take it.
// Secrets are in it only if the file is encrypted. Otherwise they are left out, as if the server's key were lost.

import type { SealedTable } from "../../../platform/database/engine/sealed-rows.ts";
import type { MessageRow, Messages } from "../../../platform/database/messages.ts";
import { unlessMissing } from "../../../platform/database/messages.ts";
import { migrations } from "../../../platform/database/migrations/list.ts";
import type { StoreLocation } from "../../../platform/database/open.ts";
import { Refusal } from "../../../platform/errors.ts";
import type { Chunks } from "../../../platform/system/age.ts";
import { createSealerFor, type SecretKey } from "../../../platform/system/secret-key.ts";
import type { System } from "../../../platform/system/system.ts";
import { copiedColumns, type Row, type RowSource, readRows } from "../rows/workspace-rows.ts";
import { type WorkspaceTable, workspaceTables } from "../rows/workspace-tables.ts";
import { type FileLine, type FileRow, type MovedPerson, writeLines } from "./workspace-file.ts";

export type ExportTerms = {
  readonly location: StoreLocation;
  readonly addonFile: string | undefined;
  readonly messages: Pick<Messages, "open">;
  readonly system: Pick<System, "now" | "random">;
  /** Decrypts the secrets. Null: they are left out. */
  readonly secretKey: SecretKey | null;
  readonly sealedTables: readonly SealedTable[];
};

export type Exported = {
  readonly rows: Readonly<Record<string, number>>;
  /** Raw messages that were not at their place. */
  readonly messagesMissing: number;
};

/** `write` gets the file's bytes, compressed and not encrypted. */
export async function exportWorkspace(
  workspaceId: string,
  terms: ExportTerms,
  write: (chunks: Chunks) => Promise<void>,
): Promise<Exported> {
  const exported = { rows: {} as Record<string, number>, messagesMissing: 0 };
  await readRows(terms, workspaceId, (source) =>
    write(writeLines(linesOf(workspaceId, source, { ...terms, exported }))),
  );
  return exported;
}

type Exporting = ExportTerms & {
  readonly exported: { readonly rows: Record<string, number>; messagesMissing: number };
};

async function* linesOf(workspaceId: string, source: RowSource, terms: Exporting): AsyncIterable<FileLine> {
  const { system, secretKey, exported } = terms;
  const [workspace] = await source.select(
    `select * from workspaces where id = '${workspaceId}' and removed_at is null`,
  );
  if (workspace === undefined) throw new Refusal("not_found", `There is no workspace ${workspaceId}.`);
  const people = await source.select(
    `select users.id as "userId", users.email, users.name, memberships.role
      from memberships join users on users.id = memberships.user_id
      where memberships.workspace_id = '${workspaceId}' order by memberships.created_at, users.id`,
  );
  yield {
    header: {
      format: "assay workspace",
      version: 1,
      schema: migrations.at(-1)?.name ?? "",
      exportedAt: new Date(system.now()).toISOString(),
      hasSecrets: secretKey !== null,
      workspace,
      people: people as unknown as readonly MovedPerson[],
    },
  };
  for (const table of workspaceTables) {
    const toRow = createRowWriter(table, terms);
    let count = 0;
    for await (const found of source.rowsOf(table)) {
      const row = await toRow(found);
      if (row === undefined) continue;
      yield { table: table.name, row };
      count += 1;
    }
    exported.rows[table.name] = count;
  }
  yield { end: exported.rows };
}

/** Undefined: the row is left out. */
type RowWriter = (row: Row) => Promise<FileRow | undefined>;

function createRowWriter({ name }: WorkspaceTable, terms: Exporting): RowWriter {
  const keep = (row: Row) =>
    Object.fromEntries(copiedColumns(name, Object.keys(row)).map((column) => [column, row[column] ?? null]));
  if (name === "raw_messages") return (row) => readMessage(keep(row), terms);
  const sealed = terms.sealedTables.find(({ table }) => table === name);
  if (sealed === undefined) return async (row) => keep(row);
  const { secretKey, system } = terms;
  const without = (row: Row) => sealed.without(keep(row), "not moved with the workspace", system.now()) ?? undefined;
  if (secretKey === null) return async (row) => without(row);
  const sealer = createSealerFor({ secretKey, system }, sealed.purpose);
  return async (row) => {
    const open = Object.entries(sealed.columns).flatMap(([column, boundTo]) => {
      const value = row[column];
      if (typeof value !== "string" || value === "") return [];
      const secret = sealer.open(value, boundTo(row));
      return [[column, secret] as const];
    });
    // One that was lost before.
    if (open.some(([, secret]) => secret === undefined)) return without(row);
    return { ...keep(row), ...Object.fromEntries(open.map(([column, secret]) => [column, { secret: secret ?? "" }])) };
  };
}

async function readMessage(row: Row, { messages, exported }: Exporting): Promise<FileRow | undefined> {
  if (row.object_key === null) return row;
  const kept = await unlessMissing(messages.open(row as unknown as MessageRow));
  if (kept === undefined) {
    exported.messagesMissing += 1;
    return undefined;
  }
  return { ...row, bytes: kept.bytes };
}
