// The email address of an account in canonical form: lower case, composed (RFC 6532 §3.1), the domain in A-labels. RFC
// 5321 §2.4 lets a host tell ANN from ann. No mailbox provider in use does, and two accounts that look alike would be
// worse. Quoted local parts and address literals are refused, because no real mailbox has one.

import { domain as domainName } from "../settings/setting-kinds.ts";

/** RFC 5321 §4.5.3.1.1 and .3, without the angle brackets. */
const longestLocalBytes = 64;
const longestBytes = 254;
/** An atom of RFC 5322 §3.2.3 with RFC 6531 §3.3, without invisible characters. */
const atom = String.raw`[\p{L}\p{M}\p{N}\p{Extended_Pictographic}!#$%&'*+/=?^_\x60{|}~-]+`;
const dotAtom = new RegExp(String.raw`^${atom}(?:\.${atom})*$`, "u");

/** Undefined if it isn't an email address. */
export function readEmail(typed: string): string | undefined {
  const text = typed.trim();
  const at = text.lastIndexOf("@");
  if (at < 1 || text.length > longestBytes) return undefined;
  const local = text.slice(0, at).toLowerCase().normalize("NFC");
  const domain = domainName.read(text.slice(at + 1));
  if (domain === undefined || !dotAtom.test(local)) return undefined;
  const isTooLong = Buffer.byteLength(local) > longestLocalBytes;
  const email = `${local}@${domain}`;
  return isTooLong || Buffer.byteLength(email) > longestBytes ? undefined : email;
}

// Local parts reserved for the server's first workspace, including catch-all. Anyone who reads their mail could get a
// certificate for the seed domain or pose as its operator (src/decisions.md, "Seed inboxes").

const reservedNames = new Set([
  // RFC 2142 §3, §4, §5
  "info",
  "marketing",
  "sales",
  "support",
  "abuse",
  "noc",
  "security",
  "postmaster",
  "hostmaster",
  "usenet",
  "news",
  "webmaster",
  "www",
  "uucp",
  "ftp",
  // CA/Browser Forum Baseline Requirements §3.2.2.4.4, and names that look like the operator
  "admin",
  "administrator",
  "root",
  "noreply",
  "mailer-daemon",
  // Return paths of our own mail, and the sender of alerts.
  "bounce",
  "alerts",
]);

/** `mailbox`: the part before any plus sign, in lower case. */
export function isReserved(mailbox: string): boolean {
  return reservedNames.has(mailbox);
}
