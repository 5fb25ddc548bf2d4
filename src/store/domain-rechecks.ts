// Domains that somebody had checked at once within the last hour: kept in rows, so that the limit holds over a restart and for all
// processes on one database. A row outlives its domain.

import type { Scope } from "./scope.ts";
import type { DomainRechecksTable, RecheckKind } from "./watch-schema.ts";

export type Recheck = Omit<DomainRechecksTable, "workspace_id">;

/** Oldest first. What lies ahead is of a clock that was set back since. */
export async function listRechecks(
  scope: Scope,
  { kind, since, until }: { readonly kind: RecheckKind; readonly since: number; readonly until: number },
): Promise<Recheck[]> {
  return await scope
    .selectFrom("domain_rechecks")
    .select(["domain_id", "at", "kind"])
    .where("kind", "=", kind)
    .where("at", ">", since)
    .where("at", "<=", until)
    .orderBy("at")
    .orderBy("domain_id")
    .execute();
}

/** Forgets those that no limit looks at any more. */
export async function insertRecheck(scope: Scope, recheck: Recheck, since: number): Promise<void> {
  await scope
    .deleteFrom("domain_rechecks")
    .where((is) => is.or([is("at", "<=", since), is("at", ">", recheck.at)]))
    .execute();
  await scope.insertInto("domain_rechecks", recheck).execute();
}
