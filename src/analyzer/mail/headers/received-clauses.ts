// The words of a Received line, sorted under the keywords that they follow (RFC 5321 §4.4). Parsed loosely, because no
// two servers write the line alike. Parsed in one pass, because strangers choose its length.

import { toStorableCut } from "../text/bounds.ts";

type Clause = {
  readonly words: readonly string[];
  /** Without their outer brackets. */
  readonly comments: readonly string[];
};

export type Clauses = {
  /** The first clause with each keyword. "" has the text before any keyword. */
  readonly get: (keyword: Keyword) => Clause;
  /** The whole line's comments, in order. */
  readonly comments: readonly string[];
  /** The text after the last semicolon. Null without one. */
  readonly date: string | null;
};

/** The keywords of the standard, and those that Exim (tls), Haraka and others add. */
const keywords = ["", "from", "by", "via", "with", "id", "for", "envelope-from", "tls"] as const;
type Keyword = (typeof keywords)[number];

type Token = { readonly kind: "word" | "comment" | "semicolon"; readonly text: string; readonly end: number };

const nothing: Clause = { words: [], comments: [] };

export function readClauses(line: string): Clauses {
  const tokens = toTokens(line);
  const last = tokens.findLastIndex(({ kind }) => kind === "semicolon");
  const dateBegin = tokens[last]?.end ?? semicolonInside(line);
  const kept = last < 0 ? tokens : tokens.slice(0, last);
  const clauses = sortIntoClauses(kept);
  return {
    get: (keyword) => clauses.get(keyword) ?? nothing,
    comments: kept.flatMap(({ kind, text }) => (kind === "comment" ? [text] : [])),
    date: dateBegin === null ? null : line.slice(dateBegin),
  };
}

/** An unclosed bracket or quote swallows the semicolon too. */
function semicolonInside(line: string): number | null {
  const at = line.lastIndexOf(";");
  return at < 0 ? null : at + 1;
}

function sortIntoClauses(tokens: readonly Token[]): Map<Keyword, Clause> {
  type Open = { words: string[]; comments: string[] };
  const clauses = new Map<Keyword, Open>();
  let open: Open = { words: [], comments: [] };
  let takesAnyWord = false;
  clauses.set("", open);
  for (const { kind, text } of tokens) {
    if (kind === "comment") open.comments.push(text);
    // A client may greet as "by": the word right after "from" is its name, whatever it is.
    else if (kind === "word" && (takesAnyWord || !isKeyword(text))) open.words.push(text);
    else if (kind === "word") {
      const keyword = text.toLowerCase() as Keyword;
      open = { words: [], comments: [] };
      if (!clauses.has(keyword)) clauses.set(keyword, open);
      takesAnyWord = keyword === "from";
      continue;
    }
    takesAnyWord = false;
  }
  return clauses;
}

function isKeyword(word: string): boolean {
  return keywords.some((keyword) => keyword === word.toLowerCase());
}

function toTokens(line: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < line.length) {
    if (isSpace(line[at] ?? "")) at++;
    else {
      const token = readToken(line, at);
      tokens.push(token);
      at = token.end;
    }
  }
  return tokens;
}

function readToken(line: string, begin: number): Token {
  if (line[begin] === ";") return { kind: "semicolon", text: ";", end: begin + 1 };
  if (line[begin] !== "(") {
    const end = endOfWord(line, begin);
    return { kind: "word", text: line.slice(begin, end), end };
  }
  const end = endOfComment(line, begin);
  return { kind: "comment", text: line.slice(begin + 1, line[end - 1] === ")" ? end - 1 : end), end };
}

/** Comments nest; a backslash escapes the next character. */
function endOfComment(line: string, begin: number): number {
  let depth = 0;
  for (let at = begin; at < line.length; at++) {
    const character = line[at];
    if (character === "\\") at++;
    else if (character === "(") depth++;
    else if (character === ")") depth--;
    if (depth === 0) return at + 1;
  }
  return line.length;
}

function endOfWord(line: string, begin: number): number {
  let isQuoted = false;
  for (let at = begin; at < line.length; at++) {
    const character = line[at] ?? "";
    if (character === "\\" && isQuoted) at++;
    else if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (character === "(" || character === ";" || isSpace(character))) return at;
  }
  return line.length;
}

function isSpace(character: string): boolean {
  return character === " " || character === "\t" || character === "\r" || character === "\n";
}

// Whether a Received line says that the connection was encrypted: by its protocol word (RFC 3848, RFC 6531 §4.3), or by
// the remark of the server that wrote it.

export type StampTls = {
  readonly used: boolean;
  /** `TLSv1.3`. Null if the line says only "encrypted". */
  readonly version: string | null;
  readonly cipher: string | null;
};

const protocolWord = /^(?:e?smtp|utf8smtp|lmtp|utf8lmtp)(s?)a?$/i;

/** Null where the line doesn't say. */
export function readTls(clauses: Clauses): StampTls | null {
  const remark = clauses.comments.map(readRemark).find((read) => read !== null);
  const cipherBehind = clauses.get("tls").words[0];
  if (remark || cipherBehind !== undefined) {
    const cipher = remark?.cipher ?? cipherBehind;
    return { used: true, version: toVersion(remark?.version), cipher: toShown(cipher) };
  }
  const words = clauses.get("with").words;
  const word = words.at(-1) ?? "";
  if (/^https$/i.test(word)) return encrypted;
  const [, s] = protocolWord.exec(word) ?? [];
  if (s) return encrypted;
  // A line without a client is a transfer inside one machine, and "Microsoft SMTP Server" isn't a protocol word.
  const tellsPlain = s === "" && words.length === 1 && clauses.get("from").words.length > 0;
  return tellsPlain ? { used: false, version: null, cipher: null } : null;
}

const encrypted: StampTls = { used: true, version: null, cipher: null };

type Remark = { readonly version?: string | undefined; readonly cipher?: string | undefined };

/** The first group is the version, the second the cipher. Each has an example line. */
const remarks: readonly RegExp[] = [
  // Postfix: using TLSv1.3 with cipher TLS_AES_256_GCM_SHA384 (256/256 bits)
  /^using (TLS\S*|SSL\S*) with cipher (\S+)/i,
  // Google, Sendmail, Exchange: version=TLS1_3, cipher=TLS_AES_256_GCM_SHA384
  /^version=([^\s,;]+)[\s,;]+cipher=([^\s,;]+)/i,
  // Exim, OpenSMTPD: TLS1.3 · TLS1.2:ECDHE_RSA_AES_256_GCM_SHA384:256
  /^((?:TLS|SSL)v?\d[\w.]*)(?::([^\s:]+))?(?=$|[\s:])/i,
  // Courier: TLS: TLSv1.3,256bits,TLS_AES_256_GCM_SHA384
  /^TLS: ?([^\s,]+),\d+bits,(\S+)$/i,
  // Haraka: cipher=TLS_AES_256_GCM_SHA384
  /^()cipher=([^\s,;]+)/i,
  // qmail: ECDHE-RSA-AES256-GCM-SHA384 encrypted
  /^()(\S+) encrypted$/i,
  // Exchange 2010: TLS
  /^(TLS)$/,
];

function readRemark(comment: string): Remark | null {
  const text = comment.trim();
  for (const pattern of remarks) {
    const match = pattern.exec(text);
    if (match && !/^none$/i.test(match[2] ?? "")) return { version: match[1], cipher: match[2] };
  }
  return null;
}

/** Google writes TLS1_3, Exim TLS1.3, most others TLSv1.3. */
function toVersion(written: string | undefined): string | null {
  const [, kind, number] = /^(TLS|SSL)v?(\d[\d._]*)$/i.exec(written ?? "") ?? [];
  if (kind !== undefined) return `${kind.toUpperCase()}v${(number ?? "").replace("_", ".")}`;
  return written && !/^tls$/i.test(written) ? toShown(written) : null;
}

function toShown(text: string | undefined): string | null {
  return text ? toStorableCut(text, 100) : null;
}
