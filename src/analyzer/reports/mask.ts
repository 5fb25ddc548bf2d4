// What a shared report must not reveal: the recipient of the message. Addresses are masked in all forms that occur in
// mail. Links are cut after the host, because newsletter links identify the recipient.

import { domainToASCII, domainToUnicode } from "node:url";

export type Concealed = {
  /** Our own addresses. Their local parts are masked as well, because they make the address hard to guess. */
  readonly seedAddresses: readonly string[];
  readonly seedDomains: readonly string[];
  /** Other addresses in the message. */
  readonly recipients: readonly string[];
  /** Lowercase words that may equal a local part without revealing anything, because our own sentences use them. */
  readonly ordinaryWords: ReadonlySet<string>;
};

export type Mask = (text: string) => string;

/** Replaces what is masked. */
const hidden = "[hidden]";
/** With more addresses, every address is masked, because searching for thousands would take too long. */
const mostAddresses = 100;
/** Shorter local parts such as "ab" occur in too many words. */
const shortestLocalPart = 3;

export function createMask({ seedAddresses, seedDomains, recipients, ordinaryWords }: Concealed): Mask {
  const addresses = [...new Set([...seedAddresses, ...recipients].map((one) => one.toWellFormed()))];
  const isManyFold = addresses.length > mostAddresses;
  const forms = toLiterals(isManyFold ? seedAddresses : addresses, formsOf);
  const parts = toLiterals(seedAddresses, localPartsOf).filter((part) => isTelling(part, ordinaryWords));
  const domains = seedDomains.map(toLower);
  const isHidden = (word: string) =>
    /(?:@|%40)./.test(word) && (isManyFold || domains.some((domain) => toLower(word).includes(domain)));
  const mask = (text: string) => {
    let shown = text.replace(/https?:\/\/[^\s<>"']+/gi, toHostOnly);
    // Few of them are in a text, and a long one takes a while to go through.
    const lower = toLower(shown);
    for (const form of forms) if (lower.includes(form)) shown = hide(shown, form);
    shown = shown.replace(/[^\s<>()"',;:]+/g, (word) => (isHidden(word) ? hidden : word));
    for (const part of parts) shown = hide(shown, part, isApart);
    return shown;
  };
  return (text) => {
    const shown = mask(text);
    const bare = toBare(shown);
    return bare !== shown && hidesMore(mask, bare) ? mask(bare) : shown;
  };
}

/** As people read it: forwards, without invisible characters, and with wide or small letters as plain ones. */
export function toBare(text: string): string {
  if (!/[^\0-\x7f]/.test(text)) return text;
  const forwards = text.replace(/\u202e[^\u202c\n]*/g, (backwards) => [...backwards].reverse().join(""));
  return forwards.normalize("NFKC").replace(/\p{Default_Ignorable_Code_Point}|\p{Cf}/gu, "");
}

/** Whether more is masked in a text than is marked in it. */
export function hidesMore(mask: Mask, text: string): boolean {
  return mask(text).split(hidden).length > text.split(hidden).length;
}

function toLiterals(addresses: readonly string[], formsOf: (address: string) => string[]): string[] {
  const literals = new Set(addresses.flatMap(formsOf).map(toLower));
  return [...literals].sort((left, right) => right.length - left.length);
}

/** Case-insensitive, where `mayHide` allows it. */
function hide(text: string, literal: string, mayHide = (_text: string, _at: number, _end: number) => true): string {
  const lower = toLower(text);
  let shown = "";
  let kept = 0;
  for (let at = lower.indexOf(literal); at >= 0; at = lower.indexOf(literal, at + literal.length)) {
    const end = at + literal.length;
    if (!mayHide(text, at, end)) continue;
    shown += text.slice(kept, at) + hidden;
    kept = end;
  }
  return shown + text.slice(kept);
}

/** Only outside of words and numbers. */
function isApart(text: string, at: number, end: number): boolean {
  const isLetter = (character: string) => /[\p{L}\p{N}]/u.test(character);
  return !isLetter(text.charAt(at - 1)) && !isLetter(text.charAt(end));
}

/** Keeps the length of the text, which toLowerCase does not guarantee. */
function toLower(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** With each spelling of its domain: as written, in letters, and in Punycode. */
function formsOf(address: string): string[] {
  const at = address.lastIndexOf("@");
  const [local, domain] = [address.slice(0, at), address.slice(at + 1)];
  const domains = new Set([domain, domainToUnicode(domain) || domain, domainToASCII(domain) || domain]);
  return [...domains].flatMap((one) => spell(local, one));
}

/** As written, in a URL, in quoted-printable, inside another address (VERP), and in base64. */
function spell(local: string, domain: string): string[] {
  const address = `${local}@${domain}`;
  const base64url = Buffer.from(address).toString("base64url");
  const separators = ["@", "%40", "=40", "="];
  return [
    ...separators.map((separator) => `${local}${separator}${domain}`),
    encodeURIComponent(address),
    base64url,
    base64url.replaceAll("-", "+").replaceAll("_", "/"),
    Buffer.from(address).toString("hex"),
  ];
}

/** With and without its label. */
function localPartsOf(address: string): string[] {
  const local = address.slice(0, address.lastIndexOf("@"));
  return [local, local.split("+")[0] ?? local];
}

function isTelling(part: string, ordinaryWords: ReadonlySet<string>): boolean {
  const isSmallNumber = /^\d{1,6}$/.test(part);
  return part.length >= shortestLocalPart && !isSmallNumber && !ordinaryWords.has(part);
}

/** Well-known paths identify no recipient (RFC 8615). */
function toHostOnly(link: string): string {
  if (!URL.canParse(link)) return hidden;
  const { protocol, host, pathname, search, hash } = new URL(link);
  const path = pathname.startsWith("/.well-known/") ? pathname : "/";
  const hasMore = search !== "" || hash !== "" || pathname !== path;
  return `${protocol}//${host}${hasMore ? `${path}…` : path}`;
}
