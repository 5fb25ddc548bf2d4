// Address headers: the mailboxes that From, To and similar headers name (RFC 5322 §3.4, §4.4). Parsed by the standard's
// tokens, because lenient parsers find addresses in quoted names, and the author must not depend on the parser. Text
// that doesn't fit is kept as written, with its problem.

import { mimeBounds, toStorableCut } from "../text/bounds.ts";
import { decodeWords } from "../text/decoding.ts";

type MailboxProblem = "no-at" | "empty" | "characters" | "encoded-word" | "unclosed";

type Mailbox = {
  /** The display name, decoded. Null if there is none. */
  readonly name: string | null;
  /** As written, without brackets and surrounding white space. */
  readonly address: string;
  /** The text before and after the last @. Null without an @. */
  readonly local: string | null;
  readonly domain: string | null;
  readonly problem: MailboxProblem | null;
};

export type Mailboxes = {
  readonly list: readonly Mailbox[];
  /** The full number, even though the list is bounded. */
  readonly count: number;
  /** Names of groups, like `undisclosed-recipients`. */
  readonly groups: readonly string[];
};

export const noMailboxes: Mailboxes = { list: [], count: 0, groups: [] };

type Token = { readonly kind: "quoted" | "comment" | "bracket" | "text" | "mark"; readonly text: string };

const tokens = /"(?:[^"\\]|\\[\s\S])*"?|<[^<>]*>|[,;:]|\([^()]*\)|[^\s",;:<>()]+|\s+|[\s\S]/g;

/** `value` is decoded to characters. Its encoded words are not decoded yet, because they may stand for commas. */
export function parseMailboxes(value: string): Mailboxes {
  const list: Mailbox[] = [];
  const groups: string[] = [];
  let count = 0;
  let pending: Token[] = [];
  const flush = () => {
    const mailbox = toMailbox(pending);
    pending = [];
    if (!mailbox) return;
    count++;
    if (list.length < mimeBounds.mailboxes) list.push(mailbox);
  };
  for (const token of tokenise(value)) {
    if (token.kind !== "mark") pending.push(token);
    else if (token.text === ":" && isGroupName(pending)) {
      if (groups.length < mimeBounds.mailboxes) groups.push(nameOf(pending) ?? "");
      pending = [];
    } else if (token.text === ":") pending.push({ kind: "text", text: ":" });
    else flush();
  }
  flush();
  return { list, count, groups };
}

function* tokenise(value: string): Generator<Token> {
  for (const [text] of value.matchAll(tokens)) {
    if (text.startsWith('"') && text.endsWith('"') && text.length > 1) yield { kind: "quoted", text };
    else if (text.startsWith("<") && text.length > 1) yield { kind: "bracket", text };
    else if (text.startsWith("(") && text.length > 1) yield { kind: "comment", text };
    else if (text === "," || text === ";" || text === ":") yield { kind: "mark", text };
    else yield { kind: "text", text };
  }
}

/** A phrase without an address. */
function isGroupName(pending: readonly Token[]): boolean {
  const words = pending.filter(({ kind, text }) => kind !== "comment" && text.trim() !== "");
  return words.length > 0 && words.every(({ kind, text }) => kind === "quoted" || !/[@<>[\]]/.test(text));
}

function toMailbox(pending: readonly Token[]): Mailbox | undefined {
  const bracket = pending.findLastIndex(({ kind }) => kind === "bracket");
  if (bracket >= 0) {
    const name = nameOf(pending.slice(0, bracket)) ?? commentOf(pending.slice(bracket));
    return withProblem(name, withoutRoute((pending[bracket]?.text ?? "").slice(1, -1).trim()));
  }
  const address = pending
    .filter(({ kind }) => kind !== "comment")
    .map(({ text }) => text)
    .join("")
    .trim();
  if (address === "") return undefined;
  return withProblem(commentOf(pending), address.replace(/\s{0,100}@\s{0,100}/g, "@"));
}

/** RFC 5322 §4.4: `<@relay.example:ann@example.com>`. */
function withoutRoute(address: string): string {
  return address.startsWith("@") && address.includes(":") ? address.slice(address.indexOf(":") + 1) : address;
}

const maxNameLength = 1_000;
const maxAddressLength = 1_000;

function withProblem(name: string | null, written: string): Mailbox {
  const address = toStorableCut(written, maxAddressLength);
  const at = address.lastIndexOf("@");
  const local = at < 0 ? null : address.slice(0, at);
  const domain = at < 0 ? null : address.slice(at + 1);
  return { name, address, local, domain, problem: problemOf(address, local, domain) };
}

const atom = String.raw`[^\s\p{Cc}"(),:;<>@[\]\\]+`;
const localPattern = new RegExp(String.raw`^(?:${atom}|"(?:[^"\\\p{Cc}]|\\[^\p{Cc}])*")$`, "u");
const domainPattern = /^(?:[\p{L}\p{N}\p{M}_-]+(?:\.[\p{L}\p{N}\p{M}_-]+)*\.?|\[[\w.:]{2,60}\])$/u;

function problemOf(address: string, local: string | null, domain: string | null): MailboxProblem | null {
  if (address === "") return "empty";
  if (/=\?[^?\s]{1,60}\?[bq]\?/i.test(address)) return "encoded-word";
  if (/[<>]/.test(address)) return "unclosed";
  if (local === null || domain === null) return "no-at";
  if (local === "" || domain === "") return "empty";
  if (!localPattern.test(local) || /^\.|\.\.|\.$/.test(local.startsWith('"') ? "" : local)) return "characters";
  return domainPattern.test(domain) ? null : "characters";
}

function nameOf(pending: readonly Token[]): string | null {
  const written = pending
    .filter(({ kind }) => kind !== "comment")
    .map(({ kind, text }) => (kind === "quoted" ? text.slice(1, -1).replace(/\\([\s\S])/g, "$1") : text))
    .join("");
  return shown(written);
}

/** RFC 5322 §3.4: the display name used to be a comment. */
function commentOf(pending: readonly Token[]): string | null {
  return shown(pending.find(({ kind }) => kind === "comment")?.text.slice(1, -1) ?? "");
}

function shown(written: string): string | null {
  const name = decodeWords(written).replace(/\s+/g, " ").trim();
  return name === "" ? null : toStorableCut(name, maxNameLength);
}
