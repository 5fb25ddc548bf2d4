// Checks MAIL and RCPT without I/O. Returns the request, or the reply that rejects it. The bytes of the envelope stay as
// sent.

import { isUtf8 } from "node:buffer";
import { isIPv4, isIPv6 } from "node:net";
import type { ReplyName } from "./replies.ts";

export type Mail = { readonly path: string; readonly parameters: readonly string[]; readonly smtpUtf8: boolean };
export type Rcpt = { readonly path: string; readonly parameters: readonly string[] };
type CommandResult<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly reply: ReplyName };

export function judgeMail(command: Buffer, maxMessageBytes: number): CommandResult<Mail> {
  const parsed = parse(command, /^MAIL[ \t]+FROM:/i, "reverse", "badSender");
  if (!parsed.ok) return parsed;
  const { path, parameters } = parsed.value;
  const smtpUtf8 = readParameter(parameters, "SMTPUTF8");
  const size = readParameter(parameters, "SIZE");
  const body = readParameter(parameters, "BODY");
  const ret = readParameter(parameters, "RET");
  if (parameters.some((parameter) => !mailKeys.test(parameter))) return refused("unknownParameter");
  const isFine =
    (smtpUtf8 === undefined || smtpUtf8 === true) &&
    (size === undefined || isText(size, /^\d{1,20}$/)) &&
    (body === undefined || isText(body, /^(7BIT|8BITMIME)$/i)) &&
    (ret === undefined || isText(ret, /^(FULL|HDRS)$/i)) &&
    readParameter(parameters, "ENVID") !== true;
  if (!isFine) return refused("badParameter");
  if (typeof size === "string" && Number(size) > maxMessageBytes) return refused("tooBig");
  if (!isAscii(path) && !smtpUtf8) return refused("needsUtf8");
  return { ok: true, value: { path, parameters, smtpUtf8: smtpUtf8 === true } };
}

export function judgeRcpt(command: Buffer, { smtpUtf8 }: Pick<Mail, "smtpUtf8">): CommandResult<Rcpt> {
  const parsed = parse(command, /^RCPT[ \t]+TO:/i, "forward", "badRecipient");
  if (!parsed.ok) return parsed;
  const { path, parameters } = parsed.value;
  const notify = readParameter(parameters, "NOTIFY");
  const orcpt = readParameter(parameters, "ORCPT");
  if (parameters.some((parameter) => !rcptKeys.test(parameter))) return refused("unknownParameter");
  const isFine =
    (notify === undefined || isText(notify, /^(NEVER|(SUCCESS|FAILURE|DELAY)(,(SUCCESS|FAILURE|DELAY)){0,2})$/i)) &&
    (orcpt === undefined || isText(orcpt, /^[^;]+;./));
  if (!isFine) return refused("badParameter");
  if (!isAscii(path) && !smtpUtf8) return refused("needsUtf8");
  return { ok: true, value: { path, parameters } };
}

/** RFC 1870, 6152, 6531, 3461. AUTH (RFC 4954 §5) names the original submitter, which we do not check. */
const mailKeys = /^(SIZE|BODY|SMTPUTF8|RET|ENVID|AUTH)(=|$)/i;
const rcptKeys = /^(NOTIFY|ORCPT)(=|$)/i;

function parse(
  command: Buffer,
  verb: RegExp,
  kind: "reverse" | "forward",
  wrongAddress: "badSender" | "badRecipient",
): CommandResult<Rcpt> {
  if (!isUtf8(command)) return refused("notUtf8");
  const line = command.toString();
  const match = verb.exec(line);
  if (!match) return refused(wrongAddress);
  const parsed = parsePath(line.slice(match[0].length), kind);
  if (parsed.ok) return { ok: true, value: parsed };
  return refused(parsed.problem === "parameter" ? "badParameter" : wrongAddress);
}

function refused(reply: ReplyName): { readonly ok: false; readonly reply: ReplyName } {
  return { ok: false, reply };
}

function isText(value: string | true, form: RegExp): boolean {
  return typeof value === "string" && form.test(value);
}

function isAscii(text: string): boolean {
  return !/[^\x20-\x7e]/.test(text);
}

// Parses what follows MAIL FROM: and RCPT TO: into the path and its parameters (RFC 5321 §4.1.2, RFC 6531 §3.3). Accepts what
// real senders use and large receivers accept: dots anywhere in a local part, long local parts (VERP), underscores in
// domains. Strict where two parsers could see two addresses: brackets, quotes, invisible characters.

export type PathReading =
  | {
      readonly ok: true;
      /** The address exactly as sent, without brackets and source route. Empty for the null sender. */
      readonly path: string;
      /** As sent; an address literal has its brackets. Null for the null sender and for a bare postmaster. */
      readonly domain: string | null;
      /** The local part without quotes and escapes. */
      readonly localPart: string;
      readonly parameters: readonly string[];
    }
  | { readonly ok: false; readonly problem: PathProblem };

/** "syntax": not of the form `<path> parameters`. The other two name the half that is wrong. */
type PathProblem = "syntax" | "address" | "parameter";

type Mailbox = { readonly path: string; readonly domain: string | null; readonly localPart: string };

const maxPathBytes = 512;
const maxDomainBytes = 255;
/** RFC 5321 §4.5.3.1.1 says 64, but real return paths are longer. */
const maxLocalPartBytes = 256;
const maxParameters = 20;
const maxParameterBytes = 500;

/** Characters that hide, reorder or break a line, and replacement characters from invalid UTF-8. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}\ufffd]/u;

export function parsePath(rest: string, kind: "reverse" | "forward"): PathReading {
  const start = rest.search(/[^ ]/);
  if (rest[start] !== "<") return { ok: false, problem: "syntax" };
  const end = findClosingBracket(rest, start + 1);
  if (end === null) return { ok: false, problem: "syntax" };
  const behind = rest.slice(end + 1);
  if (behind !== "" && !behind.startsWith(" ")) return { ok: false, problem: "syntax" };
  const mailbox = parseBracketed(rest.slice(start + 1, end), kind);
  if (mailbox === null) return { ok: false, problem: "address" };
  const parameters = parseParameters(behind);
  if (parameters === null) return { ok: false, problem: "parameter" };
  return { ok: true, ...mailbox, parameters };
}

/** The value of a parameter. True: it has no value. Undefined: it was not sent. */
export function readParameter(parameters: readonly string[], name: string): string | true | undefined {
  const parameter = parameters.find((candidate) => keyOf(candidate) === name.toUpperCase());
  if (parameter === undefined) return undefined;
  const equals = parameter.indexOf("=");
  return equals < 0 ? true : parameter.slice(equals + 1);
}

/** A bracket in quotes is part of the local part. */
function findClosingBracket(text: string, start: number): number | null {
  let isQuoted = false;
  for (let position = start; position < text.length; position++) {
    const character = text[position];
    if (character === '"') isQuoted = !isQuoted;
    else if (character === "\\" && isQuoted) position++;
    else if (character === ">" && !isQuoted) return position;
  }
  return null;
}

function parseBracketed(text: string, kind: "reverse" | "forward"): Mailbox | null {
  if (text === "") return kind === "reverse" ? { path: "", domain: null, localPart: "" } : null;
  if (Buffer.byteLength(text) > maxPathBytes || unseen.test(text)) return null;
  // RFC 5321 §4.5.1: the only name that needs no domain.
  if (kind === "forward" && text.toLowerCase() === "postmaster") return { path: text, domain: null, localPart: text };
  const path = withoutSourceRoute(text);
  return path === null ? null : parseMailbox(path);
}

/** RFC 5321 appendix C: `@one.example,@two.example:user@three.example` is accepted, and its route is ignored. */
function withoutSourceRoute(text: string): string | null {
  if (!text.startsWith("@")) return text;
  const colon = text.indexOf(":");
  const hops = text.slice(0, colon).split(",");
  const isRoute = colon > 0 && hops.every((hop) => hop.startsWith("@") && isDomainName(hop.slice(1)));
  return isRoute ? text.slice(colon + 1) : null;
}

function parseMailbox(path: string): Mailbox | null {
  const local = path.startsWith('"') ? quotedString.exec(path) : dotString.exec(path);
  if (local === null) return null;
  const [written] = local;
  const domain = path.slice(written.length + 1);
  if (path[written.length] !== "@" || Buffer.byteLength(written) > maxLocalPartBytes) return null;
  if (!isDomainName(domain) && !isAddressLiteral(domain)) return null;
  const localPart = written.startsWith('"') ? written.slice(1, -1).replace(/\\(.)/gu, "$1") : written;
  return { path, domain, localPart };
}

/** RFC 5321 §4.1.2 with RFC 6531 §3.3. Spaces beyond ASCII are not allowed in either. */
const quotedString = /^"(?:\\[\x20-\x7e]|[\x20\x21\x23-\x5b\x5d-\x7e]|[^\p{ASCII}\p{Zs}])*"/u;
const dotString = /^(?:[\w!#$%&'*+/=?^`{|}~.-]|[^\p{ASCII}\p{Zs}])+/u;
const label = /^(?:[\w-]|[^\p{ASCII}\p{Zs}]){1,63}$/u;

function isDomainName(domain: string): boolean {
  return Buffer.byteLength(domain) <= maxDomainBytes && domain.split(".").every((part) => label.test(part));
}

/** RFC 5321 §4.1.3. */
function isAddressLiteral(domain: string): boolean {
  const inner = /^\[(?:(IPv6):)?([0-9a-f:.]+)\]$/i.exec(domain);
  const [, tag, address = ""] = inner ?? [];
  return tag === undefined ? isIPv4(address) : isIPv6(address);
}

function parseParameters(text: string): readonly string[] | null {
  if (unseen.test(text)) return null;
  const parameters = text.split(" ").filter((word) => word !== "");
  const areDistinct = new Set(parameters.map(keyOf)).size === parameters.length;
  return parameters.length <= maxParameters && areDistinct && parameters.every(isParameter) ? parameters : null;
}

/** The esmtp-param of RFC 5321 §4.1.2. A value may also contain "=", which senders of base64 forget to encode. */
function isParameter(parameter: string): boolean {
  return Buffer.byteLength(parameter) <= maxParameterBytes && /^[a-z0-9][a-z0-9-]*(=\P{Zs}+)?$/iu.test(parameter);
}

function keyOf(parameter: string): string {
  return (parameter.split("=", 1)[0] ?? "").toUpperCase();
}
