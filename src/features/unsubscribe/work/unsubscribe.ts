// Unsubscribes the address that received a test, or opens its unsubscribe link as a mail scanner would, because a person asked for it. Nothing else in Assay calls this: mail that
// arrives never causes a request. The row is written before the request, so a crash leaves a row without an outcome.

import MailComposer from "nodemailer/lib/mail-composer";
import type { MailtoMessage } from "../../../analyzer/mail/headers/mailto.ts";
import { type OwnSender, readOwnSender } from "../../../analyzer/mail/headers/own-sender.ts";
import type { Report } from "../../../analyzer/reports/report.ts";
import { parseReport } from "../../../analyzer/reports/stored-report.ts";
import {
  type OneClickWay,
  readListIdentifier,
  readUnsubscribeWays,
  readVisitableHeader,
  type UnsubscribeMethod,
  type UnsubscribeWays,
} from "../../../analyzer/reports/unsubscribe.ts";
import {
  judgeDelivery,
  judgeResponse,
  type UnsubscribeOutcome,
  unsubscribeMaxBytes,
  unsubscribePatienceMs,
} from "../../../analyzer/reports/unsubscribe-outcome.ts";
import { judgeVisit, type VisitLink, type VisitOutcome } from "../../../analyzer/reports/unsubscribe-visit.ts";
import { recordChange } from "../../../platform/audit/rows/recording.ts";
import type { Scope, WorkspaceStore } from "../../../platform/database/scope.ts";
import { noSuchTest, Refusal } from "../../../platform/errors.ts";
import { createId } from "../../../platform/ids.ts";
import type { System } from "../../../platform/system/system.ts";
import { hostOf } from "../../../platform/system/target-guard.ts";
import { lockWorkspace } from "../../people/rows/workspaces.ts";
import type { SignOutgoing } from "../../sending/work/signing-keys.ts";
import { type MailTransport, TransportFailure } from "../../sending/work/transports.ts";
import { readReport } from "../../tests/rows/reports.ts";
import { readTest } from "../../tests/rows/tests.ts";
import type { TestsTable } from "../../tests/tables.ts";
import {
  finishUnsubscribe,
  insertUnsubscribe,
  listUnsubscribes,
  listUnsubscribeTimes,
  type NewUnsubscribe,
} from "../rows.ts";
import { createTargetLimit } from "./target-limit.ts";
import { findUnsubscribedAt } from "./unsubscribe-proof.ts";

type UnsubscriberTerms = {
  readonly system: Pick<System, "now" | "random" | "log" | "fetchStranger">;
  readonly sign: SignOutgoing;
  readonly road: MailTransport;
};

type Asked = {
  readonly testId: string;
  /** Absent: one-click if possible, otherwise a message. */
  readonly method?: UnsubscribeMethod | undefined;
  /** Ask although this test has an earlier request. */
  readonly again: boolean;
  /** Only open this link. */
  readonly visit?: { readonly link: "header" } | { readonly link: "body"; readonly url: string | null };
  readonly userId: string | null;
};

export type Unsubscriber = {
  readonly ask: (store: Writing, asked: Asked) => Promise<void>;
  /** Null: a message can be sent. Otherwise why not. */
  readonly findWhyNoMail: () => string | null;
};

type Writing = Pick<WorkspaceStore, "workspaceId" | "read" | "write">;

/** A request reaches a stranger's server. A person needs a few; a script that clicks through all tests needs many. */
const most = { inMinute: 5, inDay: 100 };
const minuteMs = 60_000;
const dayMs = 86_400_000;

/** For the whole SMTP session. */
const deliveryMs = 60_000;

const noRelay = "This server has no relay to send an unsubscribe message (ASSAY_SEND_SMTP_URL).";

export function createUnsubscriber(terms: UnsubscriberTerms): Unsubscriber {
  const { system, road } = terms;
  const findWhyNoMail = () => (road.transport === "relay" ? null : noRelay);
  const targets = createTargetLimit(system.now);

  async function begin(store: Writing, asked: Asked): Promise<Begun> {
    const known = await readKnown(store.read, asked.testId);
    const request = asked.visit
      ? pickVisit(known.report, asked.visit)
      : pickRequest(readUnsubscribeWays(known.report), { method: asked.method, whyNoMail: findWhyNoMail() });
    const now = system.now();
    const row: NewUnsubscribe = {
      id: createId("unsubscribe", now, system.random(16)),
      test_id: known.test.id,
      created_at: now,
      created_by: asked.userId,
      method: request.method,
      target: request.method === "mailto" ? request.message.address : urlOf(request),
      recipient: known.recipient.toLowerCase(),
      list_id: readListIdentifier(known.report),
      from_domain: known.test.from_domain,
    };
    await store.write(async (scope) => {
      await lockWorkspace(scope);
      await requireRoom(scope, now);
      if (asked.visit) await requireUnopened(scope, row);
      else if (!asked.again) await requireFirst(scope, known.test.id);
      targets.enter(toTarget(request));
      await insertUnsubscribe(scope, row);
      recordChange({ objectId: row.id });
    });
    return { row, request, recipient: known.recipient };
  }

  async function makeRequest(
    store: Writing,
    { request, recipient, row }: Begun,
  ): Promise<UnsubscribeOutcome | VisitOutcome> {
    if ("url" in request) {
      const visited = await openAsScanner(request.url, system);
      return judgeVisit(visited, await findUnsubscribedAt(store.read, row));
    }
    const startedAt = performance.now();
    const elapsed = () => Math.round(performance.now() - startedAt);
    if (request.method === "one-click") {
      const outcome = await postOneClick(request.way.url, system);
      return judgeResponse(outcome, elapsed());
    }
    const delivered = await deliver(store, { message: request.message, recipient, id: row.id }, terms);
    return judgeDelivery(delivered, elapsed());
  }

  return {
    findWhyNoMail,
    ask: async (store, asked) => {
      const begun = await begin(store, asked);
      const outcome = await makeRequest(store, begun);
      const finished = { finished_at: system.now(), outcome: JSON.stringify(outcome) };
      await store.write((scope) => finishUnsubscribe(scope, begun.row.id, finished));
      const { method } = begun.row;
      system.log.info("unsubscribe requested", { test: asked.testId, method, result: outcome.result });
    },
  };
}

type Request =
  | { readonly method: "one-click"; readonly way: OneClickWay }
  | { readonly method: "mailto"; readonly message: MailtoMessage }
  | { readonly method: `visit-${VisitLink}`; readonly url: string };

type Begun = { readonly row: NewUnsubscribe; readonly request: Request; readonly recipient: string };

type Known = { readonly test: TestsTable; readonly report: Report; readonly recipient: string };

async function readKnown(scope: Scope, testId: string): Promise<Known> {
  const test = await readTest(scope, testId);
  if (test === undefined) throw noSuchTest();
  const kept = await readReport(scope, testId);
  const report = kept === undefined ? null : parseReport(kept);
  if (report === null) throw new Refusal("conflict", "This test has no report that can be used. Re-analyze it first.");
  if (test.sample === 1) throw new Refusal("conflict", "This message is from the sample gallery. It has no real list.");
  const [recipient] = JSON.parse(test.recipients) as string[];
  if (recipient === undefined)
    throw new Refusal("conflict", "The message has no recipient in this workspace, so no address to unsubscribe.");
  return { test, report, recipient };
}

function pickRequest(
  { oneClick, mailto }: UnsubscribeWays,
  { method, whyNoMail }: { readonly method: UnsubscribeMethod | undefined; readonly whyNoMail: string | null },
): Request {
  if (method !== "mailto" && oneClick.ok) return { method: "one-click", way: oneClick.way };
  if (method === "one-click" || !mailto.ok) throw new Refusal("conflict", whyNone({ oneClick, mailto }, method));
  if (whyNoMail !== null) throw new Refusal("conflict", whyNoMail);
  return { method: "mailto", message: mailto.way.message };
}

function pickVisit(report: Report, visit: NonNullable<Asked["visit"]>): Request {
  const url = URL.parse((visit.link === "header" ? readVisitableHeader(report) : visit.url) ?? "");
  if (url !== null) return { method: `visit-${visit.link}`, url: url.href };
  const why = {
    header: "The message has no single List-Unsubscribe header with a valid web address.",
    body: "The body has no visible unsubscribe link with a valid web address.",
  };
  throw new Refusal("conflict", why[visit.link]);
}

function urlOf(request: Exclude<Request, { readonly method: "mailto" }>): string {
  return "url" in request ? request.url : request.way.url;
}

function toTarget(request: Request) {
  if (request.method !== "mailto") return { host: hostOf(new URL(urlOf(request))), mailbox: null };
  const { address } = request.message;
  return { host: address.slice(address.lastIndexOf("@") + 1), mailbox: address };
}

function whyNone(ways: UnsubscribeWays, method: UnsubscribeMethod | undefined): string {
  const asked = [...(method === "mailto" ? [] : [ways.oneClick]), ...(method === "one-click" ? [] : [ways.mailto])];
  return [...new Set(asked.flatMap((way) => (way.ok ? [] : [way.why])))].join(" ");
}

async function requireRoom(scope: Scope, now: number): Promise<void> {
  const times = (await listUnsubscribeTimes(scope, now - dayMs, most.inDay)).map(({ created_at }) => created_at);
  const inMinute = times.filter((time) => time > now - minuteMs).length;
  if (inMinute >= most.inMinute)
    throw tooMany(`${most.inMinute} per minute`, (times[most.inMinute - 1] ?? now) + minuteMs - now);
  if (times.length >= most.inDay) throw tooMany(`${most.inDay} per day`, (times.at(-1) ?? now) + dayMs - now);
}

function tooMany(limit: string, waitMs: number): Refusal {
  return new Refusal("rate_limited", `At most ${limit} unsubscribe requests are allowed in a workspace.`, {
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)),
  });
}

/** A double click must not open a link twice: it may work only once. */
async function requireUnopened(scope: Scope, { test_id, created_at, method }: NewUnsubscribe): Promise<void> {
  const [last] = await listUnsubscribes(scope, test_id, [method]);
  if (last?.finished_at === null && created_at - last.created_at < unsubscribePatienceMs)
    throw new Refusal("conflict", "This link is being opened right now.");
}

async function requireFirst(scope: Scope, testId: string): Promise<void> {
  const [last] = await listUnsubscribes(scope, testId);
  if (last === undefined) return;
  const day = new Date(last.created_at).toISOString().slice(0, 10);
  throw new Refusal(
    "conflict",
    `Unsubscribe was already requested for this message on ${day}. Pass "again" to repeat it.`,
  );
}

/** RFC 8058 §3.2: no cookies, no login, nothing but the one field. */
function postOneClick(url: string, { fetchStranger }: UnsubscriberTerms["system"]) {
  return fetchStranger(url, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: "List-Unsubscribe=One-Click",
    timeoutMs: unsubscribePatienceMs,
    maxBytes: unsubscribeMaxBytes,
    cutsBody: true,
  });
}

/** Scanners follow redirects, and neither log in nor send cookies. */
function openAsScanner(url: string, { fetchStranger }: UnsubscriberTerms["system"]) {
  return fetchStranger(url, {
    method: "GET",
    headers: { accept: "text/html,*/*" },
    redirects: 5,
    timeoutMs: unsubscribePatienceMs,
    maxBytes: unsubscribeMaxBytes,
    cutsBody: true,
    keepsPart: true,
  });
}

type Letter = { readonly message: MailtoMessage; readonly recipient: string; readonly id: string };

/** From the address that is to be unsubscribed, because list servers go by the sender. */
async function deliver(store: Writing, letter: Letter, { sign, road, system }: UnsubscriberTerms) {
  const reading = readOwnSender(letter.recipient);
  if (!reading.ok) return { accepted: false, reply: "The recipient of the test cannot be a sender." };
  const { sender } = reading;
  const composed = await compose(letter, sender, system.now());
  const raw = await sign(store.read, sender.domain, composed);
  const mark = { sendId: null, workspaceId: store.workspaceId, label: null };
  const outgoing = { mark, mailFrom: sender.address, rcptTo: letter.message.address, raw };
  try {
    return { accepted: true, reply: await road.deliver(outgoing, AbortSignal.timeout(deliveryMs)) };
  } catch (error) {
    if (error instanceof TransportFailure) return { accepted: false, reply: error.message };
    throw error;
  }
}

async function compose({ message, id }: Letter, sender: OwnSender, now: number): Promise<Uint8Array> {
  const composer = new MailComposer({
    from: { name: "", address: sender.address },
    to: { name: "", address: message.address },
    subject: message.subject,
    date: new Date(now),
    messageId: `<${id}@${sender.domain}>`,
    text: `${message.text}\n`.replace(/\n/g, "\r\n"),
    textEncoding: "quoted-printable",
    // What a stranger wrote must never make the composer read files or URLs.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return await composer.compile().build();
}
