// One reporter's data never displaces that of others.

import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { listFeedbackRows, sumByReporterDay } from "../../../../src/features/feedback/rows/figures.ts";
import { createIntake } from "../../../../src/features/intake/rows/intake.ts";
import { claimTests } from "../../../../src/features/tests/rows/tests.ts";
import { recordNonTest } from "../../../../src/features/tests/work/record-non-test.ts";
import { inWorkspace } from "../../../../src/platform/database/scope.ts";
import type { Store } from "../../../../src/platform/database/store.ts";
import { createId } from "../../../../src/platform/ids.ts";
import { eachDialect } from "../../../platform/database/each-dialect.ts";
import { insertWorkspaces, message } from "../../../platform/database/nouns.ts";
import { testSystem } from "../../../test-system.ts";

const dayMs = 86_400_000;
const today = Date.UTC(2026, 10, 21);
const system = testSystem({ now: today });

type Told = { readonly reporter: string; readonly day: number; readonly sources: number; readonly count: number };

async function receive(store: Store, { reporter, day, sources, count }: Told): Promise<void> {
  const randomness = createHash("md5").update(`${reporter} ${day}`).digest();
  const id = createId("test", day, randomness);
  await createIntake(store).insert([message(id, { workspaceId: "wsp_a", receivedAt: day })]);
  const report = {
    type: "dmarc" as const,
    organization: reporter,
    reportId: `${reporter}-${day}`,
    domain: "a.example",
    policy: null,
    beginsAt: day,
    endsAt: day + dayMs - 1_000,
    total: count,
    failed: 0,
    problem: null,
    sources: Array.from({ length: sources }, (_, index) => ({
      sourceIp: `192.0.2.${index}`,
      headerFrom: "a.example",
      disposition: null,
      messages: count,
      dkimAligned: true,
      spfAligned: true,
      dkim: [],
      spf: [],
      reasons: [],
    })),
    tlsPolicies: [],
  };
  await store.write(async (db) => {
    const [claimed] = await claimTests(db, { now: today, owner: "o", leaseMs: 1_000, limit: 1, only: [id] });
    if (!claimed) throw new Error("The report is not there.");
    const sender = { domain: reporter, authenticated: true };
    const found = { subject: null, from: null, messageId: null, authenticated: false, sendId: null, sender };
    await recordNonTest(db, claimed, { ...found, recognised: { kind: "report", report } }, { features: [], system });
  });
}

eachDialect("feedback figures", (open) => {
  test("feedback figures keep space for each reporter, however many rows and messages one of them reports", async () => {
    const store = await open();
    await store.write((db) => insertWorkspaces(db, "wsp_a"));
    for (let back = 1; back <= 6; back++)
      await receive(store, { reporter: "loud.example", day: today - back * dayMs, sources: 20, count: 1_000_000 });
    for (const reporter of ["google.com", "yahoo.com"])
      await receive(store, { reporter, day: today - dayMs, sources: 2, count: 5 });
    const scope = inWorkspace(store.read, "wsp_a");
    const asked = {
      domain: "a.example",
      registrableDomain: "a.example",
      others: [],
      from: today - 30 * dayMs,
      to: today,
    };
    const rows = await listFeedbackRows(scope, asked, 10);
    const count = (name: string) => rows.filter(({ reporter }) => reporter === name).length;
    expect([count("loud.example"), count("google.com"), count("yahoo.com")]).toEqual([6, 2, 2]);
    // The largest first, as without a limit.
    expect(rows.map(({ messages }) => Number(messages))).toEqual(
      rows.map(({ messages }) => Number(messages)).toSorted((one, other) => other - one),
    );
    const days = await sumByReporterDay(scope, asked, 4);
    expect(days.map(({ reporter }) => reporter).toSorted()).toEqual([
      "google.com",
      "loud.example",
      "loud.example",
      "yahoo.com",
    ]);
  });
});
