// A client that does not wait for its turn. What it says before the greeting is kept until then, because to send it away
// would leave it without a test that says so.

import type { SmtpSession, Unawaited } from "../mail/session/session.ts";
import { CommandStream } from "./command-stream.ts";

type Timeouts = {
  /** A command before the greeting. There is but one: the next is read when it has been answered. */
  readonly hold: (answer: () => void) => void;
  /** Behind the greeting. */
  readonly release: () => void;
  /** Called of each command, in its order. */
  readonly passCommand: (parser: unknown) => void;
  /** Called of a command that has to be waited for, before it is answered. */
  readonly noteBehind: (command: Unawaited["behind"], parser: unknown) => void;
  readonly noted: () => Pick<SmtpSession, "pipelining" | "earlyTalk" | "unawaited">;
};

const maxShown = 200;

export function createTimeouts(): Timeouts {
  let held: (() => void) | null = null;
  let pipelining = false;
  let earlyTalk = false;
  let unawaited: readonly Unawaited[] = [];
  return {
    hold: (answer) => {
      earlyTalk = true;
      held = answer;
    },
    release: () => {
      const answer = held;
      held = null;
      answer?.();
    },
    passCommand: (parser) => {
      if (!(parser instanceof CommandStream)) return;
      parser.passCommand();
      pipelining ||= parser.pipelined;
    },
    noteBehind: (behind, parser) => {
      const bytes = parser instanceof CommandStream ? parser.behindCommand : Buffer.alloc(0);
      const others = unawaited.filter((one) => one.behind !== behind);
      const sent = behind === "DATA" ? null : toCommand(bytes);
      unawaited = bytes.length === 0 ? others : [...others, { behind, sent }];
    },
    noted: () => ({ pipelining, earlyTalk, unawaited }),
  };
}

/** A TLS handshake is no text. */
function toCommand(bytes: Buffer): string | null {
  const [line = ""] = bytes.toString("latin1", 0, maxShown).split(/\r?\n/, 1);
  return /^[ -~]+$/.test(line) ? line : null;
}
