// Whether a domain looks like another domain: both have the same skeleton (UTS #39 §4).

import { domainToUnicode } from "node:url";
import { toRegistrableDomain } from "../mail/headers/registrable-domain.ts";
import { brandDomains } from "./brands-table.ts";
import { confusables } from "./confusables-table.ts";
import { whenNeeded } from "./when-needed.ts";

const lookOf: ReadonlyMap<string, string> = new Map(
  Object.entries(confusables).flatMap(([look, letters]) => [...letters].map((letter) => [letter, look] as const)),
);
const ignorable = /\p{Default_Ignorable_Code_Point}/gu;

/** The skeleton of a text. Texts that can be confused have the same skeleton. */
export function toSkeleton(text: string): string {
  const letters = [...text.normalize("NFD").replace(ignorable, "")];
  // Lowercasing comes second, because it would change the I that looks like an l.
  return letters
    .map((letter) => lookOf.get(letter) ?? lookOf.get(letter.toLowerCase()) ?? letter.toLowerCase())
    .join("");
}

/** The first label of the registrable domain, which is usually the brand. */
function nameOf(domain: string): string {
  const [name = ""] = domainToUnicode(toRegistrableDomain(domain)).split(".", 1);
  return name;
}

const brands = whenNeeded(
  (): ReadonlyMap<string, string> => new Map(brandDomains().map((domain) => [toSkeleton(nameOf(domain)), domain])),
);
const brandNames = whenNeeded((): ReadonlySet<string> => new Set(brandDomains().map(nameOf)));

/**
 * The domain that this one imitates, or null. `domain` is in A-labels. `written` keeps the original case, because a capital
 * I looks like an l.
 */
export function findImitated(domain: string, written: string, own: readonly string[] = []): string | null {
  const name = nameOf(domain);
  const organisation = toRegistrableDomain(domain);
  if (brandNames().has(name) || own.some((one) => toRegistrableDomain(one) === organisation)) return null;
  for (const seen of new Set([name, nameAsWritten(written, name)])) {
    const look = toSkeleton(seen);
    const brand = brands().get(look);
    if (brand !== undefined) return brand;
    const imitated = own.find((one) => nameOf(one) !== name && toSkeleton(nameOf(one)) === look);
    if (imitated !== undefined) return imitated;
  }
  return null;
}

/** Keeps the case only in mixed-case names: a name in all capitals hides nothing. */
function nameAsWritten(written: string, name: string): string {
  const at = written.toLowerCase().lastIndexOf(`${name}.`);
  const found = at < 0 ? name : written.slice(at, at + name.length);
  return found === found.toUpperCase() ? name : found;
}
