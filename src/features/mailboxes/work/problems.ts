// Explains why a mailbox cannot be watched. The server's own text is left out, because it is untrusted.

/** `kind` login: the server refused the username or password. */
export type MailboxTrouble = {
  readonly problem: string;
  readonly kind: "login" | "other";
  /** The server clearly says that retrying will not help. */
  readonly isFinal: boolean;
};

/** An error whose message may be shown to users. */
export class MailboxProblem extends Error {
  readonly trouble: MailboxTrouble;

  constructor(problem: string) {
    super(problem);
    this.trouble = { problem, kind: "other", isFinal: false };
  }
}

type Fault = {
  readonly code: string;
  readonly isLoginRefused: boolean;
  /** RFC 5530: the code in brackets after NO. */
  readonly responseCode: string;
  readonly isTlsFault: boolean;
  /** The server answered NO or BAD, and the session continues. */
  readonly isRefused: boolean;
};

/** Reads the properties that the IMAP library sets on its errors. */
export function toFault(error: unknown): Fault {
  const thrown = (typeof error === "object" && error !== null ? error : {}) as Record<string, unknown>;
  return {
    code: typeof thrown.code === "string" ? thrown.code : "",
    isLoginRefused: thrown.authenticationFailed === true,
    responseCode: typeof thrown.serverResponseCode === "string" ? thrown.serverResponseCode.toUpperCase() : "",
    isTlsFault: thrown.tlsFailed === true,
    isRefused: thrown.responseStatus === "NO" || thrown.responseStatus === "BAD",
  };
}

/** RFC 5530 §3: the same credentials may work later. */
const temporary = new Set(["UNAVAILABLE", "INUSE", "LIMIT", "SERVERBUG", "OVERQUOTA", "THROTTLED"]);
const definite = new Set(["AUTHENTICATIONFAILED", "AUTHORIZATIONFAILED", "EXPIRED", "CONTACTADMIN", "PRIVACYREQUIRED"]);

const noImap = "sends invalid IMAP responses";
const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: "refuses the connection",
  ECONNRESET: "closed the connection unexpectedly",
  EPIPE: "closed the connection unexpectedly",
  EHOSTUNREACH: "cannot be reached from this server",
  ENETUNREACH: "cannot be reached from this server",
  EADDRNOTAVAIL: "cannot be reached from this server",
  ETIMEDOUT: "did not accept the connection in time",
  CONNECT_TIMEOUT: "did not accept the connection in time",
  GREETING_TIMEOUT: "sends no greeting. Check that the port is for IMAP and the TLS mode is right",
  UPGRADE_TIMEOUT: "did not complete the TLS handshake",
  ETIMEOUT: "is not responding",
  ETHROTTLE: "is limiting our requests",
  STARTTLS_INJECTION: "sent data before the TLS handshake, which is not allowed",
  LineTooLarge: "sends responses that are too large",
  LiteralTooLarge: "sends responses that are too large",
  ResponseTooLarge: "sends responses that are too large",
  TooManyTokens: "sends responses that are too large",
  TooManyResponses: "sends responses that are too large",
  NotFound: "no longer has a folder that it listed",
  NoMailboxSelected: "unexpectedly closed a folder",
};

/** `where`: the server's name for users. */
export function describeTrouble(where: string, error: unknown): MailboxTrouble {
  if (error instanceof MailboxProblem) return error.trouble;
  const fault = toFault(error);
  if (fault.isLoginRefused) return describeRefusal(where, fault);
  return { problem: `${where} ${describeFault(fault, error)}.`, kind: "other", isFinal: false };
}

function describeRefusal(where: string, { responseCode }: Fault): MailboxTrouble {
  if (temporary.has(responseCode))
    return { problem: `${where} is temporarily refusing logins.`, kind: "other", isFinal: false };
  return { problem: `${where} rejected the username or password.`, kind: "login", isFinal: definite.has(responseCode) };
}

function describeFault({ code, isTlsFault, isRefused }: Fault, error: unknown): string {
  const known = words[code];
  if (known) return known;
  if (isCertificateFault(code)) return `does not offer trusted TLS (${code})`;
  if (isTlsFault) return "does not support STARTTLS, and logging in requires TLS";
  if (/^(Parser|MAX_IMAP|InvalidResponse|UnexpectedTag|MissingTag|ResponseProcessing)/.test(code)) return noImap;
  if (error instanceof Error && error.message === "Unsupported authentication mechanism")
    return "supports none of our login methods";
  return isRefused ? "refused to open a folder" : "closed the connection";
}

function isCertificateFault(code: string): boolean {
  return /^[A-Z0-9_]{3,60}$/.test(code) && /CERT|TLS|SSL|SIGNATURE|EPROTO|UNABLE_TO/.test(code);
}
