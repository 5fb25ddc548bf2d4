// All errors that a caller can get. A code is public: it is never renamed, only retired. Anything else that is thrown
// is our fault. It is logged with an ID and shown as "internal".

export const refusalCodes = [
  "missing_token",
  "forbidden",
  "not_found",
  "plan_limit",
  "invalid_email",
  "missing_name",
  "invalid_url",
  "billing_not_configured",
  "invalid_request",
  "invalid_link",
  "invalid_credentials",
  "second_factor_required",
  "rate_limited",
  "conflict",
  "payload_too_large",
  "unsupported_media_type",
  "method_not_allowed",
  "send_failed",
  "integration_not_configured",
  "email_not_configured",
  "overloaded",
  "internal",
] as const;

export type RefusalCode = (typeof refusalCodes)[number];

type RefusalDetails = {
  /** The invalid field of the request. */
  readonly field?: string;
  /** A value for that field that would be accepted. */
  readonly suggestion?: string;
  /** When trying again may succeed. */
  readonly retryAfterSeconds?: number;
  /** The database's disk is full. */
  readonly diskFull?: boolean;
  /** The database's file is damaged. */
  readonly isDamaged?: boolean;
  /** At startup: trying again won't help, so a service manager must not restart the server. */
  readonly needsOperator?: boolean;
  /** With /readyz: what is in the way, as codes with a sentence. */
  readonly reasons?: readonly { readonly code: string; readonly message: string }[];
  /** The methods that the path supports, with method_not_allowed. */
  readonly allow?: readonly string[];
};

export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly details: RefusalDetails;

  constructor(code: RefusalCode, message: string, details: RefusalDetails = {}) {
    super(message);
    this.name = "Refusal";
    this.code = code;
    this.details = details;
  }
}

/** Too much at once. The message ends with when to try again. */
export function overloaded(why: string): Refusal {
  return new Refusal("overloaded", `${why}. Try again in a moment.`, { retryAfterSeconds: 5 });
}

export function noSuchTest(): Refusal {
  return new Refusal("not_found", "Test not found.");
}

/** 57014 canceled, because it took too long (PostgreSQL, appendix A). */
const busyStates: ReadonlySet<unknown> = new Set(["40001", "40P01", "55P03", "57014"]);

/** PostgreSQL took too long, or undid a transaction for another's sake. */
export function isBusyDatabase(error: unknown): boolean {
  return error instanceof Error && "code" in error && busyStates.has(error.code);
}

/** The message of anything that was thrown. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
