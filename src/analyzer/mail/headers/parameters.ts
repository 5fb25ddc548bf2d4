// A header value with parameters: Content-Type and Content-Disposition (RFC 2045 §5.1, RFC 2183), with the
// continuations and charsets of RFC 2231. It reads what it can and records the form, because clients write all forms at
// once.

import { mimeBounds } from "../text/bounds.ts";
import { decodeCharset, decodeWords } from "../text/decoding.ts";

export type ParameterForm = "plain" | "rfc2047" | "rfc2231";

type Parameter = {
  /** Lower case, without the markers of RFC 2231. */
  readonly name: string;
  readonly form: ParameterForm;
  /** Decoded. */
  readonly value: string;
};

export type ParameterValue = {
  /** The text before the first semicolon, without comments. */
  readonly value: string;
  readonly parameters: readonly Parameter[];
};

type Piece = { name: string; index: number | null; isEncoded: boolean; text: string };

const maxParameters = 100;

/** `value` as read from the bytes, one character a byte. */
export function parseParameters(value: string): ParameterValue {
  const [beginning, ...rest] = splitAtSemicolons(value.slice(0, mimeBounds.parameterBytes));
  const pieces = rest.slice(0, maxParameters).flatMap((text) => toPiece(text) ?? []);
  const groups = Map.groupBy(pieces, ({ name, index, isEncoded }) =>
    index === null ? `${name} ${isEncoded ? "one" : "plain"}` : `${name} many`,
  );
  return { value: (beginning ?? "").trim(), parameters: [...groups.values()].flatMap(toParameters) };
}

/** The best form present: RFC 6266 §4.3 prefers that of RFC 2231, and so do email clients. */
export function parameterOf({ parameters }: ParameterValue, name: string): string | null {
  const found = parameters.filter((parameter) => parameter.name === name);
  return (found.find(({ form }) => form === "rfc2231") ?? found[0])?.value ?? null;
}

/** Semicolons in quoted strings are kept; comments are removed. */
function splitAtSemicolons(text: string): string[] {
  const pieces: string[] = [];
  let piece = "";
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\[\s\S])*"?|[();]|[^"();]+/g)) {
    if (token === ";") {
      pieces.push(piece);
      piece = "";
    } else piece += token;
  }
  pieces.push(piece);
  return pieces.map(withoutComments);
}

function withoutComments(text: string): string {
  if (!text.includes("(") || text.includes('"')) return text;
  let depth = 0;
  let kept = "";
  for (const character of text) {
    if (character === "(") depth++;
    else if (character === ")" && depth > 0) depth--;
    else if (depth === 0) kept += character;
  }
  // An unclosed parenthesis isn't a comment.
  return depth > 0 ? text : kept;
}

function toPiece(text: string): Piece | undefined {
  const equals = text.indexOf("=");
  if (equals < 0) return undefined;
  const marked = /^([^*\s]{1,100})(?:\*(\d{1,3}))?(\*)?$/.exec(text.slice(0, equals).trim().toLowerCase());
  const [, name, index, star] = marked ?? [];
  if (name === undefined) return undefined;
  return {
    name,
    index: index === undefined ? null : Number(index),
    isEncoded: star !== undefined,
    text: unquote(text.slice(equals + 1).trim()),
  };
}

function unquote(text: string): string {
  if (!text.startsWith('"')) return text;
  // Text after the closing quote has no defined meaning.
  const inner = /^"((?:[^"\\]|\\[\s\S])*)/.exec(text)?.[1] ?? "";
  return inner.replace(/\r?\n(?=[ \t])/g, "").replace(/\\([\s\S])/g, "$1");
}

function toParameters(pieces: readonly Piece[]): Parameter[] {
  const [first] = pieces;
  if (!first) return [];
  const { name } = first;
  if (first.index !== null || first.isEncoded) return [{ name, form: "rfc2231", value: joined(pieces) }];
  return pieces.map(({ text }) => {
    const value = decodeWords(fromBytes(text, null));
    return { name, form: /=\?[^?]+\?[bq]\?/i.test(text) ? "rfc2047" : "plain", value };
  });
}

/** RFC 2231 §4.1: only the first piece has charset and language. */
function joined(pieces: readonly Piece[]): string {
  const inOrder = pieces.toSorted((one, other) => (one.index ?? 0) - (other.index ?? 0));
  const [, charset, begun] = /^([\w.:+-]{0,40})'[\w-]{0,40}'([\s\S]*)$/.exec(inOrder[0]?.text ?? "") ?? [];
  const texts = inOrder.map(({ text, isEncoded }, at) => {
    const content = at === 0 && isEncoded && begun !== undefined ? begun : text;
    return isEncoded ? fromPercent(content) : content;
  });
  return fromBytes(texts.join(""), charset || null);
}

function fromPercent(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function fromBytes(text: string, charset: string | null): string {
  return decodeCharset(Buffer.from(text, "latin1"), charset);
}
