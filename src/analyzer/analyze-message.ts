// Recognizes a received message and writes a test's report. Runs in the analysis thread, and in-process for the command
// line and tests.

import { hash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { KindFact } from "./checks/kind.ts";
import { checks } from "./checks/list.ts";
import type { OnBroken } from "./checks/run.ts";
import type { RecordSet } from "./dns/record-sets.ts";
import { createZoneDns } from "./dns/zone.ts";
import { parseZone } from "./dns/zone-file.ts";
import { askForEvidence, type EvidenceSource, imagineEvidence, replayEvidence, tryChanges } from "./evidence-source.ts";
import { type Gathered, gatherFacts, type Sources, verdictQuestions } from "./facts/gather.ts";
import type { NamedDomain } from "./facts/listed-domains.ts";
import { noMalwareScanner } from "./facts/malware.ts";
import { gatherNoticeSender, type NoticeSender, unknownSender } from "./facts/notice-sender.ts";
import { recognise } from "./mail/bounces/classify.ts";
import { type Content, type PlainText, readContent, toPlainText } from "./mail/content.ts";
import { tracePath } from "./mail/headers/delivery-path.ts";
import { type HeaderSection, readHeaderSection } from "./mail/headers/fields.ts";
import { toJudgedTime } from "./mail/headers/judged-time.ts";
import { readRecorded, toRecordedSession } from "./mail/headers/recorded-verdicts.ts";
import { readAssayMarks } from "./mail/mime/assay-marks.ts";
import { toLineFacts } from "./mail/mime/line-facts.ts";
import type { Message } from "./mail/mime/message.ts";
import { type MessageSummary, readMessage, toSummary } from "./mail/mime/parse.ts";
import { readRareCharsets } from "./mail/mime/rare-charsets.ts";
import type { Raw } from "./mail/mime/raw.ts";
import { readTree } from "./mail/mime/tree.ts";
import type { Recognised } from "./mail/reports/mail-class.ts";
import { hasOwnSession } from "./mail/session/doors.ts";
import type { SmtpSession } from "./mail/session/session.ts";
import { toStorable } from "./mail/text/bounds.ts";
import { readWebAddress } from "./mail/urls/web-address.ts";
import { type Sender, toChanges, withRecords } from "./propose-records.ts";
import { withCures } from "./reports/cures.ts";
import { toReportedDoor } from "./reports/door.ts";
import type { ProposedRecord } from "./reports/fix-records.ts";
import { judgeMessage } from "./reports/judgment.ts";
import { type Circumstances, toKnownFacts, toShortened } from "./reports/known-facts.ts";
import type { Evidence, Report } from "./reports/report.ts";
import { type SeenSender, toSeenSenders } from "./reports/seen-senders.ts";
import { type TimelineMark, toTimeline } from "./reports/timeline.ts";
import { type Traits, toTraits } from "./reports/traits.ts";
import { toLaboratoryZone } from "./samples/zone.ts";
import { version } from "./version.ts";
import { type AnalysisContext, type BrokenCheck, noteBroken } from "./world.ts";

export type AnalysisInput = {
  readonly raw: Uint8Array;
  readonly session: SmtpSession;
  /** Signatures and clocks are checked at this time, so a later analysis gives the same result. */
  readonly receivedAt: number;
  readonly circumstances: Circumstances;
  /** Evidence of an earlier analysis, used instead of asking the network. */
  readonly evidence: Evidence | null;
  /** Records that replace those in the evidence. Lookups that the evidence lacks are then asked. */
  readonly changes?: readonly RecordSet[];
  /** The text is needed too. */
  readonly wantsText?: boolean;
};

export type Analysis = {
  readonly recognised: Recognised;
  readonly message: MessageSummary;
  /** Null for messages that are not tests. */
  readonly report: Report | null;
  /** Senders observed for the message's domain. */
  readonly seenSenders: readonly SeenSender[];
  /** What stays the same from message to message of one stream. */
  readonly traits: Traits | null;
  /** Assay's identifiers in the message. */
  readonly marks: readonly string[];
  /** Who sent a bounce, complaint or report. */
  readonly sender: NoticeSender;
  /** Null unless it was wanted. */
  readonly text: PlainText | null;
  /** Checks that threw. Our bug; the score does not suffer. */
  readonly broken: readonly BrokenCheck[];
};

export async function analyzeMessage(input: AnalysisInput, worldly: AnalysisContext): Promise<Analysis> {
  const analyst = analystFor(input.session, worldly);
  analyst.enter("recognising");
  const tree = readTree(input.raw);
  const recognised = recognise(input.raw, input.session, tree);
  analyst.enter("reading");
  const read = readMessage(input.raw, tree);
  const message = await readRareCharsets(input.raw, read.message);
  const { broken, note } = noteBroken();
  const { report, seenSenders, traits } =
    recognised.kind === "test" ? await writeReport(input, { ...read, message, note }, analyst) : noReport;
  const marks = recognised.kind === "test" ? readAssayMarks(message) : [];
  const found = isNotice(recognised) ? await findSender(input, analyst) : unknownSender;
  const isForwarded = recognised.kind === "report" && recognised.isForwarded === true;
  const sender = isForwarded ? { ...found, authenticated: false } : found;
  const text = input.wantsText ? toPlainText(message) : null;
  return { recognised, message: toSummary(message), report, seenSenders, traits, marks, sender, text, broken };
}

function isNotice({ kind }: Recognised): boolean {
  return kind === "report" || kind === "complaint" || kind === "bounce";
}

/** A notice has no report, so only its sender is looked up. */
async function findSender(input: AnalysisInput, analyst: AnalysisContext): Promise<NoticeSender> {
  const { raw } = input;
  analyst.enter("verifying");
  const { sources } = askForEvidence({ ...input, startedAt: analyst.now() }, analyst);
  const section = readHeaderSection(raw);
  return await gatherNoticeSender(
    { ...input, section, receiver: analyst.receiver },
    sources.share("verdicts", verdictQuestions),
  );
}

const noReport = { report: null, seenSenders: [], traits: null };

type ParsedMessage = { readonly message: Message; readonly raw: Raw; readonly note: OnBroken };

async function writeReport(
  input: AnalysisInput,
  read: ParsedMessage,
  analyst: AnalysisContext,
): Promise<Pick<Analysis, "seenSenders" | "traits"> & { readonly report: Report }> {
  const { now, receiver } = analyst;
  const { raw, evidence, changes } = input;
  const { message } = read;
  const startedAt = now();
  const section = readHeaderSection(raw);
  const { recorded, session, judged: judgedTime, cameIn } = readUnseen(input, section);
  const receivedAt = judgedTime.at;
  const heard = { session, receivedAt, receiver };
  const content = readContent(raw, message);
  analyst.enter("verifying");
  const world = toWorld({ ...input, session, receivedAt }, startedAt, analyst);
  const { history, own, outgoing = null, learned = null } = evidence ?? input.circumstances;
  const contentDomains = toContentDomains(content);
  const gather = (from: Sources) =>
    gatherFacts({ ...heard, raw, section, recorded, outgoing, message, contentDomains }, from);
  const gathered = await gather(world.sources);
  const { authentication, surroundings, lists, scanners } = gathered;
  const { malware } = surroundings;
  analyst.enter("judging");
  const received = tracePath({ ...heard, section });
  const toFacts = ({ client, authentication, surroundings }: Gathered, kind: KindFact | null) =>
    toKnownFacts(
      { ...read, ...heard, ...client, content, received, judgedFrom: judgedTime.from, authentication, surroundings },
      { ...input.circumstances, history, own },
      kind,
    );
  const facts = toFacts(gathered, null);
  const { judgment: judged, scorer, again } = judgeMessage(facts, checks, read.note, learned);
  const dns = world.answers();
  const advised = await withRecords(judged, { facts, dns }, toSender(facts, { receiver, receivedAt }));
  const isReplay = evidence !== null && changes === undefined;
  const trial = tryChanges({ dns, lists, scanners, malware }, { startedAt, isReplay }, analyst);
  const publish = async (records: readonly ProposedRecord[]) => {
    const tried = await gather(trial.with(toChanges(records, dns)));
    const isSameKind = isDeepStrictEqual(toKindBasis(tried), toKindBasis(gathered));
    return again(toFacts(tried, isSameKind ? facts.kind.value : null));
  };
  const judgment = await withCures(advised, { scorer, publish: raw.length > maxTriedBytes ? null : publish });
  analyst.enter("writing");
  const sources = { session: facts.session.value, authentication, helo: facts.helo };
  const { forwarded } = facts.kind.value;
  const seenSenders = evidence === null ? toSeenSenders({ ...sources, forwarded }) : [];
  const report: Report = {
    ...toSummary(message),
    bodyKey: toBodyKey(raw, section),
    attachments: content.attachments.length,
    ...toLinkHosts(content),
    rawHeaders: toRawHeaders(raw, section),
    judgment,
    authentication,
    surroundings,
    timeline: toTimeline({ received, session, receivedAt, marks: toMarks(message, gathered) }),
    lines: toLineFacts(read.raw),
    ...cameIn,
    shortened: [...toShortened(message.cuts), ...toKeptHeaders(section)],
    analysis: {
      version,
      isReplay,
      startedAt,
      judgedAt: judgedTime.at,
      judgedFrom: judgedTime.from,
      durationMs: now() - startedAt,
      dns: [...dns, ...trial.answers()],
      unasked: world.unasked(),
      lists,
      scanners,
      malware,
      history,
      own,
      ...(outgoing && { outgoing }),
      ...(learned && { learned }),
    },
  };
  return { report, seenSenders, traits: toTraits({ ...content, report, section, session }) };
}

/** Each trial hashes the body again, so the scores of larger messages are computed from points alone. */
const maxTriedBytes = 2_000_000;

/** What the kind depends on besides the message itself. Inferring it costs as much as all checks. */
function toKindBasis({ client, authentication: { dkim, arc }, surroundings: { ptr } }: Gathered) {
  return { client, dkim, arc, ptr };
}

/** Null where the IP address says nothing about the domain: it is unknown, private or a forwarder's. */
function toSender(
  { session, kind }: ReturnType<typeof toKnownFacts>,
  { receiver, receivedAt: now }: Pick<AnalysisInput, "receivedAt"> & Pick<AnalysisContext, "receiver">,
): Sender | null {
  const { clientAddress: address, isPublic, helo, mailFrom } = session.value;
  const { forwarded } = kind.value;
  const isForwarded = forwarded.known && forwarded.value.verified;
  return address === null || !isPublic || mailFrom === null || isForwarded
    ? null
    : { address, helo, mailFrom, receiver, now };
}

/** Reads session and time from the headers of a file, where we did not receive the message ourselves. */
function readUnseen({ session: said, receivedAt }: AnalysisInput, section: HeaderSection) {
  const recorded = readRecorded(section, said);
  const session = toRecordedSession(said, recorded);
  const cameIn = hasOwnSession(session) ? {} : { door: toReportedDoor(session, recorded) };
  return { recorded, session, judged: toJudgedTime(section, session, receivedAt), cameIn };
}

function toWorld(input: AnalysisInput, startedAt: number, analyst: AnalysisContext): EvidenceSource {
  const { evidence, changes } = input;
  if (evidence === null) return askForEvidence({ ...input, startedAt }, analyst);
  return changes ? imagineEvidence(evidence, { changes, startedAt }, analyst) : replayEvidence(evidence);
}

function toBodyKey(raw: Uint8Array, { bodyOffset }: HeaderSection): string {
  return hash("sha256", raw.subarray(bodyOffset), "base64url").slice(0, bodyKeyLength);
}

const bodyKeyLength = 22;

/** Real clients never write more. A report keeps the beginning; the raw message has all. */
const keptHeaderBytes = 65_536;

function toRawHeaders(raw: Uint8Array, { bodyOffset }: HeaderSection): string {
  const bytes = Buffer.from(raw.subarray(0, Math.min(bodyOffset, keptHeaderBytes)));
  try {
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    // The cut may split a character. What comes before it is still valid UTF-8.
    return toStorable(decoder.decode(bytes, { stream: bodyOffset > keptHeaderBytes }));
  } catch {
    return toStorable(bytes.toString("latin1"));
  }
}

function toKeptHeaders({ bodyOffset }: HeaderSection): string[] {
  if (bodyOffset <= keptHeaderBytes) return [];
  return [
    `The report contains only the first ${keptHeaderBytes} of ${bodyOffset} header bytes. The raw message has all of them.`,
  ];
}

/** Domains that the content links to or loads images from. */
function toContentDomains({ loads, links }: Content): NamedDomain[] {
  const linked = links.list.map(({ host }) => ({ host, role: "link" }));
  const loaded = loads.map(({ url }) => ({ host: readWebAddress(url).host, role: "image" }));
  const roles = new Map<string, Set<string>>();
  for (const { host, role } of [...linked, ...loaded]) {
    if (host === null) continue;
    const known = roles.get(host) ?? new Set();
    roles.set(host, known.add(role));
  }
  return [...roles].map(([domain, named]) => ({ domain, roles: [...named] }));
}

const mostLinkHosts = 100;

function toLinkHosts({ links }: Content): Pick<Report, "linkHosts"> {
  const linkHosts = [...new Set(links.list.flatMap(({ host }) => host ?? []))].sort();
  return linkHosts.length <= mostLinkHosts ? { linkHosts } : {};
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

// Sample messages are judged against their own zone, with no blocklists or scanners. The zone comes from the session,
// so every later analysis has it too, even after a restart or with changed records.

export function analystFor({ laboratory }: Pick<SmtpSession, "laboratory">, analyst: AnalysisContext): AnalysisContext {
  if (laboratory === undefined) return analyst;
  const parsed = parseZone(toLaboratoryZone(laboratory.key));
  if (!parsed.ok) throw new Error(`The sample gallery's zone is broken on line ${parsed.line}: ${parsed.problem}`);
  return {
    ...analyst,
    dns: createZoneDns(parsed.zone, analyst.now),
    lists: { states: async () => [] },
    scanners: { ask: async () => [] },
    malware: noMalwareScanner,
  };
}
