// Keeps the learned senders of all workspaces within their limits. A deletion skips rows that an analysis is writing:
// otherwise the two could deadlock, and the analysis would fail.

import { sql } from "kysely";
import { isPostgres } from "../../../platform/database/engine/prepared.ts";
import type { Db } from "../../../platform/database/schema.ts";
import type { SeenSendersTable } from "../tables.ts";
import { maxOfKind } from "./seen-senders.ts";

/** Limit for a workspace. */
export const maxOrganizations = 1_000;
/** A step takes milliseconds. */
const rowsPerStep = 500;

type SenderGroup = Pick<SeenSendersTable, "workspace_id" | "organization"> & Partial<Pick<SeenSendersTable, "kind">>;

/** Removes some that were last seen before then. Returns how many. */
export async function removeForgottenSenders(db: Db, before: number): Promise<number> {
  return await removeChosen(db, (rows) => rows.where("last_seen_at", "<", before).orderBy("last_seen_at"));
}

/** Kinds over their limit, with the organization. */
export async function listCrowdedKinds(db: Db): Promise<Required<SenderGroup>[]> {
  return await db
    .selectFrom("seen_senders")
    .select(["workspace_id", "organization", "kind"])
    .groupBy(["workspace_id", "organization", "kind"])
    .having((row) => row.fn.countAll<number>(), ">", maxOfKind)
    .execute();
}

/** Removes some beyond the newest. Returns how many. */
export async function removeExcessOfKind(db: Db, { kind, ...group }: Required<SenderGroup>): Promise<number> {
  return await removeChosen(db, (rows) =>
    rows
      .where("workspace_id", "=", group.workspace_id)
      .where("organization", "=", group.organization)
      .where("kind", "=", kind)
      .orderBy("last_seen_at", "desc")
      .offset(maxOfKind),
  );
}

/** Workspaces with more organizations than allowed, as hostile mail would cause. */
export async function listCrowdedWorkspaces(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom("seen_senders")
    .select("workspace_id")
    .groupBy("workspace_id")
    .having((row) => row.fn.count<number>("organization").distinct(), ">", maxOrganizations)
    .execute();
  return rows.map(({ workspace_id }) => workspace_id);
}

/** A workspace's organizations beyond the newest, most recently seen first. */
export async function listExcessOrganizations(db: Db, workspaceId: string): Promise<string[]> {
  const rows = await db
    .selectFrom("seen_senders")
    .select(["organization", (row) => row.fn.max("last_seen_at").as("last")])
    .where("workspace_id", "=", workspaceId)
    .groupBy("organization")
    .orderBy("last", "desc")
    .orderBy("organization")
    .offset(maxOrganizations)
    .limit(1_000_000)
    .execute();
  return rows.map(({ organization }) => organization);
}

/** Removes some of an organization's senders. Returns how many. */
export async function removeOrganization(db: Db, group: SenderGroup): Promise<number> {
  return await removeChosen(db, (rows) =>
    rows
      .where("workspace_id", "=", group.workspace_id)
      .where("organization", "=", group.organization)
      .orderBy("last_seen_at"),
  );
}

function selectRows(db: Db) {
  return db.selectFrom("seen_senders").selectAll();
}

type Rows = ReturnType<typeof selectRows>;

async function removeChosen(db: Db, choose: (rows: Rows) => Rows): Promise<number> {
  const chosen = choose(selectRows(db))
    .orderBy("kind")
    .orderBy("domain")
    .orderBy("value")
    .limit(rowsPerStep)
    .$if(isPostgres(db), (rows) => rows.forUpdate().skipLocked());
  const key = sql.raw("workspace_id, organization, kind, domain, value");
  // Selected only once. Otherwise PostgreSQL may select again and lock more than the limit.
  const { numAffectedRows } = await sql`
    with chosen as materialized ${chosen}
    delete from seen_senders where (${key}) in (select ${key} from chosen)`.execute(db);
  return Number(numAffectedRows ?? 0);
}
