// Finds the brand whose name a domain contains.

import { domainToUnicode } from "node:url";
import { toRegistrableDomain } from "../../mail/headers/registrable-domain.ts";
import { freemailProviderOf } from "../freemail-table.ts";
import { sendsForOthers } from "../relays.ts";
import { type Brand, brandOfDomain, isOwnedBy } from "./brands.ts";
import { findBrandInLabel } from "./judge-name.ts";

// Finds a brand's name in a domain: "paypal-secure.example", "paypal.com.badshop.example". A brand's name next to a word that
// is not a service ("shopify-experts") is ignored. So is a brand's name as a subdomain, because companies name subdomains
// after the services they use.

/** In A-labels. */
export function findBrandInDomain(domain: string): Brand | null {
  if (sendsForOthers(domain) || freemailProviderOf(domain) !== null) return null;
  const organization = toRegistrableDomain(domain);
  const [label = ""] = domainToUnicode(organization).split(".", 1);
  const above = findBrandDomainAbove(domain, organization);
  const brand = above === null ? findBrandInLabel(label) : brandOfDomain(above);
  return brand !== null && !isOwnedBy(brand, domain, "") ? brand : null;
}

/** More than fit in a DNS name. */
const maxLabels = 128;

/** A brand's full domain inside a subdomain: dhl.com in dhl.com.parcel-fee.example. */
export function findBrandDomainAbove(domain: string, organization: string): string | null {
  const labels = domain
    .slice(0, -organization.length - 1)
    .split(".")
    .slice(-maxLabels);
  for (const from of labels.keys())
    for (const length of [2, 3]) {
      const name = labels.slice(from, from + length).join(".");
      if (from + length <= labels.length && brandOfDomain(name) !== null) return name;
    }
  return null;
}
