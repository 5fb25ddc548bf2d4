// The part of the zone file format (RFC 1035 §5) that people write by hand. Without $ORIGIN a name is complete with or
// without a trailing dot, because someone who types "example.com TXT …" means exactly that.

import { isIPv4, isIPv6 } from "node:net";
import { type DnsRecord, toQuestionName } from "./answer.ts";
import { toTextParts, toZoneRecord, type ValueOf, type Zone } from "./zone.ts";

export type ZoneFile =
  | { readonly ok: true; readonly zone: Zone }
  | { readonly ok: false; readonly line: number; readonly problem: string };

type Value = string | number | readonly string[] | { readonly [field: string]: Value };
type ToName = (word: string) => string | undefined;
type Field = {
  readonly takes: string;
  readonly read: (word: string, toName: ToName) => Value | undefined;
  /** Takes the rest of the entry, which may be written in groups. */
  readonly spansRest?: boolean;
};

const name: Field = { takes: "a name", read: (word, toName) => toName(word) };
const text: Field = { takes: "a text", read: toText };
const seconds: Field = { takes: "a time like 3600 or 1h", read: toSeconds };
const ipv4: Field = { takes: "an IPv4 address", read: (word) => (isIPv4(word) ? word : undefined) };
const ipv6: Field = { takes: "an IPv6 address", read: (word) => (isIPv6(word) ? word : undefined) };
const hex: Field = {
  takes: "hexadecimal digits",
  read: (word) => (/^([0-9a-f]{2})+$/i.test(word) ? word.toLowerCase() : undefined),
  spansRest: true,
};
const byte = toNumberField(0xff);
const short = toNumberField(0xffff);
const long = toNumberField(0xffffffff);

/** The fields of each type in the order in which they are written. */
const grammars = {
  A: { address: ipv4 },
  AAAA: { address: ipv6 },
  CNAME: { target: name },
  NS: { target: name },
  PTR: { target: name },
  MX: { preference: short, exchange: name },
  SOA: {
    primary: name,
    mailbox: text,
    serial: long,
    refresh: seconds,
    retry: seconds,
    expire: seconds,
    minimum: seconds,
  },
  TLSA: { usage: byte, selector: byte, matchingType: byte, certificate: hex },
  CAA: { flags: byte, tag: text, value: text },
  DS: { keyTag: short, algorithm: byte, digestType: byte, digest: hex },
  SRV: { priority: short, weight: short, port: short, target: name },
} as const satisfies Record<string, Readonly<Record<string, Field>>>;

const maxCharacters = 4 * 1024 * 1024;

export function parseZone(source: string): ZoneFile {
  if (source.length > maxCharacters) return { ok: false, line: 1, problem: "The zone is larger than 4 MB." };
  const split = splitZone(source.replace(/^\ufeff/, ""));
  if (!split.ok) return split;
  const open: OpenZone = { records: new Map(), ttls: new Map() };
  for (const entry of split.entries) {
    const problem = entry.words[0]?.startsWith("$") ? readDirective(open, entry) : readRecord(open, entry);
    if (problem !== null) return { ok: false, line: entry.line, problem };
  }
  return { ok: true, zone: toZone(open) };
}

/** State that earlier lines leave for the next. */
type OpenZone = {
  readonly records: Map<string, Record<string, Value[]>>;
  /** The shortest TTL of each name. */
  readonly ttls: Map<string, number>;
  origin?: string;
  ttlSeconds?: number;
  owner?: string;
};

function readDirective(open: OpenZone, { words: [directive = "", value, ...rest] }: ZoneEntryText): string | null {
  if (value === undefined || rest.length > 0) return `${quote(directive)} needs exactly one value.`;
  if (directive === "$ORIGIN") {
    const origin = toFullName(open, value);
    if (origin === undefined) return `${quote(value)} is not a name.`;
    open.origin = origin;
    return null;
  }
  if (directive !== "$TTL") return `${quote(directive)} is not supported. Only $ORIGIN and $TTL are.`;
  const ttlSeconds = toSeconds(value);
  if (ttlSeconds === undefined) return `$TTL must be ${seconds.takes}, not ${quote(value)}.`;
  open.ttlSeconds = ttlSeconds;
  return null;
}

/** `[name] [TTL] [IN] type fields…`, with TTL and class in either order. */
function readRecord(open: OpenZone, { words, beginsBlank }: ZoneEntryText): string | null {
  const [first = ""] = words;
  const owner = beginsBlank ? open.owner : toFullName(open, first);
  if (owner === undefined) return beginsBlank ? "The first record has no name." : `${quote(first)} is not a name.`;
  open.owner = owner;
  const rest = [...(beginsBlank ? words : words.slice(1))];
  let ttlSeconds = open.ttlSeconds;
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const type = word.toUpperCase();
    if (type === "TXT" || isGrammar(type)) return keep(open, { owner, type, ttlSeconds, words: rest });
    const seconds = toSeconds(word);
    if (seconds === undefined && type !== "IN") return `${quote(word)} is not a supported record type.`;
    ttlSeconds = seconds ?? ttlSeconds;
  }
  return `The record for ${owner} has no type.`;
}

export type WrittenType = "TXT" | keyof typeof grammars;

/**
 * One value as written after its type, with full names. A text that does not begin with a quotation mark is taken as it is,
 * including spaces and semicolons, because that is how people paste it.
 */
export function parseRecord<T extends WrittenType>(type: T, written: string): ParsedRecord {
  const asItStands = type === "TXT" && !/^\s*["(]/.test(written);
  const split = asItStands ? null : splitZone(written);
  if (split?.ok === false) return split;
  const words = split === null ? [written] : split.entries.flatMap((entry) => entry.words);
  if (split !== null && split.entries.length > 1) return { ok: false, problem: "A value must be one record." };
  const value = isGrammar(type) ? readFields({}, type, words) : readTexts(words);
  if ("problem" in value) return { ok: false, problem: value.problem };
  // The grammars define the shape of each value, which the compiler cannot follow.
  return { ok: true, record: toZoneRecord(type, value.read as ValueOf[T]) };
}

export type ParsedRecord =
  | { readonly ok: true; readonly record: DnsRecord }
  | { readonly ok: false; readonly problem: string };

type RecordText = {
  readonly owner: string;
  readonly type: string;
  readonly ttlSeconds: number | undefined;
  readonly words: readonly string[];
};

function keep(open: OpenZone, { owner, type, ttlSeconds, words }: RecordText): string | null {
  const value = isGrammar(type) ? readFields(open, type, words) : readTexts(words);
  if ("problem" in value) return value.problem;
  const held = open.records.get(owner) ?? {};
  held[type] ??= [];
  held[type].push(value.read);
  open.records.set(owner, held);
  if (ttlSeconds !== undefined) open.ttls.set(owner, Math.min(ttlSeconds, open.ttls.get(owner) ?? ttlSeconds));
  return null;
}

type Origin = Pick<OpenZone, "origin">;
type ReadValue = { readonly read: Value } | { readonly problem: string };

function readFields(open: Origin, type: keyof typeof grammars, words: readonly string[]): ReadValue {
  const fields = Object.entries<Field>(grammars[type]);
  const given = joinRest(words, fields);
  const values: Record<string, Value> = {};
  for (const [index, [label, field]] of fields.entries()) {
    const word = given[index];
    const value = word === undefined ? undefined : field.read(word, (text) => toFullName(open, text));
    if (value === undefined) {
      const found = word === undefined ? "nothing" : quote(word);
      return { problem: `The ${label} of the ${type} record must be ${field.takes}, not ${found}.` };
    }
    values[label] = value;
  }
  if (given.length > fields.length)
    return { problem: `The ${type} record ends before ${quote(given[fields.length] ?? "")}.` };
  const [only] = Object.values(values);
  return { read: fields.length === 1 && only !== undefined ? only : values };
}

function joinRest(words: readonly string[], fields: readonly [string, Field][]): readonly string[] {
  const last = fields.length - 1;
  if (!fields[last]?.[1].spansRest || words.length <= last) return words;
  return [...words.slice(0, last), words.slice(last).join("")];
}

/** A text of more than 255 bytes is split, as DNS providers do. */
function readTexts(words: readonly string[]): ReadValue {
  const parts = words.flatMap((word) => toTextParts(toText(word)));
  return parts.length > 0 ? { read: parts } : { problem: "The TXT record needs at least one string." };
}

/** Safe for a terminal, and short. */
function quote(word: string): string {
  return JSON.stringify(word.slice(0, 80));
}

function isGrammar(type: string): type is keyof typeof grammars {
  return Object.hasOwn(grammars, type);
}

function toFullName({ origin }: Origin, word: string): string | undefined {
  if (word === "@") return origin;
  const isWhole = word.endsWith(".") || origin === undefined;
  return toQuestionName(isWhole ? word : origin === "." ? word : `${word}.${origin}`) ?? undefined;
}

/** The bytes of the text in a packet, one character per byte. `\DDD` is a byte by its number. */
function toText(word: string): string {
  const bytes = Buffer.from(word).toString("latin1");
  return bytes.replace(/\\(\d{3}|.)/g, (_, escaped: string) =>
    escaped.length === 3 ? String.fromCharCode(Number(escaped) & 0xff) : escaped,
  );
}

/** `3600`, `1h`, `1h30m`. */
function toSeconds(word: string): number | undefined {
  if (!/^(\d{1,10}|(\d{1,7}[wdhms])+)$/i.test(word)) return undefined;
  if (/^\d+$/.test(word)) return Number(word) <= 0x7fffffff ? Number(word) : undefined;
  const unitSeconds: Record<string, number> = { w: 604_800, d: 86_400, h: 3600, m: 60, s: 1 };
  const parts = [...word.toLowerCase().matchAll(/(\d{1,7})([wdhms])/g)];
  const total = parts.reduce((sum, [, count, unit = ""]) => sum + Number(count) * (unitSeconds[unit] ?? 0), 0);
  return total <= 0x7fffffff ? total : undefined;
}

function toNumberField(max: number): Field {
  return {
    takes: `a number from 0 to ${max}`,
    read: (word) => (/^\d{1,10}$/.test(word) && Number(word) <= max ? Number(word) : undefined),
  };
}

function toZone({ records, ttls }: OpenZone): Zone {
  const entries = [...records].map(([owner, held]) => {
    const ttlSeconds = ttls.get(owner);
    return [owner, ttlSeconds === undefined ? held : { ...held, ttlSeconds }];
  });
  // The grammars define the shape of each value, which the compiler cannot follow.
  return Object.fromEntries(entries) as Zone;
}

// The outer grammar of a zone file (RFC 1035 §5.1): lines, parentheses, quotation marks, comments.

type ZoneEntryText = {
  readonly line: number;
  /** An entry that begins with a blank belongs to the name above it. */
  readonly beginsBlank: boolean;
  readonly words: readonly string[];
};

type SplitZone =
  | { readonly ok: true; readonly entries: readonly ZoneEntryText[] }
  | { readonly ok: false; readonly line: number; readonly problem: string };

/** Blank or comment, line break, parenthesis, quoted text, bare word. */
const tokenPattern = /([ \t\r]+|;[^\n]*)|(\n)|([()])|"((?:[^"\\\n]|\\[^\n])*)"|((?:[^\s"();\\]|\\[^\n])+)/gy;

function splitZone(text: string): SplitZone {
  const entries: ZoneEntryText[] = [];
  let offset = 0;
  let line = 1;
  let depth = 0;
  const begin = () => ({ line, beginsBlank: /^[ \t]/.test(text.slice(offset, offset + 1)), words: [] as string[] });
  let entry = begin();
  for (const [token, , newline, paren, quoted, bare] of text.matchAll(tokenPattern)) {
    offset += token.length;
    const word = quoted ?? bare;
    if (word !== undefined) entry.words.push(word);
    depth += paren === undefined ? 0 : depthStep(paren);
    if (depth < 0) return { ok: false, line, problem: "There is a closing parenthesis without an opening one." };
    if (newline === undefined) continue;
    line++;
    if (depth > 0) continue;
    entries.push(entry);
    entry = begin();
  }
  if (offset < text.length) return { ok: false, line, problem: toProblem(text[offset]) };
  if (depth > 0) return { ok: false, line: entry.line, problem: "A parenthesis is never closed." };
  return { ok: true, entries: [...entries, entry].filter(({ words }) => words.length > 0) };
}

function depthStep(paren: string): number {
  return paren === "(" ? 1 : -1;
}

function toProblem(character: string | undefined): string {
  if (character === '"') return "A quoted string is not closed on the line where it starts.";
  if (character === "\\") return "There is no character after a backslash.";
  return "This character is not allowed in a zone file.";
}
