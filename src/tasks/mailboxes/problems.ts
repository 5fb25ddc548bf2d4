// Why a mailbox cannot be watched, in our own words: whatever its server wrote stays out of them, because it could be
// anybody's server.

/** `kind` login: our name or password was refused. */
export type MailboxTrouble = {
  readonly problem: string;
  readonly kind: "login" | "other";
  /** The server says clearly that it will not take them later either. */
  readonly isFinal: boolean;
};

/** Thrown with words that may be shown. */
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
  /** RFC 5530: the code in brackets of a NO. */
  readonly responseCode: string;
  readonly isTlsFault: boolean;
  /** The server answered NO or BAD to a command, and goes on. */
  readonly isRefused: boolean;
};

/** What an error of the IMAP library says; it sets these properties on what it throws. */
export function toFault(error: unknown): Fault {
  const told = (typeof error === "object" && error !== null ? error : {}) as Record<string, unknown>;
  return {
    code: typeof told.code === "string" ? told.code : "",
    isLoginRefused: told.authenticationFailed === true,
    responseCode: typeof told.serverResponseCode === "string" ? told.serverResponseCode.toUpperCase() : "",
    isTlsFault: told.tlsFailed === true,
    isRefused: told.responseStatus === "NO" || told.responseStatus === "BAD",
  };
}

/** RFC 5530 §3: the same name and password may be taken later. */
const temporary = new Set(["UNAVAILABLE", "INUSE", "LIMIT", "SERVERBUG", "OVERQUOTA", "THROTTLED"]);
const definite = new Set([
  "AUTHENTICATIONFAILED",
  "AUTHORIZATIONFAILED",
  "EXPIRED",
  "CONTACTADMIN",
  "PRIVACYREQUIRED",
]);

const noImap = "does not speak IMAP as it should";
const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: "refuses the connection",
  ECONNRESET: "broke the connection off",
  EPIPE: "broke the connection off",
  EHOSTUNREACH: "cannot be reached from here",
  ENETUNREACH: "cannot be reached from here",
  EADDRNOTAVAIL: "cannot be reached from here",
  ETIMEDOUT: "did not take the connection",
  CONNECT_TIMEOUT: "did not take the connection",
  GREETING_TIMEOUT: "does not greet; is that a port for IMAP, with the right kind of TLS?",
  UPGRADE_TIMEOUT: "did not finish the TLS handshake",
  ETIMEOUT: "does not answer",
  ETHROTTLE: "asks for fewer commands",
  STARTTLS_INJECTION: "sent something ahead of TLS that must not be there",
  LineTooLarge: "sends more than IMAP answers have",
  LiteralTooLarge: "sends more than IMAP answers have",
  ResponseTooLarge: "sends more than IMAP answers have",
  TooManyTokens: "sends more than IMAP answers have",
  TooManyResponses: "sends more than IMAP answers have",
  NotFound: "has a folder no more that it listed",
  NoMailboxSelected: "closed a folder that was open",
};

/** `where`: the server, as a person knows it. */
export function describeTrouble(where: string, error: unknown): MailboxTrouble {
  if (error instanceof MailboxProblem) return error.trouble;
  const fault = toFault(error);
  if (fault.isLoginRefused) return describeRefusal(where, fault);
  return { problem: `${where} ${describeFault(fault, error)}.`, kind: "other", isFinal: false };
}

function describeRefusal(where: string, { responseCode }: Fault): MailboxTrouble {
  if (temporary.has(responseCode))
    return { problem: `${where} takes no logins at the moment.`, kind: "other", isFinal: false };
  return {
    problem: `${where} refuses the user name and password.`,
    kind: "login",
    isFinal: definite.has(responseCode),
  };
}

function describeFault({ code, isTlsFault, isRefused }: Fault, error: unknown): string {
  const known = words[code];
  if (known) return known;
  if (isCertificateFault(code)) return `has no TLS that can be trusted (${code})`;
  if (isTlsFault) return "offers no STARTTLS, and nobody logs in without TLS";
  if (/^(Parser|MAX_IMAP|InvalidResponse|UnexpectedTag|MissingTag|ResponseProcessing)/.test(code))
    return noImap;
  if (error instanceof Error && error.message === "Unsupported authentication mechanism")
    return "takes no way to log in that this server knows";
  return isRefused ? "refuses to show a folder" : "closed the connection";
}

function isCertificateFault(code: string): boolean {
  return /^[A-Z0-9_]{3,60}$/.test(code) && /CERT|TLS|SSL|SIGNATURE|EPROTO|UNABLE_TO/.test(code);
}
