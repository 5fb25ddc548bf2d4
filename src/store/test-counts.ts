import { sql } from "kysely";
import type { Became } from "./schema.ts";
import type { Scope } from "./scope.ts";

/** The month of `received_at` that the counts know it by: UTC's. */
export function toMonth(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 7);
}

/** Tests that came in during that month, those removed since included; what turned out to be no test is none of them, nor is what the laboratory sent. */
export async function countReceived(scope: Scope, month: string): Promise<number> {
  const row = await scope
    .selectFrom("test_counts")
    .select(sum("received"))
    .where("month", "=", month)
    .where("became", "=", "test")
    .executeTakeFirstOrThrow();
  return row.total;
}

/** Messages that are there, of those that became this: as quick for a million as for one. */
export async function countKept(scope: Scope, became: readonly Became[] = ["test"]): Promise<number> {
  const row = await scope
    .selectFrom("test_counts")
    .select(sum("kept"))
    .where("became", "in", became)
    .executeTakeFirstOrThrow();
  return row.total;
}

function sum(column: "received" | "kept") {
  return sql<number>`coalesce(sum(${sql.ref(column)}), 0)`.as("total");
}
