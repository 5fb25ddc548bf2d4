// A client that does not wait for its turn. What it sends before the greeting is kept until then. Rejecting it would leave
// the sender without a test that reports this.

import type { SmtpSession, Unawaited } from "../../../analyzer/mail/session/session.ts";
import { CommandStream } from "./command-stream.ts";

type Timeouts = {
  /** A command before the greeting. There is only one, because the next is read after its reply. */
  readonly hold: (answer: () => void) => void;
  /** After the greeting. */
  readonly release: () => void;
  /** Called for each command, in order. */
  readonly passCommand: (parser: unknown) => void;
  /** Called before the reply to a command that the client must wait for. */
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

/** A TLS handshake is not text. */
function toCommand(bytes: Buffer): string | null {
  const [line = ""] = bytes.toString("latin1", 0, maxShown).split(/\r?\n/, 1);
  return /^[ -~]+$/.test(line) ? line : null;
}
