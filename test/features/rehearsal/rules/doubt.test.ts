import { describe, expect, test } from "vitest";
import { known, type Unknown, unknown } from "../../../../src/analyzer/checks/fact.ts";
import { receivers } from "../../../../src/analyzer/mail/headers/rehearsal-address.ts";
import { findDoubt } from "../../../../src/features/rehearsal/rules/doubt.ts";
import { toReply } from "../../../../src/features/rehearsal/rules/replies.ts";
import { accepted } from "../../../../src/features/rehearsal/work/judge.ts";

type Asked = {
  readonly skipped: readonly string[];
  readonly why?: Unknown["why"];
  readonly policy?: string | null;
  readonly dkim?: "unknown" | "pass" | "fail";
  readonly isBulk?: boolean;
};

/** What an analysis leaves open, as far as it matters here. */
function reportOf({ skipped, why = "not-public", policy = null, dkim = "unknown", isBulk = false }: Asked) {
  const signatures = [{ result: dkim }];
  return {
    judgment: {
      skipped: skipped.map((check) => ({ check, why })),
      kind: { kind: isBulk ? "bulk" : "personal" },
      volume: isBulk ? "large" : "small",
    },
    authentication: {
      spf: skipped.includes("spf-result") ? unknown(why) : known({ result: "pass" }),
      dkim: dkim === "unknown" ? unknown(why) : known({ signatures }),
      dmarc: known({ effective: policy }),
    },
  } as unknown as Parameters<typeof findDoubt>[0];
}

const fromHere = ["spf-result", "dkim-present", "dmarc-result", "ptr-record", "fcrdns"];
const withSignature = fromHere.filter((check) => check !== "dkim-present");

describe("a rehearsal of mail from the user's own computer is accepted", () => {
  test.each([
    [
      "gmail",
      { skipped: fromHere },
      "but SPF, DKIM, and reverse DNS can't be checked from this computer. Gmail rejects this if both SPF and DKIM fail, or if reverse DNS is missing.",
    ],
    [
      "gmail",
      { skipped: fromHere, policy: "reject" },
      "but SPF, DKIM, and reverse DNS can't be checked from this computer. Gmail rejects this if DMARC fails, or if reverse DNS is missing.",
    ],
    [
      "gmail",
      { skipped: fromHere, isBulk: true },
      "but SPF, DKIM, and reverse DNS can't be checked from this computer. Gmail rejects this if SPF, DKIM, or DMARC fails, or if reverse DNS is missing.",
    ],
    [
      "yahoo",
      { skipped: withSignature, dkim: "fail" },
      "but SPF can't be checked from this computer. Yahoo rejects this if SPF fails.",
    ],
    [
      "outlook",
      { skipped: fromHere },
      "but reverse DNS can't be checked from this computer. Outlook.com rejects this if reverse DNS is missing.",
    ],
    ["icloud", { skipped: ["spf-result", "ptr-record"], dkim: "pass" }, null],
    [
      "strict",
      { skipped: ["spf-result"], dkim: "pass", isBulk: true },
      "but SPF can't be checked from this computer. A strict receiver rejects this if SPF fails.",
    ],
    [
      "strict",
      { skipped: ["spf-result", "dkim-alignment", "dmarc-result"], dkim: "fail" },
      "but SPF can't be checked from this computer. A strict receiver rejects this if SPF fails.",
    ],
    [
      "icloud",
      { skipped: ["dmarc-result", "spf-result"], dkim: "fail", why: "private-dns" },
      "but SPF can't be checked, because the DNS server does not resolve public names. iCloud rejects this if SPF fails.",
    ],
  ] as const)(
    "a rehearsal of mail from the user's own computer is accepted by %s, and names what its own rules leave open: %j",
    (receiver, asked, doubt) => {
      expect(findDoubt(reportOf(asked), receiver)).toBe(doubt);
    },
  );

  test("a rehearsal of mail from the user's own computer is accepted without a reservation if everything is known", () => {
    for (const receiver of receivers) expect(findDoubt(reportOf({ skipped: [], dkim: "pass" }), receiver)).toBeNull();
  });

  test("a rehearsal of mail from the user's own computer is accepted with a reply that fits SMTP", () => {
    for (const receiver of receivers) {
      const says = `accepted, ${findDoubt(reportOf({ skipped: fromHere, isBulk: true, policy: "reject" }), receiver)}`;
      const { lines } = toReply(accepted("predicted", says).status, says, "tst_1");
      expect(lines[0]).toMatch(/\.$/);
    }
  });
});

test("an unknown DMARC result is named if SPF and DKIM are known", () => {
  const report = reportOf({ skipped: ["dmarc-result"], why: "timeout", policy: "reject", dkim: "pass" });
  expect(findDoubt(report, "gmail")).toBe(
    "but DMARC can't be checked, because DNS did not respond. Gmail rejects this if DMARC fails.",
  );
});
