// The protocol of ClamAV's daemon (man 8 clamd): INSTREAM sends a file in pieces with their lengths and gets one line.
// Each file has its own connection, because clamd closes it after an error anyway.

import type { SocketAddress } from "../addresses.ts";
import { type Fact, known, unknown } from "../checks/fact.ts";
import type { StreamDoor } from "./doors.ts";
import { toWords } from "./scanner-symbols.ts";

/** A normal response has 20 bytes, and 200 with a long signature name. */
const maxAnswerBytes = 4_096;
const maxNameLength = 120;
const pieceBytes = 65_536;
const unhurriedMs = 5;

/** Null: nothing was found. */
type ClamdVerdict = Fact<string | null>;

export async function scanWithClamd(
  address: SocketAddress,
  content: Uint8Array,
  stream: StreamDoor,
  timeoutMs: number,
): Promise<ClamdVerdict> {
  const startedAt = performance.now();
  let isWhole = false;
  const ask = (pauseMs: number) => {
    isWhole = false;
    const pieces = toPieces(content, () => {
      isWhole = true;
    });
    return stream(address, {
      pieces,
      maxBytes: maxAnswerBytes,
      endsWith: 0,
      pauseMs,
      timeoutMs: Math.max(1, timeoutMs - (performance.now() - startedAt)),
    });
  };
  const first = await ask(0);
  // clamd refuses a file over its limit and closes at once, and then its response can be lost.
  const outcome = !first.ok && first.failure === "cut" ? await ask(unhurriedMs) : first;
  if (!outcome.ok) return unknown(outcome.failure === "too_large" ? "unfit" : "silent");
  const verdict = readVerdict(Buffer.from(outcome.bytes).toString());
  // Part of a file can contain malware, but can't be clean.
  return verdict.known && verdict.value === null && !isWhole ? unknown("unfit") : verdict;
}

/** `onLast`: all of the content was sent. */
function* toPieces(content: Uint8Array, onLast: () => void): Iterable<Uint8Array> {
  yield Buffer.from("zINSTREAM\0");
  for (let at = 0; at < content.length; at += pieceBytes) {
    const piece = content.subarray(at, at + pieceBytes);
    yield Buffer.concat([toLength(piece.length), piece]);
  }
  onLast();
  yield toLength(0);
}

function toLength(bytes: number): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes);
  return length;
}

/** Only these two lines are a result. Everything else is unknown, and never clean. */
export function readVerdict(answer: string): ClamdVerdict {
  const line = answer.trim();
  if (line === "stream: OK") return known(null);
  if (/^INSTREAM size limit exceeded\b/.test(line)) return unknown("over-scan-limit");
  const [, found] = /^stream: (.{1,2000}) FOUND$/s.exec(line) ?? [];
  if (found === undefined) return unknown("unfit");
  // Heuristics that the operator turned on (AlertEncrypted, AlertExceedsMax): clamd didn't look inside.
  if (/^Heuristics\.Encrypted\b/.test(found)) return unknown("encrypted");
  if (/^Heuristics\.Limits\.Exceeded\b/.test(found)) return unknown("over-scan-limit");
  const signature = toWords(found, maxNameLength);
  return signature === "" ? unknown("unfit") : known(signature);
}

export type ClamdVersion = {
  readonly scanner: string;
  readonly database: number | null;
  readonly databaseAt: number | null;
};

/** Undefined if clamd doesn't respond, or something else does. */
export async function askClamdVersion(
  address: SocketAddress,
  stream: StreamDoor,
  timeoutMs: number,
): Promise<ClamdVersion | undefined> {
  const outcome = await stream(address, {
    pieces: [Buffer.from("zVERSION\0")],
    timeoutMs,
    maxBytes: maxAnswerBytes,
    endsWith: 0,
  });
  return outcome.ok ? readVersion(Buffer.from(outcome.bytes).toString()) : undefined;
}

/** `ClamAV 1.4.6/27840/Thu Nov 20 10:22:33 2026`. Without ClamAV's own signatures, only the first part. */
export function readVersion(answer: string): ClamdVersion | undefined {
  const [name = "", database = "", date = ""] = answer.slice(0, 200).trim().split("/");
  if (!/^ClamAV \d[\w.+-]{0,40}$/.test(name)) return undefined;
  // In clamd's time zone, which it doesn't name. A day more or less doesn't matter for an age in days.
  const at = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/.test(date)
    ? Date.parse(`${date} UTC`)
    : Number.NaN;
  const number = /^\d{1,9}$/.test(database) ? Number(database) : 0;
  return { scanner: name, database: number > 0 ? number : null, databaseAt: Number.isNaN(at) || at <= 0 ? null : at };
}
