// The email address of an account in canonical form: lower case, composed (RFC 6532 §3.1), the domain in A-labels. RFC
// 5321 §2.4 lets a host tell ANN from ann. No mailbox provider in use does, and two accounts that look alike would be
// worse. Quoted local parts and address literals are refused, because no real mailbox has one.

import { domain as domainName } from "../settings/setting-kinds.ts";
import namesBySource from "./reserved-names.json" with { type: "json" };

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

const reservedNames: ReadonlySet<string> = new Set(Object.values(namesBySource).flat());

/** `mailbox`: the part before any plus sign, in lower case. */
export function isReserved(mailbox: string): boolean {
  return reservedNames.has(mailbox);
}
