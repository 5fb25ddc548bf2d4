// Reads labeled mail from mbox files and folders, of any size: first where each message begins and how it is labeled, then
// only the bytes of those that were drawn.

import { constants } from "node:fs";
import { type FileHandle, open, readdir, stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { analyzeMessage } from "../../../analyzer/analyze-message.ts";
import { replayAnswers } from "../../../analyzer/facts/dns-evidence.ts";
import { readHeaderSection } from "../../../analyzer/mail/headers/fields.ts";
import { isAfterEmptyLine, isEnvelopeLine, readMessageSource } from "../../../analyzer/mail/mime/message-source.ts";
import { claimedSession } from "../../../analyzer/mail/session/session.ts";
import { type Labeled, toFigureOf } from "../../../analyzer/placement/learned.ts";
import { noCircumstances } from "../../../analyzer/reports/known-facts.ts";
import { toFileReason } from "../../../platform/cli/input-files.ts";
import { Refusal } from "../../../platform/errors.ts";
import { createAnalysisContext } from "../analysis/context.ts";
import { type MailLabel, readMailLabel } from "../rules/mail-labels.ts";

type Drawn = { readonly file: string; readonly begin: number; readonly end: number; readonly isSpam: boolean };

/** Where to look, and what its messages are: all of them, or those that nothing labels. */
export type MailSource = {
  readonly path: string;
  readonly areSpam?: true;
  readonly othersAreWanted?: boolean;
  /** Files and folders that another source reads. */
  readonly without?: readonly string[];
  /** The mailbox's own servers. */
  readonly servers: readonly string[];
};

export type MailCounts = {
  messages: number;
  spam: number;
  wanted: number;
  unlabeled: number;
  /** Folder and headers disagree. */
  disputed: number;
  unreadable: number;
};

/** `drawn`: in the order of the files. `every`: one of so many labeled messages is drawn. */
type Reading = MailCounts & { drawn: Drawn[]; every: number };

export async function readLabeledMail(sources: readonly MailSource[], trusted: readonly string[]) {
  const counts = { messages: 0, spam: 0, wanted: 0, unlabeled: 0, disputed: 0, unreadable: 0 };
  const reading = { ...counts, drawn: [], every: 1 };
  for (const source of sources) await findLabeledMail(source, reading);
  const { drawn, every: _, ...found } = reading;
  return { labeled: await judgeDrawn(drawn, trusted), counts: found };
}

/** More would take minutes, and two numbers don't get better by them. */
const mostDrawn = 2_000;

function draw(mail: Reading, one: Drawn): void {
  if ((mail.spam + mail.wanted) % mail.every === 0) mail.drawn.push(one);
  mail[one.isSpam ? "spam" : "wanted"]++;
  if (mail.drawn.length <= mostDrawn) return;
  mail.drawn = mail.drawn.filter((_, index) => index % 2 === 0);
  mail.every *= 2;
}

const headBytes = 65_536;
const maxMessageBytes = 10_485_760;

/** Follows no links below the path itself, and reads a file at a time. */
async function findLabeledMail(source: MailSource, mail: Reading): Promise<void> {
  const top = resolve(source.path);
  const refuse = (error: unknown): never => {
    throw new Refusal("invalid_request", `Cannot read ${JSON.stringify(source.path)}: ${toFileReason(error)}.`);
  };
  const info = await stat(top).catch(refuse);
  if (info.isDirectory()) return await findInFolder(top, [basename(top)], source, mail);
  await findInFile(top, [basename(top)], source, mail).catch(refuse);
}

const deepest = 30;

async function findInFolder(
  folder: string,
  names: readonly string[],
  source: MailSource,
  mail: Reading,
): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  entries.sort((one, other) => (one.name < other.name ? -1 : 1));
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (source.without?.includes(path)) continue;
    if (entry.isDirectory() && names.length < deepest) await findInFolder(path, [...names, entry.name], source, mail);
    else if (entry.isFile())
      await findInFile(path, [...names, entry.name], source, mail).catch(() => {
        mail.messages++;
        mail.unreadable++;
      });
  }
}

async function findInFile(file: string, names: readonly string[], source: MailSource, mail: Reading): Promise<void> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const { size } = await handle.stat();
    let begin = 0;
    for await (const next of findEnvelopes(handle, size)) {
      if (next > begin) await note({ file, begin, end: next }, handle);
      begin = next;
    }
    if (size > begin) await note({ file, begin, end: size }, handle);
  } finally {
    await handle.close();
  }

  async function note(place: Omit<Drawn, "isSpam">, from: FileHandle): Promise<void> {
    mail.messages++;
    const length = place.end - place.begin;
    const head = readMessageSource(await readBytes(from, place.begin, Math.min(length, headBytes)));
    if (!head.ok || length > maxMessageBytes) {
      mail.unreadable++;
      return;
    }
    const { says, isDisputed } = toLabel(head.raw, names, source);
    if (isDisputed) mail.disputed++;
    if (says === "spam" || says === "wanted") draw(mail, { ...place, isSpam: says === "spam" });
    else mail.unlabeled++;
  }
}

const maxFields = 500;

function toLabel(head: Uint8Array, folders: readonly string[], source: MailSource): MailLabel {
  const { areSpam, othersAreWanted, servers } = source;
  if (areSpam) return { says: "spam", isDisputed: false };
  const label = readMailLabel(readHeaderSection(head, maxFields), folders, servers);
  return { ...label, says: label.says ?? (othersAreWanted ? "wanted" : undefined) };
}

// A window at a time. It begins early enough for the empty line before an envelope line, and ends late enough for the line.

const windowBytes = 1_048_576;
const before = 4;
const after = 512;
const envelope = Buffer.from("From ");

/** The offset of each line that begins a message of a mbox file. None in a file with a single message. */
async function* findEnvelopes(handle: FileHandle, size: number): AsyncGenerator<number> {
  for (let at = 0; at < size; at += windowBytes) {
    const begin = Math.max(0, at - before);
    const bytes = await readBytes(handle, begin, Math.min(size, at + windowBytes + after) - begin);
    if (at === 0 && !isEnvelopeLine(bytes, 0)) return;
    for (let found = bytes.indexOf(envelope); found >= 0; found = bytes.indexOf(envelope, found + 1)) {
      const offset = begin + found;
      const isHere = offset >= at && offset < at + windowBytes;
      if (isHere && (offset === 0 || followsEmptyLine(bytes, found)) && isEnvelopeLine(bytes, found)) yield offset;
    }
  }
}

const LF = 10;

function followsEmptyLine(bytes: Buffer, at: number): boolean {
  return bytes[at - 1] === LF && isAfterEmptyLine(bytes, at - 1);
}

async function readBytes(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

/** The servers of the mailboxes whose labels are read. */
const providerServers = ["outlook.com", "mx.google.com"];

/**
 * The figure of each without asking the network: only what the messages contain and what the mailbox's own servers
 * recorded in them. Bounces have none.
 */
async function judgeDrawn(drawn: readonly Drawn[], trusted: readonly string[]): Promise<Labeled[]> {
  const sources = { dnsClient: {}, dnsbls: [], rspamdUrl: null, spamdAddress: null };
  const context = createAnalysisContext(
    { ...sources, receiver: "assay", budgetMs: 60_000 },
    Date.now,
    replayAnswers([]),
  );
  const session = claimedSession({ ...unclaimed, trusted: [...providerServers, ...trusted] });
  const judge = async (one: Drawn): Promise<Labeled[]> => {
    const raw = await readOne(one);
    if (raw === null) return [];
    const input = { raw, session, receivedAt: Date.now(), circumstances: noCircumstances, evidence: null };
    const { report } = await analyzeMessage(input, context);
    const logOdds = report?.judgment.placement ? toFigureOf(report.judgment.placement) : null;
    return logOdds === null ? [] : [{ logOdds, isSpam: one.isSpam }];
  };
  const labeled: Labeled[] = [];
  for (const one of drawn) labeled.push(...(await judge(one).catch(() => [])));
  return labeled;
}

const unclaimed = { clientAddress: null, helo: null, mailFrom: null, rcptTo: [] };

async function readOne({ file, begin, end }: Drawn): Promise<Uint8Array | null> {
  const handle = await open(file);
  try {
    const source = readMessageSource(await readBytes(handle, begin, end - begin));
    return source.ok ? source.raw : null;
  } finally {
    await handle.close();
  }
}
