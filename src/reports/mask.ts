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
/** With more, every address is masked, whoever's it is: a pattern of thousands would take too long. */
const mostPatterns = 100;
/** "ab" stands in too many words of other meanings. */
const shortestLocalPart = 3;

export function createMask({ seedAddresses, seedDomains, recipients, ordinaryWords }: Concealed): Mask {
  const addresses = [
    ...new Set([...seedAddresses, ...recipients].map((one) => one.toWellFormed().toLowerCase())),
  ];
  const own = seedAddresses.flatMap(localPartsOf).filter((part) => isTelling(part, ordinaryWords));
  const isManyFold = addresses.length > mostPatterns;
  const whole = toPattern(isManyFold ? [] : addresses.flatMap(formsOf), ["", ""]);
  // Not within a word or a number.
  const parts = toPattern(own, ["(?<![\\p{L}\\p{N}])", "(?![\\p{L}\\p{N}])"]);
  const domains = seedDomains.map((domain) => domain.toLowerCase());
  const isHidden = (word: string) => {
    if (!/@|%40/.test(word)) return false;
    return isManyFold || domains.some((domain) => word.toLowerCase().includes(domain));
  };
  return (text) => {
    let shown = text.replace(/https?:\/\/[^\s<>"']+/gi, toHostOnly);
    if (whole) shown = shown.replace(whole, hidden);
    shown = shown.replace(/[^\s<>()"',;:]+/g, (word) => (isHidden(word) ? hidden : word));
    return parts ? shown.replace(parts, hidden) : shown;
  };
}

/** As written, in a URL, in quoted-printable, in another address (VERP), and in base64. */
function formsOf(address: string): string[] {
  const at = address.lastIndexOf("@");
  const [local, domain] = [address.slice(0, at), address.slice(at + 1)];
  const base64 = Buffer.from(address).toString("base64").replace(/=+$/, "");
  const separators = ["@", "%40", "=40", "="];
  return [
    ...separators.map((separator) => `${local}${separator}${domain}`),
    encodeURIComponent(address).toLowerCase(),
    base64,
    Buffer.from(address).toString("base64url"),
    Buffer.from(address).toString("hex"),
  ];
}

/** With its label and without. */
function localPartsOf(address: string): string[] {
  const local = address.slice(0, address.lastIndexOf("@")).toLowerCase();
  return [local, local.split("+")[0] ?? local];
}

function isTelling(part: string, ordinaryWords: ReadonlySet<string>): boolean {
  const isSmallNumber = /^\d{1,6}$/.test(part);
  return part.length >= shortestLocalPart && !isSmallNumber && !ordinaryWords.has(part);
}

function toPattern(literals: readonly string[], [before, behind]: readonly [string, string]): RegExp | null {
  if (literals.length === 0) return null;
  const longestFirst = [...new Set(literals)].sort((left, right) => right.length - left.length);
  return new RegExp(`${before}(?:${longestFirst.map(RegExp.escape).join("|")})${behind}`, "giu");
}

/** What a standard puts at a fixed place names nobody (RFC 8615). */
function toHostOnly(link: string): string {
  if (!URL.canParse(link)) return hidden;
  const { protocol, host, pathname, search, hash } = new URL(link);
  const path = pathname.startsWith("/.well-known/") ? pathname : "/";
  const hasMore = search !== "" || hash !== "" || pathname !== path;
  return `${protocol}//${host}${hasMore ? `${path}…` : path}`;
}
