import { expect, test } from "vitest";
import { claimedSession } from "../../../src/analyzer/mail/session/session.ts";
import { toReportedDoor, toVerdictWords } from "../../../src/analyzer/reports/door.ts";

const cameBy = (recorded?: Record<string, string>) =>
  toReportedDoor(
    claimedSession({
      clientAddress: null,
      helo: null,
      mailFrom: null,
      rcptTo: [],
      door: { kind: "webhook", provider: "ses", providerName: "Amazon SES", ...(recorded && { recorded }) },
    }),
    null,
  );

test("a provider's results are attributed to it, without control characters", () => {
  expect(toVerdictWords(cameBy({ spf: "PASS", virus: "PROCESSING_FAILED" }))).toBe(
    "Recorded by Amazon SES, not checked by Assay: SPF pass, virus processing failed",
  );
  const hostile = toVerdictWords(cameBy({ dkim: "\u001b[31mpass\u202e" }));
  for (const acting of ["\u001b", "\u202e"]) expect(hostile).not.toContain(acting);
  expect(toVerdictWords(cameBy())).toBeNull();
  expect(toVerdictWords(cameBy({}))).toBeNull();
});
