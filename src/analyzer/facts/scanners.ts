// Second opinions of the operator's own rspamd and SpamAssassin. Their rows are plain JSON, kept with the test for a
// replay, because a scanner's rules and learned data change daily.

import { unknown } from "../checks/fact.ts";
import type { Row, ScannerResult } from "../checks/infrastructure-facts.ts";
import type { SmtpSession } from "../mail/session/session.ts";
import type { ScannerSettings, StreamDoor } from "./doors.ts";
import type { FetchDoor } from "./fetch.ts";
import { askRspamd } from "./rspamd.ts";
import { askSpamd } from "./spamd.ts";

export type ScannedMessage = {
  readonly raw: Uint8Array;
  readonly session: SmtpSession;
  /** The client's reverse DNS name if known. Both engines penalize a client without one. */
  readonly clientName: string | null;
  /** The receiving host. */
  readonly receiver: string;
  readonly receivedAt: number;
};

export type ScannerRow = Row<ScannerResult>;

export type Scanners = {
  /** One row per configured scanner. An error is an unknown row. */
  readonly ask: (message: ScannedMessage, timeoutMs: number) => Promise<readonly ScannerRow[]>;
};

/** Both engines skip most of a large message anyway, and take seconds for the part that they read. */
export const maxScannedBytes = 1_048_576;

export function createScanners(
  { rspamdUrl, spamdAddress }: ScannerSettings,
  doors: { readonly fetchOperator: FetchDoor; readonly streamToOperator: StreamDoor },
): Scanners {
  return {
    ask: async (message, timeoutMs) => {
      const isTooLarge = message.raw.length > maxScannedBytes;
      const row = async (of: string, ask: () => Promise<ScannerRow["fact"]>): Promise<ScannerRow> => ({
        of,
        fact: isTooLarge ? unknown("too-large") : await ask(),
      });
      return Promise.all([
        ...(rspamdUrl === null
          ? []
          : [row("rspamd", () => askRspamd(rspamdUrl, message, doors.fetchOperator, timeoutMs))]),
        ...(spamdAddress === null
          ? []
          : [row("spamassassin", () => askSpamd(spamdAddress, message, doors.streamToOperator, timeoutMs))]),
      ]);
    },
  };
}
