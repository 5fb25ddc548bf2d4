// What the states of a monitor and the outcomes of its runs are called, in the app and on the command line.

import type { MonitorOutcome } from "../rules/state.ts";

type OutcomeWords = {
  /** One to three words. */
  readonly word: string;
  /** A sentence. */
  readonly says: string;
  readonly tone: "good" | "critical" | "minor" | "neutral";
};

export const outcomeWords: Readonly<Record<MonitorOutcome, OutcomeWords>> = {
  ok: { word: "OK", says: "The message arrived in time and nothing was wrong with it.", tone: "good" },
  late: { word: "Late", says: "The message arrived late, or has not arrived yet.", tone: "critical" },
  lost: { word: "Lost", says: "The message was sent and has not come back.", tone: "critical" },
  refused: { word: "Refused", says: "The relay rejected the message for good.", tone: "critical" },
  unreachable: {
    word: "Not sent",
    says: "The relay could not be reached, or it did not accept the connection or the login.",
    tone: "critical",
  },
  deferred: { word: "Deferred", says: "The relay did not accept the message for now.", tone: "critical" },
  bounced: { word: "Bounced", says: "The relay accepted the message, and a bounce came back.", tone: "critical" },
  misplaced: {
    word: "Misplaced",
    says: "The message was observed in spam, or spam is predicted where inbox was predicted before.",
    tone: "critical",
  },
  worse: {
    word: "Low score",
    says: "The message scored far below its usual score, or below the limit.",
    tone: "critical",
  },
  unauthenticated: {
    word: "Not authenticated",
    says: "SPF, DKIM or DMARC passed before and does not pass now.",
    tone: "critical",
  },
  interrupted: {
    word: "Interrupted",
    says: "This server was off or could not send or receive mail, so nothing is known about the message.",
    tone: "neutral",
  },
  missing: { word: "Missing", says: "The expected message did not arrive in time.", tone: "critical" },
  unclear: {
    word: "Not known",
    says: "A message arrived that could not be read completely, so it is not known whether it was the expected one.",
    tone: "minor",
  },
  "wrong-words": {
    word: "Wrong words",
    says: "A message from the sender arrived without the expected words.",
    tone: "critical",
  },
  // In runs of earlier versions.
  maintenance: {
    word: "Maintenance",
    says: "It was during announced maintenance, so it does not count.",
    tone: "neutral",
  },
};

type MonitorStateName = "new" | "up" | "down";

/** `isOn`: false while it is paused. */
export function toStateWord(state: MonitorStateName, isOn: boolean): string {
  if (!isOn) return "Paused";
  return state === "new" ? "No result yet" : state === "up" ? "Up" : "Down";
}

/** Before the first due time, nothing can have been met or missed. */
const shareWords = {
  canary: { one: "run", many: "runs", none: "no runs" },
  expected: { one: "due time", many: "due times", none: "not due yet" },
} as const;

/** What a share of runs that were OK is of: "of 7 due times". */
export function toShareBasis(kind: keyof typeof shareWords, runs: number): string {
  const { one, many, none } = shareWords[kind];
  return runs === 0 ? none : `of ${runs} ${runs === 1 ? one : many}`;
}

export const kindWords = { canary: "Canary", expected: "Expected mail" } as const;
