// Who wrote a message: the one author domain that DMARC judges (RFC 9989 §5.3.1), from the From field's own bytes.
// A message has an author only where no program, however forgiving, could show a domain other than the one that is
// judged; else a forger passes with his own domain and shows another ("Composition Kills", USENIX Security 2020, §5).
// So From is read strictly, and an address of a second domain anywhere in it is borne in one shape alone: a plain quoted
// name before the address, `"ann@a.example via B" <list@b.example>`, which RFC 9989 §11.4 leaves to other checks.

import { toAsciiDomain } from "./author-domain.ts";
import { fieldsNamed, type HeaderField, type HeaderSection } from "./header-fields.ts";
import { type Mailbox, parseMailboxes } from "./mailboxes.ts";
import { toStorableCut } from "./storable.ts";
import { decodeWords } from "./text-decoding.ts";

export type AuthorFault =
  /** No From field, or none that names an address: empty, or an empty group. */
  | "none"
  | "several-fields"
  | "several-domains"
  | "too-long"
  | "unreadable"
  /** It can be read, but not in one way alone. */
  | "ambiguous"
  /** An address literal, or a domain that DNS cannot hold. */
  | "no-domain";

export type Author =
  | {
      readonly ok: true;
      /** Of the first author, as written. */
      readonly address: string;
      /** In A-labels and lower case. */
      readonly domain: string;
      /** Several may share the domain; BIMI wants one. */
      readonly mailboxes: number;
    }
  | { readonly ok: false; readonly why: AuthorFault; readonly says: string };

/** Of one From field; the longest honest ones, lists of twenty authors with encoded names, take a quarter of it. */
const maxFromLength = 10_000;
const maxShownLength = 300;

export function readAuthor(section: HeaderSection): Author {
  const fields = fieldsNamed(section, "from");
  const [field] = fields;
  if (fields.length > 1)
    return fault("several-fields", `The message has ${fields.length} From fields; there must be one.`);
  const hidden = findHiddenFrom(section);
  if (hidden !== null) return fault("ambiguous", hidden);
  if (field === undefined) return fault("none", "The message has no From field.");
  if (/^from[ \t]/i.test(field.line))
    return fault(
      "ambiguous",
      "A space stands before the colon of From; some programs see no From field there.",
    );
  return readFrom(field);
}

/**
 * A line that some programs take for a From field: with a space, a fold or another byte about its name, or behind a
 * byte inside another field that they take for a line end.
 */
function findHiddenFrom({ fields, badLines }: HeaderSection): string | null {
  const isLikeFrom = (text: string) => /^from:/i.test(text.slice(0, 200).replace(/[^!-~]/g, ""));
  if (badLines.some(({ text }) => isLikeFrom(text)))
    return "A broken header line looks like a second From field; some programs will show it.";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const pattern = /[\0\v\f\r\x1c-\x1e][ \t]*from[ \t]*:/i;
  if (
    [...fields.map(({ line }) => line), ...badLines.map(({ text }) => text)].some((text) =>
      pattern.test(text),
    )
  )
    return "A From field is hidden inside another header line; some programs will show it.";
  return null;
}

function readFrom({ value }: HeaderField): Author {
  if (value.length > maxFromLength)
    return fault(
      "too-long",
      `The From field has ${value.length} bytes; over ${maxFromLength} it is not read.`,
    );
  const { text, isUtf8 } = toText(value);
  const trap = findTrap(text, isUtf8);
  if (trap !== null) return fault("ambiguous", `${trap}: ${show(text)}`);
  if (text.trim() === "") return fault("none", "The From field is empty.");
  const list = parseMailboxes(text);
  if (!list.ok)
    return fault("unreadable", `The From field cannot be read, because ${list.problem}: ${show(text)}`);
  const [first] = list.mailboxes;
  if (first === undefined) return fault("none", `The From field names no address: ${show(text)}`);
  if (!isUtf8 && list.mailboxes.some(({ localPart, domain }) => /[^ -~]/.test(localPart + domain)))
    return fault("unreadable", `The address holds bytes that are not UTF-8: ${show(text)}`);
  return toAuthor(first, list.mailboxes, text);
}

function toAuthor(first: Mailbox, mailboxes: readonly Mailbox[], text: string): Author {
  const domains = new Set(mailboxes.map(({ domain }) => toAsciiDomain(domain)));
  const [domain] = domains;
  if (domains.size > 1)
    return fault("several-domains", `The From field names authors of several domains: ${show(text)}`);
  if (domain === null || domain === undefined)
    return fault("no-domain", `What stands behind the @ is no domain that DNS can hold: ${show(text)}`);
  if (!mailboxes.every(({ localPart }) => isPlainLocalPart(localPart)))
    return fault("ambiguous", `Programs read what stands before the @ in different ways: ${show(text)}`);
  if (hasOtherAddress(text, domain) && !isPlainQuotedName(text))
    return fault("ambiguous", `A second address is hidden in the From field: ${show(text)}`);
  const address = toStorableCut(`${first.localPart}@${first.domain}`, maxShownLength);
  return { ok: true, address, domain, mailboxes: mailboxes.length };
}

/** What tears two readers apart before any grammar is asked; null when there is nothing of it. */
function findTrap(text: string, isUtf8: boolean): string | null {
  const decoded = decodeKindly(text);
  if (/[^\P{Cc}\t]/u.test(text) || /[^\P{Cc}\t]/u.test(decoded))
    return "The From field holds a control character, where some programs stop to read";
  // What these hide, a more forgiving decoder may see, and we would not.
  if (/=\?[^?]{0,80}\?[bq]\?/i.test(decoded) || /=\?[^?]{0,80}utf-?7/i.test(text))
    return "An encoded word in the From field cannot be decoded";
  // To a reader of GBK or Shift_JIS a backslash may be the second half of a character, and quote nothing.
  if (!isUtf8 && text.includes("\\")) return "From holds both a backslash and bytes that are not UTF-8";
  return null;
}

/** As programs do that bear spaces in an encoded word, which RFC 2047 §2 does not. */
function decodeKindly(text: string): string {
  const kind = text.replace(/=\?[^?\s]{1,80}\?[bq]\?[^?]*\?=/gi, (word) => word.replaceAll(" ", "_"));
  return decodeWords(kind);
}

/** In quotation marks too: nothing that is a delimiter anywhere, nor an encoded word, nor what cannot be seen. */
function isPlainLocalPart(localPart: string): boolean {
  const bare = localPart.startsWith('"') ? localPart.slice(1, -1) : localPart;
  const isDelimited = /[<>()@,;:\\"[\]]|=\?|\?=/.test(bare.normalize("NFKC"));
  return !isDelimited && !/[\p{C}\p{Zl}\p{Zp}]/u.test(bare);
}

/** `Ann @ Acme <ann@a.example>`, `Ann (@ann) <list@a.example>`: with no dot behind it, no reader can make a domain of it. */
const loneAt = /[ \t](?:@[ \t]?(?=[^.\u3002@<>"()?]*<)|\(@(?=[\w-]{1,60}\)[ \t]*<))/;

/** An @ of any width, in a name, a comment or an encoded word, with anything but the domain behind it. */
function hasOtherAddress(text: string, domain: string): boolean {
  return [text, decodeKindly(text)].some((form) => {
    const [, ...tails] = form.normalize("NFKC").replace(loneAt, " ").split("@");
    return tails.some((tail) => {
      const [name = ""] = /^[^\s<>()@,;:\\"[\]]*/.exec(tail) ?? [];
      return toAsciiDomain(name.replace(/\.$/, "")) !== domain;
    });
  });
}

/** In round brackets a handle alone, with nothing before its @. */
function isPlainQuotedName(text: string): boolean {
  const shape = /^[ \t]*"(?:[^"<>,;:\\()]|\(@?[^"<>,;:\\()@]*\))*"[ \t]*<[^"<>()\\@]+@[^"<>()\\@]+>[ \t]*$/;
  return shape.test(text) && !text.includes("=?");
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Unfolded (RFC 5322 §2.2.3), and UTF-8 where it is that (RFC 6532). */
function toText(value: string): { text: string; isUtf8: boolean } {
  const unfolded = value.replace(/\r?\n(?=[ \t])/g, "");
  try {
    return { text: utf8.decode(Buffer.from(unfolded, "latin1")), isUtf8: true };
  } catch {
    return { text: unfolded, isUtf8: false };
  }
}

function fault(why: AuthorFault, says: string): Author {
  return { ok: false, why, says };
}

function show(text: string): string {
  return toStorableCut(text.trim(), maxShownLength);
}
