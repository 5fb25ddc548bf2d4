// Finds the brand in a run of words, and whether a domain belongs to that brand.

import { domainToUnicode } from "node:url";
import { isRegistrySuffix, toRegistrableDomain } from "../../mail/headers/registrable-domain.ts";
import { type BrandRow, brandRows } from "../brands-table.ts";
import { freemailProviderOf } from "../freemail-table.ts";
import { whenNeeded } from "../when-needed.ts";
import { type Folded, fold, toPlainLetters, type Word } from "./fold.ts";
import { accountWords, serviceWords } from "./name-words-table.ts";

export type Brand = BrandRow & {
  readonly ownDomains: ReadonlySet<string>;
  /** Its names, and the first labels of its domains. The same label under a country's top-level domain counts as its own. */
  readonly labels: ReadonlySet<string>;
  readonly prefixes: readonly string[];
};

type Entry = {
  brand: Brand;
  /** The names with this look, without spaces and in lowercase. */
  readonly plains: Set<string>;
};

type Index = {
  readonly byLook: ReadonlyMap<string, Entry>;
  readonly byDomain: ReadonlyMap<string, Brand>;
  /** Keyed by the first label of its domains. */
  readonly byLabel: ReadonlyMap<string, Brand>;
  /** Length of the longest look. */
  readonly longest: number;
};

const index = whenNeeded((): Index => {
  const byLook = new Map<string, Entry>();
  const byDomain = new Map<string, Brand>();
  const byLabel = new Map<string, Brand>();
  for (const row of brandRows()) {
    const brand = toBrand(row);
    for (const name of [row.name, ...row.also]) addName(brand, name, byLook);
    for (const domain of brand.ownDomains) {
      const before = byDomain.get(domain);
      if (before === undefined || (isNamed(brand, domain) && !isNamed(before, domain))) byDomain.set(domain, brand);
    }
  }
  for (const [domain, brand] of byDomain) {
    const label = domain.slice(0, domain.indexOf("."));
    if (!byLabel.has(label) || isNamed(brand, domain)) byLabel.set(label, brand);
  }
  return { byLook, byDomain, byLabel, longest: Math.max(...[...byLook.keys()].map(({ length }) => length)) };
});

/** Several rows may share a domain. The row whose name it spells comes first. */
export function isNamed({ name, also }: BrandRow, domain: string): boolean {
  const label = toRegistrableDomain(domain).split(".", 1)[0] ?? "";
  return [name, ...also].some((one) => lettersOf(one).toLowerCase() === label.replaceAll("-", ""));
}

/** For a sentence: a public office sends from below a registry's suffix. */
export function sendingDomainOf({ domains: [first = ""] }: BrandRow): string {
  return isRegistrySuffix(first) ? `a domain under ${first}` : first;
}

function toBrand(row: BrandRow): Brand {
  const domains = row.domains.filter((domain) => !domain.endsWith("*"));
  return {
    ...row,
    ownDomains: new Set(domains),
    labels: new Set([
      ...domains.map((domain) => toRegistrableDomain(domain).split(".", 1)[0] ?? ""),
      ...[row.name, ...row.also].map((name) => lettersOf(name).toLowerCase()),
    ]),
    prefixes: row.domains.flatMap((domain) => (domain.endsWith("*") ? [domain.slice(0, -1)] : [])),
  };
}

/** Anywhere in a part of an address, with any separators and lookalikes: "service.pay-pal". */
export function isSpelledIn({ name, also }: Brand, text: string): boolean {
  const looks = [name, ...also].map((one) => withoutStrokes(fold(lettersOf(one).toLowerCase())));
  const look = withoutStrokes(fold(lettersOf(domainToUnicode(text) || text).toLowerCase()));
  return looks.some((one) => one.length >= shortestSpelled && look.includes(one));
}

export function lettersOf(name: string): string {
  return toPlainLetters(name).replace(/[^\p{L}\p{N}]/gu, "");
}

const shortestSpelled = 3;
const shortestOfStrokes = 5;

/**
 * With and without capitals: a capital I looks like l. A lowercase one hardly does, so "Mlcrosoft" counts only for long
 * names without other meanings. A name in two rows of a brand belongs to the row that needs more.
 */
function addName(brand: Brand, name: string, byLook: Map<string, Entry>): void {
  const letters = lettersOf(name);
  const plain = letters.toLowerCase();
  const looks = [fold(letters).asL, fold(letters).asI, fold(plain).asI];
  if (brand.needs === "nothing" && plain.length >= shortestOfStrokes) looks.push(withoutStrokes(fold(plain)));
  for (const look of looks) {
    const known = byLook.get(look) ?? { brand, plains: new Set<string>() };
    if (brand.needs !== "nothing" && known.plains.has(plain)) known.brand = brand;
    known.plains.add(plain);
    byLook.set(look, known);
  }
}

function withoutStrokes({ asI }: Folded): string {
  return asI.replaceAll("l", "i");
}

/** `isDisguised`: letters of the brand's name were replaced by lookalikes, which never happens by chance. */
export type BrandMatch = { readonly brand: Brand; readonly isDisguised: boolean };

// "Il" looks like the 11 of "1&1". A number without letters, such as the price 0,36$, imitates no name.
const shortestDisguise = 3;

export function findBrand(word: Word): BrandMatch | null {
  const { asI, asL, plain } = word;
  const { byLook, longest } = index();
  if (asI.length > longest) return null;
  const entry = byLook.get(asI) ?? byLook.get(asL) ?? byLook.get(withoutStrokes(word));
  if (entry === undefined) return null;
  const isDisguised = !entry.plains.has(plain);
  const isChance = asI.length < shortestDisguise || !/\p{L}/u.test(plain);
  return isDisguised && isChance ? null : { brand: entry.brand, isDisguised };
}

export function longestBrand(): number {
  return index().longest;
}

export function brandOfDomain(domain: string): Brand | null {
  return index().byDomain.get(domain) ?? null;
}

/** Also matches unlisted country domains such as amazon.de, but only for unmistakable names. */
export function brandOfSite(organization: string): Brand | null {
  const known = brandOfDomain(organization);
  const dot = organization.indexOf(".");
  if (known !== null || dot < 0 || !isLikelyEnding(organization.slice(dot + 1))) return known;
  const brand = index().byLabel.get(organization.slice(0, dot)) ?? null;
  return brand?.needs === "nothing" ? brand : null;
}

const generic = new Set("com net org eu".split(" "));

/** Two letters, optionally with a second level such as co.uk. */
const country = /^(?:(?:com|co|net|org|ne|or|gov|gob|gouv|go)\.)?[a-z]{2}$/;

/** Free or very cheap top-level domains, so they prove no ownership. */
const cheapEndings = new Set("tk ml ga cf gq pw cc ws su".split(" "));

const services: ReadonlySet<string> = new Set([...accountWords, ...serviceWords]);

/** Local parts of the provider's own automated mail at a free mailbox domain. */
const robots = /^(?:hello$|no-?_?reply|do-?not-?reply|notif|news|mailing|service|info|mailer-daemon|postmaster)/;

export function isOwnedBy(brand: Brand, domain: string, local: string): boolean {
  if (freemailProviderOf(domain) !== null && !robots.test(local.toLowerCase())) return false;
  for (let name = domain; name.includes("."); name = name.slice(name.indexOf(".") + 1))
    if (brand.ownDomains.has(name)) return true;
  const organization = toRegistrableDomain(domain);
  const dot = organization.indexOf(".");
  const label = organization.slice(0, dot);
  const ending = organization.slice(dot + 1);
  if (brand.labels.has(label)) return isLikelyEnding(ending);
  if (dot > 0 && brand.labels.has(domain.slice(domain.lastIndexOf(".") + 1))) return true;
  if (!country.test(ending) || cheapEndings.has(ending)) return false;
  return brand.prefixes.some((prefix) => label.startsWith(prefix) && !isService(label.slice(prefix.length)));
}

/** Top-level domains where an established organization has probably registered its name. */
export function isLikelyEnding(ending: string): boolean {
  return generic.has(ending) || (country.test(ending) && !cheapEndings.has(ending));
}

/** Whether the text after a brand's name is a service word: "-login", "-support-center". */
export function isService(rest: string): boolean {
  return domainToUnicode(rest)
    .split("-")
    .some((part) => services.has(part));
}
