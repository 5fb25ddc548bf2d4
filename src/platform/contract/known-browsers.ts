// A browser that has logged in to an account keeps a signed cookie, so that failed logins from anywhere don't slow its
// person down (src/decisions.md, "Passwords and sessions"). It is no login: the password is still needed, and it has its own
// few tries. It works for one account, which it doesn't name.

import { createHmac, timingSafeEqual } from "node:crypto";
import { hashSecret } from "./secrets.ts";

const browserLifeMs = 180 * 86_400_000;
/** Failed logins in a row. After these, the browser waits like any other. */
export const knownBrowserTries = 5;

export function browserCookieName(secure: boolean): string {
  return secure ? "__Host-assay_browser" : "assay_browser";
}

/** Not sent along with requests that another site starts. */
export function toBrowserCookie(value: string, secure: boolean): string {
  const attributes = `Path=/; Max-Age=${browserLifeMs / 1_000}; HttpOnly; SameSite=Strict${secure ? "; Secure" : ""}`;
  return `${browserCookieName(secure)}=${value}; ${attributes}`;
}

type Account = { readonly key: Uint8Array; readonly email: string; readonly now: number };

/** `randomness`: 16 bytes. */
export function createKnownBrowser(account: Account, randomness: Uint8Array): string {
  const id = Buffer.from(randomness.subarray(0, 16)).toString("base64url");
  const since = account.now.toString(36);
  return `${id}.${since}.${sign(account, id, since)}`;
}

const shape = /^([\w-]{22})\.([0-9a-z]{1,11})\.([\w-]{43})$/;

/** The name under which its failed logins are counted. Null: it never logged in to this account, or long ago. */
export function readKnownBrowser(account: Account, value: string | null): string | null {
  const [, id = "", since = "", signature = ""] = shape.exec(value ?? "") ?? [];
  if (id === "" || !isSame(signature, sign(account, id, since))) return null;
  const ageMs = account.now - Number.parseInt(since, 36);
  return ageMs >= 0 && ageMs < browserLifeMs ? hashSecret(`browser ${id} ${account.email}`) : null;
}

function sign({ key, email }: Account, id: string, since: string): string {
  return createHmac("sha256", key).update(`${id}.${since}.${email}`).digest("base64url");
}

function isSame(given: string, wanted: string): boolean {
  return given.length === wanted.length && timingSafeEqual(Buffer.from(given), Buffer.from(wanted));
}
