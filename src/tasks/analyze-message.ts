// A message as received → what it is, and a test's report. Runs in the analysis thread, and in-process for the command line and tests.

import type { ListState } from "../checks/infrastructure-facts.ts";
import { type DnsAnswer, toQuestionKey } from "../dns/answer.ts";
import { type Gathered, gatherFacts, maxQuestionsPerMessage, type Sources } from "../facts/gather.ts";
import type { NamedDomain } from "../facts/listed-domains.ts";
import type { ScannerRow } from "../facts/scanners.ts";
import { tracePath } from "../mail/delivery-path.ts";
import { type HeaderSection, readHeaderSection } from "../mail/header-fields.ts";
import { readPage } from "../mail/html.ts";
import { readLineFacts } from "../mail/line-facts.ts";
import { toLinks } from "../mail/links.ts";
import { loadsOf } from "../mail/loads.ts";
import type { Message } from "../mail/message.ts";
import { type MessageSummary, parseMessage, toSummary } from "../mail/parse.ts";
import { readRareCharsets } from "../mail/rare-charsets.ts";
import { recognise } from "../mail/recognise.ts";
import type { Recognised } from "../mail/recognised.ts";
import type { SmtpSession } from "../mail/session.ts";
import { toStorable } from "../mail/storable.ts";
import { readWebAddress } from "../mail/web-address.ts";
import type { Evidence, Report } from "../reports/report.ts";
import { toShortened } from "../reports/shortened.ts";
import { type TimelineMark, toTimeline } from "../reports/timeline.ts";
import { recordAnswers, replayAnswers, withinBudget, withoutUnasked } from "../system/dns-evidence.ts";
import { version } from "../version.ts";
import type { Analyst } from "./analyst.ts";

export type AnalysisInput = {
  readonly raw: Uint8Array;
  readonly session: SmtpSession;
  /** Signatures and clocks are judged by it: a later analysis judges the same moment. */
  readonly receivedAt: number;
  /** What an earlier analysis found out, in place of the world. */
  readonly evidence: Evidence | null;
};

export type Analysis = {
  readonly recognised: Recognised;
  readonly message: MessageSummary;
  /** Of a test; null for all that is none. */
  readonly report: Report | null;
};

/** Of the time for the world: what a list's own test may take of it. */
const listPatienceShare = 0.25;

export async function analyzeMessage(input: AnalysisInput, analyst: Analyst): Promise<Analysis> {
  analyst.enter("recognising");
  const recognised = recognise(input.raw, input.session);
  analyst.enter("reading");
  const message = await readRareCharsets(input.raw, parseMessage(input.raw));
  const report = recognised.kind === "test" ? await writeReport(input, message, analyst) : null;
  return { recognised, message: toSummary(message), report };
}

async function writeReport(input: AnalysisInput, message: Message, analyst: Analyst): Promise<Report> {
  const { now, receiver } = analyst;
  const { raw, session, receivedAt, evidence } = input;
  const startedAt = now();
  const section = readHeaderSection(raw);
  analyst.enter("verifying");
  const world = evidence ? replaying(evidence) : asking(input, startedAt, analyst);
  const gathered = await gatherFacts(
    {
      raw,
      section,
      session,
      receivedAt,
      receiver,
      message,
      contentDomains: () => readContentDomains(message),
    },
    world.sources,
  );
  const { authentication, surroundings, lists, scanners } = gathered;
  analyst.enter("writing");
  const received = tracePath({ section, session, receiver, receivedAt });
  return {
    ...toSummary(message),
    rawHeaders: toRawHeaders(raw, section),
    authentication,
    surroundings,
    timeline: toTimeline({ received, session, receivedAt, marks: toMarks(message, gathered) }),
    lines: readLineFacts(raw),
    shortened: [...toShortened(message.cuts), ...toKeptHeaders(section)],
    analysis: {
      version,
      isReplay: evidence !== null,
      startedAt,
      durationMs: now() - startedAt,
      dns: world.answers(),
      unasked: world.unasked(),
      lists,
      scanners,
    },
  };
}

/** Of what no client writes a report keeps the beginning; the whole stands in the raw message. */
const keptHeaderBytes = 65_536;

function toRawHeaders(raw: Uint8Array, { bodyOffset }: HeaderSection): string {
  const bytes = Buffer.from(raw.subarray(0, Math.min(bodyOffset, keptHeaderBytes)));
  try {
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    // The cut may go through the middle of a character, which makes the rest no less UTF-8.
    return toStorable(decoder.decode(bytes, { stream: bodyOffset > keptHeaderBytes }));
  } catch {
    return toStorable(bytes.toString("latin1"));
  }
}

function toKeptHeaders({ bodyOffset }: HeaderSection): string[] {
  if (bodyOffset <= keptHeaderBytes) return [];
  return [
    `Only the first ${keptHeaderBytes} bytes of ${bodyOffset} of the header section stand in the report; the raw message has all.`,
  ];
}

type World = {
  readonly sources: Sources;
  readonly answers: () => Evidence["dns"];
  readonly unasked: () => Evidence["unasked"];
};

function asking({ raw, session, receivedAt }: AnalysisInput, startedAt: number, analyst: Analyst): World {
  const { dns, now, receiver, budgetMs, lists, scanners } = analyst;
  const deadlineAt = startedAt + budgetMs;
  const recording = recordAnswers(
    withinBudget(dns, { maxQuestions: maxQuestionsPerMessage, deadlineAt, now }),
  );
  const sources: Sources = {
    share: recording.share,
    lists: () => lists.states(budgetMs * listPatienceShare),
    scan: (clientName) =>
      scanners.ask({ raw, session, clientName, receiver, receivedAt }, Math.max(1, deadlineAt - now())),
  };
  return { sources, answers: recording.answers, unasked: recording.unasked };
}

/** With nobody asked; what the record does not hold stays unknown. No share ends: what ended then is on the record. */
function replaying({ dns, unasked, lists, scanners }: Evidence): World {
  const recording = recordAnswers(replayAnswers(dns));
  const refused = new Set(unasked);
  const sources: Sources = {
    share: (part) => withoutUnasked(recording.dns, part, refused),
    lists: async (): Promise<readonly ListState[]> => lists,
    scan: async (): Promise<readonly ScannerRow[]> => scanners,
  };
  return { sources, answers: () => mergeAnswers(dns, recording.answers()), unasked: () => unasked };
}

/** All that was recorded, in its order, so that no replay loses what a later one may ask; then what it did not hold. */
function mergeAnswers(recorded: Evidence["dns"], used: Evidence["dns"]): Evidence["dns"] {
  const keyOf = ({ name, type }: DnsAnswer) => toQuestionKey(name, type);
  const held = new Set(recorded.map(keyOf));
  return [...recorded, ...used.filter((answer) => !held.has(keyOf(answer)))];
}

/** Whom a message's content names: what it links to, and what it would load. */
function readContentDomains({ html, text }: Message): NamedDomain[] {
  const page = html && readPage(html.text);
  const links = toLinks(page, text?.text ?? "").list.map(({ host }) => ({ host, role: "link" }));
  const loads = page
    ? loadsOf(page).map(({ url }) => ({ host: readWebAddress(url)?.host ?? null, role: "image" }))
    : [];
  const roles = new Map<string, Set<string>>();
  for (const { host, role } of [...links, ...loads]) {
    if (host === null) continue;
    const known = roles.get(host) ?? new Set();
    roles.set(host, known.add(role));
  }
  return [...roles].map(([domain, named]) => ({ domain, roles: [...named] }));
}

function toMarks({ date }: Message, { authentication: { dkim } }: Gathered): TimelineMark[] {
  const signed = dkim.known ? dkim.value.signatures : [];
  return [
    ...(date?.reading.ok ? [{ what: "date" as const, by: null, at: date.reading.date.at }] : []),
    ...signed.flatMap(({ domain, signedAt }) =>
      signedAt === null ? [] : [{ what: "dkim" as const, by: domain, at: signedAt }],
    ),
  ];
}
