import { defineCheck, type Raised, skipped } from "../check.ts";
import { isHeaderCut, linesNamed, seenIn } from "./header-lines.ts";

export const toHeader = defineCheck({
  id: "to-header",
  helpPage: "fix-headers",
  label: "To header",
  owner: "email-service",
  asks: "whether recipient headers are valid",
  why: "Spam filters penalize missing and repeated recipient headers.",
  refs: ["RFC 5322 §3.6.3"],
  needs: ["message", "raw"],
  wants: ["session"],
  passes: "No missing or duplicate recipient headers.",
  findings: {
    missing: {
      severity: "minor",
      cost: 8,
      title: "No recipient header",
      says: "The message has no recipient in To, Cc, or Bcc.",
      fix: "Add a To header with the recipient's address[[: `To: {rcpt}`]].",
    },
    repeated: {
      severity: "major",
      title: "Multiple recipient headers",
      says: "The message has {count} {header} headers.",
      fix: "Put all addresses in one {header} header, separated by commas.",
      gates: [{ provider: "gmail", sender: "any", reply: "550 5.7.1" }],
    },
    "bcc-shown": {
      severity: "minor",
      cost: 8,
      title: "Bcc recipients exposed",
      says: "The Bcc header was sent and reveals hidden recipients ({count} in total).",
      fix: "Remove the Bcc header before sending.",
      why: "Each recipient can read who else got the message.",
    },
  },
  run({ message, raw, session }) {
    const [to, cc, bcc] = ["to", "cc", "bcc"].map((key) => linesNamed({ raw, message }, key));
    const raised: Raised<"missing" | "repeated" | "bcc-shown">[] = [];
    for (const lines of [to, cc]) {
      const [line] = lines ?? [];
      if (!lines || !line || lines.length < 2) continue;
      const { header } = line;
      const data = { count: lines.length, header };
      raised.push({ finding: "repeated", data, subject: header, evidence: seenIn(lines) });
    }
    if (message.bcc.count > 0)
      raised.push({ finding: "bcc-shown", data: { count: message.bcc.count }, evidence: { ...bcc?.[0] } });
    const isNamed = [to, cc, bcc].some((lines) => lines?.some(({ value }) => value !== ""));
    if (!isNamed && isHeaderCut(message)) return skipped("too-large");
    const rcpt = session.known ? (session.value.rcptTo[0] ?? null) : null;
    if (!isNamed) raised.push({ finding: "missing", data: { rcpt } });
    return raised;
  },
});
