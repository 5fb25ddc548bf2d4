import { toStorableCut } from "../../mail/text/bounds.ts";
import { defineCheck, notApplicable, type Raised, skipped } from "../check.ts";
import { maxTold } from "./header-lines.ts";

export const header8Bit = defineCheck({
  id: "header-8bit",
  area: "format",
  label: "Header encoding",
  owner: "email-service",
  asks: "whether headers are pure ASCII",
  why: "Raw 8-bit text in headers is refused or shown as rubbish, unless the session agreed on SMTPUTF8.",
  refs: ["RFC 5322 §2.2", "RFC 6532"],
  needs: ["raw"],
  wants: ["session"],
  kinds: "all",
  domain: "no",
  passes: "Headers are pure ASCII.",
  findings: {
    raw: {
      severity: "major",
      cost: 18,
      title: "Unencoded text in headers",
      says: "{header} holds unencoded text.",
      fix: "Encode it by RFC 2047[[: `{header}: {encoded}`]].",
      gates: [
        { provider: "gmail", sender: "any", reply: "550 5.7.1" },
        { provider: "yahoo", sender: "any", reply: "554" },
      ],
    },
  },
  run({ raw, session }) {
    const { eightBitHeaders, counts } = raw;
    if (eightBitHeaders.length === 0) return [];
    if (!session.known) return skipped(session.why);
    // A file does not tell how it was sent.
    if (session.value.source !== "smtp") return skipped("no-session");
    if (session.value.smtpUtf8) return notApplicable("The session agreed on UTF-8 in headers (SMTPUTF8).");
    return eightBitHeaders.slice(0, maxTold).map((field): Raised<"raw"> => {
      const { value, line, offset } = field;
      const name = toStorableCut(field.name, 100);
      const evidence = { line, offset, value, headersInAll: counts.eightBitHeaders };
      return {
        finding: "raw",
        data: { header: name, encoded: toEncoded(name, value) },
        subject: name,
        evidence,
      };
    });
  },
});

/** Of a value that was cut only the beginning could be given. */
function toEncoded(name: string, value: string): string | null {
  return value.endsWith("…") ? null : encodeHeader(name.toLowerCase(), value);
}

// A header value as RFC 2047 writes it, to be pasted in place of raw 8-bit text.

const beyondAscii = /[^ -~\t]/;
const addressFields = /^(?:from|sender|reply-to|to|cc|bcc|resent-(?:from|sender|to|cc|bcc))$/;
const textFields = /^(?:subject|comments|thread-topic|organization|x-.*)$/;

/** Null where an encoded word may not stand, or nobody can say where: in an address, in a parameter. */
function encodeHeader(key: string, value: string): string | null {
  if (textFields.test(key)) return encodeSpan(value);
  return addressFields.test(key) ? encodeNames(value) : null;
}

function encodeNames(value: string): string | null {
  const pieces = value.match(/"[^"]*"?|[^"<>(),;:]+|[<>(),;:]/g) ?? [];
  if (pieces.some((piece) => beyondAscii.test(piece) && piece.includes("@"))) return null;
  return pieces
    .map((piece) => {
      if (!beyondAscii.test(piece)) return piece;
      if (piece.startsWith('"')) return encodeWords(piece.replaceAll('"', ""));
      const [before = "", behind = ""] = [/^\s*/.exec(piece)?.[0], /\s$/.exec(piece)?.[0]];
      return `${before}${encodeSpan(piece.trim())}${behind}`;
    })
    .join("");
}

/** From the first word that needs it to the last: spaces between encoded words are lost (RFC 2047 §6.2). */
function encodeSpan(text: string): string {
  const words = text.split(" ");
  const first = words.findIndex((word) => beyondAscii.test(word));
  if (first < 0) return text;
  const end = words.findLastIndex((word) => beyondAscii.test(word)) + 1;
  const span = encodeWords(words.slice(first, end).join(" "));
  return [...words.slice(0, first), span, ...words.slice(end)].join(" ");
}

const opening = "=?utf-8?Q?";
const closing = "?=";
/** RFC 2047 §2. */
const maxWordLength = 75;

/** No character is cut in two. */
function encodeWords(text: string): string {
  const contents: string[] = [""];
  for (const character of text) {
    const encoded = encodeCharacter(character);
    const content = contents.at(-1) ?? "";
    const fits = opening.length + content.length + encoded.length + closing.length <= maxWordLength;
    if (fits) contents[contents.length - 1] = content + encoded;
    else contents.push(encoded);
  }
  return contents.map((content) => `${opening}${content}${closing}`).join(" ");
}

/** By the strictest of the rules, that of names (RFC 2047 §5). */
function encodeCharacter(character: string): string {
  if (character === " ") return "_";
  if (/[a-z0-9!*+/-]/i.test(character)) return character;
  return [...Buffer.from(character)]
    .map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, "0")}`)
    .join("");
}
