// Finds the one author domain that DMARC evaluates (RFC 9989 §5.3.1), from the bytes of the From field. It is the
// domain of the address in angle brackets, or of the bare address, whatever the name, encoded words or comments
// contain. Other checks judge misleading names (§11.4).
//
// A lenient client may take an address in the name for the author's. Then a forger passes DMARC with his own domain and
// shows another ("Composition Kills", USENIX Security 2020, §5). Such domains are listed as rivals, and the verdict
// considers their policies too. If the address itself can be read in several ways, there is no author and the
// candidates are listed.

import { toStorableCut } from "../text/bounds.ts";
import { decodeWords } from "../text/decoding.ts";
import { fieldsNamed, type HeaderField, type HeaderSection } from "./fields.ts";
import { type Mailbox, parseMailboxes } from "./mailboxes.ts";
import { toAsciiDomain } from "./registrable-domain.ts";

type AuthorFault =
  /** No From field, or one without an address: empty, or an empty group. */
  | "none"
  | "several-fields"
  | "several-domains"
  | "too-long"
  | "unreadable"
  /** It can be read in more than one way. */
  | "ambiguous"
  /** An address literal, or a domain that DNS cannot hold. */
  | "no-domain";

export type Author =
  | {
      readonly ok: true;
      /** The first author's address, as written. */
      readonly address: string;
      /** In A-labels and lower case. */
      readonly domain: string;
      /** Several may share the domain. BIMI requires one. */
      readonly mailboxes: number;
      /** Other domains that a lenient client could take for the author's. `says` gives the reason. */
      readonly rivals: readonly string[];
      readonly says: string | null;
    }
  | {
      readonly ok: false;
      readonly why: AuthorFault;
      readonly says: string;
      /** Domains whose policy some receiver would look up. */
      readonly candidates: readonly string[];
    };

/**
 * Longest From field that is read. The longest legitimate ones, lists of twenty authors with encoded names, take a
 * quarter of it.
 */
const maxFromLength = 10_000;
const maxShownLength = 300;

export function readAuthor(section: HeaderSection): Author {
  const fields = fieldsNamed(section, "from");
  const [field] = fields;
  const lines = () => findDomains(fields.slice(0, maxFieldsRead).map(toLine).join(",\n"));
  if (fields.length > 1)
    return fault("several-fields", `The message has ${fields.length} From headers, but only one is allowed.`, lines());
  const hidden = findHiddenFrom(section);
  if (hidden !== null)
    return fault("ambiguous", hidden.says, findDomains([...fields.map(toLine), hidden.text].join(",\n")));
  if (field === undefined) return fault("none", "The message has no From header.", []);
  if (/^from[ \t]/i.test(field.line))
    return fault(
      "ambiguous",
      "There is a space before the colon in the From header, so some email clients do not recognize it.",
      lines(),
    );
  return readFrom(field);
}

const maxFieldsRead = 200;

function toLine({ value }: HeaderField): string {
  return toText(value.slice(0, maxFromLength)).text;
}

/**
 * A line that some clients take for a From field: with a space, fold or other byte around its name, or after a byte
 * inside another field that they take for a line end.
 */
function findHiddenFrom({ fields, badLines }: HeaderSection): { says: string; text: string } | null {
  const isLikeFrom = (text: string) => /^from:/i.test(text.slice(0, 200).replace(/[^!-~]/g, ""));
  const like = badLines.find(({ text }) => isLikeFrom(text));
  if (like)
    return {
      says: "A malformed header line looks like a second From header, which some email clients show.",
      text: like.text.slice(0, maxFromLength),
    };
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const pattern = /[\0\v\f\r\x1c-\x1e][ \t]*from[ \t]*:/i;
  const text = [...fields.map(({ line }) => line), ...badLines.map((bad) => bad.text)].find((line) =>
    pattern.test(line),
  );
  if (text === undefined) return null;
  return {
    says: "A From header is hidden inside another header line, and some email clients show it.",
    text: text.slice(Math.max(0, text.search(pattern))).slice(0, maxFromLength),
  };
}

function readFrom({ value }: HeaderField): Author {
  if (value.length > maxFromLength)
    return fault(
      "too-long",
      `The From header is ${value.length} bytes long, which exceeds the limit of ${maxFromLength}.`,
      findDomains(toText(value).text),
    );
  const { text, isUtf8 } = toText(value);
  if (text.trim() === "") return fault("none", "The From header is empty.", []);
  const refuse = (why: AuthorFault, says: string) => fault(why, `${says}: ${show(text)}`, findDomains(text));
  if (/[^\P{Cc}\t]/u.test(text))
    return refuse("ambiguous", "The From header contains a control character, where some email clients stop reading");
  const list = parseMailboxes(text);
  // In GBK and Shift_JIS a backslash may be half a character and escape nothing.
  const mailboxes = list.ok && (isUtf8 || !text.includes("\\")) ? list.mailboxes : readBracketed(text);
  if (mailboxes === null)
    return refuse(
      "unreadable",
      `The From header cannot be read, because ${list.ok ? "it contains a backslash and bytes that are not UTF-8" : list.problem}`,
    );
  const [first] = mailboxes;
  if (first === undefined) return refuse("none", "The From header has no address");
  if (!isUtf8 && mailboxes.some(({ localPart, domain }) => /[^ -~]/.test(localPart + domain)))
    return refuse("unreadable", "The address contains bytes that are not UTF-8");
  return toAuthor(first, mailboxes, text);
}

/** The only address in angle brackets, at the end, after a name that can't be parsed: `Shop, Inc. <shop@a.example>`. */
function readBracketed(text: string): readonly Mailbox[] | null {
  const trimmed = text.trimEnd();
  const open = trimmed.lastIndexOf("<");
  if (open < 0 || !trimmed.endsWith(">") || /[<>]/.test(withoutQuoted(trimmed.slice(0, open)))) return null;
  const list = parseMailboxes(trimmed.slice(open));
  return list.ok && list.mailboxes.length === 1 ? list.mailboxes : null;
}

function withoutQuoted(text: string): string {
  return text.replace(/"[^"\\]*"/g, "");
}

function toAuthor(first: Mailbox, mailboxes: readonly Mailbox[], text: string): Author {
  const refuse = (why: AuthorFault, says: string) => fault(why, `${says}: ${show(text)}`, findDomains(text));
  const domains = new Set(mailboxes.map(({ domain }) => toAsciiDomain(domain)));
  const [domain] = domains;
  if (domains.size > 1) return refuse("several-domains", "The From header has authors from several domains");
  if (domain === null || domain === undefined)
    return refuse("no-domain", "The text after the @ is not a valid domain name");
  if (!mailboxes.every(({ localPart }) => isPlainLocalPart(localPart)))
    return refuse("ambiguous", "Email clients read the text before the @ in different ways");
  const isClear = isPlainQuotedName(text) || isHarmlessName(text);
  const rivals = isClear ? [] : findDomains(text).filter((other) => other !== domain);
  const address = toStorableCut(`${first.localPart}@${first.domain}`, maxShownLength);
  const says = rivals.length > 0 ? `A second address is hidden in the From header: ${show(text)}` : null;
  return { ok: true, address, domain, mailboxes: mailboxes.length, rivals, says };
}

/**
 * Mailing lists write the author's address into the name, as in `'ann@a.example' via B <list@b.example>`. With words
 * between that address and the brackets no client takes it for the message's address. Some do if the address is alone
 * or right before the bracket.
 */
function isHarmlessName(text: string): boolean {
  const trimmed = text.trimEnd();
  const open = trimmed.lastIndexOf("<");
  if (open < 0 || !trimmed.endsWith(">") || /utf-?7/i.test(text)) return false;
  const name = decodeKindly(trimmed.slice(0, open).replace(/"([^"\\]*)"/g, "$1")).normalize("NFKC");
  if (/[<>,;:"\\()\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|=\?/u.test(name)) return false;
  const [, after, ...more] = name.split("@");
  return after === undefined || (more.length === 0 && /^[\p{L}\p{N}._-]{1,255}'? +\p{L}/u.test(after));
}

/** Even in quotation marks: no character that any parser takes for a delimiter, no encoded words, nothing invisible. */
function isPlainLocalPart(localPart: string): boolean {
  const bare = localPart.startsWith('"') ? localPart.slice(1, -1) : localPart;
  const isDelimited = /[<>()@,;:\\"[\]]|=\?|\?=/.test(bare.normalize("NFKC"));
  return !isDelimited && !/[\p{C}\p{Zl}\p{Zp}]/u.test(bare);
}

/** In parentheses: a bare handle with nothing before its @. */
function isPlainQuotedName(text: string): boolean {
  const shape = /^[ \t]*"(?:[^"<>,;:\\()]|\(@?[^"<>,;:\\()@]*\))*"[ \t]*<[^"<>()\\@]+@[^"<>()\\@]+>[ \t]*$/;
  return shape.test(text) && !text.includes("=?");
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Unfolded (RFC 5322 §2.2.3), and decoded as UTF-8 if it is valid (RFC 6532). */
function toText(value: string): { text: string; isUtf8: boolean } {
  const unfolded = value.replace(/\r?\n(?=[ \t])/g, "");
  try {
    return { text: utf8.decode(Buffer.from(unfolded, "latin1")), isUtf8: true };
  } catch {
    return { text: unfolded, isUtf8: false };
  }
}

function fault(why: AuthorFault, says: string, candidates: readonly string[]): Author {
  return { ok: false, why, says, candidates };
}

function show(text: string): string {
  return toStorableCut(text.trim(), maxShownLength);
}

// Domains that a lenient client might take for the author's: all that follow an @ anywhere in a From field, as written,
// decoded, without comments, and in the encodings that we otherwise refuse. Only their policies are looked up. One
// domain too many costs a DNS question; one too few would hide a forgery from the policy that forbids it.

const maxReadLength = 20_000;
/** From a longer list, half are taken from the beginning and half from the end, because clients choose one of these. */
const maxDomains = 4;
const domainAtStart = /^[ \t]{0,20}(?:[\p{L}\p{N}_-]{1,63}\.){0,20}[\p{L}\p{N}_-]{1,63}/u;

function findDomains(text: string): string[] {
  const cut = text.length > maxReadLength ? text.slice(0, maxReadLength / 2) + text.slice(-maxReadLength / 2) : text;
  if (!/[@\uff20]|=\?|\+AEA/i.test(cut)) return [];
  const found = new Set<string>();
  for (const form of new Set(toForms(cut))) for (const domain of domainsIn(form)) found.add(domain);
  const all = [...found];
  return all.length <= maxDomains ? all : [...all.slice(0, maxDomains / 2), ...all.slice(-maxDomains / 2)];
}

/** Decodes like clients that accept spaces in an encoded word, which RFC 2047 §2 forbids. */
function decodeKindly(text: string): string {
  const kind = text.replace(/=\?[^?\s]{1,80}\?[bq]\?[^?]*\?=/gi, (word) => word.replaceAll(" ", "_"));
  return decodeWords(kind);
}

function toForms(text: string): string[] {
  const decoded = decodeKindly(text);
  const forms = text.includes("=?") ? [text, decoded, decodeAnyhow(text)] : [text];
  const readable = /utf-?7/i.test(text) ? [...forms, ...forms.map(decodeUtf7)] : forms;
  return readable.flatMap((form) => {
    const plain = form.normalize("NFKC").replace(/[\0\p{Cf}]/gu, "");
    const bare = plain.includes("(") ? [plain, withoutComments(plain)] : [plain];
    return bare.flatMap((one) => [one, one.replace(/[ \t]{0,50}[.\u3002][ \t]{0,50}/g, ".")]);
  });
}

/** Accepts any charset and any ending, byte for byte. */
function decodeAnyhow(text: string): string {
  return text
    .replace(/=\?[^?\s]{1,80}\?b\?([a-z0-9+/=]{0,10000})(?:\?=)?/gi, (_, base64: string) =>
      Buffer.from(base64, "base64").toString("latin1"),
    )
    .replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** RFC 2152. */
function decodeUtf7(text: string): string {
  return text.replace(/\+([a-z0-9+/]{2,1000})-?/gi, (_, base64: string) => {
    const bytes = Buffer.from(base64, "base64");
    return bytes
      .subarray(0, bytes.length - (bytes.length % 2))
      .swap16()
      .toString("utf16le");
  });
}

/** Nested comments are removed from the innermost outward. */
function withoutComments(text: string): string {
  return text.replace(/\([^()]*\)/g, "").replace(/\([^()]*\)/g, "");
}

function domainsIn(form: string): string[] {
  const [, ...tails] = form.split("@");
  return tails.flatMap((tail) => {
    const [written = ""] = domainAtStart.exec(tail.slice(0, 400)) ?? [];
    const domain = written.includes(".") ? toAsciiDomain(written.trim()) : null;
    return domain === null ? [] : [domain];
  });
}
