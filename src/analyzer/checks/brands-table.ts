// Organizations that phishers imitate most, with their sending and web domains: a line of brands.json is "Name, Other name =
// domain domain". The first domain is the best known. A domain covers its subdomains, and one ending in * covers all names
// with that prefix. Country domains with the same name need no entry: dhl.fr belongs to DHL. Brands of single countries are
// listed by industry, so that each industry is complete. Common words and ambiguous abbreviations need one of the words in
// brackets next to them; [parcels] means carrier words, and [alone] means that no other word is needed.

import brands from "./brands.json" with { type: "json" };
import { accountWords, parcelWords } from "./impersonation/name-words-table.ts";
import { whenNeeded } from "./when-needed.ts";

export type BrandRow = {
  readonly name: string;
  readonly also: readonly string[];
  readonly domains: readonly string[];
  /** Words that a name needs next to the brand before it claims to be the brand. */
  readonly needs: Need;
};

/**
 * nothing: an unmistakable name. service: the name has other meanings, so it needs a service word next to it. A set: only
 * these words count.
 */
type Need = "nothing" | "service" | ReadonlySet<string>;

export const brandRows = whenNeeded((): readonly BrandRow[] => [
  ...readRows(brands.unmistakable, "nothing"),
  ...readRows(brands.local, "nothing"),
  ...readRows(brands.ambiguous, "service"),
  ...readRows(brands.localAmbiguous, "service"),
  ...readRows(brands.withSigns, "service"),
]);

function readRows(lines: readonly string[], need: "nothing" | "service"): BrandRow[] {
  return lines.map((line) => {
    const [left = "", domains = ""] = line.split(" = ", 2);
    const [names = "", signs] = left.split(" [", 2);
    const [name = "", ...also] = names.split(", ");
    const needs = signs === undefined ? need : new Set(toSigns(signs.replace("]", "")));
    return { name, also, domains: domains.split(" "), needs };
  });
}

function toSigns(signs: string): readonly string[] {
  if (signs === "parcels alone") return ["alone", ...toSigns("parcels")];
  return signs === "parcels" ? [...accountWords, ...parcelWords] : signs.split(" ");
}

/** Domains that lookalikes are compared with. Nearly all names of up to three letters are left out, because too many others look like them. */
export const brandDomains = whenNeeded((): readonly string[] => [
  ...new Set([
    ...brandRows().flatMap(({ domains }) => domains.filter((domain) => /^[a-z0-9-]{4,}\.[a-z.]+$/.test(domain))),
    ...(
      "gmail.com outlook.com hotmail.com live.com icloud.com protonmail.com mozilla.org gitlab.com intel.com wordpress.com duosecurity.com " +
      "dhl.com dpd.com irs.gov"
    ).split(" "),
  ]),
]);
