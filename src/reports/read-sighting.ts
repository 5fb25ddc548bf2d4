// The beginning of a message as a seed mailbox has it → what it shows. Anybody may have written it; all is bounded, and
// whether it is a test's is not judged here.

import { findBodyTokens, markHeader, mostMarks } from "../mail/mime/assay-marks.ts";
import type { Message, MessageHeader } from "../mail/mime/message.ts";
import { parseMessage } from "../mail/mime/parse.ts";
import { toStorableCut } from "../mail/text/bounds.ts";
import type { ObservedFolder, Sighting, SightingEvidence } from "./sighting.ts";
import { verdictHeaders } from "./verdict-headers-table.ts";

export type SeenAt = {
  readonly folder: ObservedFolder;
  readonly folderName: string;
  readonly arrivedAt: number;
};

const maxResults = 3;
const maxVerdicts = 20;
const longestVerdict = 2_000;
const longestText = 1_000;
const longestName = 200;

/** `source`: the header section and what was read of the body. */
export function readSighting(source: Uint8Array, { folder, folderName, arrivedAt }: SeenAt): Sighting {
  const message = parseMessage(source);
  const named = (key: string) => message.headers.filter((header) => header.key === key);
  const bodies = [message.text?.text ?? "", message.html?.text ?? ""];
  return {
    folder,
    folderName: toStorableCut(folderName, longestName),
    arrivedAt,
    assayIds: distinct(named(markHeader).map(({ value }) => toStorableCut(value.trim(), longestName))),
    bodyTokens: distinct(bodies.flatMap(findBodyTokens)),
    messageId: textOrNull(message.messageId?.trim().replace(/^<([^<>]*)>$/, "$1"), longestText),
    from: textOrNull(message.from.list[0]?.address.toLowerCase(), longestText),
    subject: textOrNull(message.subject, longestText),
    evidence: readEvidence(message),
  };
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)].filter((text) => text !== "").slice(0, mostMarks);
}

function textOrNull(text: string | null | undefined, maxLength: number): string | null {
  return text ? toStorableCut(text, maxLength) : null;
}

/** Fields of the author. What a receiver says of a message stands above them. */
const authorFields = new Set(["from", "subject", "message-id", "date", "mime-version"]);

function readEvidence({ headers }: Message): SightingEvidence {
  const begin = headers.findIndex(({ key }) => authorFields.has(key));
  const above = headers.slice(0, begin < 0 ? headers.length : begin);
  const results = above.filter(({ key }) => key === "authentication-results").slice(0, maxResults);
  const seen = new Set<string>();
  const verdicts = headers.filter(({ key }) => {
    if (!verdictHeaders.has(key) || seen.has(key)) return false;
    seen.add(key);
    return true;
  });
  return {
    authenticationResults: results.map(toVerdict),
    headers: verdicts.slice(0, maxVerdicts).map((header) => ({
      name: toStorableCut(header.name, longestName),
      value: toVerdict(header),
    })),
  };
}

function toVerdict({ value }: MessageHeader): string {
  return toStorableCut(value.replace(/\s+/g, " ").trim(), longestVerdict);
}
