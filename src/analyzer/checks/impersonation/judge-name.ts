// Whether a sender name claims to be a brand: it contains the brand's name and otherwise only words that organizations add
// to their own name. "PayPal Support" does, "PayPal Community Choir" and "Chase Miller" don't.

import { firstLabel, toRegistrableDomain } from "../../mail/headers/registrable-domain.ts";
import { freemailProviderOf } from "../freemail-table.ts";
import { sendsForOthers, sharedServiceOf } from "../relays.ts";
import {
  type Brand,
  type BrandMatch,
  findBrand,
  isLikelyEnding,
  isOwnedBy,
  lettersOf,
  longestBrand,
} from "./brands.ts";
import { fold, toWords, type Word } from "./fold.ts";
import {
  abouts,
  accounts,
  fillers,
  folded,
  isCompound,
  isIn,
  isUnspaced,
  lures,
  parcels,
  places,
  prizes,
  services,
  unspacedLetters,
} from "./word-sets.ts";

type Sender = {
  /** In A-labels. */
  readonly domain: string;
  readonly local: string;
  /** Domains of valid DKIM signatures: a brand may sign mail that another domain sends for it. */
  readonly signedBy: readonly string[];
  /** The name has ®, ™ or invisible characters, which a name that only mentions a brand hardly ever has. */
  readonly isMarked?: boolean;
  /** Email clients can't read the From header, which software of a brand hardly ever gets wrong. */
  readonly isBroken?: boolean;
  /** The words of the subject, read only if the name has a brand. */
  readonly subject?: () => readonly Word[];
  /** In-house IT writes about the products that it supports. */
  readonly isColleague?: () => boolean;
};

/** The brand that a name claims to be, if neither the domain nor a signature belongs to the brand. */
export function findClaimedBrand(name: readonly Word[], sender: Sender): Brand | null {
  if (isExchangeRobot(name, sender.local)) return null;
  const words = toSpeaker(name, sender);
  if (words !== name && isPerson(name.slice(0, -words.length - 1)) && passesOn(words, sender)) return null;
  const spans = findSpans(words);
  if (spans.length === 0 || spans.some(({ match }) => owns(match.brand, sender))) return null;
  const unmistakable = spans.filter(({ match }) => match.brand.needs === "nothing");
  const speaking = [...unmistakable, ...spans].find((span) => {
    const besides = [span, ...unmistakable];
    const rest = words.filter((_, index) => !besides.some(({ from, to }) => index >= from && index < to));
    const all = [...rest, ...spans.flatMap(({ glued }) => glued ?? [])];
    return speaksAs(span.match, all, sender) || (all.length === 0 && subjectSpeaksAs(span.match.brand, sender));
  });
  if (speaking === undefined) return null;
  const { brand, isDisguised } = speaking.match;
  const service = sharedServiceOf(sender.domain);
  if (service === null) return !isDisguised && isFine(speaking, words, sender) ? null : brand;
  if (isCustomer(brand, service.customer ?? sender.local)) return null;
  return service.customer !== null || isDisguised || words.some((word) => isIn(accounts, word)) ? brand : null;
}

/** For a name that is only an ambiguous word: "Robinhood" about "your Robinhood account", "GLS" about "your parcel". */
function subjectSpeaksAs({ name, labels, needs }: Brand, sender: Sender): boolean {
  if (labels.has(sender.local.toLowerCase())) return false;
  const subject = sender.subject?.() ?? [];
  if (typeof needs !== "string") return name === name.toUpperCase() && subject.some(({ plain }) => needs.has(plain));
  return (
    subject.some((word) => isIn(accounts, word)) && findSpans(subject).some(({ match }) => match.brand.name === name)
  );
}

/** Services name the subdomain or the address after the customer: paypal.zendesk.com. */
function isCustomer({ labels }: Brand, customer: string): boolean {
  return labels.has(customer.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ""));
}

/** Brands use separate domains for mail, which no table can list completely: "info-airfrance.com". Service words don't qualify. */
function isNamedAfter(labels: ReadonlySet<string>, domain: string): boolean {
  const organization = toRegistrableDomain(domain);
  const dot = organization.indexOf(".");
  if (!isLikelyEnding(organization.slice(dot + 1))) return false;
  const label = organization.slice(0, dot);
  const own = [...labels].find((one) => holds(label, one));
  if (own === undefined) return false;
  const rest = label
    .replace(own, "-")
    .split("-")
    .filter((part) => part !== "");
  return rest.length > 0 && rest.every((part) => isIn(mailWords, toWord([...part])));
}

/** Short names must be a separate part: "rekening" is not named after ING. */
function holds(label: string, own: string): boolean {
  return own.length >= shortest ? label.includes(own) : label.split("-").includes(own);
}

// Brands use these words in their own mail domains ("facebookmail.com"), so they are not suspicious.
const mailWords = folded(
  "mail mails email emails mailer mailing noreply message messages info infos news newsletter communication communications marketing club plus rewards".split(
    " ",
  ),
);

/** For headers in a fix: the name of a brand is never proposed beside the domain of another sender. */
export function toProposedName(name: string, address: string, otherwise = "Your name"): string {
  return name === "" || namesForeignBrand(name, address) ? otherwise : name;
}

export function namesForeignBrand(name: string, address: string): boolean {
  const at = address.lastIndexOf("@");
  const [local, domain] = [address.slice(0, at), address.slice(at + 1).toLowerCase()];
  return findSpans(toWords(name)).some(({ match }) => !isOwnedBy(match.brand, domain, local));
}

/** The brand that a domain label imitates: "paypal-secure", "support-amaz0n", "micros0ft". */
export function findBrandInLabel(label: string): Brand | null {
  const words = toWords(label);
  const [span, ...others] = findSpans(words);
  if (span === undefined || others.length > 0) return null;
  const { brand, isDisguised } = span.match;
  if (brand.needs !== "nothing" && brand.name !== "Apple") return null;
  const rest = [
    ...words.filter((_, index) => index < span.from || index >= span.to),
    ...(span.glued ? [span.glued] : []),
  ];
  if (rest.length === 0) return isDisguised ? brand : null;
  const isSign = (word: Word) => (isIn(services, word) || isIn(parcels, word)) && !isIn(mailWords, word);
  return rest.some(isSign) && speaksAs(span.match, rest) ? brand : null;
}

function owns(brand: Brand, { domain, local, signedBy }: Sender): boolean {
  return [domain, ...signedBy].some((one) => isOwnedBy(brand, one, local));
}

/** Exchange sends system notices as "Microsoft Outlook" from the customer's domain. */
function isExchangeRobot(name: readonly Word[], local: string): boolean {
  return /^microsoftexchange[0-9a-f]{32}$/i.test(local) && plainOf(name) === "microsoftoutlook";
}

function isFine({ from, to, glued, match: { brand } }: Span, words: readonly Word[], sender: Sender): boolean {
  if (isElsewhereFine(brand, sender)) return true;
  // "Microsoft Teams", but not "Microsoft" alone.
  const isProduct = glued === null && plainOf(words.slice(from, to)) !== lettersOf(brand.name).toLowerCase();
  return isProduct && sender.isColleague?.() === true;
}

function plainOf(words: readonly Word[]): string {
  return words.map(({ plain }) => plain).join("");
}

const via = new Set("via über par por per tramite przez через".split(" "));

/** In "Ann via LinkedIn", LinkedIn is the speaker. If that is the sender's own name, it is a list or group that relays mail. */
function toSpeaker(words: readonly Word[], { domain, local }: Sender): readonly Word[] {
  const at = words.findLastIndex(({ plain }) => via.has(plain));
  if (at <= 0 || at === words.length - 1) return words;
  const relay = words.slice(at + 1);
  const own = `${local} ${domain}`.toLowerCase();
  return findSpans(relay).length > 0 || relay.some(({ plain }) => plain.length > 2 && own.includes(plain))
    ? relay
    : words;
}

/** True for words that don't belong to an organization. */
function isPerson(words: readonly Word[]): boolean {
  const isOfficial = (word: Word) =>
    [services, parcels, abouts, places].some((set) => isIn(set, word)) || isUnspaced(word);
  return findSpans(words).length === 0 && !words.some(isOfficial) && words.some((word) => !isIn(fillers, word));
}

/** A notification relay signs with its own domain, and its name has no words about accounts or support. */
function passesOn(relay: readonly Word[], { domain, signedBy }: Sender): boolean {
  const organization = toRegistrableDomain(domain);
  return (
    freemailProviderOf(domain) === null &&
    signedBy.some((one) => toRegistrableDomain(one) === organization) &&
    !relay.some((word) => isIn(services, word) || isIn(parcels, word))
  );
}

type Span = {
  readonly from: number;
  readonly to: number;
  readonly match: BrandMatch;
  /** The rest of a word after the brand: "support" in "paypalsupport". */
  readonly glued: Word | null;
};

function findSpans(words: readonly Word[]): Span[] {
  const spans: Span[] = [];
  for (let from = 0; from < words.length; ) {
    const span = longestFrom(words, from) ?? gluedIn(words[from], from);
    if (span) spans.push(span);
    from = span ? span.to : from + 1;
  }
  return spans;
}

const mostWords = 16;

function longestFrom(words: readonly Word[], from: number): Span | null {
  let best: Span | null = null;
  let joined: Word = { asI: "", asL: "", plain: "" };
  for (const [index, word] of words.slice(from, from + mostWords).entries()) {
    joined = join(joined, word);
    if (joined.asI.length > longestBrand()) break;
    const match = findBrand(joined);
    if (match) best = { from, to: from + index + 1, match, glued: null };
  }
  return best;
}

function join(left: Word, right: Word): Word {
  return { asI: left.asI + right.asI, asL: left.asL + right.asL, plain: left.plain + right.plain };
}

const shortest = 4;

/** A brand and a service word written as one, such as "paypalsupport". */
function gluedIn(word: Word | undefined, from: number): Span | null {
  if (word === undefined || word.plain.length > 2 * longestBrand()) return null;
  const letters = [...word.plain];
  if (unspacedLetters.test(word.plain)) return gluedInUnspaced(letters, from);
  for (let at = shortest; at <= letters.length - 2; at++) {
    const parts = [letters.slice(0, at), letters.slice(at)].map(toWord);
    for (const [brandPart, other] of [parts, parts.toReversed()]) {
      const match = brandPart && brandPart.plain.length >= shortest ? findBrand(brandPart) : null;
      if (match?.brand.needs === "nothing" && other && isIn(services, other))
        return { from, to: from + 1, match, glued: other };
    }
  }
  return null;
}

/** A brand followed by a service word: 楽天 and カスタマーサービス. */
function gluedInUnspaced(letters: readonly string[], from: number): Span | null {
  for (let at = letters.length - 1; at >= 2; at--) {
    const [brandPart, other] = [letters.slice(0, at), letters.slice(at)].map(toWord);
    const match = brandPart ? findBrand(brandPart) : null;
    if (match && other && isUnspaced(other)) return { from, to: from + 1, match, glued: other };
  }
  return null;
}

function toWord(letters: readonly string[]): Word {
  const plain = letters.join("");
  return { ...fold(plain), plain };
}

function speaksAs({ brand, isDisguised }: BrandMatch, rest: readonly Word[], sender?: Sender): boolean {
  const { name, needs, labels } = brand;
  const isSign = (word: Word) =>
    typeof needs !== "string"
      ? needs.has(word.plain)
      : isIn(accounts, word) || isUnspaced(word) || (name.length > shortest && isIn(lures, word));
  const isKnown = (word: Word) =>
    isSign(word) ||
    [services, parcels, fillers, lures, places].some((set) => isIn(set, word)) ||
    isUnspaced(word) ||
    labels.has(word.plain) ||
    /^(?:\d+|[a-z])$/.test(word.plain);
  const unknown = rest.filter((word) => !isKnown(word));
  const { isMarked = false, isBroken = false } = sender ?? {};
  if (unknown.length > 0) {
    if (needs === "nothing") return sender !== undefined && speaksInSentence(rest, unknown, sender);
    return isBroken && unknown.length <= 2 && rest.some(isSign);
  }
  if (isDisguised || isMarked || (rest.length === 0 && standsAlone(brand, isBroken))) return true;
  if (needs !== "nothing") return rest.some(isSign) || (sender !== undefined && addressSpeaksAs(brand, isSign, sender));
  return !rest.some((word) => isIn(places, word)) || rest.some((word) => isIn(services, word));
}

/** "GLS" alone in a broken From header is no person. */
function standsAlone({ name, needs }: Brand, isBroken: boolean): boolean {
  const isAcronym = name.length > 2 && name === name.toUpperCase();
  return (isBroken && isAcronym) || (typeof needs !== "string" && needs.has("alone"));
}

/**
 * "Amazon Order Cancelled", "DPD Paket nicht zugestellt": word lists are never complete, so an unmistakable brand may have a
 * few unknown words next to words about an account or a parcel. "PayPal Payment Course" is about the brand.
 */
function speaksInSentence(
  rest: readonly Word[],
  unknown: readonly Word[],
  { isMarked, isBroken, subject }: Sender,
): boolean {
  if (unknown.length > (isBroken ? 5 : 2) || rest.some((word) => isIn(abouts, word))) return false;
  if (isMarked || isBroken || subject?.().some((word) => isIn(prizes, word))) return true;
  if (rest.some((word) => [accounts, parcels, lures].some((set) => isIn(set, word)) || isCompound(word))) return true;
  return unknown.length === 1 && rest.some((word) => isIn(services, word));
}

/**
 * For a name that is only an ambiguous word. A word that fits one brand is enough ("facture" for Orange). Others count only
 * if the whole domain label consists of them: "account-verify.example".
 */
function addressSpeaksAs(
  { needs, labels }: Brand,
  isSign: (word: Word) => boolean,
  { domain, local }: Sender,
): boolean {
  const label = toWords(toRegistrableDomain(domain).split(".", 1)[0] ?? "");
  if (typeof needs !== "string") return [...toWords(local), ...label].some(isSign);
  const others = label.filter(({ plain }) => !labels.has(plain));
  return (
    others.length > 1 && others.some(isSign) && others.every((word) => isIn(services, word) || isIn(parcels, word))
  );
}

/** For brands that have others send for them, and for an ambiguous word that is the sender's own name. */
function isElsewhereFine({ needs, labels }: Brand, { domain }: Sender): boolean {
  if (sendsForOthers(domain)) return true;
  if (needs === "nothing") return isNamedAfter(labels, domain);
  const registered = firstLabel(toRegistrableDomain(domain));
  return domain.split(".").some((label) => {
    const own = [...labels].find((one) => holds(label, one));
    if (own === undefined) return false;
    // Anyone can add a subdomain such as nortonalert.
    if (typeof needs === "string") return label === registered || !isIn(services, toWord([...label.replace(own, "")]));
    const parts = label.split("-");
    return parts.length === 1 || !parts.some((part) => labels.has(part));
  });
}
