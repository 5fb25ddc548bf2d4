import { hasOwnSession } from "../../mail/session/doors.ts";
import { toStorableCut } from "../../mail/text/bounds.ts";
import { defineCheck, notApplicable, type Raised, skipped } from "../check.ts";
import { namesForeignBrand } from "../impersonation/judge-name.ts";
import { maxTold } from "./header-lines.ts";

export const header8Bit = defineCheck({
  id: "header-8bit",
  helpPage: "fix-headers",
  label: "Header encoding",
  owner: "email-service",
  asks: "whether headers are plain ASCII",
  why: "Without SMTPUTF8, raw 8-bit text in headers is rejected or garbled.",
  refs: ["RFC 5322 §2.2", "RFC 6532"],
  needs: ["raw"],
  wants: ["session"],
  passes: "All headers are plain ASCII.",
  findings: {
    raw: {
      severity: "major",
      title: "Unencoded text in headers",
      says: "The {header} header has unencoded non-ASCII text.",
      fix: "Encode the header as specified in RFC 2047[[: `{header}: {encoded}`]].",
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
    // A file doesn't show how the message was sent.
    if (!hasOwnSession(session.value)) return skipped("no-session");
    if (session.value.smtpUtf8) return notApplicable("The session used SMTPUTF8, which allows UTF-8 in headers.");
    return eightBitHeaders.slice(0, maxTold).map((field): Raised<"raw"> => {
      const { value, line, offset } = field;
      const name = toStorableCut(field.name, 100);
      const evidence = { line, offset, value, headersInAll: counts.eightBitHeaders };
      return { finding: "raw", data: { header: name, encoded: toEncoded(name, value) }, subject: name, evidence };
    });
  },
});

/** Null for a value that was cut, because only its beginning could be encoded, and for an imitation. */
function toEncoded(name: string, value: string): string | null {
  const [, shown = "", address = ""] = /^([^<>]*)<([^<>]*)>/.exec(value) ?? [];
  return value.endsWith("…") || namesForeignBrand(shown, address) ? null : encodeHeader(name.toLowerCase(), value);
}

// Encodes a header value as in RFC 2047, to paste in place of raw 8-bit text.

const beyondAscii = /[^ -~\t]/;
const addressFields = /^(?:from|sender|reply-to|to|cc|bcc|resent-(?:from|sender|to|cc|bcc))$/;
const textFields = /^(?:subject|comments|thread-topic|organization|x-.*)$/;

/** Null where encoded words are not allowed, as in an address or a parameter, and for unknown headers. */
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

/** Encodes from the first word that needs it to the last, because spaces between encoded words are lost (RFC 2047 §6.2). */
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

/** Never splits a character. */
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

/** Follows the strictest rule, the one for names (RFC 2047 §5). */
function encodeCharacter(character: string): string {
  if (character === " ") return "_";
  if (/[a-z0-9!*+/-]/i.test(character)) return character;
  return [...Buffer.from(character)].map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, "0")}`).join("");
}
