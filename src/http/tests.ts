import { toTimestamp, toTimestampOrNull } from "../api/primitives.ts";
import { listTests, readRawTest, readTest, type TestReport, type TestSummary } from "../api/tests.ts";
import { Refusal } from "../errors.ts";
import type { SmtpSession } from "../mail/session.ts";
import type { Report } from "../reports/report.ts";
import { readRawMessage, readSession } from "../store/raw-messages.ts";
import type { TestsTable } from "../store/schema.ts";
import { inWorkspace } from "../store/scope.ts";
import * as store from "../store/tests.ts";
import { type Route, route } from "./route.ts";

export const testRoutes: readonly Route[] = [
  route(listTests, async ({ workspaceId, query: { limit, cursor } }, { store: { read } }) => {
    const scope = inWorkspace(read, workspaceId);
    const rows = await store.listTests(scope, { limit: limit + 1, after: cursor });
    const page = rows.slice(0, limit);
    const last = rows.length > limit ? page.at(-1) : undefined;
    return { items: page.map(toSummary), limit, next: last ? toCursor(last) : null };
  }),

  route(readTest, async ({ workspaceId, params: { id } }, { store: { read } }) => {
    const scope = inWorkspace(read, workspaceId);
    const [row, session, report] = await Promise.all([
      store.readTest(scope, id),
      readSession(scope, id),
      store.readReport(scope, id),
    ]);
    if (!row || session === undefined) throw noSuchTest();
    return toReport(
      row,
      JSON.parse(session) as SmtpSession,
      report === undefined ? null : (JSON.parse(report) as Report),
    );
  }),

  route(readRawTest, async ({ workspaceId, params: { id } }, { store: { readAside } }) => {
    const raw = await readRawMessage(inWorkspace(readAside, workspaceId), id);
    if (!raw) throw noSuchTest();
    // A stranger's bytes: only ever saved, never shown (decisions §5).
    return new Response(Buffer.from(raw.bytes), {
      headers: {
        "content-type": "message/rfc822",
        "content-disposition": `attachment; filename="${id}.eml"`,
        "content-security-policy": "sandbox",
      },
    });
  }),
];

function noSuchTest(): Refusal {
  return new Refusal("not_found", "There is no such test.");
}

function toSummary(row: TestsTable): TestSummary {
  return {
    id: row.id,
    received_at: toTimestamp(row.received_at),
    from: row.header_from,
    subject: row.subject,
    status: row.status,
    spf: row.spf as TestSummary["spf"],
    dkim: row.dkim as TestSummary["dkim"],
    dmarc: row.dmarc as TestSummary["dmarc"],
    to: JSON.parse(row.recipients) as string[],
    label: row.label,
    size_bytes: row.size_bytes,
    analyzed_at: toTimestampOrNull(row.analyzed_at),
  };
}

function toReport(row: TestsTable, session: SmtpSession, report: Report | null): TestReport {
  return {
    ...toSummary(row),
    failure: row.failure,
    transport: session,
    authentication: report?.authentication ?? null,
    analysis: report?.analysis ?? null,
  };
}

/** Opaque to callers: the place of a row in the order of the list. */
function toCursor(row: TestsTable): string {
  return `${row.received_at}-${row.id}`;
}
