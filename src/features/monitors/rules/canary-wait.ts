// Where a canary waited longest. Only the relay's reply was measured by Assay. What comes after it are the times in the
// Received headers, by the clocks of the servers that wrote them.

import type { Stamp } from "../../../analyzer/reports/stamps.ts";
import { toSpanWords } from "./canary.ts";

type Waiting = {
  readonly beganAt: number;
  /** When the relay accepted it. Null if that isn't known. */
  readonly acceptedAt: number | null;
  readonly receivedAt: number;
  readonly stamps: readonly Stamp[];
};

/** Shorter waits are no delay, and stamps have whole seconds. */
const leastWaitMs = 2_000;
const stampErrorMs = 1_000;
/** Clocks that are set right differ by less. */
const clockErrorMs = 2_000;

/** A sentence, or null if it wasn't delayed. */
export function toWaitWords({ beganAt, acceptedAt, receivedAt, stamps }: Waiting): string | null {
  const delayMs = receivedAt - beganAt;
  if (delayMs < leastWaitMs) return null;
  const untilAccepted = Math.min(acceptedAt ?? beganAt, receivedAt) - beganAt;
  // An earlier one is of a clock that is behind.
  const known = stamps.filter(({ at }) => at >= beganAt - clockErrorMs);
  const stays = toStays(known, beganAt + untilAccepted, receivedAt).filter(({ ms }) => ms <= delayMs + stampErrorMs);
  const [longest] = stays.toSorted((one, other) => other.ms - one.ms);
  const isLong = (ms: number) => ms >= leastWaitMs && ms >= delayMs / 2;
  if (isLong(untilAccepted) && untilAccepted >= (longest?.ms ?? 0))
    return `It waited ${toSpanWords(untilAccepted)} for the relay to accept it, which includes policy checks and greylisting.`;
  if (longest !== undefined && isLong(longest.ms))
    return `It waited ${toSpanWords(Math.min(longest.ms, delayMs))} at ${longest.by}, according to the Received headers.`;
  return "Where it waited is unknown.";
}

/**
 * From a server's stamp to the next one's, and from the last one to Assay. A clock that runs backward says nothing. A relay
 * such as Postfix stamps the message with the time before its policy checks, so until it has accepted it, nothing counts.
 */
function toStays(stamps: readonly Stamp[], acceptedAt: number, receivedAt: number): { by: string; ms: number }[] {
  const inOrder = stamps
    .map(({ by, at }) => ({ by, at: Math.max(at, acceptedAt - stampErrorMs) }))
    .sort((one, other) => one.at - other.at);
  return inOrder.map(({ by, at }, index) => ({ by, ms: Math.max(0, (inOrder[index + 1]?.at ?? receivedAt) - at) }));
}
