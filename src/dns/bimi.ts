// A BIMI assertion record (draft-brand-indicators-for-message-identification-14 §4.3): text → logo, certificate and what is
// wrong. Receivers must not mend anything, capitals included.

import { toStorableCut } from "../mail/text/bounds.ts";
import { parseTagList, type Tag } from "./tag-list.ts";

type BimiRecord =
  | {
      readonly ok: true;
      /** Address of the logo; null when the domain declines to show one. */
      readonly l: string | null;
      /** Address of the certificate; null for none. */
      readonly a: string | null;
      readonly declined: boolean;
      /** Which picture the domain would rather see: a person's or the brand's. */
      readonly avp: "brand" | "personal" | null;
      /** Beginnings of local parts that choose a selector. */
      readonly lps: readonly string[];
      /** Of a record that declines: tags that no draft defines. */
      readonly stray: readonly string[];
    }
  | { readonly ok: false; readonly problem: string };

const maxUrlLength = 2_000;
const maxPrefixes = 50;

/** Other TXT records at the name are no BIMI records, and no fault (§7.2 step 4). */
export function isBimiRecord(text: string): boolean {
  return /^[ \t]*v[ \t]*=[ \t]*BIMI1[ \t]*(?:;|$)/.test(text);
}

/** Meant as one, but not to be mended by any reader. */
export function isBimiNearMiss(text: string): boolean {
  return !isBimiRecord(text) && /^\W*v(?=\W*=)\W+bimi/i.test(text.slice(0, 100));
}

export function parseBimiRecord(text: string): BimiRecord {
  const list = parseTagList(text);
  if (!list.ok) return { ok: false, problem: `In the record ${list.problem}.` };
  const l = list.get("l");
  const a = list.get("a") ?? "";
  if (l === undefined) return { ok: false, problem: "The record has no l= with the address of the logo." };
  if (l !== "" && !isSecureUrl(l)) return { ok: false, problem: notSecure("l", l) };
  if (a !== "" && !isSecureUrl(a)) return { ok: false, problem: notSecure("a", a) };
  if (l === "" && a !== "")
    return { ok: false, problem: "The record has a certificate (a=) but no logo (l=)." };
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

/** https with a host of two labels at least, and a comma written %2C. */
function isSecureUrl(text: string): boolean {
  if (text.length > maxUrlLength || !/^https:\/\/[^\s,<>"\\^`{|}\x80-\xff]+$/i.test(text)) return false;
  return URL.parse(text)?.hostname.includes(".") === true;
}

function notSecure(tag: string, value: string): string {
  return `${tag}=${toStorableCut(value, 200)} is no address that begins with https://.`;
}

/** §4.4: labels of letters, digits and hyphens, parted by dots. */
export function isBimiSelector(text: string): boolean {
  return (
    text.length <= 100 &&
    /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i.test(text)
  );
}
