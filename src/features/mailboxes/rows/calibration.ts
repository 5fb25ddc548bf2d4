// How many predictions seed mailboxes confirmed.

import { sql } from "kysely";
import type { Scope } from "../../../platform/database/scope.ts";

type Hits = { readonly provider: string; readonly observations: number; readonly hits: number };

/** By provider. A message that was predicted to be rejected and was seen anyway counts as a prediction of spam. */
export async function countHits(scope: Scope): Promise<Hits[]> {
  const rows = await scope
    .selectFrom("observations")
    .select((row) => [
      "provider",
      row.fn.countAll<number>().as("observations"),
      sql<number>`sum(case when folder = case predicted_folder when 'rejected' then 'spam' else predicted_folder end
        then 1 else 0 end)`.as("hits"),
    ])
    .where("predicted_folder", "is not", null)
    .groupBy("provider")
    .execute();
  return rows.map(({ provider, observations, hits }) => ({
    provider,
    observations: Number(observations),
    hits: Number(hits),
  }));
}
