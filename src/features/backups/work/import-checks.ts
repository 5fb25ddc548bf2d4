// What a row of an imported workspace may not be, because it would harm the server or its other workspaces.

import { isReserved, readEmail } from "../../../platform/contract/emails.ts";
import type { JsonColumns, JsonReader } from "../../../platform/database/json-columns.ts";
import { Refusal } from "../../../platform/errors.ts";
import { heldForMs } from "../../intake/rows/released-addresses.ts";
import { decodeRaw } from "../../tests/rows/raw-messages.ts";
import { decodeReport } from "../../tests/rows/reports.ts";
import type { Row, RowTarget } from "../rows/workspace-rows.ts";
import { type FileRow, invalid, isSecret } from "./workspace-file.ts";

type CheckTerms = { readonly name: string; readonly now: number };

export async function checkRow(target: RowTarget, table: string, row: Row, { name, now }: CheckTerms): Promise<void> {
  for (const [column, value] of Object.entries(row))
    if (column.endsWith("_at") && typeof value === "number" && !isTime(value))
      throw invalid(name, `a time in a row of ${table} is out of range`);
  if (table === "seed_inboxes") await checkSeedInbox(target, row, { name, now });
  if (table === "raw_messages" && !canBeOpened(row)) throw invalid(name, `a row of ${table} cannot be opened`);
}

/** Before secrets are sealed. Otherwise what cannot be read would end every request that meets it. */
export function checkJson(columns: JsonColumns, table: string, row: FileRow, name: string): void {
  const readers = (columns as Readonly<Record<string, Readonly<Record<string, JsonReader>>>>)[table] ?? {};
  for (const [column, reader] of Object.entries(readers)) {
    const stored = row[column] ?? null;
    // An empty text stands for a secret that stayed behind.
    if (stored === null || (column === "secret" && stored === "")) continue;
    try {
      const text = toText(stored);
      if (typeof reader === "function") reader(text, row);
      else reader.parse(JSON.parse(text));
    } catch {
      throw invalid(name, `${column} in a row of ${table} cannot be read`);
    }
  }
}

function toText(stored: FileRow[string]): string {
  if (isSecret(stored)) return stored.secret;
  return stored instanceof Uint8Array ? decodeReport(stored) : String(stored);
}

const year9999 = 253_402_300_799_999;

/** A later one cannot be written as a date. */
function isTime(value: number): boolean {
  return value >= 0 && value <= year9999;
}

/** Every backup opens a sample of them, so one that cannot be opened would end the backups of the whole server. */
function canBeOpened(row: Row): boolean {
  try {
    decodeRaw(row as unknown as Parameters<typeof decodeRaw>[0]);
    return true;
  } catch {
    return false;
  }
}

/** The rules for an address that is created here (features/intake/work/seed-inboxes.ts). An imported workspace is never the first. */
async function checkSeedInbox(
  target: RowTarget,
  { local_part: localPart, domain }: Row,
  { name, now }: CheckTerms,
): Promise<void> {
  const address = `${localPart}@${domain}`;
  if (readEmail(address) !== address) throw invalid(name, "one of its seed addresses is not an email address");
  if (isReserved(String(localPart)))
    throw invalid(
      name,
      `its seed address ${address} is reserved for this server's first workspace. Delete it on the old server, and export the workspace again`,
    );
  const held = await target.select(
    "select 1 as held from released_addresses where domain = $1 and local_part = $2 and released_at > $3",
    [String(domain), String(localPart), now - heldForMs],
  );
  if (held.length > 0)
    throw new Refusal(
      "conflict",
      `The seed address ${address} belonged to another workspace of this server, and is held for it. Nothing was changed.`,
    );
}
