// Predicts what survives forwarding, from the message and the DNS answers of its report alone.

import { replayAnswers } from "./facts/dns-evidence.ts";
import { gatherForwarding } from "./facts/forwarding.ts";
import { readHeaderSection } from "./mail/headers/fields.ts";
import type { Forwarding } from "./reports/forwarding.ts";
import type { Report } from "./reports/report.ts";

type ForwardedTest = {
  readonly raw: Uint8Array;
  readonly receivedAt: number;
  readonly report: Pick<Report, "authentication" | "analysis">;
};

export async function forwardMessage({ raw, receivedAt, report }: ForwardedTest): Promise<Forwarding> {
  const { authentication, analysis } = report;
  const section = readHeaderSection(raw);
  const judgedAt = analysis.judgedAt ?? receivedAt;
  return await gatherForwarding({ raw, section, authentication, judgedAt }, replayAnswers(analysis.dns));
}
