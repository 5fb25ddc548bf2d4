// The cookie of a login at an issuer that isn't finished: its value is sealed, so that only the browser that began can
// finish, and nothing is stored for strangers who only begin. Lax, because the issuer leads back with a GET from its
// own site.

export const loginCookieLifeMs = 600_000;

export function loginCookieName(secure: boolean): string {
  return secure ? "__Host-assay_login" : "assay_login";
}

/** `value`: null ends the cookie. */
export function toLoginSetCookie(value: string | null, secure: boolean): string {
  const maxAge = value === null ? 0 : loginCookieLifeMs / 1_000;
  const attributes = `Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;
  return `${loginCookieName(secure)}=${value ?? ""}; ${attributes}`;
}

/** Browsers drop cookies of more than 4,096 bytes. */
const longestPath = 500;
const printable = /^[\x21-\x7e]+$/;

/** Only paths on this server, in the form that a Location header takes. Anything else is the home page. */
export function toOwnPath(wanted: string | null | undefined): string {
  if (wanted == null || wanted.length > longestPath || !/^\/(?![/\\])[^\\]*$/.test(wanted)) return "/";
  const base = "http://own.invalid";
  const url = URL.parse(wanted, base);
  if (url === null || url.origin !== base) return "/";
  const path = url.pathname + url.search + url.hash;
  // A path like "/./" followed by a host becomes "//host".
  const isOwn = printable.test(path) && /^\/(?![/\\])/.test(path) && path.length <= longestPath;
  return isOwn ? path : "/";
}
