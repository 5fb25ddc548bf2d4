// Resolves an address of RCPT TO to the mailbox at a seed domain (src/decisions.md, "Seed inboxes").

import { domainToASCII } from "node:url";
import { toStorable } from "../text/bounds.ts";

export type SeedMailbox = {
  /** In lower case, without quotes. */
  readonly localPart: string;
  readonly domain: string;
  /** The text after the first plus sign, as sent. */
  readonly label: string | null;
};

const longestLabel = 200;
/** RFC 5321 §4.5.3.1.2 allows 255 octets; U-labels may take a few more. */
const longestDomain = 1_000;

/** Undefined for an address outside our seed domains. */
export function parseSeedAddress(address: string, seedDomains: readonly string[]): SeedMailbox | undefined {
  // RFC 5321 §4.5.1: postmaster alone needs no domain.
  if (address.toLowerCase() === "postmaster")
    return { localPart: "postmaster", domain: seedDomains[0] ?? "", label: null };
  const at = address.lastIndexOf("@");
  const domain = toSeedDomain(address.slice(at + 1), seedDomains);
  if (at < 1 || domain === undefined) return undefined;
  const written = unquote(address.slice(0, at));
  const plus = written.indexOf("+");
  const localPart = toStorable((plus < 0 ? written : written.slice(0, plus)).toLowerCase());
  // `bounce+` is followed by one of our tokens, not a label.
  const label = plus < 0 || localPart === "bounce" ? "" : written.slice(plus + 1, plus + 1 + longestLabel);
  return { localPart, domain, label: toStorable(label) || null };
}

/** Finds the tests of one seed address, at whatever server it is. Undefined: not an address. */
export function matchSeedAddress(
  address: string,
): { readonly label: string | null; readonly isIn: (recipients: readonly string[]) => boolean } | undefined {
  const domain = address.slice(address.lastIndexOf("@") + 1).toLowerCase();
  const wanted = domain === "" ? undefined : parseSeedAddress(address, [domain]);
  if (wanted === undefined || !address.includes("@")) return undefined;
  const isSame = (recipient: string) => {
    const other = parseSeedAddress(recipient, [domain]);
    return other?.localPart === wanted.localPart && other.label === wanted.label;
  };
  return { label: wanted.label, isIn: (recipients) => recipients.some(isSame) };
}

/** Matches our domains however they are written: any case, a trailing dot, U-labels. */
export function toSeedDomain(domain: string, seedDomains: readonly string[]): string | undefined {
  if (domain.length > longestDomain) return undefined;
  const name = domain.toLowerCase().replace(/\.$/, "");
  if (seedDomains.includes(name)) return name;
  // Printable ASCII needs no conversion, and the URL parser would take a slash or a port for the end of the name.
  if (!/[^\0-\x7f]/.test(name) || /[\0-,/:-@[-^`{-\x7f]/.test(name)) return undefined;
  const ascii = domainToASCII(name);
  return seedDomains.includes(ascii) ? ascii : undefined;
}

/** RFC 5321 §4.1.2: `"w7k3"` and `w7k3` are the same mailbox, and a backslash only escapes the next character. */
function unquote(localPart: string): string {
  const isQuoted = localPart.length > 2 && localPart.startsWith('"') && localPart.endsWith('"');
  return isQuoted ? localPart.slice(1, -1).replace(/\\(.)/gs, "$1") : localPart;
}
