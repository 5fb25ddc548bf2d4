// A sighting as it may be kept: a mailbox's server and the senders of its mail wrote every word of it.

import { mostMarks, toMark } from "../mail/assay-marks.ts";
import { toMessageIdKey } from "../mail/message-id-key.ts";
import { toStorableCut } from "../mail/storable.ts";
import type { Sighting } from "./sighting.ts";

const longest = { folderName: 200, from: 320, subject: 1_000, verdict: 2_000, name: 100, value: 1_000 };
const mostVerdicts = 10;
const mostHeaders = 30;
const dayMs = 86_400_000;

export function toBoundedSighting(seen: Sighting, now: number): Sighting {
  const { authenticationResults, headers } = seen.evidence;
  return {
    folder: seen.folder,
    folderName: toStorableCut(seen.folderName, longest.folderName),
    arrivedAt: toArrival(seen.arrivedAt, now),
    assayIds: toMarks(seen.assayIds),
    bodyTokens: toMarks(seen.bodyTokens),
    messageId: seen.messageId === null ? null : toMessageIdKey(seen.messageId) || null,
    from: seen.from === null ? null : toStorableCut(seen.from, longest.from),
    subject: seen.subject === null ? null : toStorableCut(seen.subject, longest.subject),
    evidence: {
      authenticationResults: authenticationResults
        .slice(0, mostVerdicts)
        .map((verdict) => toStorableCut(verdict, longest.verdict)),
      headers: headers.slice(0, mostHeaders).map(({ name, value }) => ({
        name: toStorableCut(name, longest.name),
        value: toStorableCut(value, longest.value),
      })),
    },
  };
}

function toMarks(texts: readonly string[]): string[] {
  return [...new Set(texts.flatMap((text) => toMark(text) ?? []))].slice(0, mostMarks);
}

/** Some servers keep what a client appended with a date of its own. */
function toArrival(arrivedAt: number, now: number): number {
  return Number.isSafeInteger(arrivedAt) && arrivedAt > 0 && arrivedAt < now + dayMs ? arrivedAt : now;
}
