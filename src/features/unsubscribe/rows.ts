// Requests to unsubscribe. Each row is written before the request, so that one that a crash interrupts is known.

import { unsubscribeMethods } from "../../analyzer/reports/unsubscribe.ts";
import type { Scope } from "../../platform/database/scope.ts";
import { beginningAt } from "../../platform/ids.ts";
import type { UnsubscribesTable } from "../sending/tables.ts";
import { selectTests } from "../tests/rows/tests.ts";

export type NewUnsubscribe = Omit<UnsubscribesTable, "workspace_id" | "finished_at" | "outcome">;

export async function insertUnsubscribe(scope: Scope, row: NewUnsubscribe): Promise<void> {
  await scope.insertInto("unsubscribes", { ...row, finished_at: null, outcome: null }).executeTakeFirstOrThrow();
}

export async function finishUnsubscribe(
  scope: Scope,
  id: string,
  finished: { readonly finished_at: number; readonly outcome: string },
): Promise<void> {
  await scope.updateTable("unsubscribes").set(finished).where("id", "=", id).execute();
}

const mostListed = 20;
export const visitMethods = ["visit-header", "visit-body"] as const;

/** Newest first. Visits only open a link, so they are listed separately. */
export async function listUnsubscribes(
  scope: Scope,
  testId: string,
  methods: readonly UnsubscribesTable["method"][] = unsubscribeMethods,
): Promise<UnsubscribesTable[]> {
  return await scope
    .selectFrom("unsubscribes")
    .selectAll()
    .where("test_id", "=", testId)
    .where("method", "in", methods)
    .orderBy("id", "desc")
    .limit(mostListed)
    .execute();
}

/** Those for any of these addresses before that ID, newest first. */
export async function listEarlierUnsubscribes(
  scope: Scope,
  recipients: readonly string[],
  before: string,
  methods: readonly UnsubscribesTable["method"][] = unsubscribeMethods,
): Promise<UnsubscribesTable[]> {
  if (recipients.length === 0) return [];
  return await scope
    .selectFrom("unsubscribes")
    .selectAll()
    .where("recipient", "in", recipients)
    .where("method", "in", methods)
    .where("id", "<", before)
    .orderBy("id", "desc")
    .limit(mostListed)
    .execute();
}

/** Times of the newest requests, newest first. */
export async function listUnsubscribeTimes(
  scope: Scope,
  since: number,
  limit: number,
): Promise<{ readonly created_at: number }[]> {
  return await scope
    .selectFrom("unsubscribes")
    .select("created_at")
    .where("created_at", ">", since)
    .orderBy("created_at", "desc")
    .limit(limit)
    .execute();
}

export type ArrivedTest = {
  readonly id: string;
  readonly received_at: number;
  readonly recipients: string;
  readonly from_domain: string | null;
};

/**
 * Tests after that time that may be of a list: from its domain, or with its label. Oldest first, because the first one after
 * a deadline is what counts.
 */
export async function listArrivedAfter(
  scope: Scope,
  by: { readonly fromDomain: string } | { readonly label: string },
  after: number,
  limit: number,
): Promise<ArrivedTest[]> {
  return await selectTests(scope)
    .select(["id", "received_at", "recipients", "from_domain"])
    .$if("fromDomain" in by, (all) => all.where("from_domain", "=", "fromDomain" in by ? by.fromDomain : ""))
    .$if("label" in by, (all) => all.where("label", "=", "label" in by ? by.label : ""))
    .where("id", ">", beginningAt("test", after))
    .where("received_at", ">", after)
    .orderBy("id")
    .limit(limit)
    .execute();
}
