// rspamd's HTTP protocol: posts the message with its envelope in headers and gets JSON.

import { type Fact, known, unknown } from "../checks/fact.ts";
import type { ScannerResult } from "../checks/infrastructure-facts.ts";
import { isJsonObject, type JsonObject, parseJson } from "../json.ts";
import type { FetchDoor, FetchOutcome } from "./fetch.ts";
import { toHundredths, toSymbols, toWords } from "./scanner-symbols.ts";
import type { ScannedMessage } from "./scanners.ts";

/** A normal answer has 10 KB. */
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

/** As UTF-8 bytes, one character each. Control characters are dropped, because some parsers read them as line ends. */
function toFieldValue(value: string): string {
  return Buffer.from(value.replace(/\p{Cc}/gu, "?")).toString("latin1");
}

function readOutcome(outcome: FetchOutcome): Fact<ScannerResult> {
  if (!outcome.ok) return unknown(outcome.failure === "too_large" ? "unfit" : "silent");
  if (outcome.status !== 200) return unknown("unfit");
  const answer = parseJson(Buffer.from(outcome.body).toString());
  if (!isJsonObject(answer)) return unknown("unfit");
  const { score, required_score: threshold, action } = answer;
  if (!isNumber(score) || !isNumber(threshold)) return unknown("unfit");
  const symbols = isJsonObject(answer.symbols) ? readSymbols(answer.symbols) : [];
  // rspamd's settings skip such messages. If there are symbols, one of them ended the scan early.
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

function readSymbols(symbols: JsonObject): ScannerResult["symbols"] {
  return Object.entries(symbols).flatMap(([name, symbol]) => {
    if (!isJsonObject(symbol) || !isNumber(symbol.score)) return [];
    const { score, description } = symbol;
    return [{ name, points: score, text: typeof description === "string" ? description : null }];
  });
}

/** Finite, and within the range of scores. */
function isNumber(value: unknown): value is number {
  return typeof value === "number" && Math.abs(value) < 1e6;
}
