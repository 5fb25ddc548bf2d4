// An observation in a sentence, for a person.

import type { Observation } from "./observation.ts";
import type { Difference } from "./receiver-verdicts.ts";
import type { MatchedBy } from "./sighting.ts";

const matchWords: Readonly<Record<MatchedBy, string>> = {
  "assay-id": "its X-Assay-Id",
  "body-token": "the token in its body",
  "message-id": "its Message-ID",
  "from-and-subject": "its sender and subject",
};

export function toObservedWords(seen: Observation, differs: readonly Difference[]): string[] {
  const { account, folderName, delayMs, matchedBy, evidence } = seen;
  const { candidates, moves } = evidence;
  const when = delayMs === null ? "" : `, ${toDelay(delayMs)}`;
  return [
    `${account} has it in "${folderName}"${when}; known by ${matchWords[matchedBy]}.`,
    ...moves.map((earlier) => `${account} had it in "${earlier.folderName}" before, and moved it.`),
    ...(candidates > 1
      ? [`${candidates} tests fitted what ${account} has; the nearest in time was taken.`]
      : []),
    ...differs.map(
      ({ mechanism, ours, theirs }) =>
        `The server of ${account} says ${mechanism}=${theirs}, where we found ${ours}.`,
    ),
  ];
}

function toDelay(delayMs: number): string {
  const seconds = Math.round(Math.abs(delayMs) / 1_000);
  if (seconds === 0) return "at the time of our copy";
  const length = seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
  return `${length} ${delayMs < 0 ? "before" : "after"} our copy`;
}
