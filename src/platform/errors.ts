// All errors that a caller can get. A code is public: it is never renamed, only retired. Anything else that is thrown
// is our fault. It is logged with an ID and shown as "internal".

/** With the status of the answer. */
export const statusOf = {
  missing_token: 401,
  forbidden: 403,
  not_found: 404,
  plan_limit: 402,
  invalid_email: 400,
  missing_name: 400,
  invalid_url: 400,
  billing_not_configured: 503,
  invalid_request: 400,
  invalid_link: 400,
  invalid_credentials: 401,
  second_factor_required: 403,
  rate_limited: 429,
  conflict: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  method_not_allowed: 405,
  send_failed: 502,
  integration_not_configured: 503,
  email_not_configured: 503,
  overloaded: 503,
  internal: 500,
} as const satisfies Readonly<Record<string, number>>;

export type RefusalCode = keyof typeof statusOf;
export const refusalCodes = Object.keys(statusOf) as RefusalCode[];

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
