// What must differ between a workspace and its copy on the same server: addresses and links can belong to only one of them.

import type { System } from "../../../platform/system/system.ts";
import type { Row, RowTarget } from "../rows/workspace-rows.ts";

/** The row as it can be added. Undefined: not at all, because the original keeps it. */
export async function avoidConflict(
  target: RowTarget,
  table: string,
  row: Row,
  { random }: Pick<System, "random">,
): Promise<Row | undefined> {
  switch (table) {
    case "seed_inboxes":
      return (await isTaken(target, table, row, ["domain", "local_part"]))
        ? { ...row, local_part: `${String(row.local_part).slice(0, 50)}-${toHex(random(4))}` }
        : row;
    case "released_addresses":
      return (await isTaken(target, table, row, ["domain", "local_part"])) ? undefined : row;
    case "shares":
      return (await isTaken(target, table, row, ["hash"])) ? undefined : row;
    case "incoming_hooks":
      // Its URL stays with the original. The copy needs a new one.
      return (await isTaken(target, table, row, ["key_hash"])) ? { ...row, key_hash: toHex(random(32)) } : row;
    case "monitors":
      return (await isTaken(target, table, row, ["badge_key"])) ? { ...row, badge_key: null } : row;
    default:
      return row;
  }
}

async function isTaken(target: RowTarget, table: string, row: Row, columns: readonly string[]): Promise<boolean> {
  const values = columns.map((column) => row[column] ?? null);
  if (values.includes(null)) return false;
  const where = columns.map((column, index) => `${column} = $${index + 1}`).join(" and ");
  return (await target.select(`select 1 as taken from ${table} where ${where} limit 1`, values)).length > 0;
}

function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
