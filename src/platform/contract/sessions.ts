// Browser sessions last 14 days from their last use (src/decisions.md, "Passwords and sessions"). On HTTPS the cookie's
// name begins with __Host-, so that no other host of the domain can set it (RFC 6265bis §4.1.3.2). On plain HTTP
// browsers refuse that name.

const dayMs = 86_400_000;

export const sessionLifeMs = 14 * dayMs;
/** Minimum time between two updates of the last use. */
export const sessionNotedEveryMs = 60_000;
/** Per user. The oldest sessions end first. */
export const maxSessions = 100;

export function cookieName(secure: boolean): string {
  return secure ? "__Host-assay_session" : "assay_session";
}

/** `secret`: null ends the cookie. */
export function toSetCookie(secret: string | null, secure: boolean): string {
  const maxAge = secret === null ? 0 : sessionLifeMs / 1_000;
  const attributes = `Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;
  return `${cookieName(secure)}=${secret ?? ""}; ${attributes}`;
}

/** The value of our cookie among others (RFC 6265 §4.2.1). Null if there is none, or if two contradict each other. */
export function readCookie(header: string | null, name: string): string | null {
  const prefix = `${name}=`;
  const values = (header ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(prefix))
    .map((pair) => pair.slice(prefix.length));
  const [value] = values;
  return value !== undefined && new Set(values).size === 1 ? value : null;
}

// The cost of guessing (src/decisions.md, "Passwords and sessions"): after ten failures an account answers more slowly,
// regardless of the client and of whether the account exists. It is never locked, because then anyone could lock anyone
// out.

const freeTries = 10;
const longestDelayMs = 30_000;

/** After this time without a failure, an account answers at full speed again. */
export const failuresForgottenMs = 86_400_000;

/** `tries` since the last success, including this one. */
export function logInDelayMs(tries: number): number {
  const slowed = tries - freeTries;
  return slowed <= 0 ? 0 : Math.min(longestDelayMs, 1_000 * 2 ** Math.min(slowed - 1, 10));
}
