// What the sender did, connection by connection, and what a probe does next.

import type { Probe } from "../../../analyzer/mail/headers/rehearsal-address.ts";
import type { SeenConnection, Special } from "../../intake/rules/answers.ts";

/** How this message is the same as the first one, by the surest sign. */
export type Likeness = "bytes" | "message-id" | "body" | "subject";

type Client = {
  readonly address: string | null;
  readonly helo: string | null;
  /** The TLS version; null without TLS. */
  readonly tls: string | null;
};

export type MessageAttempt = Client & {
  readonly kind: "message";
  readonly at: number;
  /** The test that has these bytes. */
  readonly testId: string;
  /** Null for the first. */
  readonly likeness: Likeness | null;
  readonly special: Special["kind"] | null;
  readonly outcome: "accepted" | "deferred" | "refused" | "dropped";
  /** As sent. Empty if the connection was closed without a reply. */
  readonly reply: { readonly code: number; readonly lines: readonly string[] } | null;
  readonly because: Because;
  /** How long the sender waited for the reply, or until it hung up. */
  readonly waitedMs: number;
  /** It closed the connection before our reply. */
  readonly hungUp: boolean;
  /** The rule that the reply comes from. */
  readonly finding: string | null;
  /** Continues "accepted": why the receiver might still reject it. */
  readonly doubt?: string;
};

/** A special connection that brought no message. */
export type ConnectionAttempt = Client & {
  readonly kind: "connection";
  readonly at: number;
  readonly special: Special["kind"];
  readonly reached: SeenConnection["reached"];
};

export type Attempt = MessageAttempt | ConnectionAttempt;

/** Why this reply was given. */
export type Because =
  /** The report predicts it. */
  | "predicted"
  /** The probe is like this. */
  | "probe"
  /** The probe is complete. */
  | "finished"
  /** The sender's connections never came from the prepared address. */
  | "not-carried-out"
  /** It would harm the mail of other workspaces from the same client. */
  | "shared"
  | "too-slow"
  | "busy"
  | "not-analyzed"
  | "not-a-test"
  | "too-often"
  | "stopping";

type Step =
  | { readonly does: "accept"; readonly because: Because; readonly afterMs?: number }
  | { readonly does: "hang-up" }
  /** `prepares`: the client's next connection is special. */
  | {
      readonly does: "refuse";
      readonly code: number;
      readonly enhanced: string;
      readonly says: string;
      readonly prepares?: Special;
    };

type Standing = {
  /** Before this one. */
  readonly before: readonly Attempt[];
  /** What this connection was offered. */
  readonly special: Special["kind"] | null;
  readonly sizeBytes: number;
  readonly slowMs: number;
  /**
   * A sender returns every message above the announced limit at once, also those to other recipients. So a limit is only
   * announced where no other workspace's mail can meet it.
   */
  readonly mayLimitSize: boolean;
  /** Until then, no connection of this client is special. Null: its next one may be. */
  readonly quietUntil: number | null;
};

/** How often a message is deferred so that the next connection can be special. */
const mostPreparations = 3;
/** Also those that came while no connection could be special. */
const mostReturns = 20;

export function nextStep(probe: Probe, standing: Standing): Step {
  const { before, slowMs } = standing;
  const messages = before.filter(({ kind }) => kind === "message").length;
  const accept = { does: "accept", because: messages === 0 ? "probe" : "finished" } as const;
  switch (probe) {
    case "greylist":
      if (messages > 0) return accept;
      return { does: "refuse", code: 451, enhanced: "4.7.1", says: "greylisting; send this message again later." };
    case "slow":
      return messages > 0 ? accept : { ...accept, afterMs: slowMs };
    case "drop":
      return messages > 0 ? accept : { does: "hang-up" };
    case "full":
      return { does: "refuse", code: 552, enhanced: "5.2.2", says: "this mailbox is full." };
    default:
      return nextPreparation(probe, standing, messages);
  }
}

const preparedWords = {
  "no-tls": "send this message again later. Your next connection will not be offered STARTTLS.",
  "bad-cert": "send this message again later. Your next connection gets a certificate for another name.",
  size: "send this message again later. Your next connection has a size limit below this message.",
} as const;

function nextPreparation(
  probe: "no-tls" | "bad-cert" | "size",
  { before, special, sizeBytes, mayLimitSize, quietUntil }: Standing,
  messages: number,
): Step {
  const isDone = special === probe || before.some((one) => one.special === probe);
  if (isDone) return { does: "accept", because: "finished" };
  if (probe === "size" && !mayLimitSize) return { does: "accept", because: "shared" };
  const most = quietUntil === null ? mostPreparations : mostReturns;
  if (messages >= most) return { does: "accept", because: "not-carried-out" };
  const prepares: Special =
    probe === "size" ? { kind: "size", maxBytes: Math.max(1, Math.floor(sizeBytes / 2)) } : { kind: probe };
  const says = quietUntil === null ? preparedWords[probe] : toQuietWords(quietUntil);
  return { does: "refuse", code: 451, enhanced: "4.7.1", says, prepares };
}

function toQuietWords(until: number): string {
  const minute = new Date(Math.ceil(until / 60_000) * 60_000).toISOString().slice(11, 16);
  return `send this message again after ${minute} UTC. Until then, other mail from your server goes first.`;
}
