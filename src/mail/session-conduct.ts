// How the client behaved, read off what was said: the evidence for checks of TLS and of protocol.

import type { SmtpSession } from "./session.ts";

export type SessionConduct = {
  /** It greeted with EHLO, at least once. */
  readonly esmtp: boolean;
  /** What we offered it, keywords in capitals, of all our answers to EHLO. */
  readonly offered: readonly string[];
  /** BODY=8BITMIME (RFC 6152 §3). */
  readonly declares8Bit: boolean;
  /** SIZE= (RFC 1870 §6). */
  readonly declaredSizeBytes: number | null;
};

/** Null without a session of ours. */
export function toConduct(session: SmtpSession): SessionConduct | null {
  if (session.source !== "smtp") return null;
  const parameters = session.mailParameters.map((parameter) => parameter.toUpperCase());
  const [size] = parameters.flatMap((parameter) => /^SIZE=(\d{1,15})$/.exec(parameter)?.[1] ?? []);
  return {
    esmtp: session.transcript.some(({ from, line }) => from === "client" && /^\s*ehlo\b/i.test(line)),
    offered: [...new Set(readOffers(session.transcript))],
    declares8Bit: parameters.includes("BODY=8BITMIME"),
    declaredSizeBytes: size === undefined ? null : Number(size),
  };
}

/** RFC 5321 §4.1.1.1: behind the line with our name one keyword a line. */
function readOffers(transcript: SmtpSession["transcript"]): string[] {
  const offers: string[] = [];
  let isBehindName = false;
  for (const { from, line } of transcript) {
    const [, separator, keyword] = /^250([- ])([A-Za-z0-9-]+)/.exec(line) ?? [];
    if (from === "client" || separator === undefined) {
      isBehindName = false;
      continue;
    }
    if (isBehindName) offers.push((keyword ?? "").toUpperCase());
    isBehindName = separator === "-";
  }
  return offers;
}
