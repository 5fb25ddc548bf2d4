// Second opinions: what the operator's own rspamd and SpamAssassin say of a message. Their rows are plain JSON and are
// kept with the test: a replay is given them back, because a scanner's rules and memory change by the day.

import { unknown } from "../checks/fact.ts";
import type { Row, ScannerResult } from "../checks/infrastructure-facts.ts";
import type { Config } from "../config.ts";
import type { SmtpSession } from "../mail/session/session.ts";
import type { FetchDoor } from "../system/fetch.ts";
import type { TcpDoor } from "../system/fetch-doors.ts";
import { askRspamd } from "./rspamd.ts";
import { askSpamd } from "./spamd.ts";

export type ScannedMessage = {
  readonly raw: Uint8Array;
  readonly session: SmtpSession;
  /** The client's reverse name where it is known; both engines hold it against a client that it has none. */
  readonly clientName: string | null;
  /** Who received it. */
  readonly receiver: string;
  readonly receivedAt: number;
};

export type ScannerRow = Row<ScannerResult>;

export type Scanners = {
  /** One row for each scanner that the operator named; trouble is an unknown row. */
  readonly ask: (message: ScannedMessage, timeoutMs: number) => Promise<readonly ScannerRow[]>;
};

/** Both engines pass over the bulk of large messages by themselves, and take seconds for what they do read. */
export const maxScannedBytes = 1_048_576;

export function createScanners(
  { rspamdUrl, spamdAddress }: Pick<Config, "rspamdUrl" | "spamdAddress">,
  doors: { readonly fetchOperator: FetchDoor; readonly exchangeOperatorTcp: TcpDoor },
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
          : [
              row("spamassassin", () =>
                askSpamd(spamdAddress, message, doors.exchangeOperatorTcp, timeoutMs),
              ),
            ]),
      ]);
    },
  };
}
