import type { Check } from "../../../src/checks/check.ts";
import { known, unknown } from "../../../src/checks/fact.ts";
import type { KnownFacts } from "../../../src/checks/facts.ts";
import { charset } from "../../../src/checks/format/charset.ts";
import { dateHeader } from "../../../src/checks/format/date-header.ts";
import { encodedWords } from "../../../src/checks/format/encoded-words.ts";
import { fromHeader } from "../../../src/checks/format/from-header.ts";
import { header8Bit } from "../../../src/checks/format/header-8bit.ts";
import { headerSize } from "../../../src/checks/format/header-size.ts";
import { headerSyntax } from "../../../src/checks/format/header-syntax.ts";
import { inlineParts } from "../../../src/checks/format/inline-parts.ts";
import { lineEndings } from "../../../src/checks/format/line-endings.ts";
import { lineLength } from "../../../src/checks/format/line-length.ts";
import { messageId } from "../../../src/checks/format/message-id.ts";
import { messageSize } from "../../../src/checks/format/message-size.ts";
import { mimeStructure } from "../../../src/checks/format/mime-structure.ts";
import { mimeVersion } from "../../../src/checks/format/mime-version.ts";
import { singleHeaders } from "../../../src/checks/format/single-headers.ts";
import { strayHeaders } from "../../../src/checks/format/stray-headers.ts";
import { subjectHeader } from "../../../src/checks/format/subject-header.ts";
import { textPart } from "../../../src/checks/format/text-part.ts";
import { threadHeaders } from "../../../src/checks/format/thread-headers.ts";
import { toHeader } from "../../../src/checks/format/to-header.ts";
import { transferEncoding } from "../../../src/checks/format/transfer-encoding.ts";
import { type Finding, runChecks } from "../../../src/checks/run.ts";
import { type Given, kind, session } from "./given.ts";

export const formatChecks: readonly Check[] = [
  charset,
  dateHeader,
  encodedWords,
  fromHeader,
  header8Bit,
  headerSize,
  headerSyntax,
  inlineParts,
  lineEndings,
  lineLength,
  messageId,
  messageSize,
  mimeStructure,
  mimeVersion,
  singleHeaders,
  strayHeaders,
  subjectHeader,
  textPart,
  threadHeaders,
  toHeader,
  transferEncoding,
];

const asked = [...new Set(formatChecks.flatMap(({ needs, wants }) => [...needs, ...wants]))];

/** What all of them find in a message that came by SMTP; nothing is known of its signatures. */
export function findingsIn(read: Given): Finding[] {
  const facts = {
    ...Object.fromEntries(asked.map((name) => [name, unknown("timeout")])),
    ...Object.fromEntries(Object.entries(read).map(([name, value]) => [name, known(value)])),
    session: known(session()),
    kind: known(kind()),
  } as unknown as KnownFacts;
  const outcomes = runChecks(formatChecks, { on: "message", kind: "transactional", facts }, (_, error) => {
    throw error;
  });
  return outcomes.flatMap((outcome) => (outcome.outcome === "found" ? outcome.findings : []));
}
