import { domainToUnicode } from "node:url";
import { toRegistrableDomain } from "../../mail/headers/registrable-domain.ts";
import { defineCheck, notApplicable, passed } from "../check.ts";
import type { KnownFacts } from "../facts.ts";
import { type Brand, sendingDomainOf } from "../impersonation/brands.ts";
import { findBrandInDomain } from "../impersonation/judge-domain.ts";
import { findImitated } from "../lookalike.ts";
import { authorOf, isLocalName, noAuthor, type Party, quoted } from "../party.ts";
import { mixedScriptsIn } from "../scripts.ts";

export const lookalikeDomain = defineCheck({
  id: "lookalike-domain",
  helpPage: "fix-sender-identity",
  label: "Lookalike From domain",
  owner: "email-service",
  asks: "whether the From domain imitates another domain",
  why: "Phishers use lookalike domains, so filters and email clients look for them.",
  refs: ["UTS #39 §4, §5.2", "Gmail sender rules"],
  needs: ["message"],
  wants: ["own"],
  passes: "{domain} does not look like another well-known domain.",
  findings: {
    "mixed-script": {
      severity: "major",
      title: "Mixed alphabets in From domain",
      says: "The From domain {domain} mixes {scripts} letters ({punycode}).",
      fix: "Use a domain with letters from a single alphabet.",
    },
    imitates: {
      severity: "major",
      title: "Lookalike From domain",
      says: "The From domain {domain} looks like {other}.",
      fix: "Send from your usual domain.",
    },
    "brand-inside": {
      title: "From domain contains a brand name",
      severity: "major",
      says: "The From domain {domain} contains the name {brand}, but it is not a known {brand} domain.",
      fix: "Send from a domain with your own name. If you are {brand}, send from {brandDomain}.",
    },
    idn: {
      severity: "info",
      title: "Internationalized From domain",
      says: "The From domain {unicode} is sent as {punycode}.",
      fix: null,
    },
  },
  run({ message, own }) {
    const author = authorOf(message);
    if (author === null) return notApplicable(noAuthor);
    const { domain: punycode, address } = author;
    const unicode = quoted(domainToUnicode(punycode));
    const written = address.slice(address.lastIndexOf("@") + 1);
    const scripts = domainToUnicode(punycode)
      .split(".")
      .flatMap((label) => mixedScriptsIn(label) ?? []);
    const mixed = {
      finding: "mixed-script",
      data: { domain: unicode, scripts: [...new Set(scripts)], punycode },
    } as const;
    const other = findImitated(punycode, written, own.known ? own.value.domains : []);
    const shown = quoted(/[^\0-~]/.test(unicode) ? unicode : written);
    const imitates = { finding: "imitates", data: { domain: shown, other } } as const;
    const brand = other === null && !isOurs(own, author) ? findBrandInDomain(punycode) : null;
    const raised = [
      ...(scripts.length > 0 ? [mixed] : []),
      ...(other === null ? [] : [imitates]),
      ...(brand === null ? [] : [toBorrowed(shown, brand)]),
    ];
    if (raised.length > 0) return raised;
    if (isLocalName(punycode)) return notApplicable("The From domain is not a public domain.");
    return unicode === punycode ? passed({ domain: punycode }) : [{ finding: "idn", data: { unicode, punycode } }];
  },
});

function isOurs(own: KnownFacts["own"], { organisation }: Party): boolean {
  return own.known && own.value.domains.some((one) => toRegistrableDomain(one) === organisation);
}

function toBorrowed(domain: string, brand: Brand) {
  const data = { domain, brand: brand.name, brandDomain: sendingDomainOf(brand) };
  return { finding: "brand-inside", data } as const;
}
