import { inArea } from "../check.ts";
import { charset } from "./charset.ts";
import { dateHeader } from "./date-header.ts";
import { encodedWords } from "./encoded-words.ts";
import { fromHeader } from "./from-header.ts";
import { header8Bit } from "./header-8bit.ts";
import { headerSize } from "./header-size.ts";
import { headerSyntax } from "./header-syntax.ts";
import { inlineParts } from "./inline-parts.ts";
import { lineEndings } from "./line-endings.ts";
import { lineLength } from "./line-length.ts";
import { messageId } from "./message-id.ts";
import { messageSize } from "./message-size.ts";
import { mimeStructure } from "./mime-structure.ts";
import { mimeVersion } from "./mime-version.ts";
import { singleHeaders } from "./single-headers.ts";
import { strayHeaders } from "./stray-headers.ts";
import { subjectHeader } from "./subject-header.ts";
import { textPart } from "./text-part.ts";
import { threadHeaders } from "./thread-headers.ts";
import { toHeader } from "./to-header.ts";
import { transferEncoding } from "./transfer-encoding.ts";

export const formatChecks = inArea("format", [
  fromHeader,
  dateHeader,
  messageId,
  subjectHeader,
  toHeader,
  singleHeaders,
  headerSyntax,
  header8Bit,
  encodedWords,
  headerSize,
  lineLength,
  lineEndings,
  mimeVersion,
  mimeStructure,
  textPart,
  charset,
  transferEncoding,
  inlineParts,
  messageSize,
  strayHeaders,
  threadHeaders,
]);
