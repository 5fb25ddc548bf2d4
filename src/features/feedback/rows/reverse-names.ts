// Confirmed reverse DNS of addresses in DMARC reports.

import type { Db } from "../../../platform/database/schema.ts";

export async function listHosts(db: Db, addresses: readonly string[]): Promise<{ address: string; host: string }[]> {
  const rows = await db
    .selectFrom("reverse_names")
    .select(["address", "host"])
    .where("address", "in", addresses)
    .execute();
  return rows.flatMap(({ address, host }) => (host === null ? [] : [{ address, host }]));
}
