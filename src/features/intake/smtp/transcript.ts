// The transcript of a session for the current message: the opening of the session, and what belongs to this message. A
// connection may deliver ten thousand messages, and each is stored with its own part.

import type { SessionStep } from "../../../analyzer/mail/session/session.ts";
import type { Log } from "../../../platform/system/log.ts";
import type { Arrival } from "./front.ts";

export type Transcript = {
  readonly hear: (from: SessionStep["from"], line: string) => void;
  /** What was said so far belongs to every message that follows. */
  readonly endOpening: () => void;
  /** Forgets everything but the opening and a command that is being answered, which belongs to the next message. */
  readonly endMessage: () => void;
  readonly steps: () => readonly SessionStep[];
  readonly beganAt: number;
};

/** Above this length the oldest lines are removed, except for the opening. */
const maxSteps = 1_000;
const maxOpeningSteps = 100;
const droppedTogether = 100;
const maxLineLength = 1_000;

/** `onLine` gets every line, also those that are not kept. */
export function createTranscript(now: () => number, onLine: Transcript["hear"] = () => {}): Transcript {
  const steps: SessionStep[] = [];
  let openingLength = 0;
  const beganAt = now();
  return {
    hear: (from, line) => {
      onLine(from, line);
      if (steps.length >= maxSteps) steps.splice(openingLength, droppedTogether);
      const cut = line.length > maxLineLength ? `${line.slice(0, maxLineLength).toWellFormed()}…` : line;
      steps.push({ at: now(), from, line: cut });
    },
    endOpening: () => {
      if (steps.length <= maxOpeningSteps) openingLength = steps.length;
    },
    endMessage: () => {
      const isAnswered = steps.at(-1)?.from !== "client";
      steps.splice(openingLength, steps.length - openingLength - (isAnswered ? 0 : 1));
    },
    steps: () => [...steps],
    beganAt,
  };
}

/** At debug level, every line of every connection. The port tells connections of one client apart. */
export function toLineLog(log: Log, { address, port }: Pick<Arrival, "address" | "port">): Transcript["hear"] {
  const client = `${address}:${port}`;
  return (from, line) => log.debug(from === "client" ? "SMTP <" : "SMTP >", { client, line });
}
