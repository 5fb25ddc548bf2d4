// The form of every error (src/decisions.md, "Errors").

import { readApiReference } from "../contract/docs-pages.ts";
import type { ErrorBody } from "../contract/endpoint.ts";
import { Refusal, statusOf } from "../errors.ts";

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
