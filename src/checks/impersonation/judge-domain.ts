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
  const brand = findAbove(domain, organization) ?? findBrandInLabel(label);
  return brand !== null && !isOwnedBy(brand, domain, "") ? brand : null;
}

const maxLabels = 8;

/** A brand's whole domain among the labels below the organization's own. */
function findAbove(domain: string, organization: string): Brand | null {
  const labels = domain
    .slice(0, -organization.length - 1)
    .split(".")
    .slice(-maxLabels);
  for (const from of labels.keys())
    for (const length of [2, 3]) {
      const brand =
        from + length > labels.length ? null : brandOfDomain(labels.slice(from, from + length).join("."));
      if (brand) return brand;
    }
  return null;
}
