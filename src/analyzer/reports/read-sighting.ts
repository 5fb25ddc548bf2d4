// Reads the start of a message in a seed mailbox. Anyone may have written it, so everything is limited. Whether it
// belongs to a test is not decided here.

import { findBodyTokens, markHeader, mostMarks } from "../mail/mime/assay-marks.ts";
import type { Message, MessageHeader } from "../mail/mime/message.ts";
import { parseMessage } from "../mail/mime/parse.ts";
import { toStorableCut } from "../mail/text/bounds.ts";
import type { ObservedFolder, Sighting, SightingEvidence } from "./sighting.ts";
import verdictHeaderNames from "./verdict-headers.json" with { type: "json" };

type SeenAt = { readonly folder: ObservedFolder; readonly folderName: string; readonly arrivedAt: number };

const maxResults = 3;
const maxVerdicts = 20;
const longestVerdict = 2_000;
const longestText = 1_000;
const longestName = 200;

/** `source`: the headers and the part of the body that was read. */
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

/** The author's header fields. Fields that receivers add come above them. */
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
    headers: verdicts
      .slice(0, maxVerdicts)
      .map((header) => ({ name: toStorableCut(header.name, longestName), value: toVerdict(header) })),
  };
}

function toVerdict({ value }: MessageHeader): string {
  return toStorableCut(value.replace(/\s+/g, " ").trim(), longestVerdict);
}

// Header fields in which receivers record their verdict, in lowercase. Exchange adds them below those of the author, so
// their position proves nothing, and a sender may have written any of them.

const verdictHeaders: ReadonlySet<string> = new Set(verdictHeaderNames);
