// The brand whose name the domain itself contains.

import { domainToUnicode } from "node:url";
import { toRegistrableDomain } from "../../mail/headers/registrable-domain.ts";
import { freemailProviderOf } from "../freemail-table.ts";
import { sendsForOthers } from "../relays.ts";
import { type Brand, brandOfDomain, isOwnedBy } from "./brands.ts";
import { findBrandInLabel } from "./judge-name.ts";

// Whether a domain borrows the name of a brand: "paypal-secure.example", "paypal.com.badshop.example". A brand's name
// beside a word that is no service ("shopify-experts") is left alone, and so is its name as a label below another domain:
// companies name subdomains after the services they use.

/** In A-labels. */
export function findBrandInDomain(domain: string): Brand | null {
  if (sendsForOthers(domain) || freemailProviderOf(domain) !== null) return null;
  const organization = toRegistrableDomain(domain);
  const [label = ""] = domainToUnicode(organization).split(".", 1);
  const above = findBrandDomainAbove(domain, organization);
  const brand = above === null ? findBrandInLabel(label) : brandOfDomain(above);
  return brand !== null && !isOwnedBy(brand, domain, "") ? brand : null;
}

/** More than any name of DNS has room for. */
const maxLabels = 128;

/** A brand's whole domain among the labels below the organization's own: dhl.com in dhl.com.parcel-fee.example. */
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
