// The path of a message: claimed, analyzed, and stored in one transaction as a test, a bounce, or a report, or marked as
// failed. Other features join it at the points in path.ts. If a message crashes the analyzer, the rules in
// platform/work/work-loop.ts apply.

import { known } from "../../../analyzer/checks/fact.ts";
import type { Notice } from "../../../analyzer/mail/reports/mail-class.ts";
import { findSend } from "../../../analyzer/mail/send-token.ts";
import { toStorableCut } from "../../../analyzer/mail/text/bounds.ts";
import type { Circumstances } from "../../../analyzer/reports/known-facts.ts";
import { type KeptMessage, MissingMessage } from "../../../platform/database/messages.ts";
import type { Store } from "../../../platform/database/store.ts";
import { Refusal } from "../../../platform/errors.ts";
import type { Feature, WorkspaceSettings } from "../../../platform/server.ts";
import type { System } from "../../../platform/system/system.ts";
import { releaseClaim } from "../../../platform/work/claims.ts";
import type { Closed } from "../../../platform/work/work-loop.ts";
import { type AlertMailKeys, isAlertMessageId, readAlertReturnPath } from "../../alerts/rules/mail-token.ts";
import { raiseOfTest } from "../../alerts/work/raise.ts";
import { noteSenders } from "../../domains/rows/seen-senders.ts";
import type { SenderMemory } from "../../domains/work/seen-senders.ts";
import type { Publish } from "../../events/work/hub.ts";
import { hasArrived } from "../../intake/work/receive-message.ts";
import type { Finding } from "../analysis/analyze-stored.ts";
import type { JobOutcome, JobThread } from "../analysis/job-thread.ts";
import { countReuses } from "../rows/message-ids.ts";
import { readClaimedMessage } from "../rows/raw-messages.ts";
import { markAnalyzed } from "../rows/tests.ts";
import type { Became, TestsTable } from "../tables.ts";
import { isFirst } from "./arrived.ts";
import { noteDns } from "./dns-retries.ts";
import { type Awaiting, type ClaimedTest, joinIn, listAwaiting, placeTest } from "./path.ts";
import { recordFailure } from "./record-failure.ts";
import { type NonTest, recordNonTest } from "./record-non-test.ts";

export type AnalysisTerms = {
  readonly store: Store;
  readonly features: readonly Feature[];
  readonly thread: JobThread;
  readonly system: Pick<System, "now" | "log" | "random">;
  /** Signs the tokens in our messages (analyzer/mail/send-token.ts). */
  readonly sendKey: Uint8Array;
  readonly alertMailKeys: AlertMailKeys;
  readonly senders: SenderMemory;
  /** Called with what an analyzed message turned out to be. */
  readonly onAnalyzed?: (became: Became) => void;
  readonly publish: Publish;
  readonly noteDnsTimeouts?: (count: number) => void;
  /** No one asked for this analysis (dns-retries.ts). */
  readonly isAutomatic?: boolean;
  /** Extended while an analysis runs, so a claim expires only when its process is gone. */
  readonly leaseMs: number;
};

export type Trouble = Extract<JobOutcome, { readonly outcome: "stalled" | "interrupted" }>;
type Failed = Extract<JobOutcome, { readonly outcome: "failed" }>;

/** Analyzes a test of the queue. Messages that can't be read now are tried again later, whatever the reason. */
export async function analyzeQueued(test: ClaimedTest, terms: AnalysisTerms): Promise<Trouble | Closed | undefined> {
  const { store, system } = terms;
  const row = await readClaimedMessage(store.read, test);
  if (!row) return recordFailure(test, "The raw message is missing from the database.", terms);
  let kept: KeptMessage;
  try {
    kept = await store.messages.open(row, "patiently");
  } catch (error) {
    if (error instanceof MissingMessage) return recordFailure(test, error.message, terms);
    if (!(error instanceof Refusal)) throw error;
    const dueAt = system.now() + unavailableForMs;
    await store.write((db) => releaseClaim(db, "tests", test, { dueAt, unmarked: true }));
    return undefined;
  }
  const trouble = await analyze(test, kept, terms);
  if (trouble?.outcome === "failed") return recordFailure(test, toFailedAnalysis(trouble), terms);
  return trouble;
}

export function toFailedAnalysis({ why }: Failed): string {
  return `The analyzer failed: ${why}`;
}

/** Before a message that can't be read is tried again. */
const unavailableForMs = 15_000;

/** Records the result, or returns why there is none. `recorded`: see StoredMessage. */
export async function analyze(
  test: ClaimedTest,
  kept: KeptMessage,
  terms: AnalysisTerms,
  recorded: string | null = null,
): Promise<Trouble | Failed | Closed | undefined> {
  const { store, features, thread, system } = terms;
  if (test.unreadable !== undefined) throw test.unreadable;
  const message = { ...kept, receivedAt: test.received_at, recorded };
  const awaiting = listAwaiting(features, test);
  system.log.debug("analysis started", { test: test.id, attempt: test.attempts });
  const run = (sameMessageId: number) => {
    const circumstances = toCircumstances(test, { ...test.settings, sameMessageId });
    const wantsText = awaiting.some((one) => one.wantsText);
    return thread.run({ kind: "analyze", message: { ...message, circumstances, wantsText } });
  };
  let outcome = await run(0);
  // An uploaded file may be a copy of a message received by SMTP, so it does not count as a reuse.
  if (outcome.outcome === "answer" && recorded === null && hasArrived(test)) {
    // The Message-ID is known only after the analysis. Repeats are rare, so analyzing those twice is cheaper than
    // parsing every message twice.
    const reuses = await countReusesOf(test, outcome.answer, store);
    if (reuses > 0) outcome = await run(reuses);
  }
  if (outcome.outcome === "answer") return record(test, { ...outcome.answer, awaiting }, terms);
  if (outcome.outcome !== "closed" && outcome.outcome !== "failed") {
    const { attempts } = test;
    system.log.warn("analysis did not finish", { test: test.id, tries: attempts, ...outcome });
  }
  return outcome;
}

type Surrounding = Omit<CircumstanceSettings, "outgoing" | "learned"> &
  Partial<CircumstanceSettings> & { readonly sameMessageId: number };
type CircumstanceSettings = Pick<WorkspaceSettings, "ownDomains" | "kindRules" | "volume" | "outgoing" | "learned">;

/** Past keys and selectors matter only to domain checks. */
export function toCircumstances(
  { label, kind_override }: Pick<TestsTable, "label" | "kind_override">,
  { ownDomains, sameMessageId, kindRules, volume, outgoing = null, learned = null }: Surrounding,
): Circumstances {
  return {
    label,
    kindOverride: kind_override,
    kindRules,
    history: known({ sameMessageId, selectorsSeen: [], keyFirstSeen: null }),
    own: known({ domains: ownDomains }),
    volume,
    outgoing,
    learned,
  };
}

async function countReusesOf(test: TestsTable, finding: Finding, { read }: Store): Promise<number> {
  return finding.kind === "test" ? await countReuses(read, test, finding.analysis) : 0;
}

type AwaitedFinding = Finding & { readonly awaiting: readonly Awaiting[] };

async function record(test: ClaimedTest, finding: AwaitedFinding, terms: AnalysisTerms): Promise<undefined> {
  if (finding.kind === "test") await recordTest(test, finding, terms);
  else await recordOther(test, finding, terms);
}

type Analyzed = Extract<AwaitedFinding, { kind: "test" }>;

async function recordTest(test: ClaimedTest, finding: Analyzed, terms: AnalysisTerms): Promise<void> {
  const { store, features, system, onAnalyzed, publish } = terms;
  const { id, workspace_id, label } = test;
  for (const broken of finding.broken) system.log.error("check failed", { test: test.id, ...broken });
  const { subject, header_from } = finding.analysis;
  const shown = { subject: cut(subject), header_from: cut(header_from) };
  const analysis = { ...finding.analysis, ...shown, analyzedAt: system.now() };
  const counting = countSenders(test, finding, terms.senders);
  const isCanary = test.became === "canary";
  const written = store.writeRelaxed(async (db) => {
    const { traits, stream } = await placeTest(features, db, test, analysis, system);
    if (!(await markAnalyzed(db, test, { ...analysis, traits }, stream?.id ?? test.stream_id))) return null;
    // Only its monitor's page shows a canary.
    if (!isCanary) {
      await stream?.save();
      await noteSenders(db, workspace_id, counting.notes);
      const { issues, foundMalware, verdicts, dns } = finding;
      await noteDns(db, test, { ...analysis, dns, isAutomatic: terms.isAutomatic === true });
      await raiseOfTest(db, test, { ...analysis, issues, foundMalware, verdicts }, { ...terms, stream });
    }
    return await joinIn(features, finding.awaiting, { db, test, outcome: { ...finding, analysis }, system });
  });
  const events = await written.catch((error: unknown) => {
    counting.end(false);
    throw error;
  });
  counting.end(events !== null);
  if (events === null) return;
  onAnalyzed?.(test.became);
  terms.noteDnsTimeouts?.(finding.dns.timeouts);
  const afterMs = analysis.analyzedAt - test.received_at;
  const { spf, dkim, dmarc, kind, coverage } = analysis;
  system.log.debug("report saved", { test: id, spf, dkim, dmarc, kind, coverage });
  system.log.info("message analyzed", { test: id, score: analysis.composite, afterMs });
  const reanalyzed = test.analyzed_at !== null || test.failure !== null;
  const { composite } = analysis;
  if (!isCanary) publish(workspace_id, { type: "test.analyzed", id, label, composite, reanalyzed });
  for (const event of events) publish(workspace_id, event);
}

/** A bounce, a report, or an automatic reply. */
async function recordOther(
  test: TestsTable,
  finding: Exclude<AwaitedFinding, Analyzed>,
  terms: AnalysisTerms,
): Promise<void> {
  const { store, features, system, sendKey, onAnalyzed, publish } = terms;
  const { id, workspace_id } = test;
  const { recognised, message, sender } = finding;
  const recipients = JSON.parse(test.recipients) as string[];
  const send = "notice" in recognised ? findSend(recipients, recognised.notice, sendKey) : noSend;
  const alertMail = "notice" in recognised ? findAlertMail(recipients, recognised.notice, terms) : null;
  const found = { recognised, ...message, ...send, alertMail, sender };
  const events = await store.write(async (db) => {
    if (!(await recordNonTest(db, test, found, terms))) return null;
    return await joinIn(features, finding.awaiting, { db, test, outcome: finding, system });
  });
  if (events === null) return;
  onAnalyzed?.(recognised.kind);
  system.log.info("message is not a test", { test: id, kind: recognised.kind });
  publish(workspace_id, { type: "test.recognised", id, became: recognised.kind });
  for (const event of events) publish(workspace_id, event);
}

function countSenders(test: TestsTable, { seenSenders }: Pick<Analyzed, "seenSenders">, senders: SenderMemory) {
  const seen = isFirst(test) && test.became !== "canary" ? seenSenders : [];
  return senders.note(test.workspace_id, seen, test.received_at);
}

/** Null if it isn't about one of our alerts. What it quotes could be copied, so it names no address. */
function findAlertMail(
  recipients: readonly string[],
  { originalMessageId }: Pick<Notice, "originalMessageId">,
  { alertMailKeys: keys }: Pick<AnalysisTerms, "alertMailKeys">,
): NonTest["alertMail"] {
  for (const recipient of recipients) {
    const addressId = readAlertReturnPath(recipient, keys);
    if (addressId !== null) return { addressId };
  }
  const isQuoted = originalMessageId !== null && isAlertMessageId(originalMessageId, keys);
  return isQuoted ? { addressId: null } : null;
}

/** For lists. The report has the full text. */
const longestInList = 1_000;

function cut(text: string | null): string | null {
  return text === null ? null : toStorableCut(text, longestInList);
}

const noSend = { sendId: null, authenticated: false };
