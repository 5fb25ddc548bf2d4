// Messages that come, are analysed and go in whatever order, and what a dashboard must then say of them, counted slowly
// from the rows themselves.

import type { FindingId } from "../../../../src/analyzer/checks/check.ts";
import type { Folder, Provider } from "../../../../src/analyzer/placement/provider.ts";
import { toContribution } from "../../../../src/analyzer/reports/contribution.ts";
import type { Judgment } from "../../../../src/analyzer/reports/judgment.ts";
import type { ObservedFolder } from "../../../../src/analyzer/reports/sighting.ts";
import { createIntake } from "../../../../src/features/intake/rows/intake.ts";
import { observe, placementOf, placeObserved } from "../../../../src/features/mailboxes/work/observe.ts";
import { decodeReport, encodeReport, readReport } from "../../../../src/features/tests/rows/reports.ts";
import {
  claimReanalysis,
  claimTests,
  lockTest,
  markAnalyzed,
  markFailed,
} from "../../../../src/features/tests/rows/tests.ts";
import { recordNonTest } from "../../../../src/features/tests/work/record-non-test.ts";
import { inWorkspace } from "../../../../src/platform/database/scope.ts";
import type { Store } from "../../../../src/platform/database/store.ts";
import { createId } from "../../../../src/platform/ids.ts";
import { aBounce } from "../../../http/arrivals.ts";
import { unjudged } from "../../../platform/database/analysed.ts";
import { message } from "../../../platform/database/nouns.ts";
import { aSighting } from "../../mailboxes/work/mailbox-world.ts";

export type Verdict = {
  readonly composite: number | null;
  readonly folders: Readonly<Record<string, Folder>>;
  readonly costs: Readonly<Record<FindingId, number>>;
};

const quarterMs = 900_000;
const weekMs = 7 * 86_400_000;
const noReport = { tallies: [], passes: [], plan: [] };

export function createDashboardWorld(store: Store) {
  let made = 0;
  const lease = { now: Date.UTC(2040, 0), owner: "one", leaseMs: 1_000, limit: 1 };

  async function claim(id: string) {
    const [ticket] = await store.write((db) => claimTests(db, { ...lease, only: [id] }));
    if (ticket?.id !== id) throw new Error("It was not due.");
    return ticket;
  }

  async function claimAnew(workspaceId: string, id: string) {
    const claimed = await store.write((db) => claimReanalysis(inWorkspace(db, workspaceId), id, lease));
    if (claimed === undefined || claimed === "busy") throw new Error("It cannot be analysed anew.");
    return claimed.test;
  }

  type Ticket = Awaited<ReturnType<typeof claim>>;

  return {
    claim,
    claimAnew,
    receive: async (workspaceId: string, receivedAt: number, { sample = 0 } = {}): Promise<string> => {
      const id = createId("test", receivedAt, Buffer.alloc(16, String(++made).padStart(8, "0")));
      await createIntake(store).insert([message(id, { workspaceId, receivedAt })]);
      if (sample) await store.write((db) => db.updateTable("tests").set({ sample }).where("id", "=", id).execute());
      return id;
    },
    finish: async (ticket: Ticket, verdict: Verdict): Promise<void> => {
      const judgment = toJudgment(verdict);
      const report = { judgment, surroundings: {}, timeline: {}, verdict };
      await store.write(async (db) => {
        await markAnalyzed(db, ticket, {
          ...unjudged,
          composite: verdict.composite,
          analyzedAt: ++made,
          report: encodeReport(JSON.stringify(report)),
          contribution: JSON.stringify(toContribution(judgment)),
        });
        const { predictions = [] } = judgment.placement ?? {};
        await placeObserved(inWorkspace(db, ticket.workspace_id), ticket.id, predictions);
      });
    },
    /** A seed mailbox shows an analysed test. `meanwhile` runs once the test is locked. */
    see: async (
      workspaceId: string,
      id: string,
      provider: string,
      folder: ObservedFolder,
      meanwhile = async () => {},
    ) => {
      const system = { now: () => made, random: (size: number) => Buffer.alloc(size, String(++made)) };
      const mailbox = { id: `int_${provider}`, account: "", seed_provider: provider as Provider };
      const discovery = {
        mailbox,
        sighting: aSighting({ folder }),
        match: { testId: id, matchedBy: "message-id", candidates: 1 },
      } as const;
      await store.write(async (db) => {
        const scope = inWorkspace(db, workspaceId);
        const test = await lockTest(scope, id);
        await meanwhile();
        const placement = placementOf(await readReport(scope, id));
        if (test) await observe(scope, { test, placement }, [discovery], system);
      });
    },
    fail: (ticket: Ticket) => store.write((db) => markFailed(db, ticket, "It could not be read.")),
    recognise: async (ticket: Ticket, kind: "bounce" | "complaint" | "auto-reply") => {
      const recognised = kind === "auto-reply" ? ({ kind } as const) : { ...aBounce, kind };
      const rest = { subject: null, from: null, messageId: null, authenticated: false, sendId: null };
      const system = { now: () => ++made, random: (size: number) => Buffer.alloc(size, String(++made)) };
      await store.write((db) => recordNonTest(db, ticket, { recognised, ...rest }, { features: [], system }));
    },
  };
}

function toJudgment({ composite, folders, costs }: Verdict): Judgment {
  const predictions = Object.entries(folders).map(([provider, folder]) => ({
    provider,
    folder,
    odds: { [folder]: 1 },
  }));
  const findings = Object.entries(costs).map(([id, cost]) => ({
    id,
    cost,
    severity: severityOf(id),
    ownedBy: null,
    title: id,
    says: `Found: ${id}.`,
    owner: "content",
    occurrences: [],
  }));
  return { ...noReport, score: { composite }, placement: { predictions }, findings } as unknown as Judgment;
}

const severityOf = (id: string) => (id.startsWith("dmarc-record.") ? "major" : "minor");

/** A major issue, or spam or a rejection anywhere. */
function isNeeding({ verdict: { costs, folders } }: Counted): boolean {
  const isLost = Object.values(folders).some((folder) => folder === "spam" || folder === "rejected");
  return isLost || Object.keys(costs).some((id) => severityOf(id) === "major");
}

/** Rejected ones, then the lowest scores, then the newest. */
function compareWorst(one: Counted, other: Counted): number {
  const rankOf = ({ verdict: { folders } }: Counted) => (Object.values(folders).includes("rejected") ? 0 : 1);
  const scoreOf = ({ verdict: { composite } }: Counted) => composite ?? 100;
  return rankOf(one) - rankOf(other) || scoreOf(one) - scoreOf(other) || (one.id < other.id ? 1 : -1);
}

type Counted = {
  readonly id: string;
  readonly receivedAt: number;
  readonly verdict: Verdict;
  readonly observed: ReadonlySet<string>;
};

/** As the decisions say it; issues by id, because of several examples any will do. */
export async function countSlowly(store: Store, workspaceId: string, now: number, timeZone: string) {
  const tests = await listCounted(store, workspaceId);
  const bounces = await inWorkspace(store.read, workspaceId).selectFrom("bounces").selectAll().execute();
  const from = Math.floor((now - weekMs) / quarterMs) * quarterMs;
  const week = tests.filter(({ receivedAt }) => receivedAt >= from);
  const before = tests.filter(({ receivedAt }) => receivedAt >= from - weekMs && receivedAt < from);
  const recent = bounces.filter(({ received_at }) => received_at >= from);
  const dateOf = (time: number) => new Intl.DateTimeFormat("sv-SE", { timeZone }).format(time);
  return {
    ...toFigures(week),
    needing: week
      .filter(isNeeding)
      .toSorted(compareWorst)
      .map(({ id }) => id),
    previous: toFigures(before),
    days: Object.fromEntries(
      [...Map.groupBy(tests, ({ receivedAt }) => dateOf(receivedAt))].map(([date, some]) => [date, toFigures(some)]),
    ),
    issues: countIssues(week),
    placement: Object.fromEntries(
      [...new Set(week.flatMap(({ verdict }) => Object.keys(verdict.folders)))].map((provider) => [
        provider,
        {
          ...toRates(week.flatMap(({ verdict }) => verdict.folders[provider] ?? [])),
          tests: week.filter(({ verdict }) => provider in verdict.folders).length,
          observed: week.filter(({ observed }) => observed.has(provider)).length,
        },
      ]),
    ),
    bounces7d: recent.filter(({ kind }) => kind === "bounce").length,
    complaints7d: recent.filter(({ kind }) => kind === "complaint").length,
  };
}

async function listCounted(store: Store, workspaceId: string): Promise<Counted[]> {
  const rows = await inWorkspace(store.read, workspaceId)
    .selectFrom("tests")
    .innerJoin("reports", "reports.test_id", "tests.id")
    .select(["tests.id", "tests.received_at", "reports.report"])
    .where("became", "=", "test")
    .where("sample", "=", 0)
    .where("failure", "is", null)
    .orderBy("reports.created_at")
    .execute();
  const newest = new Map(rows.map((row) => [row.id, row]));
  const seen = await inWorkspace(store.read, workspaceId).selectFrom("observations").selectAll().execute();
  return [...newest.values()].map(({ id, received_at, report }) => {
    const { verdict } = JSON.parse(decodeReport(report)) as { verdict: Verdict };
    const own = seen.filter(({ test_id }) => test_id === id);
    const folders = Object.fromEntries(own.map(({ provider, folder }) => [provider, folder]));
    return {
      id,
      receivedAt: received_at,
      verdict: { ...verdict, folders: { ...verdict.folders, ...folders } },
      observed: new Set(Object.keys(folders)),
    };
  });
}

function toFigures(tests: readonly Counted[]) {
  const scores = tests.flatMap(({ verdict }) => verdict.composite ?? []);
  const tenths = scores.reduce((sum, score) => sum + Math.round(score * 10), 0);
  return {
    tests: tests.length,
    score: scores.length === 0 ? null : Math.round(tenths / scores.length) / 10,
    ...toRates(tests.flatMap(({ verdict }) => Object.values(verdict.folders))),
  };
}

function toRates(folders: readonly Folder[]) {
  const shareOf = (...wanted: readonly Folder[]) =>
    folders.length === 0 ? null : folders.filter((folder) => wanted.includes(folder)).length / folders.length;
  return { inboxRate: shareOf("inbox"), spamRate: shareOf("spam", "rejected"), promoRate: shareOf("promotions") };
}

function countIssues(week: readonly Counted[]) {
  const has = (id: string) => week.filter(({ verdict }) => (verdict.costs[id as FindingId] ?? 0) > 0);
  const costOf = (id: string) =>
    has(id).reduce((sum, { verdict }) => sum + Math.round((verdict.costs[id as FindingId] ?? 0) * 100), 0);
  const ids = [...new Set(week.flatMap(({ verdict }) => Object.keys(verdict.costs)))].filter((id) => costOf(id) > 0);
  ids.sort((left, right) => costOf(right) - costOf(left) || (left < right ? -1 : 1));
  return ids
    .slice(0, 10)
    .map((id) => ({
      id,
      tests: has(id).length,
      share: has(id).length / week.length,
      examples: has(id).map((test) => test.id),
    }));
}
