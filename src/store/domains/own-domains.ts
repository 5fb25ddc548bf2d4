// The domains that a workspace monitors, as far as the checks of its messages look at them.

import { prepare } from "../engine/prepared.ts";
import type { Db } from "../schema/schema.ts";
import type { DomainsTable } from "../schema/watch.ts";
import type { Scope } from "../scope.ts";

/** Every report keeps them as evidence. The oldest, because people begin with what matters most. */
const maxOwnDomains = 100;

export async function listOwnDomains(db: Db, workspaceId: string): Promise<string[]> {
  const { rows } = await selectOwnDomains(db, { workspaceId });
  return rows.map(({ domain }) => domain);
}

const selectOwnDomains = prepare<{ workspaceId: string }, Pick<DomainsTable, "domain">>(
  (db, { workspaceId }) =>
    db
      .selectFrom("domains")
      .select("domain")
      .where("workspace_id", "=", workspaceId)
      .orderBy("id")
      .limit(maxOwnDomains),
);

/** A plan bounds how many there are. */
export async function listAllOwnDomains(db: Db, workspaceId: string): Promise<string[]> {
  const rows = await db
    .selectFrom("domains")
    .select("domain")
    .where("workspace_id", "=", workspaceId)
    .execute();
  return rows.map(({ domain }) => domain);
}

export async function readDomainName(scope: Scope, id: string): Promise<string | undefined> {
  const row = await scope.selectFrom("domains").select("domain").where("id", "=", id).executeTakeFirst();
  return row?.domain;
}
