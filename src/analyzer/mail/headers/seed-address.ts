// Resolves an address of RCPT TO to the mailbox at a seed domain (src/decisions.md, "Seed inboxes").

import { domainToASCII } from "node:url";
import { toStorable } from "../text/bounds.ts";

export type SeedMailbox = {
  /** In lower case, without quotes. */
  readonly localPart: string;
  readonly domain: string;
  /** The text after the first plus sign, as sent, without the run. */
  readonly label: string | null;
  /** What tells one run of a pipeline from the others of its label. Not part of the label, because people search for that. */
  readonly run: string | null;
};

/** 32 letters and digits, so that a byte modulo 32 is evenly distributed. Lower case, because some senders change the case. */
const runAlphabet = "0123456789abcdefghjkmnpqrstvwxyz";
export const runLength = 10;
/** `randomness`: `runLength` bytes. */
export function toRun(randomness: Uint8Array): string {
  return [...randomness].map((byte) => runAlphabet[byte & 31]).join("");
}

const runAtEnd = new RegExp(`\\+([${runAlphabet}]{${runLength}})$`, "i");

/** RFC 5321 §4.5.3.1.1. */
export const longestLocalPart = 64;
const longestLabel = 200;
/** RFC 5321 §4.5.3.1.2 allows 255 octets; U-labels may take a few more. */
const longestDomain = 1_000;

/** Undefined for an address outside our seed domains. */
export function parseSeedAddress(address: string, seedDomains: readonly string[]): SeedMailbox | undefined {
  // RFC 5321 §4.5.1: postmaster alone needs no domain.
  if (address.toLowerCase() === "postmaster")
    return { localPart: "postmaster", domain: seedDomains[0] ?? "", label: null, run: null };
  const at = address.lastIndexOf("@");
  const domain = toSeedDomain(address.slice(at + 1), seedDomains);
  if (at < 1 || domain === undefined) return undefined;
  const written = unquote(address.slice(0, at));
  const plus = written.indexOf("+");
  const localPart = toStorable((plus < 0 ? written : written.slice(0, plus)).toLowerCase());
  // `bounce+` is followed by one of our tokens, not a label.
  const isLabeled = plus >= 0 && localPart !== "bounce";
  const detail = isLabeled ? written.slice(plus + 1, plus + 1 + longestLabel) : "";
  return { localPart, domain, ...splitDetail(detail) };
}

/** The text after the first plus sign: `ci+0123456789` is a run of `ci`, and anything else is a label. */
function splitDetail(detail: string): Pick<SeedMailbox, "label" | "run"> {
  const [end = "", run = null] = runAtEnd.exec(detail) ?? [];
  const label = end === "" ? detail : detail.slice(0, -end.length);
  return { label: toStorable(label) || null, run: run?.toLowerCase() ?? null };
}

/** What follows the name in the address, as it was. */
export function toDetail({ label, run }: Pick<SeedMailbox, "label" | "run">): string {
  if (run !== null) return `+${label ?? ""}+${run}`;
  return label === null ? "" : `+${label}`;
}

/** Finds the tests of one seed address, at whatever server it is. Undefined: not an address. */
export function matchSeedAddress(
  address: string,
): (Pick<SeedMailbox, "label" | "run"> & { readonly isIn: (recipients: readonly string[]) => boolean }) | undefined {
  const domain = address.slice(address.lastIndexOf("@") + 1).toLowerCase();
  const wanted = domain === "" ? undefined : parseSeedAddress(address, [domain]);
  if (wanted === undefined || !address.includes("@")) return undefined;
  const isSame = (recipient: string) => {
    const other = parseSeedAddress(recipient, [domain]);
    return other?.localPart === wanted.localPart && other.label === wanted.label && other.run === wanted.run;
  };
  return { label: wanted.label, run: wanted.run, isIn: (recipients) => recipients.some(isSame) };
}

/** The same for the text after the first plus sign alone, at whatever address. */
export function matchDetail(detail: string): ReturnType<typeof matchSeedAddress> & {} {
  const wanted = splitDetail(detail);
  const isSame = (recipient: string) => {
    const domain = recipient.slice(recipient.lastIndexOf("@") + 1).toLowerCase();
    return parseSeedAddress(recipient, [domain])?.run === wanted.run;
  };
  return { ...wanted, isIn: (recipients) => wanted.run === null || recipients.some(isSame) };
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
