// What the attempts say about the sender, with the standard's section. Only what was observed: a sender that hasn't come
// back yet may still do so.

import { type Probe, type RehearsalTag, toProbe } from "../../../analyzer/mail/headers/rehearsal-address.ts";
import type { Attempt, MessageAttempt } from "./attempt.ts";
import { judgePreparation } from "./prepared-behavior.ts";
import { toSpan } from "./span.ts";

export type Observation = {
  readonly id: string;
  /** `waiting`: it may still change. */
  readonly tone: "good" | "bad" | "info" | "waiting";
  readonly says: string;
  readonly section: string | null;
};

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

const queueSection = "RFC 5321 §4.5.4.1";
const permanentSection = "RFC 5321 §4.2.1";
const replyTimeoutSection = "RFC 5321 §4.5.3.2.6";
const messageIdSection = "RFC 5322 §3.6.4";

function judgeProbe(probe: Probe, rehearsal: Rehearsal, messages: readonly MessageAttempt[]): Observation[] {
  if (probe === "no-tls" || probe === "bad-cert" || probe === "size")
    return judgePreparation(probe, rehearsal.attempts);
  if (probe === "slow") return judgeSlow(messages);
  return [];
}

function judgeSlow([first]: readonly MessageAttempt[]): Observation[] {
  if (first === undefined || first.because !== "probe") return [];
  const waited = toSpan(first.waitedMs);
  if (!first.hungUp)
    return [
      {
        id: "slow.waited",
        tone: "good",
        section: replyTimeoutSection,
        says: `Waited ${waited} for the reply to the message.`,
      },
    ];
  return [
    {
      id: "slow.hung-up",
      tone: "bad",
      section: replyTimeoutSection,
      says: `Closed the connection after ${waited}, before the reply to the message. A sender should wait 10 minutes. The receiver may have accepted the message already, so sending it again delivers it twice.`,
    },
  ];
}

/** Whether a message that was deferred, or got no reply, came again: also on a connection that brought nothing. */
function judgeReturns({ tag, attempts, now }: Rehearsal): Observation[] {
  const observations: Observation[] = [];
  const waits = attempts.slice(1).flatMap((later, index) => {
    const before = attempts[index];
    return before !== undefined && isUnfinished(before) ? [later.at - before.at] : [];
  });
  if (waits.length > 0)
    observations.push({
      id: "queue.returned",
      tone: "good",
      section: queueSection,
      says: `Sent again ${toTimes(waits.length)}, ${toWaits(waits)}.`,
    });
  const last = attempts.at(-1);
  // A message above the limit is returned to its author.
  const isEnded = last?.kind === "connection" && tag === "probe-size";
  if (last === undefined || isEnded || !isUnfinished(last)) return observations;
  const since = now - last.at;
  const isLost = since > givesUpMs;
  observations.push({
    id: isLost ? "queue.never-returned" : "queue.not-yet",
    section: queueSection,
    tone: isLost ? "bad" : "waiting",
    says: isLost
      ? `Not sent again in ${toSpan(since)}. Senders usually try for 4 to 5 days, so the message has probably been returned or lost.`
      : `Not sent again yet: ${toSpan(since)} since ${toEnd(last)}.`,
  });
  return observations;
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
  const status = end.reply === null ? "" : ` (${end.reply.code})`;
  if (later.length > 0)
    return end.outcome === "refused"
      ? [
          {
            id: "refused.repeated",
            tone: "bad",
            section: permanentSection,
            says: `Sent the same message again ${toTimes(later.length)} after the rejection${status}. It should be returned to its author instead.`,
          },
        ]
      : [
          {
            id: "accepted.repeated",
            tone: "bad",
            section: null,
            says: `Sent the same message again ${toTimes(later.length)} after it was accepted, so recipients get it more than once.`,
          },
        ];
  if (end.outcome !== "refused") return [];
  const since = now - end.at;
  return [
    {
      id: "refused.respected",
      section: permanentSection,
      tone: since < settlesMs ? "waiting" : "good",
      says: `Not sent again since the rejection${status} ${toSpan(since)} ago.`,
    },
  ];
}

/** Queues that repeat after a rejection do so soon. */
const settlesMs = 3_600_000;

/** What usual greylists require: Postgrey's default is five minutes, others take one. */
const greylistMs = 300_000;

function judgeHaste([first, second]: readonly MessageAttempt[], probe: Probe | null): Observation[] {
  if (probe !== "greylist" || first === undefined || second === undefined) return [];
  const wait = second.at - first.at;
  if (wait >= greylistMs) return [];
  return [
    {
      id: "greylist.too-soon",
      tone: "info",
      section: "RFC 6647 §5",
      says: `Came back after ${toSpan(wait)}. Many greylists require 5 minutes and would have deferred it again.`,
    },
  ];
}

const mostAddresses = 5;

function judgeAddresses(messages: readonly MessageAttempt[]): Observation[] {
  if (messages.length < 2) return [];
  const addresses = [...new Set(messages.flatMap(({ address }) => address ?? []))];
  const [only] = addresses;
  if (only === undefined) return [];
  if (addresses.length === 1)
    return [{ id: "address.same", tone: "good", says: `Every attempt came from ${only}.`, section: null }];
  const shown = addresses.slice(0, mostAddresses).join(", ");
  const more = addresses.length > mostAddresses ? ", and others" : "";
  return [
    {
      id: "address.changed",
      tone: "info",
      section: "RFC 6647 §4.1",
      says: `The attempts came from ${addresses.length} addresses (${shown}${more}). A receiver that greylists each address separately delays such mail longer.`,
    },
  ];
}

function judgeLikeness(messages: readonly MessageAttempt[]): Observation[] {
  const later = messages.slice(1);
  if (later.length === 0) return [];
  if (later.every(({ likeness }) => likeness === "bytes"))
    return [
      {
        id: "message.same",
        tone: "good",
        section: messageIdSection,
        says: "Each attempt had exactly the same message, with the same Message-ID if it has one.",
      },
    ];
  if (later.every(({ likeness }) => likeness === "bytes" || likeness === "message-id"))
    return [
      {
        id: "message.rebuilt",
        tone: "good",
        section: messageIdSection,
        says: "The message changed between attempts, but its Message-ID stayed the same, so receivers can recognize a duplicate.",
      },
    ];
  return [
    {
      id: "message.new-id",
      tone: "bad",
      section: messageIdSection,
      says: "A message with the same sender and content, but another Message-ID or none, arrived after the first. If it was a retry, receivers can't recognize it as a duplicate. If you sent it yourself, it isn't one.",
    },
  ];
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
