// What keeps the learned senders of all workspaces within their bounds. A deletion never waits for a row that an analysis
// is writing: the two could else wait for one another, and the analysis would be the one to fail.

import { sql } from "kysely";
import { isPostgres } from "../engine/prepared.ts";
import type { Db } from "../schema/schema.ts";
import type { SeenSendersTable } from "../schema/watch.ts";
import { maxOfKind } from "./seen-senders.ts";

/** Of a workspace. */
export const maxOrganizations = 1_000;
/** A step takes milliseconds. */
const rowsPerStep = 500;

type SenderGroup = Pick<SeenSendersTable, "workspace_id" | "organization"> &
  Partial<Pick<SeenSendersTable, "kind">>;

/** Some of those that were last seen before then; answers how many. */
export async function removeForgottenSenders(db: Db, before: number): Promise<number> {
  return await removeChosen(db, (rows) => rows.where("last_seen_at", "<", before).orderBy("last_seen_at"));
}

/** Kinds of an organisation with more than their bound. */
export async function listCrowdedKinds(db: Db): Promise<Required<SenderGroup>[]> {
  return await db
    .selectFrom("seen_senders")
    .select(["workspace_id", "organization", "kind"])
    .groupBy(["workspace_id", "organization", "kind"])
    .having((row) => row.fn.countAll<number>(), ">", maxOfKind)
    .execute();
}

/** Some beyond the newest; answers how many. */
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

/** Workspaces that know more organisations than they may, as hostile mail would make them. */
export async function listCrowdedWorkspaces(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom("seen_senders")
    .select("workspace_id")
    .groupBy("workspace_id")
    .having((row) => row.fn.count<number>("organization").distinct(), ">", maxOrganizations)
    .execute();
  return rows.map(({ workspace_id }) => workspace_id);
}

/** Those of a workspace beyond the newest, the last seen first. */
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

/** Some of an organisation; answers how many. */
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
  // Once and for all, else PostgreSQL may choose again, and lock more than the limit.
  const { numAffectedRows } = await sql`
    with chosen as materialized ${chosen}
    delete from seen_senders where (${key}) in (select ${key} from chosen)`.execute(db);
  return Number(numAffectedRows ?? 0);
}
