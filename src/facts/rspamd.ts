// rspamd's HTTP protocol: the message is posted with its envelope in header fields, the answer is JSON.

import { type Fact, known, unknown } from "../checks/fact.ts";
import type { ScannerResult } from "../checks/infrastructure-facts.ts";
import type { FetchDoor, FetchOutcome } from "../system/fetch.ts";
import { toHundredths, toSymbols, toWords } from "./scanner-symbols.ts";
import type { ScannedMessage } from "./scanners.ts";

/** An ordinary answer has 10 KB. */
const maxAnswerBytes = 1_048_576;
const maxRecipients = 20;

export async function askRspamd(
  url: string,
  message: ScannedMessage,
  fetchOperator: FetchDoor,
  timeoutMs: number,
): Promise<Fact<ScannerResult>> {
  const outcome = await fetchOperator(`${url}/checkv2`, {
    method: "POST",
    headers: toHeaders(message),
    body: message.raw,
    timeoutMs,
    maxBytes: maxAnswerBytes,
  });
  return readOutcome(outcome);
}

function toHeaders({ session, clientName, receiver }: ScannedMessage): Record<string, string> {
  const headers = {
    IP: session.clientAddress,
    Helo: session.helo,
    Hostname: clientName,
    From: session.mailFrom,
    Rcpt: session.rcptTo.slice(0, maxRecipients).join(",") || null,
    "Queue-Id": "assay",
    "MTA-Name": receiver,
  };
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === null ? [] : [[name, toFieldValue(value)]])),
  );
}

/** As UTF-8 bytes, one character each; a control character would be an end of line to somebody. */
function toFieldValue(value: string): string {
  return Buffer.from(value.replace(/\p{Cc}/gu, "?")).toString("latin1");
}

function readOutcome(outcome: FetchOutcome): Fact<ScannerResult> {
  if (!outcome.ok) return unknown(outcome.failure === "too_large" ? "unfit" : "silent");
  if (outcome.status !== 200) return unknown("unfit");
  const answer = parseJson(Buffer.from(outcome.body).toString());
  if (!isRecord(answer)) return unknown("unfit");
  const { score, required_score: threshold, action } = answer;
  if (!isNumber(score) || !isNumber(threshold)) return unknown("unfit");
  const symbols = isRecord(answer.symbols) ? readSymbols(answer.symbols) : [];
  // The operator's settings tell rspamd to leave such messages alone. With symbols, one of them ended the reading early.
  if (answer.is_skipped === true && symbols.length === 0) return unknown("unfit");
  return known({
    engine: "rspamd",
    version: /^rspamd\/([\w.-]{1,32})/i.exec(outcome.headers.server ?? "")?.[1] ?? null,
    score: toHundredths(score),
    threshold: toHundredths(threshold),
    action: typeof action === "string" ? toWords(action, 40) : null,
    symbols: toSymbols(symbols),
  });
}

function readSymbols(symbols: Record<string, unknown>): ScannerResult["symbols"] {
  return Object.entries(symbols).flatMap(([name, symbol]) => {
    if (!isRecord(symbol) || !isNumber(symbol.score)) return [];
    const { score, description } = symbol;
    return [{ name, points: score, text: typeof description === "string" ? description : null }];
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Finite, and of a size that a score has. */
function isNumber(value: unknown): value is number {
  return typeof value === "number" && Math.abs(value) < 1e6;
}
