// Strictly parses the mailboxes of a From field: RFC 5322 §3.4 with groups (RFC 6854) and UTF-8 (RFC 6532). Email
// clients and libraries are lenient in different ways, and forgeries exploit the differences ("Composition Kills",
// USENIX Security 2020, §5). Of the obsolete syntax (§4.4) only dots in names are accepted: no routes, no empty list
// entries, nothing between the parts of an address. Two errors are accepted because much legitimate mail has them: an
// unquoted @ in a name, which author.ts judges, and a trailing dot after the domain.

export type Mailbox = {
  /** As written, quotes included. */
  readonly localPart: string;
  /** As written, with the brackets of an address literal, but without a trailing dot. */
  readonly domain: string;
};

type MailboxList =
  | { readonly ok: true; readonly mailboxes: readonly Mailbox[] }
  | { readonly ok: false; readonly problem: string };

type Kind = "atom" | "quoted" | "literal" | "special";
type Token = {
  readonly kind: Kind;
  readonly text: string;
  /** What comes before it. */
  readonly gap: "none" | "space" | "comment";
};

class Unreadable extends Error {}

/** The text must be unfolded and free of control characters. Runs in linear time. */
export function parseMailboxes(text: string): MailboxList {
  try {
    return { ok: true, mailboxes: readList(readTokens(text)) };
  } catch (error) {
    if (error instanceof Unreadable) return { ok: false, problem: error.message };
    throw error;
  }
}

const patterns: readonly (readonly [Kind, RegExp])[] = [
  ["atom", /[^ \t()<>@,;:\\".[\]]+/y],
  ["quoted", /"(?:[^"\\]|\\.)*"/sy],
  ["literal", /\[[^[\]\\]*\]/y],
  ["special", /[<>@,;:.]/y],
];

function readTokens(text: string): Token[] {
  const tokens: Token[] = [];
  let gap: Token["gap"] = "none";
  let at = 0;
  while (at < text.length) {
    if (text[at] === " " || text[at] === "\t") {
      if (gap === "none") gap = "space";
      at++;
    } else if (text[at] === "(") {
      gap = "comment";
      at = endOfComment(text, at);
    } else {
      const token = readToken(text, at, gap);
      tokens.push(token);
      at += token.text.length;
      gap = "none";
    }
  }
  return tokens;
}

function readToken(text: string, at: number, gap: Token["gap"]): Token {
  for (const [kind, pattern] of patterns) {
    pattern.lastIndex = at;
    const [match] = pattern.exec(text) ?? [];
    if (match !== undefined) return { kind, text: match, gap };
  }
  throw new Unreadable(text[at] === '"' ? "a quoted string is not closed" : `"${text[at]}" is outside quotation marks`);
}

/** Comments nest (§3.2.2). */
function endOfComment(text: string, begin: number): number {
  let depth = 0;
  for (let at = begin; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === "(") depth++;
    else if (text[at] === ")") depth--;
    if (depth === 0) return at + 1;
  }
  throw new Unreadable("a comment is not closed");
}

type Piece = { readonly tokens: readonly Token[]; readonly mark: "," | ":" | ";" | "" };

function readList(tokens: readonly Token[]): Mailbox[] {
  const pieces = cutAtMarks(tokens);
  const mailboxes: Mailbox[] = [];
  while (pieces.length > 0) {
    const { tokens: own = [], mark = "" } = pieces.shift() ?? {};
    if (mark === ":") mailboxes.push(...readGroup(own, pieces));
    else if (mark === ";") throw new Unreadable('";" is in the wrong place');
    else mailboxes.push(toMailbox(own));
  }
  return mailboxes;
}

/** Takes the group's members from the remaining pieces, and the comma after it. */
function readGroup(name: readonly Token[], rest: Piece[]): Mailbox[] {
  if (!isPhrase(name)) throw new Unreadable('":" is in the wrong place');
  const length = rest.findIndex(({ mark }) => mark !== ",") + 1;
  if (rest[length - 1]?.mark !== ";") throw new Unreadable("a group is not closed");
  const members = rest.splice(0, length).map(({ tokens }) => tokens);
  if (rest.shift()?.tokens.length !== 0) throw new Unreadable("there is text after a group");
  const isEmpty = members.length === 1 && members[0]?.length === 0;
  return isEmpty ? [] : members.map(toMailbox);
}

/** Splits at commas, colons and semicolons outside `< >`. The last piece ends with the text. */
function cutAtMarks(tokens: readonly Token[]): Piece[] {
  const pieces: Piece[] = [];
  let own: Token[] = [];
  let isInAngle = false;
  for (const token of tokens) {
    const { kind, text } = token;
    if (kind === "special" && (text === "<" || text === ">")) isInAngle = text === "<";
    if (kind === "special" && !isInAngle && (text === "," || text === ":" || text === ";")) {
      pieces.push({ tokens: own, mark: text });
      own = [];
    } else own.push(token);
  }
  return [...pieces, { tokens: own, mark: "" }];
}

function isPhrase(tokens: readonly Token[]): boolean {
  return (
    tokens.length > 0 &&
    tokens[0]?.text !== "." &&
    tokens.every(({ kind, text }) => kind === "atom" || kind === "quoted" || text === ".")
  );
}

/** `ann@a.example <ann@a.example>` and `Ann @ Acme <ann@a.example>`. The caller decides what the @ means. */
function isNameWithAt(tokens: readonly Token[]): boolean {
  const isAtom = (index: number) => tokens[index]?.kind === "atom";
  const isAt = (index: number) =>
    isAtom(index - 1) && isAtom(index + 1) && tokens[index]?.gap === tokens[index + 1]?.gap;
  return (
    isAtom(0) &&
    tokens.every(
      ({ text, gap }, index) => gap !== "comment" && (isAtom(index) || text === "." || (text === "@" && isAt(index))),
    )
  );
}

function toMailbox(tokens: readonly Token[]): Mailbox {
  if (tokens.length === 0) throw new Unreadable("the list has an empty entry");
  const open = tokens.findIndex(({ text }) => text === "<");
  if (open < 0) return toAddress(tokens);
  const name = tokens.slice(0, open);
  const isNamed = isPhrase(name) || (isNameWithAt(name) && tokens[open]?.gap !== "comment");
  if (open > 0 && !isNamed) throw new Unreadable("the name before < > must be in quotation marks");
  if (tokens.at(-1)?.text !== ">") throw new Unreadable("< is not closed, or there is text after >");
  if (tokens.at(-1)?.gap === "comment" || tokens[open + 1]?.gap === "comment")
    throw new Unreadable("there is a comment inside < >");
  return toAddress(tokens.slice(open + 1, -1));
}

function toAddress(tokens: readonly Token[]): Mailbox {
  const at = tokens.findIndex(({ text }) => text === "@");
  if (at < 0) throw new Unreadable("the @ is missing");
  const local = tokens.slice(0, at);
  const domain = withoutRoot(tokens.slice(at + 1));
  if (tokens.slice(1).some(({ gap }) => gap !== "none"))
    throw new Unreadable("there is a space or a comment inside the address");
  const isQuoted = local.length === 1 && local[0]?.kind === "quoted";
  if (!isQuoted && !isDotted(local)) throw new Unreadable("the text before @ is not a valid local part");
  const isLiteral = domain.length === 1 && domain[0]?.kind === "literal";
  if (!isLiteral && !isDotted(domain)) throw new Unreadable("the text after @ is not a domain");
  return { localPart: toText(local), domain: toText(domain) };
}

function withoutRoot(domain: readonly Token[]): readonly Token[] {
  return domain.at(-1)?.text === "." ? domain.slice(0, -1) : domain;
}

/** Atoms separated by single dots. */
function isDotted(tokens: readonly Token[]): boolean {
  return (
    tokens.length % 2 === 1 &&
    tokens.every(({ kind, text }, index) => (index % 2 === 0 ? kind === "atom" : text === "."))
  );
}

function toText(tokens: readonly Token[]): string {
  return tokens.map(({ text }) => text).join("");
}
