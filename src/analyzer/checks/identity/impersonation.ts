// What a sender name claims to be: a brand, the recipient's own organization, or a role inside it.

import { firstLabel, toRegistrableDomain } from "../../mail/headers/registrable-domain.ts";
import type { FindingId, Raised } from "../check.ts";
import type { Facts, KnownFacts } from "../facts.ts";
import { freemailProviderOf } from "../freemail-table.ts";
import { type Brand, brandOfSite, isOwnedBy, isSpelledIn, sendingDomainOf } from "../impersonation/brands.ts";
import { toWords, type Word } from "../impersonation/fold.ts";
import { findBrandInDomain } from "../impersonation/judge-domain.ts";
import { findClaimedBrand, namesForeignBrand } from "../impersonation/judge-name.ts";
import { findOrganization, findRole } from "../impersonation/judge-role.ts";
import { findImitated } from "../lookalike.ts";
import { addressToPaste, authorOf, isSameMailbox, quoted, type ShownAuthor, toParty } from "../party.ts";
import { isAliasService, sendsForOthers, sharedServiceOf } from "../relays.ts";
import { whenNeeded } from "../when-needed.ts";

export type Impersonation = "brand" | "brand-on-service" | "brand-unreadable" | "recipient-organization" | "role";

export type Claims = Pick<KnownFacts, "session" | "dkim" | "dmarcResult" | "own"> & {
  readonly name: string;
  readonly author: ShownAuthor;
  readonly message: Facts["message"];
  readonly mailingList: boolean;
};

export function claimsOf(claims: Claims): Raised<Impersonation>[] {
  const { name, author, mailingList, own } = claims;
  const isOurs = own.known && own.value.domains.some((one) => toRegistrableDomain(one) === author.organisation);
  if (isOurs || (mailingList && saysVia.test(name))) return [];
  const words = toWords(withoutAddresses(name));
  const brand = toBrandClaim(words, claims);
  if (brand !== null) return [brand];
  if (mailingList) return [];
  const shown = quoted(name);
  const { address, domain } = author;
  const recipients = recipientsOf(claims);
  const organization = findOrganization(words, recipients.organizations);
  if (organization !== null && !sendsForOthers(domain))
    return [{ finding: "recipient-organization", data: { name: shown, organization, domain } }];
  const role = findRole(words);
  if (role === null || recipients.areInside || isBounce(claims)) return [];
  const sounds = role === "mailbox" || recipients.organizations.length > 0;
  return sounds ? [{ finding: "role", data: { name: shown, domain, address: quoted(address) } }] : [];
}

/** Mail servers sign bounces with a role. */
function isBounce({ author, session }: Claims): boolean {
  return author.local.toLowerCase() === "postmaster" || (session.known && session.value.mailFrom === "");
}

function toBrandClaim(words: readonly Word[], claims: Claims): Raised<Impersonation> | null {
  const { name, author, message } = claims;
  const { domain, local } = author;
  const sender = {
    domain,
    local,
    signedBy: signersOf(claims),
    isMarked: marks.test(name),
    isBroken: authorOf(message) === null,
    subject: whenNeeded(() => toWords(message.subject ?? "")),
    isColleague: () => isColleague(claims),
  };
  const brand = findClaimedBrand(words, sender) ?? brandOfAddress(name, sender);
  if (brand === null) return null;
  const shown = { name: quoted(name), brand: brand.name, brandDomain: sendingDomainOf(brand) };
  if (domain === "") return { finding: "brand-unreadable", data: shown };
  const owner = ownerOf(author, brand.name);
  const isSpelled = (text: string) => isSpelledIn(brand, text) || namesForeignBrand(text, author.address);
  const isOwn = owner === null && (freemailProviderOf(domain) !== null || !isSpelled(domain));
  const address = isSpelled(local) ? `you@${domain}` : author.address;
  const data = { ...shown, domain: quoted(domain), address: addressToPaste({ domain: isOwn ? domain : "", address }) };
  const service = sharedServiceOf(domain)?.name ?? null;
  if (service !== null) return { finding: "brand-on-service", data: { ...data, service } };
  return { finding: "brand", data, ...(owner === null ? {} : { ownedBy: owner }) };
}

/** Trademark signs, and invisible characters inside a word. */
const marks = /[®™]|[A-Za-z]\p{Default_Ignorable_Code_Point}+[A-Za-z]/u;

/** The brand whose service address the name shows: "service@paypal.com". */
function brandOfAddress(
  name: string,
  { domain, local, isBroken }: Pick<ShownAuthor, "domain" | "local"> & { readonly isBroken: boolean },
): Brand | null {
  const [, shown = ""] = (isBroken ? anyAddress : serviceAddress).exec(name) ?? [];
  const brand = brandOfSite(toRegistrableDomain(shown.toLowerCase()));
  const isOther = brand !== null && freemailProviderOf(shown) === null && !isOwnedBy(brand, domain, local);
  return isOther && !isAliasService(domain) ? brand : null;
}

const anyAddress = /@([\w.-]{1,100}\.[a-z]{2,20})/i;
const serviceAddress =
  /(?<![\w.])(?:no-?_?reply|do-?not-?reply|service|support|security|account|billing|help|info|notif|alert|team|customer)[\w.+-]{0,40}@([\w.-]{1,100}\.[a-z]{2,20})/i;

/** Mailing lists that rewrite From keep the author's name. */
const saysVia = /\s(?:via|über|per|por|через)\s/i;
const inAddresses = /[^\s@<>()"',;:[\]]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/gu;

/** An address in the name is a separate finding. */
function withoutAddresses(name: string): string {
  return name.includes("@") ? name.replace(inAddresses, " ") : name;
}

function signersOf({ dkim }: Claims): string[] {
  return dkim.known
    ? dkim.value.signatures.flatMap(({ result, domain, assumed }) =>
        result === "pass" && !assumed && domain !== null ? [domain] : [],
      )
    : [];
}

/** If the domain imitates the same brand, there is one cause, and the domain's finding owns it. */
function ownerOf({ domain, address }: ShownAuthor, brand: string): FindingId | null {
  if (findImitated(domain, address.slice(address.lastIndexOf("@") + 1)) !== null) return "lookalike-domain.imitates";
  return findBrandInDomain(domain)?.name === brand ? "lookalike-domain.brand-inside" : null;
}

/** Someone else in a recipient's organization, unless the mail only claims to be from there. */
function isColleague({ author, message, dmarcResult }: Claims): boolean {
  if (freemailProviderOf(author.domain) !== null || (dmarcResult.known && dmarcResult.value.alignedBy.length === 0))
    return false;
  return message.to.list.slice(0, maxRecipients).some((one) => {
    const recipient = toParty(one);
    return recipient?.organisation === author.organisation && !isSameMailbox(recipient, author);
  });
}

const maxRecipients = 20;

type Recipients = {
  /** Domains of organizations other than the author's, without free mailboxes and our test addresses. */
  readonly organizations: readonly string[];
  /** True if one recipient belongs to the author's own organization. */
  readonly areInside: boolean;
};

function recipientsOf({ message, session, author }: Claims): Recipients {
  const addressed = message.to.list.slice(0, maxRecipients).flatMap((one) => toParty(one)?.domain ?? []);
  const taken = session.known
    ? session.value.rcptTo
        .slice(0, maxRecipients)
        .map((address) => address.slice(address.lastIndexOf("@") + 1).toLowerCase())
    : [];
  const receiver = session.known ? toRegistrableDomain(session.value.receiver) : null;
  const all = [...new Set([...addressed, ...taken].map(toRegistrableDomain))];
  const isInside = (domain: string) => firstLabel(domain) === firstLabel(author.organisation);
  return {
    organizations: all.filter(
      (domain) => domain !== receiver && !isInside(domain) && freemailProviderOf(domain) === null,
    ),
    areInside: all.some(isInside),
  };
}
