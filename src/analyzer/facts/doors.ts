// What facts ask the outside world through.

import type { ListenAddress, SocketAddress } from "../addresses.ts";
import type { Fact } from "../checks/fact.ts";
import type { MxCertificate } from "../checks/infrastructure-facts.ts";

export type AskCertificate = (host: string) => Promise<Fact<MxCertificate>>;

/** The scanners that the operator set up. */
export type ScannerSettings = {
  readonly rspamdUrl: string | null;
  readonly spamdAddress: ListenAddress | null;
  readonly clamdAddress?: SocketAddress | null;
};

type StreamRequest = {
  /** Asked for one by one, each when the one before is written, so that a slow server needs no more memory. */
  readonly pieces: Iterable<Uint8Array>;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  /** The byte that ends the response. Without one, we close our side, and the response is all until the server closes. */
  readonly endsWith?: number;
  /** Waits so long before each piece, so that an early response is read. */
  readonly pauseMs?: number;
};

export type StreamOutcome =
  | { readonly ok: true; readonly bytes: Uint8Array }
  /** cut: the other side closed the connection before everything was sent. What it said may be lost. */
  | { readonly ok: false; readonly failure: "unreachable" | "cut" | "timeout" | "too_large" };

/** Bytes in pieces, and one response. Never rejects. */
export type StreamDoor = (address: SocketAddress, request: StreamRequest) => Promise<StreamOutcome>;
