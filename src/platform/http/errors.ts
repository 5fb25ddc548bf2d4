// The table of status codes, and the form of every error (src/decisions.md, "Errors").

import { readApiReference } from "../contract/docs-pages.ts";
import type { ErrorBody } from "../contract/endpoint.ts";
import { Refusal, type RefusalCode } from "../errors.ts";

export const statusOf: Readonly<Record<RefusalCode, number>> = {
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
};

export type ErrorAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

export function toErrorAnswer(refusal: Refusal, requestId?: string): ErrorAnswer {
  const { field, suggestion, retryAfterSeconds, allow, reasons } = refusal.details;
  const body: ErrorBody = {
    error: refusal.code,
    message: refusal.message,
    ...(field === undefined ? {} : { field }),
    ...(suggestion === undefined ? {} : { suggestion }),
    ...(reasons === undefined ? {} : { reasons: reasons as ErrorBody["reasons"] }),
    ...(requestId === undefined ? {} : { requestId }),
  };
  return {
    status: statusOf[refusal.code],
    headers: {
      "content-type": "application/json; charset=utf-8",
      ...(refusal.code === "missing_token" ? { "www-authenticate": "Bearer" } : {}),
      ...(retryAfterSeconds === undefined ? {} : { "retry-after": String(Math.ceil(retryAfterSeconds)) }),
      ...(allow === undefined ? {} : { allow: allow.join(", ") }),
    },
    body: JSON.stringify(body),
  };
}

/** Paths of earlier versions, and what to use instead. */
const removedPaths: readonly (readonly [path: RegExp, instead: string])[] = [
  [
    /^\/api\/monitors\/[^/]+\/maintenance$/,
    'Maintenance windows were removed. Pause the monitor instead, with {"enabled": false}.',
  ],
  [/^\/api\/monitors\/[^/]+\/badge$|^\/badges\//, "Badges were removed. GET /api/monitors has the states."],
  [/^\/api\/calibration\/./, "Prediction shifts were removed. GET /api/calibration has the hit rates."],
];

export function pathNotFound(path = ""): Refusal {
  const [, instead] = removedPaths.find(([removed]) => removed.test(path)) ?? [];
  return new Refusal("not_found", `No such endpoint. ${instead ?? `See ${readApiReference.path}.`}`);
}

export function internalRefusal(requestId: string): Refusal {
  return new Refusal(
    "internal",
    `Something went wrong on this server. For the cause, search the server log for ${requestId}.`,
  );
}
