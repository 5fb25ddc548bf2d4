// Values as reports write them, made the same for all receivers: so that what is the same can be counted together.

import { toPlainAddress } from "../addresses.ts";
import { toAsciiDomain } from "./author-domain.ts";

const longestDomain = 253;
/** More messages of one kind in a day than anybody sends: no count. */
const mostCounted = 1_000_000_000;

/** In A-labels and lower case; what is no domain as it is told. */
export function toReportedDomain(text: string): string {
  const name = text.trim().replace(/\.$/, "");
  return toAsciiDomain(name) ?? toReportedWord(name, longestDomain);
}

export function toReportedWord(text: string, maxLength: number): string {
  return text.trim().slice(0, maxLength).toLowerCase();
}

/** Null for what is none. */
export function toReportedAddress(text: string): string | null {
  return toPlainAddress(text.trim()) ?? null;
}

/** What is no count counts nothing. */
export function toCount(value: unknown): number {
  const number = typeof value === "string" && /^\d{1,12}$/.test(value.trim()) ? Number(value) : value;
  const isCount = typeof number === "number" && Number.isSafeInteger(number) && number >= 0;
  return isCount && number <= mostCounted ? number : 0;
}
