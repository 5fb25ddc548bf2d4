// Checks MAIL and RCPT without I/O. Returns the request, or the reply that rejects it. The bytes of the envelope stay as
// sent.

import { isUtf8 } from "node:buffer";
import { parsePath, readParameter } from "./path-command.ts";
import type { ReplyName } from "./replies.ts";

export type Mail = {
  readonly path: string;
  readonly parameters: readonly string[];
  readonly smtpUtf8: boolean;
};
export type Rcpt = { readonly path: string; readonly parameters: readonly string[] };
type CommandResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reply: ReplyName };

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
    (notify === undefined ||
      isText(notify, /^(NEVER|(SUCCESS|FAILURE|DELAY)(,(SUCCESS|FAILURE|DELAY)){0,2})$/i)) &&
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
