// Finds encoded words that email clients can't or shouldn't decode (RFC 2047 §2, §5).

import { mimeBounds, toStorable, toStorableCut } from "../text/bounds.ts";
import { readCharset } from "../text/charsets.ts";
import { decodeCharset, decodeTransfer, decodeWords, hexValue } from "../text/decoding.ts";
import type { HeaderField } from "./fields.ts";

export type EncodedWordProblem =
  | "charset"
  | "encoding"
  | "space"
  | "too-long"
  | "damaged"
  /** A character begins in one word and ends in the next, or the bytes don't fit the charset. */
  | "split-character"
  | "unclosed";

export type EncodedWordFault = {
  readonly header: string;
  /** Offset of the field. */
  readonly offset: number;
  readonly word: string;
  readonly problem: EncodedWordProblem | null;
  /** Where encoded words aren't allowed. */
  readonly misplaced: "quoted-string" | "address" | "message-id" | null;
  /** Base64 of plain ASCII. */
  readonly needless: boolean;
};

const words = /=\?([^?\r\n]{0,100})\?([^?\r\n]{0,20})\?([^?]{0,4000})\?=/g;
const beginning = /=\?[\w.:*-]{1,60}\?[bq]\?/gi;
const longestWord = 75;
const addressFields = /^(from|sender|reply-to|to|cc|bcc|resent-(from|sender|to|cc|bcc))$/;
/** Fields that recipients or receivers read. Sending services put their own encoded data into other fields. */
const readFields =
  /^(?:(?:resent-)?(?:from|sender|reply-to|to|cc|bcc|message-id)|in-reply-to|references|subject|comments|keywords|organization|thread-topic|list-.*)$/;
const idFields = /^(resent-)?(message-id|in-reply-to|references)$/;

export function inspectEncodedWords(field: HeaderField): EncodedWordFault[] {
  const value = field.value.slice(0, mimeBounds.fieldBytes);
  if (!value.includes("=?") || !readFields.test(field.key)) return [];
  const whole = [...value.matchAll(words)];
  const faults = whole.flatMap(([word, charset = "", encoding = "", content = ""], at) => {
    const problem = problemOf(word, charset, encoding, content);
    const begin = whole[at]?.index ?? 0;
    const misplaced = misplacedIn(field.key, value, begin, begin + word.length);
    const needless = problem === null && isNeedless(encoding, content, charset);
    return problem || misplaced || needless ? [toFault(field, word, { problem, misplaced, needless })] : [];
  });
  const begun = [...value.matchAll(beginning)].length;
  const isUnclosed = begun > whole.length;
  const unclosed = { problem: "unclosed", misplaced: null, needless: false } as const;
  return isUnclosed ? [...faults, toFault(field, value.trim(), unclosed)] : faults;
}

function toFault(
  { name, offset }: HeaderField,
  word: string,
  found: Pick<EncodedWordFault, "problem" | "misplaced" | "needless">,
): EncodedWordFault {
  return { header: toStorableCut(name, 100), offset, word: toStorableCut(word, 200), ...found };
}

function problemOf(word: string, charset: string, encoding: string, content: string): EncodedWordProblem | null {
  // RFC 2231 §5: a language may follow.
  const [name = ""] = charset.split("*");
  const { isKnown, isDecodable } = readCharset(name);
  if (!isKnown || name === "") return "charset";
  if (!/^[bq]$/i.test(encoding)) return "encoding";
  if (/\s/.test(content)) return "space";
  if (isDamaged(encoding, content)) return "damaged";
  if (isDecodable && !fits(bytesOf(encoding, content), name)) return "split-character";
  return word.length > longestWord ? "too-long" : null;
}

function isDamaged(encoding: string, content: string): boolean {
  if (/^b$/i.test(encoding))
    return !/^[a-z0-9+/]*={0,2}$/i.test(content) || content.replace(/(?<!=)=+$/, "").length % 4 === 1;
  for (let at = content.indexOf("="); at >= 0; at = content.indexOf("=", at + 1))
    if (hexValue(content.charCodeAt(at + 1)) < 0 || hexValue(content.charCodeAt(at + 2)) < 0) return true;
  return false;
}

function bytesOf(encoding: string, content: string): Uint8Array {
  if (/^b$/i.test(encoding)) return Buffer.from(content, "base64");
  const bytes = Buffer.from(content.replaceAll("_", " "), "latin1");
  return decodeTransfer(bytes, "quoted-printable", bytes.length);
}

function fits(bytes: Uint8Array, charset: string): boolean {
  try {
    new TextDecoder(charset, { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

function isNeedless(encoding: string, content: string, charset: string): boolean {
  // Charsets that switch by escape sequences consist of ASCII bytes.
  if (!/^b$/i.test(encoding) || content === "" || /^(iso-2022|utf-7|utf-16|hz-)/i.test(charset)) return false;
  return /^[\t\x20-\x7e]*$/.test(Buffer.from(content, "base64").toString("latin1"));
}

function misplacedIn(key: string, value: string, at: number, end: number): EncodedWordFault["misplaced"] {
  if (idFields.test(key)) return "message-id";
  if (!addressFields.test(key)) return null;
  const before = value.slice(Math.max(0, at - longestLookBack), at);
  const quotes = before.replace(/\\[\s\S]/g, "").split('"').length - 1;
  if (quotes % 2 === 1) return "quoted-string";
  const isInBrackets = before.lastIndexOf("<") > before.lastIndexOf(">");
  return isInBrackets || value[at - 1] === "@" || value[end] === "@" ? "address" : null;
}

/** The opening quote is near. Searching further back at each word would be quadratic. */
const longestLookBack = 1_000;

// Decodes a header field's bytes to the text that a person reads.

const eightBit = /[\x80-\xff]/;
/** Begins an escape sequence of Japanese mail. */
const japaneseEscape = "\u001b$";

/** Unfolded. Raw bytes are read as UTF-8, or else as Windows-1252. Encoded words stay. Cut at the bound. */
export function unfoldedText({ value }: Pick<HeaderField, "value">): string {
  const bytes = value.slice(0, mimeBounds.fieldBytes);
  const text =
    eightBit.test(bytes) || bytes.includes(japaneseEscape)
      ? decodeCharset(Buffer.from(bytes, "latin1"), null, value.length > bytes.length)
      : bytes;
  return text.replace(/\r?\n(?=[ \t])/g, "").trim();
}

export function decodedText(field: Pick<HeaderField, "value">): string {
  return toStorable(decodeWords(unfoldedText(field)));
}
