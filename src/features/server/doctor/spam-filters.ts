// Whether rspamd and SpamAssassin respond. Reports do without one that doesn't, but each analysis waits for it first.

import { scannerNames } from "../../../analyzer/checks/content/second-opinions.ts";
import { createScanners } from "../../../analyzer/facts/scanners.ts";
import { claimedSession } from "../../../analyzer/mail/session/session.ts";
import { streamToOperator } from "../../../platform/system/stream-exchange.ts";
import { createHeading, type DoctorRow, type Examination } from "./row.ts";

const settings: typeof scannerNames = { rspamd: "ASSAY_RSPAMD_URL", spamassassin: "ASSAY_SPAMD_ADDRESS" };

export const examineSpamFilters: Examination = async ({ config, system, hostName: receiver }) => {
  const scanners = createScanners(config, { fetchOperator: system.fetchOperator, streamToOperator });
  const message = {
    raw: Buffer.from("Subject: server check\r\n\r\nHello.\r\n"),
    session: claimedSession({ clientAddress: null, helo: null, mailFrom: null, rcptTo: [] }),
    clientName: null,
    receiver,
    receivedAt: system.now(),
  };
  // As long as an analysis waits.
  const rows = await scanners.ask(message, config.analysisBudgetMs);
  return rows.map(({ of, fact }): DoctorRow => {
    const engine = of as keyof typeof scannerNames; // one of those that were asked
    const name = scannerNames[engine];
    const heading = createHeading("spam-filter", name);
    if (fact.known) return heading.green("It responds with a result.");
    const what = fact.why === "silent" ? "does not respond" : "does not respond with a result";
    return heading.red(
      `${name} ${what}, so reports lack its score, and analyses may take longer.`,
      `Check that it is running, or change ${settings[engine]}.`,
    );
  });
};
