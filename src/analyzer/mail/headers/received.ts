// Parses a Received line: which client connected, which server accepted the message, how and when. Lines can be
// forged, and nothing is verified here. test/analyzer/mail/headers/received-samples.ts has the formats of the
// servers in use.

import { isSendingAddress, toPlainAddress, whyNotPublic } from "../../addresses.ts";
import { toStorableCut } from "../text/bounds.ts";
import { parseMailDate } from "./date.ts";
import { type Clauses, readClauses, readTls, type StampTls } from "./received-clauses.ts";

export type StampWarning =
  /** Only the beginning of the line is read, because it is too long. */
  | "cut"
  | "no-date"
  | "date-unreadable"
  /** Its time zone has a name that isn't defined. */
  | "zone-unknown";

/** The kind of the client's address. Null without one. */
type Reach = "public" | "private" | "local";

export type ReceivedStamp = {
  /** The client, under the name that the line puts first. */
  readonly from: string | null;
  /** The client's HELO name. */
  readonly helo: string | null;
  /** Its reverse DNS name, as the writer saw it. */
  readonly name: string | null;
  readonly ip: string | null;
  readonly reach: Reach | null;
  readonly by: string | null;
  readonly with: string | null;
  readonly tls: StampTls | null;
  readonly id: string | null;
  readonly for: string | null;
  readonly at: number | null;
  readonly warnings: readonly StampWarning[];
};

/** Real ones have a few hundred bytes. */
export const maxStampLength = 10_240;
const maxWordLength = 255;
/** Exim and the IP-literal forms have the address within the first words of a comment. */
const maxWordsRead = 10;
const maxCommentsRead = 20;

/** `value` is the text after the colon, one character a byte. */
export function parseReceived(value: string): ReceivedStamp {
  const isCut = value.length > maxStampLength;
  const line = Buffer.from(value.slice(0, maxStampLength), "latin1").toString("utf8");
  const clauses = readClauses(line);
  const { at, warning } = readDate(clauses.date);
  const client = readClient(clauses);
  return {
    ...client,
    reach: client.ip === null ? null : reachOf(client.ip),
    by: toShown(clauses.get("by").words[0]),
    with: toShown(clauses.get("with").words.join(" ")),
    tls: readTls(clauses),
    id: toShown(withoutBrackets(clauses.get("id").words[0])),
    for: toShown(withoutBrackets(clauses.get("for").words[0])),
    at,
    warnings: [...(isCut ? (["cut"] as const) : []), ...(warning ? [warning] : [])],
  };
}

export function reachOf(ip: string): Reach {
  if (isSendingAddress(ip)) return "public";
  return whyNotPublic(ip) === "loopback" ? "local" : "private";
}

function readDate(text: string | null): { at: number | null; warning: StampWarning | null } {
  if (text === null || text.trim() === "") return { at: null, warning: "no-date" };
  const reading = parseMailDate(text);
  if (!reading.ok) return { at: null, warning: "date-unreadable" };
  return reading.date.zoneIsGuess ? { at: null, warning: "zone-unknown" } : { at: reading.date.at, warning: null };
}

type Client = Pick<ReceivedStamp, "from" | "helo" | "name" | "ip">;

/**
 * The HELO name comes first (RFC 5321 §4.4) and the reverse DNS name is in the comment. Exim and qmail swap them and
 * mark the former with `helo=` or HELO.
 */
function readClient(clauses: Clauses): Client {
  const { words, comments } = clauses.get("from");
  const word = withoutBrackets(words[0]) ?? null;
  const read = comments.slice(0, maxCommentsRead).map(readClientComment);
  const connection = read.find(({ ip }) => ip !== null);
  const marked = read.find(({ helo }) => helo !== null)?.helo ?? null;
  const ip = connection?.ip ?? addressIn(word ?? "");
  const name = marked === null ? (connection?.name ?? null) : word;
  return {
    from: toShown(marked !== null && !isName(word) ? marked : word),
    helo: toShown(marked ?? (ip === null ? null : word)),
    name: isName(name) ? toShown(name) : null,
    ip,
  };
}

function isName(word: string | null): boolean {
  return word !== null && word.toLowerCase() !== "unknown" && addressIn(word) === null;
}

type ClientComment = { readonly helo: string | null; readonly name: string | null; readonly ip: string | null };

function readClientComment(comment: string): ClientComment {
  const words = comment.trim().split(/\s+/, maxWordsRead);
  const [first = "", second] = words;
  if (/^(?:helo|ehlo)$/i.test(first)) return { helo: second ?? null, name: null, ip: null };
  const marked = words.find((word) => /^helo=/i.test(word));
  const ip = words.map((word) => addressIn(withoutLogin(word))).find((address) => address !== null) ?? null;
  const leading = withoutLogin(first);
  const isHostName = words.length > 1 && /^[^=[\]:]+$/.test(leading);
  return { helo: marked?.slice("helo=".length) ?? null, name: isHostName ? leading : null, ip };
}

/** `login@host`, as ident reported it. */
function withoutLogin(word: string): string {
  return word.slice(word.lastIndexOf("@") + 1);
}

/** A cheap test before the exact one, which would cost more per word than everything else. */
const addressShape = /^[\da-f]{0,4}[.:][\da-f.:]{1,40}(?:%\w{1,20})?$/i;

/** `[192.0.2.1]`, `[IPv6:2001:db8::1]`, `[192.0.2.1]:2525`, `192.0.2.1:2525`, `2001:db8::1`. */
function addressIn(word: string): string | null {
  if (word.length > 100) return null;
  const [, inside] = /^\[(?:ipv6:)?([^[\]]+)\](?::\d{1,5})?$/i.exec(word) ?? [];
  const bare = inside ?? word.replace(/^([\d.]{7,15}):\d{1,5}$/, "$1");
  return addressShape.test(bare) ? (toPlainAddress(bare) ?? null) : null;
}

function withoutBrackets(word: string | undefined): string | undefined {
  const [, inside] = /^<([^<>]*)>$/.exec(word ?? "") ?? [];
  return inside ?? word;
}

function toShown(text: string | null | undefined): string | null {
  return text ? toStorableCut(text, maxWordLength) : null;
}
