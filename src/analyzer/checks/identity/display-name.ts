import {
  firstLabel,
  hasPublicSuffix,
  toAsciiDomain,
  toRegistrableDomain,
} from "../../mail/headers/registrable-domain.ts";
import { defineCheck, notApplicable, passed, type Raised } from "../check.ts";
import type { Facts } from "../facts.ts";
import { brandOfDomain, isOwnedBy } from "../impersonation/brands.ts";
import { toProposedName } from "../impersonation/judge-name.ts";
import { authorOf, noAuthor, type Party, quoted, type ShownAuthor, shownAuthorsOf, toParty } from "../party.ts";
import { isAliasService } from "../relays.ts";
import { prefixOf } from "./fake-reply.ts";
import { type Claims, claimsOf, type Impersonation } from "./impersonation.ts";

export const displayName = defineCheck({
  id: "display-name",
  helpPage: "fix-sender-identity",
  label: "Sender name",
  owner: "content",
  asks: "whether the sender name is misleading",
  why: "Many email clients show the name instead of the address.",
  refs: ["Gmail sender rules (display names)"],
  needs: ["message", "kind"],
  wants: ["session", "dkim", "dmarcResult", "own"],
  byKind: true,
  passes: 'The sender name is "{name}".',
  findings: {
    brand: {
      title: "Sender name imitates a brand",
      severity: "major",
      says: 'The sender name "{name}" claims to be {brand}, but {domain} is not a known {brand} domain.',
      fix: 'Use your own name: `From: "Your name" <{address}>`. If you are {brand}, send from {brandDomain}.',
    },
    "brand-on-service": {
      title: "Brand name on a shared service",
      severity: "major",
      says: 'The sender name "{name}" claims to be {brand}, but the mail is from {domain}. Anyone can open an account at {service}, and such mail passes authentication.',
      fix: 'Use your own name: `From: "Your name" <{address}>`. If you are {brand}, send from {brandDomain}.',
    },
    "brand-unreadable": {
      title: "Brand name without an address",
      severity: "major",
      says: 'The sender name "{name}" claims to be {brand}, but From has no address that can be read.',
      fix: "Use your own name and address. If you are {brand}, send from {brandDomain}.",
    },
    "recipient-organization": {
      title: "Sender name imitates the recipient",
      severity: "major",
      says: 'The sender name "{name}" claims to be the recipient\'s organization ({organization}), but the mail is from {domain}.',
      fix: "Use your own organization's name, or send from {organization}.",
    },
    role: {
      title: "Sender name resembles internal staff",
      severity: "minor",
      cost: 8,
      says: 'The sender name "{name}" sounds like the recipient\'s own staff, but the mail is from {domain}.',
      fix: 'Add your organization: `From: "Your company {name}" <{address}>`.',
    },
    "other-address": {
      severity: "major",
      title: "Sender name shows another address",
      says: 'The sender name shows "{shown}", but the mail is from {address}.',
      fix: 'Use your name: `From: "{name}" <{address}>`.',
    },
    "other-domain": {
      severity: "minor",
      cost: 8,
      title: "Sender name shows another domain",
      says: "The sender name shows {domain}, but the mail is from {address}.",
      fix: "Remove the other domain from the name.",
    },
    decorated: {
      severity: "minor",
      cost: 8,
      title: "Misleading sender name",
      says: 'The sender name "{name}" imitates {what}.',
      fix: "Use a plain sender name.",
    },
    "same-as-address": {
      severity: "info",
      title: "No sender name",
      says: "Recipients see only the address {address}.",
      fix: "Optional: add a sender name.",
    },
  },
  run({ message, kind, session, dkim, dmarcResult, own }) {
    const author = authorOf(message);
    const facts = { message, mailingList: kind.mailingList, session, dkim, dmarcResult, own };
    const authors = shownAuthorsOf(message);
    if (author === null) return brandOfOthers(authors, facts) ?? notApplicable(noAuthor);
    const others = brandOfOthers(authors.slice(1), facts) ?? [];
    const address = quoted(author.address);
    const name = (author.name ?? "").slice(0, maxNameLength);
    if (isBlank(name) || name.toLowerCase() === author.address.toLowerCase())
      return [{ finding: "same-as-address", data: { address } }, ...others];
    const raised: Raised<Impersonation | "other-address" | "other-domain" | "decorated">[] = [];
    const isPassedOn = (kind.mailingList && saysVia.test(name)) || isAliasService(author.domain);
    const foreign = isPassedOn ? null : findForeign(name, author);
    if (foreign?.is === "address") {
      const rest = name
        .replace(foreign.text, "")
        .replace(/[^\p{L}\p{M}\p{N} .'&-]/gu, "")
        .trim();
      const data = { shown: quoted(foreign.text), address, name: quoted(toProposedName(rest, author.address)) };
      raised.push({ finding: "other-address", data });
    }
    const claims = claimsOf({ ...facts, name, author: { ...author, name } });
    raised.push(...(claims.length > 0 ? claims : others));
    // The domain in the name is part of the claim, so it is reported once.
    if (foreign?.is === "domain" && claims.length === 0)
      raised.push({ finding: "other-domain", data: { domain: quoted(foreign.text), address } });
    const what = imitationIn(name, author, message, kind);
    if (what !== null) raised.push({ finding: "decorated", data: { name: quoted(name), what } });
    return raised.length > 0 ? raised : passed({ name: quoted(name) });
  },
});

/** Without a valid address, and in a second author, only a brand's name deceives. Null if there is none. */
function brandOfOthers(authors: readonly ShownAuthor[], facts: Omit<Claims, "name" | "author">) {
  for (const author of authors) {
    const claims = claimsOf({ ...facts, name: author.name.slice(0, maxNameLength), author });
    if (claims.some(({ finding }) => finding.startsWith("brand"))) return claims;
  }
  return null;
}

/** No email client shows more of a name. */
const maxNameLength = 300;
/** Mailing lists that rewrite From keep the author's address in the name. */
const saysVia = /\s(?:via|über|per|por|через)\s/i;

function isBlank(name: string): boolean {
  return name.replace(/[\p{Default_Ignorable_Code_Point}\s]/gu, "") === "";
}

type Foreign = { readonly is: "address" | "domain"; readonly text: string };

function findForeign(name: string, author: Party): Foreign | null {
  if (!/[@.]/.test(name)) return null;
  const addresses = [
    ...name.matchAll(/[^\s@<>()"',;:[\]]{1,64}@([\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8})/gu),
  ];
  const other = addresses.find(([, domain = ""]) => isForeign(domain, author));
  if (other) return { is: "address", text: other[0] };
  if (addresses.length > 0) return null;
  const domains = [
    ...name.matchAll(
      /(?<![\p{L}\p{N}.@-])[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){0,6}\.[a-z]{2,24}(?![\p{L}\p{N}@-])/gu,
    ),
  ];
  const domain = domains.find(([text]) => hasPublicSuffix(text.toLowerCase()) && isForeign(text, author));
  return domain ? { is: "domain", text: domain[0] } : null;
}

/** `amazon.de` in the name of mail from `amazon.com` is not foreign. */
function isForeign(written: string, { organisation, domain, local }: Party): boolean {
  const ascii = toAsciiDomain(written);
  if (ascii === null || ascii === domain) return false;
  const theirs = toRegistrableDomain(ascii);
  if (theirs === organisation || firstLabel(theirs) === firstLabel(organisation)) return false;
  return !isOfSameBrand(ascii, { domain, local });
}

/** "impots.gouv.fr" in the name of mail from dgfip.finances.gouv.fr: the same office owns both. */
function isOfSameBrand(shown: string, { domain, local }: Pick<Party, "domain" | "local">): boolean {
  const brand = brandOfDomain(shown) ?? brandOfDomain(toRegistrableDomain(shown));
  return brand !== null && isOwnedBy(brand, domain, local);
}

/** Check marks that look like a verified badge. */
const badge = /[\u2705\u2611\u2713\u2714\u{1f5f8}\u{1f5f9}]/u;
const counter = /\(\d{1,2}\)\s*$|^\s*\(\d{1,2}\)/;
/** A shorter subject may be the name of the newsletter. */
const fewestWords = 4;

function imitationIn(name: string, author: Party, message: Facts["message"], kind: Facts["kind"]): string | null {
  if (badge.test(name)) return "a verified badge";
  if (counter.test(name)) return "an unread counter";
  if (prefixOf(name) !== null) return "a reply";
  const subject = (message.subject ?? "").trim();
  if (subject.split(/\s+/, fewestWords).length >= fewestWords && subject.toLowerCase() === name.trim().toLowerCase())
    return "the subject";
  return kind.kind !== "personal" && isRecipient(name, author, message) ? "the recipient" : null;
}

function isRecipient(name: string, author: Party, { to }: Facts["message"]): boolean {
  const shown = name.trim().toLowerCase();
  return to.list.slice(0, 20).some((mailbox) => {
    const recipient = toParty(mailbox);
    if (recipient === null || recipient.organisation === author.organisation) return false;
    return recipient.address.toLowerCase() === shown || recipient.name?.trim().toLowerCase() === shown;
  });
}
