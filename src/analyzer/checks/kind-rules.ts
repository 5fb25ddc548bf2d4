// Rules of a workspace: the kind of message for a sender or a label.

import { isRegistrySuffix, toAsciiDomain } from "../mail/headers/registrable-domain.ts";
import type { Message } from "../mail/mime/message.ts";
import type { KindRule } from "./infer-kind.ts";
import type { Kind } from "./kind.ts";

export const kindMatches = ["from", "from-domain", "label"] as const;
export type KindMatch = (typeof kindMatches)[number];

export type RememberedKind = {
  readonly match: KindMatch;
  /** Normalized by `toRuleValue`. */
  readonly value: string;
  readonly kind: Kind;
};

const maxAddressLength = 320;
const maxLabelLength = 100;

/** The value in the form that is stored and compared; null if invalid. */
export function toRuleValue(match: KindMatch, written: string): string | null {
  const value = written.trim().toLowerCase();
  if (match === "label") return value === "" || value.length > maxLabelLength ? null : value;
  if (match === "from-domain") {
    const domain = toDomain(value.replace(/^@/, ""));
    return domain === null || isRegistrySuffix(domain) ? null : domain;
  }
  const at = value.lastIndexOf("@");
  const domain = toDomain(value.slice(at + 1));
  const isAddress = at > 0 && !/[\s<>"]|@[^@]*@/.test(value) && value.length <= maxAddressLength;
  return isAddress && domain !== null ? `${value.slice(0, at)}@${domain}` : null;
}

function toDomain(value: string): string | null {
  const domain = toAsciiDomain(value);
  return domain?.includes(".") ? domain : null;
}

type Subject = Pick<Message, "from"> & { readonly label: string | null };

/** An address comes before a domain, a longer domain before a shorter one, and both before a label. */
export function findKindRule(rules: readonly RememberedKind[], { from, label }: Subject): KindRule | null {
  if (rules.length === 0) return null;
  const [author] = from.list;
  const address = author ? toRuleValue("from", author.address) : null;
  const domain = address?.slice(address.lastIndexOf("@") + 1) ?? null;
  const rule =
    rules.find(({ match, value }) => match === "from" && value === address) ??
    rules
      .filter(({ match, value }) => match === "from-domain" && isWithin(domain, value))
      .sort((one, other) => other.value.length - one.value.length)[0] ??
    rules.find(({ match, value }) => match === "label" && value === label?.trim().toLowerCase());
  return rule ? { kind: rule.kind, says: toSentence(rule) } : null;
}

function isWithin(domain: string | null, above: string): boolean {
  return domain !== null && (domain === above || domain.endsWith(`.${above}`));
}

function toSentence({ match, value, kind }: RememberedKind): string {
  const whose = { from: "mail from", "from-domain": "mail from the domain", label: "tests with the label" };
  return `A workspace rule sets ${whose[match]} ${value} to ${kind}.`;
}
