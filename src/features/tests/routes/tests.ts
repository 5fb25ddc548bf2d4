import { checkCatalog } from "../../../analyzer/checks/catalog.ts";
import { whyNotReceivedAt } from "../../../analyzer/mail/headers/judged-time.ts";
import { readMessageSource } from "../../../analyzer/mail/mime/message-source.ts";
import { toReportMessage } from "../../../analyzer/mail/reports/report-file.ts";
import { claimedSession, type SessionClaims, type SmtpSession } from "../../../analyzer/mail/session/session.ts";
import { parseSessionText } from "../../../analyzer/mail/session/session-text.ts";
import { toGrade } from "../../../analyzer/reports/grade-words.ts";
import { nothingSeen, type SeenInMailboxes } from "../../../analyzer/reports/observation.ts";
import type { Report } from "../../../analyzer/reports/report.ts";
import { parseReport } from "../../../analyzer/reports/stored-report.ts";
import { pick, toTimestamp, toTimestampOrNull } from "../../../platform/contract/primitives.ts";
import type { Scope, WorkspaceStore } from "../../../platform/database/scope.ts";
import { noSuchTest, Refusal } from "../../../platform/errors.ts";
import { toOwnLabel } from "../../../platform/http/callers/token-rights.ts";
import { type Call, type Route, route } from "../../../platform/route.ts";
import type { Server } from "../../../platform/server.ts";
import { auditedTest } from "../audited.ts";
import { toReportFields } from "../contract/report.ts";
import {
  analysisSteps,
  deleteTest,
  deleteTests,
  listTests,
  readRawTest,
  readTest,
  restoreTests,
  type TestReport,
  type TestSummary,
  toTestBrief,
  uploadTest,
} from "../contract/tests.ts";
import { toTransport } from "../contract/transport.ts";
import { readDnsRetry } from "../rows/dns-retries.ts";
import type { ListedTest } from "../rows/listed.ts";
import { readSession } from "../rows/raw-messages.ts";
import { readKeptReport } from "../rows/reports.ts";
import { readReceived, readTest as readTestRow } from "../rows/tests.ts";
import type { TestsTable } from "../tables.ts";
import { toMistypedNotices } from "../words/rehearsal-words.ts";
import type { NotATest } from "../words/upload-words.ts";
import { type DnsUpdate, toDnsUpdate } from "../work/dns-retries.ts";
import { removeTestsOf } from "../work/remove-tests.ts";
import { answerRawMessage } from "./download.ts";
import { toOrder, toSearchFilter, toTestFilter, withinLabel } from "./test-search.ts";

export const testRoutes: readonly Route[] = [
  route(listTests, async ({ workspaceId, query, label }, { testFinder, system }) => {
    const { limit, offset, cursor, sort, ...filters } = query;
    const order = toOrder(sort);
    if (cursor !== undefined && cursor.includes(":") !== (order !== undefined))
      throw new Refusal("invalid_request", `"cursor" is from a list in another order.`, { field: "cursor" });
    const filter = withinLabel(toTestFilter(filters, system.now()), label);
    const found = await testFinder.find(workspaceId, { limit, offset, after: cursor }, filter, order);
    const { tests, total, totalIsExact, next } = found;
    return { items: tests.map(toSummary), total, totalIsExact, limit, offset, next };
  }),

  route(
    readTest,
    async ({ store, params: { id }, query: { detail, fields } }, _server, { progress, ...state }) => {
      if (fields !== undefined && detail === "brief")
        throw new Refusal("invalid_request", '"fields" cannot be combined with "detail=brief".', { field: "fields" });
      const test = { ...(await toWholeTest(store.read, id, state)), ...(progress && { progress }) };
      if (fields !== undefined) return pick(test, fields);
      return detail === "brief" ? toTestBrief(test) : test;
    },
    async ({ store, params: { id } }: Call<typeof readTest>, dependencies: Terms & ProgressTerms) => ({
      ...(await readState(store.read, id, dependencies)),
      progress: toProgress(id, dependencies),
    }),
  ),

  route(readRawTest, ({ store, params: { id } }) =>
    answerRawMessage(id, { testId: id, became: "test" }, store),
  ).recording({ action: "export.message", object: auditedTest, effect: "none" }),

  route(deleteTest, async (call, dependencies) => {
    if ((await removeTests([call.params.id], call, dependencies)) === 0) throw noSuchTest();
    return undefined;
  }).recording({ action: "test.delete", object: auditedTest }),

  route(deleteTests, async (call, dependencies) => {
    const { testFinder, removals, system } = dependencies;
    const { workspaceId, body } = call;
    const { search, expected = 0, undoable } = body;
    const ids =
      search === undefined
        ? (body.ids ?? [])
        : await testFinder.findIds(workspaceId, toSearchFilter(search, system.now()), expected);
    if (!undoable) return { deleted: await removeTests(ids, call, dependencies) };
    const marked = await removals.mark(call.store, ids);
    testFinder.forget(workspaceId);
    return marked;
  }).recording({ action: "test.bulk-delete", keep: ["ids", "search", "expected", "undoable"], effect: "maybe" }),

  route(restoreTests, async ({ workspaceId, store, body }, { testFinder, removals }) => {
    const restored = await removals.undo(store, body.undo);
    testFinder.forget(workspaceId);
    return { restored };
  }).recording({ action: "test.restore", keep: ["undo"], effect: "maybe" }),

  route(uploadTest, async (call, dependencies) => {
    const { receiveUpload, config, system } = dependencies;
    const { workspaceId, store, query, body } = call;
    const { ip = null, helo = null, mail_from = null, received_at, trust = [] } = query;
    const label = toOwnLabel(call.label, query.label ?? null);
    const why = received_at === undefined ? null : whyNotReceivedAt(received_at, system.now());
    if (why !== null) throw new Refusal("invalid_request", `"received_at" ${why}.`, { field: "received_at" });
    const claims = {
      clientAddress: ip,
      helo,
      mailFrom: mail_from,
      trusted: trust,
      ...(received_at !== undefined && { receivedAt: received_at }),
    };
    const limitBytes = config.smtpMaxMessageBytes;
    let notATest: NotATest | null = null;
    const read = async () => {
      const given = await body.read(limitBytes);
      const file = toReportMessage(given);
      const raw = file ?? given;
      notATest = await recogniseUpload(raw, claims.mailFrom, dependencies);
      if (file !== null && notATest?.kind !== "report") throw new Refusal("invalid_request", noReport);
      return raw;
    };
    const mostBytes = Math.min(body.saidBytes ?? limitBytes, limitBytes);
    const id = await receiveUpload({ workspaceId, label, claims }, { mostBytes, read });
    return notATest === null
      ? await readWholeTest(store.read, id, dependencies)
      : { ...(await readNoTest(store.read, id, claims)), not_a_test: notATest };
  }).recording({ nothing: "It adds a test like mail does, and the test says that it was uploaded." }),
];

const noReport =
  "This file contains no DMARC or TLS report that can be read. To test a message, upload one .eml file, unpacked.";

/** In the thread, because a stranger wrote it. Null: it is a test, or that isn't known yet. */
async function recogniseUpload(
  given: Uint8Array,
  mailFrom: string | null,
  { askedThread }: Pick<Server, "askedThread">,
): Promise<NotATest | null> {
  const source = readMessageSource(given);
  if (!source.ok) return null;
  const outcome = await askedThread.run({ kind: "recognise", raw: source.raw, mailFrom });
  return outcome.outcome === "answer" ? outcome.answer : null;
}

async function readNoTest(scope: Scope, id: string, claims: Omit<SessionClaims, "rcptTo">): Promise<TestReport> {
  const row = await readReceived(scope, id);
  if (!row) throw noSuchTest();
  return toReport(row, claimedSession({ ...claims, rcptTo: [] }), null);
}

type ProgressTerms = Pick<Server, "queue" | "config">;

function toProgress(id: string, { queue, config }: ProgressTerms): TestReport["progress"] {
  const now = queue.progressOf(id);
  const step = analysisSteps.find((one) => one === (now?.phase === "recognising" ? "reading" : now?.phase));
  if (now === null || step === undefined) return undefined;
  const lookup_seconds = Math.ceil(config.analysisBudgetMs / 1_000);
  return { step, seconds: Math.floor(now.ms / 1_000), lookup_seconds };
}

type Terms = Pick<Server, "system" | "readSeen">;

export async function readWholeTest(scope: Scope, id: string, terms: Terms): Promise<TestReport> {
  return await toWholeTest(scope, id, await readState(scope, id, terms));
}

/** What changes of a test. The rest of a report is the message's session, and the report of the row's `analyzed_at`. */
async function readState(scope: Scope, id: string, { system, readSeen }: Terms) {
  const [row, retry] = await Promise.all([readTestRow(scope, id), readDnsRetry(scope, id)]);
  return { row, retry, seen: row && (await readSeen(scope, row, system.now())) };
}

type State = Awaited<ReturnType<typeof readState>>;

async function toWholeTest(scope: Scope, id: string, { row, retry, seen }: State): Promise<TestReport> {
  if (!row) throw noSuchTest();
  const [session, kept] = await Promise.all([
    readSession(scope, id),
    row.analyzed_at === null ? undefined : readKeptReport(scope, id, row.analyzed_at),
  ]);
  if (session === undefined) throw noSuchTest();
  const whole = toReport(row, parseSessionText(session), kept === undefined ? null : parseReport(kept.report), seen);
  const mistyped = row.seed_inbox_id === null ? [] : toMistypedNotices(row.label);
  const notices = whole.notices && [...whole.notices, ...mistyped];
  return { ...whole, notices, dns_update: toUpdate(toDnsUpdate(retry)) };
}

function toUpdate(update: DnsUpdate | null): TestReport["dns_update"] {
  if (update === null) return null;
  const { at, firstAt, composite: first_composite } = update;
  return { at: toTimestamp(at), first_analyzed_at: toTimestamp(firstAt), first_composite };
}

async function removeTests(
  ids: readonly string[],
  { store }: { readonly store: WorkspaceStore },
  { testFinder, events }: Pick<Server, "testFinder" | "events">,
): Promise<number> {
  try {
    return await removeTestsOf(store, ids, events.publish);
  } finally {
    testFinder.forget(store.workspaceId);
  }
}

export function toSummary(row: ListedTest): TestSummary {
  return {
    id: row.id,
    received_at: toTimestamp(row.received_at),
    from: row.header_from,
    subject: row.subject,
    status: row.status,
    composite: row.composite,
    inbox_rate: row.inbox_rate,
    spam_rate: row.spam_rate,
    promo_rate: row.promo_rate,
    spf: row.spf as TestSummary["spf"],
    dkim: row.dkim as TestSummary["dkim"],
    dmarc: row.dmarc as TestSummary["dmarc"],
    to: JSON.parse(row.recipients) as string[],
    label: row.label,
    kind: row.kind,
    malware: row.malware,
    coverage: row.coverage,
    grade: toGrade({ composite: row.composite, coverage: row.coverage ?? 0 }, row),
    size_bytes: row.size_bytes,
    analyzed_at: toTimestampOrNull(row.analyzed_at),
    send_id: row.send_id,
    seed_inbox_id: row.seed_inbox_id,
    sample: row.sample === 1,
  };
}

/** Without `seen`: predictions only. */
export function toReport(
  row: TestsTable,
  session: SmtpSession,
  report: Report | null,
  seen: SeenInMailboxes = nothingSeen,
): TestReport {
  return {
    ...toSummary(row),
    failure: row.failure,
    dns_update: null,
    transport: toTransport(session, report),
    ...toReportFields(report, checkCatalog, seen),
  };
}
