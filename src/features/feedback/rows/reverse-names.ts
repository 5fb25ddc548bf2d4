// Confirmed reverse DNS of addresses in DMARC reports about monitored domains.

import { sql } from "kysely";
import { countRows } from "../../../platform/database/engine/page.ts";
import type { Db } from "../../../platform/database/schema.ts";

export async function listHosts(db: Db, addresses: readonly string[]): Promise<{ address: string; host: string }[]> {
  return await db
    .selectFrom("reverse_names")
    .select(["address", "host"])
    .where("address", "in", addresses)
    .where("host", "is not", null)
    .$castTo<{ address: string; host: string }>()
    .execute();
}

/** About monitored domains, oldest first. */
export async function listReportsSince(
  db: Db,
  after: string,
  limit: number,
): Promise<{ id: string; authenticated: number | null }[]> {
  return await db
    .selectFrom("mail_reports")
    .where("mail_reports.id", ">", after)
    .where("mail_reports.type", "=", "dmarc")
    .where("mail_reports.counted_as", "is not", null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("domain_feedback")
          .select("domain_feedback.domain_id")
          .whereRef("domain_feedback.workspace_id", "=", "mail_reports.workspace_id")
          .whereRef("domain_feedback.registrable_domain", "=", "mail_reports.registrable_domain"),
      ),
    )
    .select(["mail_reports.id", "mail_reports.sender_authenticated as authenticated"])
    .orderBy("mail_reports.id")
    .limit(limit)
    .execute();
}

/** Those with the most messages first. */
export async function listAddressesOf(db: Db, reportId: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom("report_sources")
    .where("report_id", "=", reportId)
    .where("source_ip", "is not", null)
    .select("source_ip")
    .groupBy("source_ip")
    .orderBy(sql`sum(messages)`, "desc")
    .orderBy("source_ip")
    .limit(limit)
    .execute();
  return rows.flatMap(({ source_ip }) => source_ip ?? []);
}

/** Addresses that sent authenticated mail of monitored domains to this server, the newest first. */
export async function listSeenAddresses(db: Db, since: number, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom("domain_feedback")
    .innerJoin("seen_senders", (join) =>
      join
        .onRef("seen_senders.workspace_id", "=", "domain_feedback.workspace_id")
        .onRef("seen_senders.organization", "=", "domain_feedback.registrable_domain"),
    )
    .where("seen_senders.kind", "=", "address")
    .where("seen_senders.last_seen_at", ">", since)
    .select("seen_senders.value")
    .groupBy("seen_senders.value")
    .orderBy(sql`max(seen_senders.last_seen_at)`, "desc")
    .orderBy("seen_senders.value")
    .limit(limit)
    .execute();
  return rows.map(({ value }) => value);
}

const dayMs = 86_400_000;
const together = 100;

export async function countAddresses(db: Db): Promise<number> {
  return await countRows(db.selectFrom("reverse_names"));
}

/** New ones are due at once. `isFirst`: before those that anyone may have made up. */
export async function noteAddresses(
  db: Db,
  addresses: readonly string[],
  { now, isFirst }: { readonly now: number; readonly isFirst: boolean },
): Promise<void> {
  const due_at = isFirst ? 0 : now;
  for (let begin = 0; begin < addresses.length; begin += together)
    await db
      .insertInto("reverse_names")
      .values(
        addresses
          .slice(begin, begin + together)
          .map((address) => ({ address, host: null, asked_at: null, due_at, seen_at: now })),
      )
      .onConflict((conflict) =>
        conflict
          .column("address")
          .doUpdateSet({
            seen_at: now,
            due_at: sql`case when reverse_names.asked_at is null then ${due_at} else reverse_names.due_at end`,
          })
          .where(({ or, and, eb }) =>
            or([
              eb("reverse_names.seen_at", "<", now - dayMs),
              and([eb("reverse_names.asked_at", "is", null), eb("reverse_names.due_at", ">", due_at)]),
            ]),
          ),
      )
      .execute();
}

export async function listDueAddresses(db: Db, now: number, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom("reverse_names")
    .select("address")
    .where("due_at", "<=", now)
    .orderBy("due_at")
    .orderBy("address")
    .limit(limit)
    .execute();
  return rows.map(({ address }) => address);
}

/** `host`: undefined if DNS gave no answer, so what was known stays. */
export async function noteHost(
  db: Db,
  address: string,
  { host, now, dueAt }: { readonly host: string | null | undefined; readonly now: number; readonly dueAt: number },
): Promise<void> {
  await db
    .updateTable("reverse_names")
    .set({ asked_at: now, due_at: dueAt, ...(host !== undefined && { host }) })
    .where("address", "=", address)
    .execute();
}

export async function removeUnseen(db: Db, before: number): Promise<void> {
  await db.deleteFrom("reverse_names").where("seen_at", "<", before).execute();
}
