// What a report that strangers see must not tell: whom the message was for. Addresses are masked in the forms in which
// mail carries them about, and links lose what stands behind the host, because the links of a newsletter name its reader.

export type Concealed = {
  /** Of ours: their local parts alone are masked too, since they are what makes an address of ours hard to guess. */
  readonly seedAddresses: readonly string[];
  readonly seedDomains: readonly string[];
  /** Of others, as the message names them. */
  readonly recipients: readonly string[];
  /** Lower-case words that a local part may be without telling anything: those of our own sentences. */
  readonly ordinaryWords: ReadonlySet<string>;
};

export type Mask = (text: string) => string;

const hidden = "[hidden]";
/** With more, every address is masked, whoever's it is: to look for thousands would take too long. */
const mostAddresses = 100;
/** "ab" stands in too many words of other meanings. */
const shortestLocalPart = 3;

export function createMask({ seedAddresses, seedDomains, recipients, ordinaryWords }: Concealed): Mask {
  const addresses = [...new Set([...seedAddresses, ...recipients].map((one) => one.toWellFormed()))];
  const isManyFold = addresses.length > mostAddresses;
  const forms = toLiterals(isManyFold ? seedAddresses : addresses, formsOf);
  const parts = toLiterals(seedAddresses, localPartsOf).filter((part) => isTelling(part, ordinaryWords));
  const domains = seedDomains.map(toLower);
  const isHidden = (word: string) =>
    /@|%40/.test(word) && (isManyFold || domains.some((domain) => toLower(word).includes(domain)));
  return (text) => {
    let shown = text.replace(/https?:\/\/[^\s<>"']+/gi, toHostOnly);
    for (const form of forms) shown = hide(shown, form);
    shown = shown.replace(/[^\s<>()"',;:]+/g, (word) => (isHidden(word) ? hidden : word));
    for (const part of parts) shown = hide(shown, part, isApart);
    return shown;
  };
}

function toLiterals(addresses: readonly string[], formsOf: (address: string) => string[]): string[] {
  const literals = new Set(addresses.flatMap(formsOf).map(toLower));
  return [...literals].sort((left, right) => right.length - left.length);
}

/** In any case; where `mayHide` says so. */
function hide(
  text: string,
  literal: string,
  mayHide = (_text: string, _at: number, _end: number) => true,
): string {
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

/** Not within a word or a number. */
function isApart(text: string, at: number, end: number): boolean {
  const isLetter = (character: string) => /[\p{L}\p{N}]/u.test(character);
  return !isLetter(text.charAt(at - 1)) && !isLetter(text.charAt(end));
}

/** Of the length of the text, which toLowerCase does not promise. */
function toLower(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** As written, in a URL, in quoted-printable, in another address (VERP), and in base64. */
function formsOf(address: string): string[] {
  const at = address.lastIndexOf("@");
  const [local, domain] = [address.slice(0, at), address.slice(at + 1)];
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

/** With its label and without. */
function localPartsOf(address: string): string[] {
  const local = address.slice(0, address.lastIndexOf("@"));
  return [local, local.split("+")[0] ?? local];
}

function isTelling(part: string, ordinaryWords: ReadonlySet<string>): boolean {
  const isSmallNumber = /^\d{1,6}$/.test(part);
  return part.length >= shortestLocalPart && !isSmallNumber && !ordinaryWords.has(part);
}

/** What a standard puts at a fixed place names nobody (RFC 8615). */
function toHostOnly(link: string): string {
  if (!URL.canParse(link)) return hidden;
  const { protocol, host, pathname, search, hash } = new URL(link);
  const path = pathname.startsWith("/.well-known/") ? pathname : "/";
  const hasMore = search !== "" || hash !== "" || pathname !== path;
  return `${protocol}//${host}${hasMore ? `${path}…` : path}`;
}
