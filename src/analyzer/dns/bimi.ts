// Parses a BIMI assertion record (draft-brand-indicators-for-message-identification-14 §4.3) into logo, certificate and
// problem. Receivers must not correct anything, not even case.

import { toStorableCut } from "../mail/text/bounds.ts";
import { parseTagList, type Tag } from "./tag-list.ts";

export type ReadableBimi = {
  readonly ok: true;
  /** URL of the logo; null if the domain declines to show one. */
  readonly l: string | null;
  /** URL of the certificate; null if there is none. */
  readonly a: string | null;
  readonly declined: boolean;
  /** Which image the domain prefers: a personal avatar or the brand's. */
  readonly avp: "brand" | "personal" | null;
  /** Prefixes of local parts that choose a selector. */
  readonly lps: readonly string[];
  /** Tags that no draft defines, in a record that declines to show a logo. */
  readonly stray: readonly string[];
};

type BimiRecord = ReadableBimi | { readonly ok: false; readonly problem: string };

const maxUrlLength = 2_000;
const maxPrefixes = 50;

/** Other TXT records at the name are ignored, and are not an error (§7.2 step 4). */
export function isBimiRecord(text: string): boolean {
  return /^[ \t]*v[ \t]*=[ \t]*BIMI1[ \t]*(?:;|$)/.test(text);
}

/** Meant as a BIMI record, but receivers must not correct it. */
export function isBimiNearMiss(text: string): boolean {
  return !isBimiRecord(text) && /^\W*v(?=\W*=)\W+bimi/i.test(text.slice(0, 100));
}

export function parseBimiRecord(text: string): BimiRecord {
  const list = parseTagList(text);
  if (!list.ok) return { ok: false, problem: `The record is malformed: ${list.problem}.` };
  const l = list.get("l");
  const a = list.get("a") ?? "";
  if (l === undefined) return { ok: false, problem: "The record has no l= tag with the URL of the logo." };
  if (l !== "" && !isSecureUrl(l)) return { ok: false, problem: notSecure("l", l) };
  if (a !== "" && !isSecureUrl(a)) return { ok: false, problem: notSecure("a", a) };
  if (l === "" && a !== "") return { ok: false, problem: "The record has a certificate (a=) but no logo (l=)." };
  const avp = list.get("avp");
  return {
    ok: true,
    l: l || null,
    a: a || null,
    declined: l === "",
    avp: avp === "brand" || avp === "personal" ? avp : null,
    lps: (list.get("lps") ?? "")
      .split(",", maxPrefixes)
      .map((prefix) => toStorableCut(prefix.trim(), 64))
      .filter(Boolean),
    stray: l === "" ? strayIn(list.tags) : [],
  };
}

const maxStray = 10;

function strayIn(tags: readonly Tag[]): string[] {
  const others = tags.filter(({ name }) => !/^(?:v|l|a|e|avp|lps)$/.test(name));
  return others.slice(0, maxStray).map(({ name, value }) => toStorableCut(`${name}=${value}`, 100));
}

/** An https URL whose host has at least two labels, with commas written as %2C. */
function isSecureUrl(text: string): boolean {
  if (text.length > maxUrlLength || !/^https:\/\/[^\s,<>"\\^`{|}\x80-\xff]+$/i.test(text)) return false;
  return URL.parse(text)?.hostname.includes(".") === true;
}

function notSecure(tag: string, value: string): string {
  return `${tag}=${toStorableCut(value, 200)} is not a valid HTTPS URL.`;
}

/** §4.4: labels of letters, digits and hyphens, separated by dots. */
export function isBimiSelector(text: string): boolean {
  return (
    text.length <= 100 &&
    /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i.test(text)
  );
}
