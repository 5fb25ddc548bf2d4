import type { Check } from "../../../../src/analyzer/checks/check.ts";
import { known, unknown } from "../../../../src/analyzer/checks/fact.ts";
import type { KnownFacts } from "../../../../src/analyzer/checks/facts.ts";
import { charset } from "../../../../src/analyzer/checks/format/charset.ts";
import { dateHeader } from "../../../../src/analyzer/checks/format/date-header.ts";
import { encodedWords } from "../../../../src/analyzer/checks/format/encoded-words.ts";
import { fromHeader } from "../../../../src/analyzer/checks/format/from-header.ts";
import { header8Bit } from "../../../../src/analyzer/checks/format/header-8bit.ts";
import { headerSize } from "../../../../src/analyzer/checks/format/header-size.ts";
import { headerSyntax } from "../../../../src/analyzer/checks/format/header-syntax.ts";
import { inlineParts } from "../../../../src/analyzer/checks/format/inline-parts.ts";
import { lineEndings } from "../../../../src/analyzer/checks/format/line-endings.ts";
import { lineLength } from "../../../../src/analyzer/checks/format/line-length.ts";
import { messageId } from "../../../../src/analyzer/checks/format/message-id.ts";
import { messageSize } from "../../../../src/analyzer/checks/format/message-size.ts";
import { mimeStructure } from "../../../../src/analyzer/checks/format/mime-structure.ts";
import { mimeVersion } from "../../../../src/analyzer/checks/format/mime-version.ts";
import { singleHeaders } from "../../../../src/analyzer/checks/format/single-headers.ts";
import { strayHeaders } from "../../../../src/analyzer/checks/format/stray-headers.ts";
import { subjectHeader } from "../../../../src/analyzer/checks/format/subject-header.ts";
import { textPart } from "../../../../src/analyzer/checks/format/text-part.ts";
import { threadHeaders } from "../../../../src/analyzer/checks/format/thread-headers.ts";
import { toHeader } from "../../../../src/analyzer/checks/format/to-header.ts";
import { transferEncoding } from "../../../../src/analyzer/checks/format/transfer-encoding.ts";
import { type Finding, runChecks } from "../../../../src/analyzer/checks/run.ts";
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
