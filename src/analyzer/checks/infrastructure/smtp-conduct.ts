import { toStorableCut } from "../../mail/text/bounds.ts";
import { defineCheck, notApplicable, passed } from "../check.ts";
import type { Session } from "../facts.ts";
import { whyNotHeard } from "./client.ts";

export const smtpConduct = defineCheck({
  id: "smtp-conduct",
  helpPage: "fix-delivery-path",
  label: "SMTP behavior",
  owner: "mail-server",
  asks: "whether the client followed the SMTP protocol",
  why: "Clients that do not wait for replies look like bots to receivers.",
  refs: ["RFC 5321 §3.1", "RFC 2920 §3.1", "RFC 3207 §4", "RFC 6152 §3"],
  needs: ["session"],
  wants: ["raw"],
  passes: "The server followed the SMTP command sequence.",
  findings: {
    "early-talk": {
      severity: "minor",
      cost: 8,
      title: "Data sent before SMTP greeting",
      says: "The server sent data before the 220 greeting.",
      fix: "Configure it to wait for the 220 greeting.",
    },
    "pipelining-fault": {
      severity: "minor",
      cost: 8,
      title: "SMTP pipelining violation",
      says: "The server sent {what} without waiting for the reply to {previous}.",
      fix: "Update the sending software.",
      gates: [{ provider: "gmail", sender: "any", may: true, reply: "523 5.7.10" }],
    },
    "undeclared-8bit": {
      severity: "minor",
      cost: 3,
      title: "Missing 8BITMIME declaration",
      says: "The server sent 8-bit text without declaring BODY=8BITMIME.",
      fix: "Declare BODY=8BITMIME, or encode the text as quoted-printable.",
    },
  },
  run({ session, raw }) {
    const unheard = whyNotHeard(session);
    if (unheard !== null) return notApplicable(unheard);
    const { earlyTalk, unawaited, conduct } = session;
    const isOffered = conduct?.offered.includes("8BITMIME") && !conduct.declares8Bit;
    const found = [
      ...(earlyTalk ? [{ finding: "early-talk" as const }] : []),
      ...unawaited.map(toFinding),
      ...(isOffered && raw.known && raw.value.hasEightBitBody ? [{ finding: "undeclared-8bit" as const }] : []),
    ];
    return found.length > 0 ? found : passed();
  },
});

const maxShown = 100;

function toFinding({ behind, sent }: Session["unawaited"][number]) {
  const unnamed = behind === "DATA" ? "the message" : "its TLS handshake";
  const what = sent === null ? unnamed : `"${toStorableCut(sent, maxShown)}"`;
  return { finding: "pipelining-fault" as const, subject: behind, data: { what, previous: behind } };
}
