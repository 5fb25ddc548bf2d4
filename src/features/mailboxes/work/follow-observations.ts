// After a test's analysis: assigns waiting observations from seed mailboxes to it. After a re-analysis: keeps its
// observations.

import { toMessageIdKey } from "../../../analyzer/mail/text/bounds.ts";
import type { TestContribution } from "../../../analyzer/reports/contribution.ts";
import {
  compareSureness,
  isAnotherMessage,
  type Matchable,
  matchSighting,
  toMatchKeys,
  toOwnCopyKey,
} from "../../../analyzer/reports/match-sighting.ts";
import { type SeenInMailboxes, toAwaited, toObservedProvider } from "../../../analyzer/reports/observation.ts";
import { inWorkspace, type Scope } from "../../../platform/database/scope.ts";
import { hasArrived } from "../../intake/work/receive-message.ts";
import { listObservationRows, toObservation } from "../../tests/rows/observations.ts";
import { decodeReport } from "../../tests/rows/reports.ts";
import type { TestsTable } from "../../tests/tables.ts";
import type { OnAnalyzed } from "../../tests/work/path.ts";
import { listMailboxes } from "../rows/mailboxes.ts";
import { hasWaiting, keepMarks, listWaitingFor, removeWaiting, type Waiting } from "../rows/sightings.ts";
import type { IntegrationsTable } from "../tables.ts";
import type { MailboxServer } from "./messages.ts";
import { type Discovery, observe, placementOf, placeObserved } from "./observe.ts";

export const followObservations: OnAnalyzed = async ({ db, test, outcome, system }) => {
  // Samples are not sent to mailboxes, and canaries have observations without a test.
  if (outcome.kind !== "test" || test.sample !== 0 || test.became === "canary") return [];
  const { analysis, marks } = outcome;
  const scope = inWorkspace(db, test.workspace_id);
  await keepMarks(scope, test.id, marks);
  if (test.analyzed_at !== null) {
    const { folders } = JSON.parse(analysis.contribution) as TestContribution;
    const predicted = Object.entries(folders).map(([provider, folder]) => ({ provider, folder }));
    await placeObserved(scope, test.id, predicted);
    return [];
  }
  if (!(await hasWaiting(db, test.workspace_id))) return [];
  const { message_id, header_from: from, subject } = analysis;
  const named = { marks, messageId: message_id === null ? null : toMessageIdKey(message_id), from, subject };
  const asked = { workspaceId: test.workspace_id, keys: [...toMatchKeys(named), toOwnCopyKey(test.id)] };
  const waiting = await listWaitingFor(db, { ...asked, since: system.now() - sightingsWaitMs });
  if (waiting.length === 0) return [];
  const { found, ids } = await matchWaiting(scope, { ...named, test }, waiting);
  await removeWaiting(scope, ids);
  const placement = placementOf(decodeReport(analysis.report));
  return await observe(scope, { test, placement }, found, system);
};

type Candidate = Matchable & { readonly test: TestsTable };

async function matchWaiting(
  scope: Scope,
  { test, ...named }: Candidate,
  waiting: readonly Waiting[],
): Promise<{ found: Discovery[]; ids: string[] }> {
  const mailboxes = await listMailboxes(scope);
  const candidate = { ...named, id: test.id, receivedAt: test.received_at, isTaken: false };
  const matched = waiting
    .flatMap(({ id, integrationId, sighting }) => {
      const mailbox = mailboxes.find((one) => one.id === integrationId);
      const match = mailbox && matchSighting(sighting, [candidate]);
      return match ? [{ id, mailbox, sighting, match }] : [];
    })
    .sort((one, other) => compareSureness(one.match.matchedBy, other.match.matchedBy));
  const found: Discovery[] = [];
  const ids: string[] = [];
  for (const { id, ...discovery } of matched) {
    const first = found.find(({ mailbox }) => mailbox.id === discovery.mailbox.id);
    // A different message in the same mailbox. It may belong to a test that has not arrived yet.
    if (first && isAnotherMessage(first.sighting, discovery.sighting)) continue;
    found.push(discovery);
    ids.push(id);
  }
  return { found, ids };
}

// What seed mailboxes have shown for a test so far, and which of them are still missing.

export async function readSeen(scope: Scope, test: TestsTable, now: number): Promise<SeenInMailboxes> {
  const rows = await listObservationRows(scope, test.id);
  const observations = rows.map(toObservation);
  // Uploads and our own sends did not go to seed mailboxes.
  if (!hasArrived(test) || test.send_id !== null || test.sample !== 0) return { observations, awaited: [] };
  const mailboxes = (await listMailboxes(scope)).filter(showsPlacement);
  // A mailbox that was reconnected or is connected twice is counted once.
  const hasShown = (mailbox: IntegrationsTable) =>
    rows.some(
      ({ integration_id, account, provider }) =>
        integration_id === mailbox.id || (account === mailbox.account && provider === toObservedProvider(mailbox)),
    );
  const seenBy = new Set(mailboxes.filter(hasShown).map(({ id }) => id));
  const times = { receivedAt: test.received_at, now, waitMs: sightingsWaitMs };
  return { observations, awaited: toAwaited(mailboxes, seenBy, times) };
}

/** A mailbox that is a seed inbox makes its own tests, so no other test waits for it. */
export function showsPlacement({ server }: Pick<IntegrationsTable, "server">): boolean {
  return (JSON.parse(server ?? "{}") as Partial<MailboxServer>).inbox === undefined;
}

/** How long a sighting may wait for our copy, or our copy for a sighting before it counts as missing. */
export const sightingsWaitMs = 3_600_000;
