// The words of a Received line, sorted under the keywords that they follow (RFC 5321 §4.4). Read loosely, because no
// two servers write the line alike and none is refused for it; one pass, because strangers choose its length.

type Clause = {
  readonly words: readonly string[];
  /** Without their outer brackets. */
  readonly comments: readonly string[];
};

export type Clauses = {
  /** The first of each keyword. Under "" what stands before any. */
  readonly get: (keyword: Keyword) => Clause;
  /** Of the whole line, in its order. */
  readonly comments: readonly string[];
  /** Behind the last semicolon; null without one. */
  readonly date: string | null;
};

/** Those of the standard, and what Exim (tls), Haraka and others write besides. */
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

/** A bracket or quote that nobody closes swallows the semicolon too. */
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
    // A client may greet as "by": what follows "from" at once is its name, whatever it is.
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

/** Comments nest; a backslash takes the next character's meaning. */
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
