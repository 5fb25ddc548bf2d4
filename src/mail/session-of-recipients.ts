// What one workspace may see of a session whose message others got too: only its own recipients. The commands that
// named others and the replies to them are left out of the transcript; a command that cannot be read counts as
// another's, because leaving out too much harms nobody.

import type { SessionStep, SmtpSession } from "./session.ts";

export function sessionOfRecipients(session: SmtpSession, own: readonly string[]): SmtpSession {
  const ownAddresses = new Set(own.map((address) => address.toLowerCase()));
  const isOwn = (address: string) => ownAddresses.has(address.toLowerCase());
  const isKept = (_: unknown, index: number) => isOwn(session.rcptTo[index] ?? "");
  return {
    ...session,
    rcptTo: session.rcptTo.filter(isKept),
    rcptParameters: session.rcptParameters.filter(isKept),
    transcript: withoutRecipients(session.transcript, (address) => !isOwn(address)),
  };
}

/** RFC 2920 §3.1: replies come in the order of their commands, one each, of which only the last line has no hyphen. */
function withoutRecipients(
  transcript: readonly SessionStep[],
  isForeign: (address: string) => boolean,
): SessionStep[] {
  const isLeftOut: boolean[] = [];
  let answered = 0;
  return transcript.filter(({ from, line }) => {
    if (from === "client") {
      const leaveOut = /^\s*rcpt\b/i.test(line) && isForeign(recipientOf(line));
      isLeftOut.push(leaveOut);
      return !leaveOut;
    }
    const leaveOut = isLeftOut[answered] ?? false;
    if (!/^\d{3}-/.test(line) && answered < isLeftOut.length) answered += 1;
    return !leaveOut;
  });
}

/** The address between the brackets, without a source route (RFC 5321 §4.1.1.3); empty when there is none. */
function recipientOf(line: string): string {
  const [, path = ""] = /^rcpt\s+to:\s*<((?:"(?:[^"\\]|\\.)*"|[^">])*)>/i.exec(line) ?? [];
  return path.replace(/^@[^:"]*:/, "");
}
