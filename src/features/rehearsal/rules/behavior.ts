// What the attempts say about the sender, with the standard's section. Only what was observed: a sender that hasn't come
// back yet may still do so.

import { type Probe, type RehearsalTag, toProbe } from "../../../analyzer/mail/headers/rehearsal-address.ts";
import type { Attempt, MessageAttempt } from "./attempt.ts";
import { type Observation, observe } from "./observation.ts";
import { judgePreparation } from "./prepared-behavior.ts";
import { toSpan } from "./span.ts";

type Rehearsal = {
  readonly tag: RehearsalTag;
  /** In order. */
  readonly attempts: readonly Attempt[];
  readonly now: number;
};

const isMessage = (attempt: Attempt): attempt is MessageAttempt => attempt.kind === "message";

/** The most telling first. */
export function nameBehavior(rehearsal: Rehearsal): readonly Observation[] {
  const messages = rehearsal.attempts.filter(isMessage);
  const [first] = messages;
  if (first === undefined) return [];
  const probe = toProbe(rehearsal.tag);
  return [
    ...(probe === null ? [] : judgeProbe(probe, rehearsal, messages)),
    ...judgeReturns(rehearsal),
    ...judgeRepeats(rehearsal, messages),
    ...judgeHaste(messages, probe),
    ...judgeAddresses(messages),
    ...judgeLikeness(messages),
    ...explainAcceptance(messages),
  ];
}

function judgeProbe(probe: Probe, rehearsal: Rehearsal, messages: readonly MessageAttempt[]): Observation[] {
  if (probe === "no-tls" || probe === "bad-cert" || probe === "size")
    return judgePreparation(probe, rehearsal.attempts);
  if (probe === "slow") return judgeSlow(messages);
  return [];
}

function judgeSlow([first]: readonly MessageAttempt[]): Observation[] {
  if (first === undefined || first.because !== "probe") return [];
  return [observe(first.hungUp ? "slow.hung-up" : "slow.waited", { waited: toSpan(first.waitedMs) })];
}

/** Whether a message that was deferred, or got no reply, came again: also on a connection that brought nothing. */
function judgeReturns({ tag, attempts, now }: Rehearsal): Observation[] {
  const waits = attempts.slice(1).flatMap((later, index) => {
    const before = attempts[index];
    return before !== undefined && isUnfinished(before) ? [later.at - before.at] : [];
  });
  const returned =
    waits.length > 0 ? [observe("queue.returned", { times: toTimes(waits.length), waits: toWaits(waits) })] : [];
  const last = attempts.at(-1);
  // A message above the limit is returned to its author.
  const isEnded = last?.kind === "connection" && tag === "probe-size";
  if (last === undefined || isEnded || !isUnfinished(last)) return returned;
  const since = now - last.at;
  const data = { since: toSpan(since), end: toEnd(last) };
  return [...returned, observe(since > givesUpMs ? "queue.never-returned" : "queue.not-yet", data)];
}

function toEnd(attempt: Attempt): string {
  if (attempt.kind === "connection") return "the sender left without sending the message";
  if (attempt.hungUp) return "the sender hung up";
  return attempt.outcome === "dropped" ? "the connection was dropped" : "it was deferred";
}

const givesUpMs = 5 * 86_400_000;

/** It must be sent again. */
function isUnfinished(attempt: Attempt): boolean {
  if (attempt.kind === "connection") return true;
  return attempt.outcome === "deferred" || attempt.outcome === "dropped" || attempt.hungUp;
}

const mostWaits = 8;

function toWaits(waits: readonly number[]): string {
  const shown = waits.slice(0, mostWaits).map(toSpan).join(", ");
  const more = waits.length > mostWaits ? `, and ${waits.length - mostWaits} more` : "";
  return `after ${shown}${more}`;
}

function toTimes(count: number): string {
  return count === 1 ? "once" : count === 2 ? "twice" : `${count} times`;
}

/** Whether a message came again that was refused or accepted. */
function judgeRepeats({ now }: Rehearsal, messages: readonly MessageAttempt[]): Observation[] {
  const ended = messages.findIndex((message) => !isUnfinished(message));
  const end = messages[ended];
  if (end === undefined) return [];
  const later = messages.slice(ended + 1);
  const code = end.reply && String(end.reply.code);
  const isRefused = end.outcome === "refused";
  if (later.length > 0)
    return [observe(isRefused ? "refused.repeated" : "accepted.repeated", { times: toTimes(later.length), code })];
  if (!isRefused) return [];
  const since = now - end.at;
  const respected = observe("refused.respected", { code, since: toSpan(since) });
  return [since < settlesMs ? { ...respected, tone: "waiting" } : respected];
}

/** Queues that repeat after a rejection do so soon. */
const settlesMs = 3_600_000;

/** What usual greylists require: Postgrey's default is five minutes, others take one. */
const greylistMs = 300_000;

function judgeHaste([first, second]: readonly MessageAttempt[], probe: Probe | null): Observation[] {
  if (probe !== "greylist" || first === undefined || second === undefined) return [];
  const wait = second.at - first.at;
  return wait < greylistMs ? [observe("greylist.too-soon", { wait: toSpan(wait) })] : [];
}

const mostAddresses = 5;

function judgeAddresses(messages: readonly MessageAttempt[]): Observation[] {
  if (messages.length < 2) return [];
  const addresses = [...new Set(messages.flatMap(({ address }) => address ?? []))];
  const [only] = addresses;
  if (only === undefined) return [];
  if (addresses.length === 1) return [observe("address.same", { address: only })];
  const shown = addresses.slice(0, mostAddresses).join(", ");
  const more = addresses.length > mostAddresses ? ", and others" : "";
  return [observe("address.changed", { count: addresses.length, addresses: `${shown}${more}` })];
}

function judgeLikeness(messages: readonly MessageAttempt[]): Observation[] {
  const later = messages.slice(1);
  if (later.length === 0) return [];
  if (later.every(({ likeness }) => likeness === "bytes")) return [observe("message.same")];
  const isRebuilt = later.every(({ likeness }) => likeness === "bytes" || likeness === "message-id");
  return [observe(isRebuilt ? "message.rebuilt" : "message.new-id")];
}

const acceptedWords: Partial<Record<MessageAttempt["because"], string>> = {
  "too-slow": "The analysis took longer than a sender should wait, so the message was accepted without a rehearsal.",
  busy: "Too many rehearsals were running, so the message was accepted without one.",
  "not-analyzed": "The message could not be analyzed, so it was accepted without a rehearsal.",
  "not-a-test": "The message is a bounce, a report, or an automatic reply. These are not rehearsed.",
  "too-often": "The same message came 100 times, so it was accepted to end the rehearsal.",
  stopping: "The server was shutting down, so the message was accepted without a rehearsal.",
  shared:
    "This server has several workspaces, and the size limit would also meet their mail from the same client, which the client would return to its authors. So the message was accepted without the probe. It works from the server's own machine, or on a server with one workspace.",
  "not-carried-out":
    "The probe couldn't be carried out: the message always came on a connection that wasn't prepared, for example from another IP address. It was accepted in the end.",
};

function explainAcceptance(messages: readonly MessageAttempt[]): Observation[] {
  const doubts = messages.flatMap(({ doubt }) => (doubt === undefined ? [] : `Accepted, ${doubt}`));
  const says = messages.flatMap(({ because }) => acceptedWords[because] ?? []);
  const toNote = (id: string, notes: readonly string[]) =>
    [...new Set(notes)].map((one) => ({ id, tone: "info" as const, says: one, section: null }));
  return [...toNote("accepted.uncertain", doubts), ...toNote("accepted.without", says)];
}
