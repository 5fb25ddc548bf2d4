// Reports as signed files, and the key that verifies them.

import { checkCatalog } from "../../analyzer/checks/catalog.ts";
import { doors } from "../../analyzer/mail/session/doors.ts";
import type { SmtpSession } from "../../analyzer/mail/session/session.ts";
import { toTimestamp, toTimestampOrNull } from "../../platform/contract/primitives.ts";
import type { Scope, WorkspaceStore } from "../../platform/database/scope.ts";
import { noSuchTest, Refusal } from "../../platform/errors.ts";
import { type Route, route } from "../../platform/route.ts";
import type { Server } from "../../platform/server.ts";
import { auditedTest } from "../tests/audited.ts";
import { type PageProof, type ReportPage, toSharedTest } from "../tests/contract/report-page.ts";
import type { TestReport } from "../tests/contract/tests.ts";
import { answerDownload } from "../tests/routes/download.ts";
import { openReportPages, toMail } from "../tests/routes/report-page.ts";
import { toReport } from "../tests/routes/tests.ts";
import { readForwardingPrediction, readSecondReading } from "../tests/work/kept-examinations.ts";
import {
  readReportFile,
  readReportKey,
  readReportKeyPem,
  readSignedReport,
  toCopies,
  toSectionContents,
} from "./contract.ts";
import { keepSections, type Section, sha256Of, signSections, toHtmlFile, toJsonFile } from "./rules/signed-file.ts";
import { toJwk, toPem } from "./rules/signing-key.ts";
import type { Copy, Statement } from "./rules/statement.ts";
import { mostIncludedBytes, whyNotIncluded } from "./words.ts";
import { readTestMaterial, type TestMaterial } from "./work/report-material.ts";

type Query = { readonly redact: Copy; readonly message: "0" | "1" };

export const signedReportRoutes: readonly Route[] = [
  route(readReportFile, async ({ workspaceId, store, params: { id }, query, isHead }, dependencies) => {
    if (query.redact === "none" && !isHead) await dependencies.examiner.untilExamined({ workspaceId, testId: id });
    const prepared = await prepare(store, { id, query }, dependencies);
    const name = toFileName(id, query, "html");
    const page = await renderPage(store.readInWorker, prepared, { query, name }, dependencies);
    const signed = sign(prepared, { query, page }, dependencies);
    return answerDownload({ name, type: "text/html; charset=utf-8", content: Buffer.from(toHtmlFile(page, signed)) });
  }).recording({ action: "export.report", object: auditedTest, keep: ["redact"], effect: "none" }),

  route(readSignedReport, async ({ store, params: { id }, query }, dependencies) => {
    const prepared = await prepare(store, { id, query }, dependencies);
    const signed = sign(prepared, { query, page: null }, dependencies);
    const name = toFileName(id, query, "json");
    return answerDownload({ name, type: "application/json; charset=utf-8", content: Buffer.from(toJsonFile(signed)) });
  }).recording({ action: "export.report", object: auditedTest, keep: ["redact"], effect: "none" }),

  route(readReportKey, (_call, { reportSigning: { signer } }) => ({ keys: [toJwk(signer)] })),

  route(readReportKeyPem, (_call, { reportSigning: { signer } }) => {
    return new Response(toPem(signer), { headers: { "content-type": "application/x-pem-file" } });
  }),
];

function toFileName(id: string, { redact }: Query, extension: string): string {
  return `assay-report-${id}${redact === "none" ? "" : `-without-${redact}`}.${extension}`;
}

type Terms = Pick<
  Server,
  "system" | "readSeen" | "version" | "webFiles" | "config" | "reportSigning" | "baseUrl" | "viewer" | "examiner"
>;

type Prepared = { readonly test: TestReport; readonly material: TestMaterial; readonly sha256: string };

async function prepare(
  { readInWorker: scope, messages }: Pick<WorkspaceStore, "readInWorker" | "messages">,
  { id, query }: { readonly id: string; readonly query: Query },
  { system, config, readSeen }: Terms,
): Promise<Prepared> {
  if (query.message === "1" && query.redact !== "none")
    throw new Refusal("invalid_request", '"message" cannot be combined with "redact".', { field: "message" });
  const material = await readTestMaterial(scope, messages, id, config.seedDomains);
  if (material === undefined) throw noSuchTest();
  if (query.message === "1" && material.raw.length > mostIncludedBytes) throw new Refusal("conflict", whyNotIncluded);
  const { row, session, report, raw } = material;
  const test = toReport(row, session, report, await readSeen(scope, row, system.now()));
  return { test, material, sha256: sha256Of(raw) };
}

/** They belong to the report that was just read, because a new one removes them. The file says which are missing. */
async function readExaminations(scope: Scope, id: string) {
  return { second: await readSecondReading(scope, id), forwarding: await readForwardingPrediction(scope, id) };
}

type Wanted = { readonly query: Query; readonly page: string | null };

function sign(
  { test, material, sha256 }: Prepared,
  { query, page }: Wanted,
  { system, reportSigning, baseUrl }: Terms,
) {
  const { signer, salt, receiver } = reportSigning;
  const { row, report, raw } = material;
  const { analysis } = report;
  const copies = toCopies(material);
  const contents = toSectionContents({
    ...material,
    session: material.sessionText,
    test,
    receiver,
    receivedAt: row.received_at,
    catalog: checkCatalog,
  });
  const all = [
    ...(page === null ? [] : [{ name: "page" as const, content: sha256Of(page) }]),
    ...contents,
    ...(query.message === "1" ? [{ name: "message" as const, content: Buffer.from(raw).toString("base64") }] : []),
  ];
  const sections = all.map(({ name, content }): Section => {
    const text = JSON.stringify([row.id, row.analyzed_at, name, name === "message" ? sha256 : content]);
    return { name, content, salt: salt(text) };
  });
  const statement: Omit<Statement, "format" | "key" | "sections"> = {
    signed_at: toTimestamp(system.now()),
    issuer: baseUrl(),
    test: row.id,
    received_at: toTimestamp(row.received_at),
    analyzed_at: toTimestampOrNull(row.analyzed_at) ?? "",
    message: { sha256, bytes: raw.length, source: toSource(material.session) },
    rules: { assay: analysis.version, placement: report.judgment.placement?.version ?? null },
    result: { composite: test.composite, spf: test.spf, dkim: test.dkim, dmarc: test.dmarc },
    copies,
  };
  const signed = signSections(statement, sections, signer);
  return query.redact === "none" ? signed : keepSections(signed, copies[query.redact]);
}

/** How far the session is what we saw of a sender. */
function toSource({ door, laboratory, looped }: SmtpSession): string {
  if (laboratory !== undefined) return "sample";
  if (looped) return "loop";
  return doors[door.kind].signed.name;
}

const leftOutWords = { recipients: "recipients left out", body: "recipients and body quotes left out" };

async function renderPage(
  scope: Scope,
  { test, material, sha256 }: Prepared,
  { query: { redact }, name }: { readonly query: Query; readonly name: string },
  { system, version, webFiles, reportSigning, baseUrl, viewer, config }: Terms,
): Promise<string> {
  const pages = openReportPages(webFiles);
  if (pages === undefined)
    throw new Refusal("conflict", "Saving a report requires the web app, which is not built. Run npm run build.");
  const proof: PageProof = { file: name, issuer: baseUrl(), messageSha256: sha256, keyId: reportSigning.signer.id };
  const { mask } = material;
  const note = redact === "none" ? "includes recipients and headers" : leftOutWords[redact];
  const content: ReportPage["content"] =
    redact === "none"
      ? { shows: "all", test, ...(await readExaminations(scope, test.id)) }
      : { shows: "share", test: toSharedTest(test, { catalog: checkCatalog, mask, redactsBody: redact === "body" }) };
  const seedDomains = redact === "none" ? null : config.seedDomains;
  const mail = await toMail(
    redact === "body" ? "The message is left out of this copy." : null,
    () => viewer.still(material.row.workspace_id, test, seedDomains),
    (document) => ({ document }),
  );
  const page: ReportPage = {
    note: `Signed report · ${note}`,
    time: { says: "saved", at: toTimestamp(system.now()) },
    mail,
    content,
    proof,
    foot: [
      `Assay ${version}, report from version ${material.report.analysis.version}`,
      "This file works offline, runs no scripts, and loads nothing from the internet.",
    ],
  };
  const subject = redact === "none" ? test.subject : test.subject && mask(test.subject);
  return pages.render(page, { title: subject?.trim() || "Report", isFile: true });
}
