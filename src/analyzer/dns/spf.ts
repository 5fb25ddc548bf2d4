// Parses an SPF record (RFC 7208 §4.5, §4.6.1, §5, §6, §12) into terms, each with its error. Strict, because receivers
// must find an error anywhere in the record before they evaluate the first term.

import { toAddressBytes } from "../addresses.ts";
import { toVisibleCut } from "../visible-text.ts";
import { type MacroString, parseDomainSpec, parseMacroString, usesLetter } from "./spf-macro.ts";

export type SpfTerm = {
  /** As published. */
  readonly text: string;
  readonly kind: "mechanism" | "modifier";
  /** Lower case. For an invalid term, as much as could be read. */
  readonly name: string;
  readonly qualifier: SpfQualifier | null;
  /** After the colon or the equals sign, without prefix lengths. */
  readonly value: string | null;
  readonly prefix4: number | null;
  readonly prefix6: number | null;
  /** Null if valid. */
  readonly problem: string | null;
};

export type SpfQualifier = "+" | "-" | "~" | "?";

/** A term with what its value means. */
export type ParsedTerm = SpfTerm & {
  /** The name that it leads to; null if it is the domain itself or there is none. */
  readonly target: MacroString | null;
  /** For ip4 and ip6. */
  readonly network: readonly number[] | null;
};

export type ParsedSpf = {
  readonly terms: readonly ParsedTerm[];
  /** The first error, which breaks the record; null if there is none. */
  readonly problem: string | null;
};

/** §4.5: the version ends with a space or with the record. */
export function isSpfRecord(text: string): boolean {
  return /^v=spf1(?: |$)/i.test(text);
}

/** Meant as an SPF record but not one: a space or quote before it, no space after the version, `spf1 …`, `v=spf 1`. */
export function isNearMiss(text: string): boolean {
  const start = text.slice(0, 40);
  return !isSpfRecord(text) && /^[^A-Za-z0-9]*(?:v[ \t]{0,3}[=:]?[ \t]{0,3})?spf[ \t=-]{0,3}1(?!\d)/i.test(start);
}

/** `text` must satisfy `isSpfRecord`. */
export function parseSpf(text: string): ParsedSpf {
  const words = text.slice("v=spf1".length).split(" ");
  const terms = words.filter((word) => word !== "").map(parseTerm);
  const faulty = terms.find(({ problem }) => problem !== null);
  return { terms, problem: faulty?.problem ?? findRepeated(terms) };
}

/** The mechanisms that are evaluated. Those after `all` never are (§5.1). */
export function liveMechanisms<Term extends SpfTerm>(terms: readonly Term[]): readonly Term[] {
  const mechanisms = terms.filter(({ kind }) => kind === "mechanism");
  const all = mechanisms.findIndex(({ name }) => name === "all");
  return all < 0 ? mechanisms : mechanisms.slice(0, all + 1);
}

/** The `redirect=` that applies when nothing matches. With `all`, it is ignored (§6.1). */
export function liveRedirect<Term extends SpfTerm>(terms: readonly Term[]): Term | undefined {
  const hasAll = terms.some(({ kind, name }) => kind === "mechanism" && name === "all");
  return hasAll ? undefined : findModifier(terms, "redirect");
}

export function findModifier<Term extends SpfTerm>(terms: readonly Term[], wanted: string): Term | undefined {
  return terms.find(({ kind, name }) => kind === "modifier" && name === wanted);
}

const asking: ReadonlySet<string> = new Set(["include", "a", "mx", "ptr", "exists", "redirect"]);

/** How many of the 10 lookups a term takes. The PTR lookup for %{p} is one more (§4.6.4). */
export function lookupsOf({ name, target }: ParsedTerm): number {
  if (!asking.has(name)) return 0;
  return target !== null && usesLetter(target, "p") ? 2 : 1;
}

/** The parts of a term's value that could be read. */
type Value = Partial<Pick<ParsedTerm, "value" | "prefix4" | "prefix6" | "target" | "network">> & {
  readonly fault?: string | undefined;
};

function parseTerm(text: string): ParsedTerm {
  const [, modifier, modifierValue = ""] = /^([A-Za-z][A-Za-z0-9_.-]*)=(.*)$/s.exec(text) ?? [];
  const [, sign = "", mechanism = "", rest = ""] = /^([-+~?]?)([^:/]*)(.*)$/s.exec(text) ?? [];
  const kind = modifier === undefined ? "mechanism" : "modifier";
  const name = (modifier ?? mechanism).toLowerCase();
  const { fault, ...read } = modifier === undefined ? readMechanism(name, rest) : readModifier(name, modifierValue);
  return {
    text,
    kind,
    name,
    qualifier: kind === "mechanism" ? ((sign || "+") as SpfQualifier) : null,
    value: null,
    prefix4: null,
    prefix6: null,
    target: null,
    network: null,
    ...read,
    problem: fault === undefined ? null : `${quote(text)} is invalid: ${fault}.`,
  };
}

/** §6: for an unknown modifier, only macros are checked. */
function readModifier(name: string, value: string): Value {
  const isKnown = name === "redirect" || name === "exp";
  const parsed = isKnown ? parseDomainSpec(value) : parseMacroString(value, "term");
  return parsed.ok ? { value, target: isKnown ? parsed.macro : null } : { value, fault: parsed.problem };
}

const readers: Readonly<Record<string, (rest: string) => Value>> = {
  all: (rest) => (rest === "" ? {} : { fault: `"all" takes no value` }),
  include: (rest) => readDomain(rest, true),
  exists: (rest) => readDomain(rest, true),
  ptr: (rest) => readDomain(rest, false),
  a: readHosts,
  mx: readHosts,
  ip4: (rest) => readNetwork(rest, ip4),
  ip6: (rest) => readNetwork(rest, ip6),
};

function readMechanism(name: string, rest: string): Value {
  const read = Object.hasOwn(readers, name) ? readers[name] : undefined;
  return read?.(rest) ?? { value: rest.slice(1) || null, fault: unknownProblem(name) };
}

function readDomain(rest: string, isNeeded: boolean): Value {
  if (rest === "") return isNeeded ? { fault: "it needs a colon and a domain" } : {};
  if (!rest.startsWith(":")) return { fault: "a prefix length is not allowed here" };
  const value = rest.slice(1);
  const parsed = parseDomainSpec(value);
  return parsed.ok ? { value, target: parsed.macro } : { value, fault: parsed.problem };
}

/**
 * §5.3: `[":" domain] ["/" prefix4] ["//" prefix6]`. The domain may contain a slash too, so prefix lengths are read
 * from the end.
 */
function readHosts(rest: string): Value {
  const [, before6 = rest, digits6] = /^(.*)\/\/(\d+)$/s.exec(rest) ?? [];
  const [, before4 = before6, digits4] = /^(.*[^/]|)\/(\d+)$/s.exec(before6) ?? [];
  const read = readDomain(before4, false);
  const fault = read.fault ?? prefixFault(digits4, ip4) ?? prefixFault(digits6, ip6);
  return { ...read, prefix4: toPrefix(digits4), prefix6: toPrefix(digits6), fault };
}

type Family = { readonly name: string; readonly bytes: number; readonly form: RegExp };

/** §12: no part of an IPv4 address has a leading zero. */
const ip4: Family = { name: "IPv4", bytes: 4, form: /^(?:(?:0|[1-9]\d{0,2})(?:\.(?!$)|$)){4}$/ };
const ip6: Family = { name: "IPv6", bytes: 16, form: /^[0-9A-Fa-f:.]{2,45}$/ };

function readNetwork(rest: string, family: Family): Value {
  if (!rest.startsWith(":")) return { fault: `it needs a colon and an ${family.name} address` };
  const [address = "", digits, ...more] = rest.slice(1).split("/");
  const bytes = family.form.test(address) ? toAddressBytes(address) : undefined;
  const network = bytes?.length === family.bytes ? bytes : null;
  const prefix = toPrefix(digits);
  const addressFault = network === null ? `${quote(address)} is not an ${family.name} address` : undefined;
  const lengthFault = more.length > 0 ? "it has two prefix lengths" : prefixFault(digits, family);
  return {
    value: address,
    network,
    ...(family === ip4 ? { prefix4: prefix } : { prefix6: prefix }),
    fault: addressFault ?? lengthFault,
  };
}

function prefixFault(digits: string | undefined, { name, bytes }: Family): string | undefined {
  if (digits === undefined) return undefined;
  if (!/^(?:0|[1-9]\d*)$/.test(digits)) return `${quote(`/${digits}`)} is not a prefix length`;
  return Number(digits) > bytes * 8 ? `an ${name} prefix has at most ${bytes * 8} bits` : undefined;
}

function toPrefix(digits: string | undefined): number | null {
  return digits !== undefined && /^\d{1,3}$/.test(digits) ? Number(digits) : null;
}

function unknownProblem(name: string): string {
  const hint = meant.get(name);
  return `there is no mechanism ${quote(name)}${hint === undefined ? "" : ` (did you mean ${hint}?)`}`;
}

const meant: ReadonlyMap<string, string> = new Map([
  ["ip", "ip4:"],
  ["ipv4", "ip4:"],
  ["ipv6", "ip6:"],
  ["redirect", "redirect="],
  ["exp", "exp="],
]);

/** §6: each of these may appear once. */
function findRepeated(terms: readonly ParsedTerm[]): string | null {
  const repeated = ["redirect", "exp"].find(
    (wanted) => terms.filter(({ kind, name }) => kind === "modifier" && name === wanted).length > 1,
  );
  return repeated === undefined ? null : `${repeated}= appears more than once.`;
}

function quote(text: string): string {
  return `"${toVisibleCut(toReadable(text), 80)}"`;
}

/** DNS returns bytes. Text that people wrote is UTF-8. */
export function toReadable(bytes: string): string {
  return /[\x80-\xff]/.test(bytes) ? Buffer.from(bytes, "latin1").toString("utf8") : bytes;
}
