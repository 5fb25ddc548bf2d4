// A domain as a person types or pastes it → its name in DNS.

import { domainToUnicode } from "node:url";
import { findRegistrableDomain } from "../mail/headers/registrable-domain.ts";
import { domain as domainName } from "../setting-kinds.ts";

type DomainReading =
  /** In A-labels and lower case, without a closing dot. */
  { readonly ok: true; readonly domain: string } | { readonly ok: false; readonly problem: string };

const maxTyped = 2_000;

/** Of a web or mail address its domain counts. */
export function readDomainName(typed: string): DomainReading {
  const name = domainName.read(withoutAddress(typed.slice(0, maxTyped).trim()));
  if (name === undefined)
    return { ok: false, problem: "This is no domain name; it should look like example.com." };
  const broken = name.split(".").find(isBroken);
  if (broken !== undefined)
    return {
      ok: false,
      problem: `${broken} stands for no name in any script; type the name as it is shown.`,
    };
  if (findRegistrableDomain(name) === null)
    return {
      ok: false,
      problem: `Nobody can register ${name} itself; name a domain below it, like example.com below com.`,
    };
  return { ok: true, domain: name };
}

/** An A-label that no name becomes (RFC 5890 §2.3.2.1). */
function isBroken(label: string): boolean {
  return label.startsWith("xn--") && domainToUnicode(label) === label;
}

function withoutAddress(typed: string): string {
  const host = typed.replace(/^(?:[a-z][a-z0-9+.-]{0,30}:\/\/|mailto:)/i, "").replace(/[/?#].*$/s, "");
  return host.slice(host.lastIndexOf("@") + 1).replace(/:\d{1,5}$/, "");
}

// Records that somebody would have in DNS, as they write them.

export const changeableTypes = ["TXT", "MX", "A", "AAAA", "CNAME", "PTR", "NS", "TLSA"] as const;
export type ChangeableType = (typeof changeableTypes)[number];

/** All records of a type at a name. Without values there are none. */
export type GivenRecords = {
  readonly name: string;
  readonly type: ChangeableType;
  readonly values: readonly string[];
};
