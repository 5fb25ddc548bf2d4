// Reads a message a second time, with mailparser and mailauth, and compares the result with our own reading. Both
// libraries share nothing with our readers.

import type { Dns, DnsAnswer } from "../dns/answer.ts";
import { readHeaderSection } from "../mail/headers/fields.ts";
import { readRecorded, toRecordedSession } from "../mail/headers/recorded-verdicts.ts";
import { readMessage } from "../mail/mime/parse.ts";
import { readRareCharsets } from "../mail/mime/rare-charsets.ts";
import type { SmtpSession } from "../mail/session/session.ts";
import type { Report } from "../reports/report.ts";
import type { ComparedThing, SecondReaderName, SecondReading, ThingCompared } from "../reports/second-reading.ts";
import { compareContent, contentThings } from "./compare-content.ts";
import { compareVerdicts, verdictThings } from "./compare-verdicts.ts";
import { collectDifferences, type DifferenceList } from "./differences.ts";
import type { OwnReading } from "./features.ts";
import { readWithLibrary } from "./library-content.ts";
import { verifyWithLibrary } from "./library-verdicts.ts";
import { toOwnContent } from "./own-content.ts";

export type SecondReaderInput = {
  readonly raw: Uint8Array;
  readonly session: SmtpSession;
  readonly receivedAt: number;
  readonly receiver: string;
  readonly report: Pick<Report, "authentication" | "analysis">;
  readonly dns: Dns;
  readonly asked: () => readonly DnsAnswer[];
  readonly frozen: ReadonlySet<string>;
  readonly enter: (phase: "second-parsing" | "second-verifying" | "examining") => void;
};

export async function examineAgain(input: SecondReaderInput): Promise<SecondReading> {
  const list = collectDifferences(input.raw);
  const unread: { by: SecondReaderName; why: string }[] = [];
  const notCompared = new Map<ComparedThing, string>();
  const attempt = async (by: SecondReaderName, things: readonly ComparedThing[], work: () => Promise<void>) => {
    const why = await tryReader(by, input.frozen, work);
    if (why === null) return;
    unread.push({ by, why });
    for (const thing of things) notCompared.set(thing, `The message could not be read by ${by}.`);
  };
  await attempt("mailauth", verdictThings, async () => {
    refuseFreezing(input.raw);
    for (const [thing, why] of await verify(input, list)) notCompared.set(thing, why);
  });
  await attempt("mailparser", contentThings, () => parse(input, list));
  input.enter("examining");
  for (const { by, why } of unread)
    list.raise({ finding: "stops-library", evidence: `${by}: ${why}`.replace(/\.$/, ""), bytes: [] });
  const things: readonly ThingCompared["thing"][] = [...verdictThings, ...contentThings];
  return {
    unread,
    ...list.toNoted(things, notCompared),
    asked: input.asked().map(({ name, type, status }) => ({ name, type, status })),
  };
}

const phaseOf = { mailauth: "second-verifying", mailparser: "second-parsing" } as const;

/** Why the library gave no answer. Null if it did. */
async function tryReader(
  by: SecondReaderName,
  frozen: ReadonlySet<string>,
  work: () => Promise<void>,
): Promise<string | null> {
  if (frozen.has(phaseOf[by])) return "It took too long or ran out of memory, and was stopped.";
  try {
    await work();
    return null;
  } catch (error) {
    return `It did not read the message: ${(error instanceof Error ? error.message : String(error)).slice(0, 200)}.`;
  }
}

/** mailauth takes minutes for such messages, so it isn't even tried. What else freezes it is stopped. */
function refuseFreezing(raw: Uint8Array): void {
  const { fields } = readHeaderSection(raw);
  if (fields.some(({ line }) => line.length > maxFieldBytes))
    throw new Error(`a header field has more than ${maxFieldBytes} bytes, which takes it minutes`);
  const signatures = fields.filter(({ key }) => key === "dkim-signature").length;
  if (signatures > maxSignatures) throw new Error(`${signatures} DKIM signatures would take it minutes`);
}

const maxFieldBytes = 65_536;
const maxSignatures = 100;

async function verify(input: SecondReaderInput, list: DifferenceList): Promise<ReadonlyMap<ComparedThing, string>> {
  const { raw, session, receivedAt, receiver, report, dns } = input;
  const section = readHeaderSection(raw);
  const recorded = readRecorded(section, session);
  input.enter("second-verifying");
  const verdicts = await verifyWithLibrary({
    raw,
    receiver,
    dns,
    session: toRecordedSession(session, recorded),
    judgedAt: report.analysis.judgedAt ?? receivedAt,
  });
  input.enter("examining");
  return compareVerdicts({ raw, section, ours: report.authentication, theirs: verdicts, list });
}

async function parse({ raw, enter }: SecondReaderInput, list: DifferenceList): Promise<void> {
  enter("second-parsing");
  const theirs = await readWithLibrary(raw);
  enter("examining");
  const read = readMessage(raw);
  const own: OwnReading = { ...read, message: await readRareCharsets(raw, read.message) };
  compareContent(own, { ours: toOwnContent(raw, own.message), theirs }, list);
}
