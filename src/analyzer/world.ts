// What an analysis may ask of the outside world, and who we are. Whoever runs one gives it the answers of a network, of
// a record, or of a zone file; the analyzer itself opens no connection.

import type { Fact } from "./checks/fact.ts";
import type { MxCertificate } from "./checks/infrastructure-facts.ts";
import type { OnBroken } from "./checks/run.ts";
import type { Dns } from "./dns/answer.ts";
import type { FetchDoor } from "./facts/fetch.ts";
import type { ListTests } from "./facts/list-tests.ts";
import type { MalwareScanner } from "./facts/malware.ts";
import type { Scanners } from "./facts/scanners.ts";
import type { AskServer } from "./facts/zone.ts";
import type { Phase } from "./phase.ts";

/** For a message. */
export type AnalysisContext = {
  readonly dns: Dns;
  readonly now: () => number;
  /** The receiving host's name, as in a Received header. */
  readonly receiver: string;
  /** Time for all lookups together. */
  readonly budgetMs: number;
  readonly lists: ListTests;
  readonly scanners: Scanners;
  readonly malware: MalwareScanner;
  /** Called before each phase begins. */
  readonly enter: (phase: Phase) => void;
};

/** For a domain: also HTTP requests to strangers, and queries to their name servers. */
export type DomainContext = Pick<AnalysisContext, "dns" | "now" | "lists" | "budgetMs"> & {
  readonly fetchStranger: FetchDoor;
  /** The same resolver without DNSSEC validation; null if there is none. */
  readonly unchecked: Dns | null;
  readonly askServer: AskServer;
  /** Reads mail servers' certificates. For the monitor only. */
  readonly askCertificate?: AskCertificate;
};

export type AskCertificate = (host: string) => Promise<Fact<MxCertificate>>;

export type ListenAddress = { readonly host: string; readonly port: number };
/** A server of the operator: over TCP, or on a Unix socket. */
export type SocketAddress = ListenAddress | { readonly path: string };

/** The scanners that the operator set up. */
export type ScannerSettings = {
  readonly rspamdUrl: string | null;
  readonly spamdAddress: ListenAddress | null;
  readonly clamdAddress?: SocketAddress | null;
};

type TcpRequest = {
  /** Sent in full. Then our side is closed, and the response is everything until the other side closes. */
  readonly bytes: Uint8Array;
  readonly timeoutMs: number;
  readonly maxBytes: number;
};

export type TcpOutcome =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly failure: "unreachable" | "timeout" | "too_large" };

/** One request and response over TCP. Never rejects. */
export type TcpDoor = (address: ListenAddress, request: TcpRequest) => Promise<TcpOutcome>;

type StreamRequest = {
  /** Asked for one by one, each when the one before is written, so that a slow server needs no more memory. */
  readonly pieces: Iterable<Uint8Array>;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  /** The byte that ends the response. The server may also close the connection. */
  readonly endsWith: number;
  /** Waits so long before each piece, so that an early response is read. */
  readonly pauseMs?: number;
};

export type StreamOutcome =
  | { readonly ok: true; readonly bytes: Uint8Array }
  /** cut: the other side closed the connection before everything was sent. What it said may be lost. */
  | { readonly ok: false; readonly failure: "unreachable" | "cut" | "timeout" | "too_large" };

/** Bytes in pieces, and one response. Never rejects. */
export type StreamDoor = (address: SocketAddress, request: StreamRequest) => Promise<StreamOutcome>;

/** Checks that threw. Our bug, so the score does not suffer. Reported next to the report. */
export type BrokenCheck = { readonly check: string; readonly why: string };

export function noteBroken(): { readonly broken: readonly BrokenCheck[]; readonly note: OnBroken } {
  const broken: BrokenCheck[] = [];
  return { broken, note: (check, error) => void broken.push({ check, why: stackOf(error) }) };
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
