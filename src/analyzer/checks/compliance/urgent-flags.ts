import { defineCheck, type Raised } from "../check.ts";
import { quoted } from "../party.ts";

/** Values that mean urgent, by header. */
const urgent: ReadonlyMap<string, RegExp> = new Map([
  ["x-priority", /^[12](?!\d)/],
  ["x-msmail-priority", /^high/i],
  ["importance", /^high/i],
]);
const receipts: ReadonlySet<string> = new Set(["disposition-notification-to", "x-confirm-reading-to"]);

export const urgentFlags = defineCheck({
  id: "urgent-flags",
  helpPage: "fix-headers",
  label: "Importance flags",
  owner: "email-service",
  asks: "whether bulk mail is marked as urgent or asks for read receipts",
  why: "Spam filters penalize urgent flags and read receipts in bulk mail.",
  refs: ["RFC 2156 (Importance)", "RFC 8098 §2.1"],
  needs: ["message"],
  kinds: ["bulk"],
  passes: "The message is not marked as urgent and does not request read receipts.",
  findings: {
    "high-priority": {
      severity: "minor",
      cost: 3,
      title: "Marked as urgent",
      says: "The message is marked as urgent (`{header}`).",
      fix: "Remove the header.",
    },
    "read-receipt": {
      severity: "minor",
      cost: 3,
      title: "Read receipt requested",
      says: "The message requests a read receipt from every recipient.",
      fix: "Remove {header}.",
    },
  },
  run({ message: { headers } }) {
    const raised: Raised<"high-priority" | "read-receipt">[] = [];
    const claims = headers.filter(({ key, value }) => urgent.get(key)?.test(value.trim()));
    if (claims.length > 0) {
      const [header = ""] = claims.map(({ name, value }) => quoted(`${name}: ${value.trim()}`));
      raised.push({ finding: "high-priority", data: { header } });
    }
    const asked = headers.find(({ key }) => receipts.has(key));
    if (asked) raised.push({ finding: "read-receipt", data: { header: asked.name } });
    return raised;
  },
});
