// Whose page sent a request (src/decisions.md, "Access"): a change by cookie must come from one of our pages, because a
// browser sends the cookie for any page. Browsers say it in Origin (RFC 6454 §7), which a page cannot forge; one that
// leaves it out says Sec-Fetch-Site, or is so old that we cannot trust it. A client that brings no cookie has no power
// that another page could borrow, so that without any of these headers, as a script sends it, it may log in.

import type { Method } from "../api/endpoint.ts";
import { Refusal } from "../errors.ts";

export type Provenance = {
  readonly origin: string | null;
  /** Sec-Fetch-Site (Fetch Metadata §2.2). */
  readonly fetchSite: string | null;
  /** What the client believes that we are called: a name, with a port where it is not the scheme's own. */
  readonly host: string | null;
};

export function isSafe(method: Method): boolean {
  return method === "GET";
}

/** For what a cookie allows. */
export function requireOwnPage(provenance: Provenance): void {
  if (isOwnPage(provenance) !== true) throw otherPage(provenance);
}

/** For what anyone may do, but no other page in a visitor's name: to log them in, say. */
export function requireNoOtherPage(provenance: Provenance, hasCookie: boolean): void {
  const isOwn = isOwnPage(provenance);
  if (isOwn === false || (isOwn === undefined && hasCookie)) throw otherPage(provenance);
}

/** Undefined: nothing tells. */
function isOwnPage({ origin, fetchSite, host }: Provenance): boolean | undefined {
  if (origin !== null) return isOriginOf(origin, host);
  return fetchSite === null ? undefined : fetchSite === "same-origin";
}

/** By the origin's own scheme, because behind a proxy we do not see ours; it decides which port goes without saying. */
function isOriginOf(origin: string, host: string | null): boolean {
  const [, scheme] = /^(https?):\/\//.exec(origin) ?? [];
  const from = scheme === undefined ? null : URL.parse(origin);
  const own = host === null || /[/?#@\\\s]/.test(host) ? null : URL.parse(`${scheme}://${host}`);
  return from !== null && own !== null && from.host === own.host;
}

function otherPage({ origin, host }: Provenance): Refusal {
  const from = origin === null ? "without saying from which page (Origin)" : "from a page of another address";
  return new Refusal(
    "forbidden",
    `This was sent ${from}, so it may not use the browser's session. A proxy must pass the Host header on (here it said ${JSON.stringify(host ?? "")}), or X-Forwarded-Host and be one of ASSAY_TRUSTED_PROXIES.`,
  );
}
