// What the trouble of a server that a domain's file is fetched from says of the domain.

import type { Why } from "../checks/fact.ts";
import type { FetchFailure } from "../system/fetch.ts";

/** What an outsider meets too is the domain's fault (null); the rest may be our own network's. */
export const whyUnfetched: Readonly<Record<FetchFailure, Why | null>> = {
  invalid_url: "unfit",
  refused_address: "not-public",
  unresolved: "timeout",
  unreachable: "silent",
  tls: null,
  timeout: "silent",
  too_large: null,
  redirect: null,
};

/**
 * Whether a server's answer says only that it is in trouble, or that we asked too often: it may be well again in an hour,
 * and others that ask it meet something else.
 */
export function isPassingTrouble(status: number): boolean {
  return status >= 500 || status === 408 || status === 429;
}
