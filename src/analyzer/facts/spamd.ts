// SpamAssassin's spamd protocol (spamd/PROTOCOL in its sources): one request and one answer per connection. REPORT and
// not SYMBOLS, because only the report has points and descriptions.

import type { ListenAddress } from "../addresses.ts";
import { type Fact, known, unknown } from "../checks/fact.ts";
import type { ScannerResult } from "../checks/infrastructure-facts.ts";
import type { StreamDoor } from "./doors.ts";
import { toHundredths, toSymbols, toWords } from "./scanner-symbols.ts";
import type { ScannedMessage } from "./scanners.ts";

/** A normal report has 3 KB. */
const maxAnswerBytes = 262_144;

export async function askSpamd(
  address: ListenAddress,
  message: ScannedMessage,
  stream: StreamDoor,
  timeoutMs: number,
): Promise<Fact<ScannerResult>> {
  const body = Buffer.concat([Buffer.from(toTraceLines(message)), message.raw]);
  const head = `REPORT SPAMC/1.5\r\nContent-length: ${body.length}\r\n\r\n`;
  const bytes = Buffer.concat([Buffer.from(head), body]);
  const outcome = await stream(address, { pieces: [bytes], timeoutMs, maxBytes: maxAnswerBytes });
  if (!outcome.ok) return unknown(outcome.failure === "too_large" ? "unfit" : "silent");
  return readSpamdAnswer(Buffer.from(outcome.bytes).toString());
}

/**
 * spamd gets no envelope. It reads the sender from the headers that a mail server adds at the top. If the client is
 * unknown, the message's own trace headers have to do.
 */
function toTraceLines({ session, clientName, receiver, receivedAt }: ScannedMessage): string {
  if (session.clientAddress === null || session.mailFrom === null) return "";
  const { clientAddress, helo, mailFrom, protocol } = session;
  const address = clientAddress.includes(":") ? `IPv6:${clientAddress}` : clientAddress;
  const date = new Date(receivedAt).toUTCString().replace("GMT", "+0000");
  const client = `${toAtom(clientName ?? "unknown")} [${address}]`;
  return [
    `Return-Path: <${toAtom(mailFrom)}>`,
    `Received: from ${toAtom(helo ?? "unknown")} (${client})`,
    `\tby ${toAtom(receiver)} with ${protocol === "none" ? "SMTP" : toAtom(protocol)}; ${date}`,
    "",
  ].join("\r\n");
}

/** Nothing that would end the line, the comment or the path. */
function toAtom(text: string): string {
  return text.replace(/[\s\p{Cc}()<>;\\"]/gu, "?").slice(0, 320) || "unknown";
}

function readSpamdAnswer(answer: string): Fact<ScannerResult> {
  const headEnd = answer.indexOf("\r\n\r\n");
  const head = answer.slice(0, headEnd);
  const [, code] = /^SPAMD\/[\d.]{1,8} (\d{1,3}) /.exec(head) ?? [];
  if (headEnd < 0 || code === undefined) return unknown("unfit");
  if (code !== "0") return unknown("unfit");
  const [, score, threshold] = /^Spam: *\w+ *; *(-?[\d.]{1,12}) *\/ *(-?[\d.]{1,12})\r?$/im.exec(head) ?? [];
  if (!isNumeric(score) || !isNumeric(threshold)) return unknown("unfit");
  const isSpam = Number(score) >= Number(threshold);
  return known({
    engine: "spamassassin",
    version: null,
    score: toHundredths(Number(score)),
    threshold: toHundredths(Number(threshold)),
    action: isSpam ? "spam" : "no spam",
    symbols: toSymbols(readReport(answer.slice(headEnd + 4))),
  });
}

function isNumeric(text: string | undefined): text is string {
  return text !== undefined && Number.isFinite(Number(text)) && text !== "";
}

/** The table under `pts rule name description`. More indented lines continue the description above. */
function readReport(report: string): ScannerResult["symbols"] {
  const symbols: { name: string; points: number; text: string }[] = [];
  let inTable = false;
  for (const line of report.split(/\r?\n/)) {
    if (/^-{3,4} -{5,} -{5,}/.test(line)) {
      inTable = true;
      continue;
    }
    if (!inTable) continue;
    const row = /^ {0,3}(-?\d{1,5}(?:\.\d{1,4})?) ([\w.-]{1,200}) {1,40}(.*)$/.exec(line);
    const last = symbols.at(-1);
    if (row) symbols.push({ points: Number(row[1]), name: row[2] ?? "", text: row[3] ?? "" });
    else if (/^ {20}/.test(line) && last) last.text = toWords(`${last.text} ${line}`, 400);
    else if (symbols.length > 0) break;
  }
  return symbols;
}
