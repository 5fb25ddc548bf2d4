// What a mail server's refusal or silence means, in words for users, on one line and without secrets.

import { toStorableCut } from "../../../analyzer/mail/text/bounds.ts";
import { toVisible } from "../../../analyzer/visible-text.ts";
import { messageOf } from "../../../platform/errors.ts";
import { tooMuch } from "../../../platform/system/bounded-line.ts";
import { maskSecrets } from "../../../platform/system/log.ts";
import type { Relay } from "./relay-url.ts";

const longestWords = 1_000;

/** `isRecipient`: the recipient was rejected for good, and nothing else. */
export type Rejection = { readonly reply: string; readonly isRecipient: boolean };

export type SmtpError = Error & {
  readonly response?: unknown;
  readonly command?: unknown;
  readonly code?: unknown;
  /** The system's error code. */
  readonly originalCode?: unknown;
  readonly timeoutType?: unknown;
};

const refusedWhat: Readonly<Record<string, string>> = {
  "MAIL FROM": "rejected the sender",
  "RCPT TO": "rejected the recipient",
  DATA: "rejected the message",
  STARTTLS: "rejected STARTTLS",
  EHLO: "rejected our HELO name",
  HELO: "rejected our HELO name",
};

/** Includes the server's response on one line, shortened if needed. `signal`: the delivery's. */
export function toWords(error: unknown, who: string, relay: Relay | null, signal?: AbortSignal): string {
  const { response, command } = error as Partial<SmtpError>;
  const what = typeof command === "string" ? whatOf(command) : undefined;
  if (plainServer.test(messageOf(error)))
    return `${who} does not begin with TLS on this port. Use STARTTLS, or another port.`;
  const words =
    typeof response === "string" && response !== ""
      ? `${who} ${what ?? "rejected a command"}: ${response}`
      : `${who} ${unanswered(error as Partial<SmtpError>, what, signal)}: ${whyAborted(signal) ?? messageOf(error)}`;
  return toReply(words, relay);
}

/** On one line, shortened if needed, and without our password. */
export function toReply(text: string, relay: Relay | null): string {
  const shown = text.replace(/[\r\n]+/g, " ");
  return toStorableCut(toVisible(withoutLogin(maskSecrets(shown), relay)), longestWords);
}

export function toRejection(error: unknown, relay: Relay): Rejection | null {
  const { response, command } = error as Partial<SmtpError>;
  if (typeof response !== "string" || response === "") return null;
  return { reply: toReply(response, relay), isRecipient: command === "RCPT TO" && response.startsWith("5") };
}

function whatOf(command: string): string | undefined {
  return command.startsWith("AUTH") ? "rejected the login" : refusedWhat[command];
}

/** OpenSSL's words for a server that doesn't begin with TLS. */
const plainServer = /wrong version number|packet length too long|http request/i;

const certificateTrouble = /CERT|ALTNAME|_TLS_|SSL/;

function unanswered(error: Partial<SmtpError>, what: string | undefined, signal?: AbortSignal): string {
  const { code, originalCode } = error;
  if (code === "ETLS" || certificateTrouble.test(String(originalCode))) return "does not offer trusted TLS";
  if (code === "EAUTH") return "did not accept the login";
  if (signal && (signal.aborted || isBrokenOff(error))) return "did not finish, but may have accepted the message";
  return code === "EMESSAGE" || code === "EENVELOPE" ? (what ?? "rejected the message") : "could not be reached";
}

/** After connecting, nodemailer does not say how far the session got. The server may have accepted the message. */
export function isBrokenOff({ code, originalCode, timeoutType }: Partial<SmtpError>): boolean {
  return (
    code === "ECONNECTION" ||
    timeoutType === "SOCKET_TIMEOUT" ||
    originalCode === tooMuch ||
    originalCode === "ECONNRESET" ||
    originalCode === "EPIPE"
  );
}

function whyAborted(signal: AbortSignal | undefined): string | undefined {
  return signal?.aborted ? messageOf(signal.reason) : undefined;
}

/** A server may echo credentials in any encoding. */
function withoutLogin(text: string, relay: Relay | null): string {
  if (!relay?.login) return text;
  const { user, pass } = relay.login;
  const base64 = (plain: string) => Buffer.from(plain).toString("base64");
  const forms = [`\0${user}\0${pass}`, pass].flatMap((plain) => [base64(plain), encodeURIComponent(plain), plain]);
  return forms.filter((form) => form !== "").reduce((masked, form) => masked.replaceAll(form, "…"), text);
}
