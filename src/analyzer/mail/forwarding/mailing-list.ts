// What a mailing list does to mail for its members, after Mailman 3: its own list headers, a tag in the subject, and a
// footer under the text.

import { isAscii } from "node:buffer";
import { parameterOf } from "../headers/parameters.ts";
import { type Entity, encodingOf, readTree } from "../mime/tree.ts";
import { decodeTransfer } from "../text/decoding.ts";
import { formatMailboxes, splitOutside, toBase64Lines, toQuotedPrintable } from "./encoding.ts";
import { fieldText, type MessageText, toBytes, toField, unfolded, withAdded, without } from "./message-text.ts";

const tag = "[list]";
const footer = [
  "_______________________________________________",
  "Example mailing list -- list@lists.example",
  "To unsubscribe send an email to list-leave@lists.example",
  "",
].join("\n");

/** Mailman removes fields that could contain passwords, or reveal who reads the list. */
const removed = [
  "approved",
  "approve",
  "x-approved",
  "x-approve",
  "urgent",
  "return-receipt-to",
  "disposition-notification-to",
  "x-confirm-reading-to",
  "x-pmrqc",
  "archived-at",
  "bcc",
  "resent-bcc",
];

const own = [
  toField("List-Id", "<list.lists.example>"),
  ...[
    ["Help", "list-request@lists.example?subject=help"],
    ["Owner", "list-owner@lists.example"],
    ["Post", "list@lists.example"],
    ["Subscribe", "list-join@lists.example"],
    ["Unsubscribe", "list-leave@lists.example"],
  ].map(([name, address]) => toField(`List-${name}`, `<mailto:${address}>`)),
];

const traces = [
  toField("Message-ID-Hash", "CNAB3VQ2TRNCLNCAYC3CC2XLUFAEAJ5W"),
  toField("X-Message-ID-Hash", "CNAB3VQ2TRNCLNCAYC3CC2XLUFAEAJ5W"),
  toField("X-MailFrom", "sender@sender.example"),
  toField("X-Mailman-Rule-Misses", "dmarc-mitigation; no-senders; approved"),
];

export function cookHeaders(message: MessageText): MessageText {
  const has = (key: string) => message.fields.some((field) => field.key === key);
  const replyTo = message.fields.filter(({ key }) => key === "reply-to").map(fieldText);
  const rewritten = replyTo.length > 0 ? [toField("Reply-To", formatMailboxes(replyTo))] : [];
  const missing = [
    toField("Message-ID", "<179566.1@lists.example>"),
    toField("X-Mailman-Version", "3.3.8"),
    toField("Precedence", "list"),
  ].filter(({ key }) => !has(key));
  const replaced = [...own, ...traces, ...rewritten].map(({ key }) => key);
  return withAdded(without(message, ...removed, ...replaced), ...missing, ...traces, ...rewritten, ...own);
}

export function addSubjectTag(message: MessageText): MessageText {
  const [subject] = message.fields.filter(({ key }) => key === "subject");
  const words = subject === undefined ? "" : unfolded(fieldText(subject));
  return withAdded(without(message, "subject"), toField("Subject", `${tag} ${words || "(no subject)"}`));
}

/** Below plain text. Other content is wrapped into a multipart, whose last part is the footer. */
export function addFooter(message: MessageText): MessageText | null {
  const { root, cuts } = readTree(toBytes(message));
  if (cuts.length > 0) return null;
  if (root.type === "text/plain") return addToText(message, root) ?? wrap(message);
  return root.type === "multipart/mixed" ? addPart(message, root) : wrap(message);
}

/** Null if the text can't be decoded. */
function addToText(message: MessageText, root: Entity): MessageText | null {
  const written = parameterOf(root.contentType, "charset")?.toLowerCase() ?? "us-ascii";
  const body = Buffer.from(message.body, "latin1");
  const content = decodeTransfer(body, encodingOf(root), body.length);
  const charset = isAscii(content) ? "us-ascii" : written;
  if (!isDecodable(content, charset)) return null;
  const text = Buffer.from(content).toString("latin1");
  const whole = `${text}${text === "" || text.endsWith("\n") ? "" : "\n"}${footer}`;
  const [encoding, encoded] = encode(whole, charset);
  return withAdded(
    { ...without(message, "content-type", "content-transfer-encoding"), body: encoded },
    ...(message.fields.some(({ key }) => key === "mime-version") ? [] : [toField("MIME-Version", "1.0")]),
    toField("Content-Type", withCharset(message, charset)),
    toField("Content-Transfer-Encoding", encoding),
  );
}

function isDecodable(content: Uint8Array, charset: string): boolean {
  if (isAscii(content)) return true;
  if (/^(us-)?ascii$/.test(charset)) return false;
  try {
    new TextDecoder(charset, { fatal: true }).decode(content);
    return true;
  } catch {
    return false;
  }
}

/** As Python's email package encodes text in a charset. */
function encode(text: string, charset: string): [encoding: string, body: string] {
  if (charset === "us-ascii") return ["7bit", text.replace(/\r?\n/g, "\r\n")];
  const bytes = Buffer.from(text, "latin1");
  if (charset !== "utf-8") return ["quoted-printable", toQuotedPrintable(text.replace(/\r?\n/g, "\r\n"))];
  return ["base64", toBase64Lines(bytes)];
}

/** All parameters in quotes, as Python's email package writes them after a change. */
function withCharset({ fields }: MessageText, charset: string): string {
  const written = fields.find(({ key }) => key === "content-type");
  const value = written === undefined ? "text/plain" : unfolded(fieldText(written));
  const [type = "text/plain", ...parameters] = splitOutside(value, ";", '"');
  const pairs = parameters.flatMap((parameter): [string, string][] => {
    const equals = parameter.indexOf("=");
    const [name, text] = [parameter.slice(0, equals).trim(), parameter.slice(equals + 1).trim()];
    const isNamed = equals > 0 && name !== "" && !/\s/.test(name);
    return isNamed ? [[name, text.replace(/^"([\s\S]*)"$/, "$1")]] : [];
  });
  const isCharset = ([name]: [string, string]) => name.toLowerCase() === "charset";
  if (!pairs.some(isCharset)) return `${value}; charset="${charset}"`;
  const quoted = pairs.map((pair) => `${pair[0]}="${isCharset(pair) ? charset : pair[1]}"`);
  return [type.trim(), ...quoted].join("; ");
}

const boundary = "===============4823190577129065331==";
const footerPart = [
  'Content-Type: text/plain; charset="us-ascii"',
  "MIME-Version: 1.0",
  "Content-Transfer-Encoding: 7bit",
  "Content-Disposition: inline",
  "",
  footer.replaceAll("\n", "\r\n"),
].join("\r\n");

function wrap(message: MessageText): MessageText {
  const inner = message.fields.filter(({ key }) => key.startsWith("content-"));
  const header = inner.map(({ line }) => `${line}\r\n`).join("");
  const parts = [`${header}\r\n${message.body}`, footerPart].map((part) => `--${boundary}\r\n${part}\r\n`);
  return withAdded(
    {
      ...without(message, "content-type", "content-transfer-encoding", "content-disposition"),
      body: `${parts.join("")}--${boundary}--\r\n`,
    },
    toField("Content-Type", `multipart/mixed; boundary="${boundary}"`),
  );
}

/** Before the last delimiter. */
function addPart(message: MessageText, root: Entity): MessageText | null {
  const last = root.parts.at(-1);
  if (root.closedAt === null || last === undefined) return null;
  const at = last.end - root.bodyOffset;
  const added = `\r\n--${root.boundary}\r\n${footerPart}`;
  return { ...message, body: message.body.slice(0, at) + added + message.body.slice(at) };
}
