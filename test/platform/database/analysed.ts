// Analyzed tests for store tests.

import { createHash } from "node:crypto";
import { createIntake } from "../../../src/features/intake/rows/intake.ts";
import { encodeReport } from "../../../src/features/tests/rows/reports.ts";
import { claimTests, markAnalyzed, type TestAnalysis } from "../../../src/features/tests/rows/tests.ts";
import type { TestsTable } from "../../../src/features/tests/tables.ts";
import { keepTestWords } from "../../../src/platform/database/search/search.ts";
import type { Store } from "../../../src/platform/database/store.ts";
import { createId } from "../../../src/platform/ids.ts";
import { message } from "./nouns.ts";
import { insertTests } from "./test-rows.ts";

type SearchedColumn =
  | ("spf" | "dkim" | "dmarc" | "kind" | "attachments" | "malware" | "recipients")
  | ("inbox_rate" | "spam_rate" | "promo_rate");

export type AnalysedTest = Partial<
  Pick<TestsTable, "subject" | "header_from" | "from_domain" | "composite" | "label" | SearchedColumn>
> & { readonly receivedAt?: number; readonly workspaceId?: string };

/** Returns their IDs, in order. Each is received a millisecond after the previous one, unless given. */
export async function insertAnalysed(store: Store, tests: readonly AnalysedTest[]): Promise<string[]> {
  const made = tests.map(toMade);
  await createIntake(store).insert(
    made.map(({ test, receivedAt, id }) => {
      const { tests: rows, ...rest } = message(id, { receivedAt, workspaceId: test.workspaceId ?? "wsp_a" });
      return { ...rest, tests: rows.map((row) => ({ ...row, label: test.label ?? null })) };
    }),
  );
  await store.write(async (db) => {
    const only = made.map(({ id }) => id);
    const byId = new Map(made.map(({ id, test }) => [id, test]));
    const lease = { now: Date.UTC(2100, 0), owner: "one", leaseMs: 1_000, limit: only.length };
    for (const claimed of await claimTests(db, { ...lease, only })) {
      await markAnalyzed(db, claimed, { ...unjudged, ...toColumns(byId.get(claimed.id) ?? {}) });
    }
  });
  return made.map(({ id }) => id);
}

/**
 * The same for thousands, inserted as rows: without message and report, and without intake and analysis, which take
 * four statements for each test. Search words are stored as the analysis does it.
 */
export async function insertManyAnalysed(store: Store, tests: readonly AnalysedTest[]): Promise<string[]> {
  const made = tests.map(toMade);
  for (const [workspaceId, own] of Map.groupBy(made, ({ test }) => test.workspaceId ?? "wsp_a"))
    await insertTests(
      store,
      workspaceId,
      own.map(({ test, receivedAt, id }) => ({
        id,
        received_at: receivedAt,
        label: test.label ?? null,
        analyzed_at: unjudged.analyzedAt,
        ...toColumns(test),
        ...toSearched(test),
      })),
    );
  await store.write(async (db) => {
    // In the order of analysis: oldest first.
    for (const { id, test } of made.toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
      const { subject, header_from } = toColumns(test);
      await keepTestWords(db, { id, workspace_id: test.workspaceId ?? "wsp_a", subject, header_from });
    }
  });
  return made.map(({ id }) => id);
}

function toMade(test: AnalysedTest, index: number) {
  const receivedAt = test.receivedAt ?? 1_000_000 + index;
  const randomness = createHash("sha256")
    .update(`${index} ${JSON.stringify(test)}`)
    .digest();
  return { test, receivedAt, id: createId("test", receivedAt, randomness) };
}

function toColumns({ subject, header_from, from_domain, composite }: AnalysedTest) {
  return {
    subject: subject ?? null,
    header_from: header_from ?? null,
    from_domain: from_domain ?? null,
    composite: composite ?? null,
  };
}

function toSearched(test: AnalysedTest) {
  const { spf, dkim, dmarc, kind, attachments, malware, recipients, inbox_rate, spam_rate, promo_rate } = test;
  const given = { spf, dkim, dmarc, kind, attachments, malware, recipients, inbox_rate, spam_rate, promo_rate };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** An analysis that found out nothing. A new column of TestAnalysis gets its value for all tests here. */
export const unjudged: TestAnalysis = {
  subject: null,
  header_from: null,
  from_domain: null,
  message_id: null,
  spf: null,
  dkim: null,
  dmarc: null,
  composite: null,
  coverage: null,
  kind: null,
  body_key: null,
  attachments: null,
  malware: null,
  door: "smtp",
  traits: null,
  inbox_rate: null,
  spam_rate: null,
  promo_rate: null,
  analyzedAt: 2_000_000,
  report: encodeReport("{}"),
  contribution: JSON.stringify({ kind: "test", score: null, folders: {}, issues: {} }),
};
