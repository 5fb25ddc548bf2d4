// Which page sent a request (src/decisions.md, "Access"). A change by cookie must come from one of our pages, because a
// browser sends the cookie for any page. Browsers name the page in Origin (RFC 6454 §7), which a page can't forge.
// Without it they send Sec-Fetch-Site, or are too old to trust. A client without a cookie has no rights that another
// page could misuse, so a script without any of these headers may log in.

import type { Method } from "../contract/endpoint.ts";
import { Refusal } from "../errors.ts";

export type Provenance = {
  readonly origin: string | null;
  /** Sec-Fetch-Site (Fetch Metadata §2.2). */
  readonly fetchSite: string | null;
  /** Sec-Fetch-Dest: what the browser needs it for (Fetch Metadata §2.1). */
  readonly fetchDest: string | null;
  /** The host name that the client used for us, with a port unless it is the scheme's default. */
  readonly host: string | null;
  /** The client used HTTPS, as far as we see, or the base URL says that it does. */
  readonly isSecure: boolean;
  readonly baseUrl: string | null;
};

export function isSafe(method: Method): boolean {
  return method === "GET";
}

/** For changes by cookie. */
export function requireOwnPage(provenance: Provenance): void {
  if (isOwnPage(provenance) !== true) throw otherPage(provenance);
}

/** Whether the page that sent it may no longer change anything under this base URL. `isSecure`: without any base URL. */
export function isLockedOut(provenance: Provenance, { baseUrl, isSecure }: Pick<Provenance, "baseUrl" | "isSecure">) {
  const next = { ...provenance, baseUrl, isSecure: isSecure || baseUrl?.startsWith("https:") === true };
  return isOwnPage(provenance) === true && isOwnPage(next) !== true;
}

/**
 * Our images need no session. A message with pins is in a frame with our origin, so its images would send the cookie
 * (src/decisions.md, "Strangers' bytes").
 */
export function requireNoImage({ fetchDest }: Provenance): void {
  if (fetchDest === "image") throw new Refusal("forbidden", "The browser's session cannot be used to load images.");
}

/** For public actions that no other site may trigger in a visitor's name, such as logging in. */
export function requireNoOtherPage(provenance: Provenance, hasCookie: boolean): void {
  const isOwn = isOwnPage(provenance);
  if (isOwn === false || (isOwn === undefined && hasCookie)) throw otherPage(provenance);
}

/**
 * For a path that no page calls. A page that rebinds its own DNS name to our address (DNS rebinding) sends that name both
 * as its origin and as our host, so the host must be one that such a page can't have.
 */
export function requireNoForeignOrigin(provenance: Provenance, baseUrl: string): void {
  if (provenance.origin === null) return;
  if (isOwnHost(provenance.host, baseUrl) && isOwnPage(provenance) === true) return;
  throw new Refusal("forbidden", "The Origin header names another site. Web pages cannot call this path.");
}

/**
 * Whether the client used our name: the base URL’s, or one that no DNS server decides about. Any other name may be a
 * rebound one.
 */
export function isOwnHost(host: string | null, baseUrl: string | null): boolean {
  const named = host === null || strangeInHost.test(host) ? null : URL.parse(`http://${host}`);
  if (named === null) return false;
  const own = baseUrl === null ? null : URL.parse(baseUrl);
  return named.hostname === own?.hostname || isUnbindable(named.hostname);
}

/** Where a base URL is set, other names lead people to pages whose links and logins don't work there. */
export function requireOwnHost(host: string | null, baseUrl: string | null): void {
  if (baseUrl === null || isOwnHost(host, baseUrl)) return;
  throw new Refusal(
    "forbidden",
    `This server is at ${baseUrl}, not at ${JSON.stringify(host ?? "")}. Use that address, or change ASSAY_BASE_URL. Behind a proxy, pass the Host header through, or send X-Forwarded-Host and add the proxy to ASSAY_TRUSTED_PROXIES.`,
  );
}

/** Percent signs too, because the URL parser decodes them: `local%68ost` would be `localhost`. */
const strangeInHost = /[/?#@\\\s%]/;

/** No DNS server decides where these lead. The URL parser has put them in their plain form. */
function isUnbindable(hostname: string): boolean {
  return hostname === "localhost" || hostname.startsWith("[") || /^[\d.]+$/.test(hostname);
}

/** Undefined: unknown. */
function isOwnPage({ origin, fetchSite, host, isSecure, baseUrl }: Provenance): boolean | undefined {
  // Some proxies pass on the host without its port, or their own name for us.
  if (origin !== null && origin === URL.parse(baseUrl ?? "")?.origin) return true;
  if (origin?.startsWith("https:") && !isSecure) return false;
  if (origin !== null) return isOriginOf(origin, host);
  return fetchSite === null ? undefined : fetchSite === "same-origin";
}

/**
 * Uses the origin's own scheme, because behind a proxy we may see http. The scheme decides which port is the default.
 */
function isOriginOf(origin: string, host: string | null): boolean {
  const [, scheme] = /^(https?):\/\//.exec(origin) ?? [];
  const from = scheme === undefined ? null : URL.parse(origin);
  const own = host === null || strangeInHost.test(host) ? null : URL.parse(`${scheme}://${host}`);
  // Browsers send an origin in its plain form. Any other form isn't from a browser, or is meant to be misread.
  return from?.origin === origin && own !== null && from.host === own.host;
}

function otherPage({ origin, host, isSecure }: Provenance): Refusal {
  if (origin?.startsWith("https:") && !isSecure && isOriginOf(origin, host))
    return new Refusal(
      "forbidden",
      `The page uses HTTPS, but Assay received the request over HTTP, so it cannot know that the page is its own. Set ASSAY_BASE_URL to ${origin}. Or have the proxy send X-Forwarded-Proto, and add the proxy to ASSAY_TRUSTED_PROXIES.`,
    );
  const from = origin === null ? "without an Origin header" : "from a page on another site";
  return new Refusal(
    "forbidden",
    `This request was sent ${from}, so it cannot use the browser's session. Behind a proxy, set ASSAY_BASE_URL, and pass the Host header through with its port (received: ${JSON.stringify(host ?? "")}), or send X-Forwarded-Host and add the proxy to ASSAY_TRUSTED_PROXIES.`,
  );
}
