import { doors } from "../../mail/session/doors.ts";
import { defineCheck, notApplicable, passed, skipped } from "../check.ts";
import { quoted } from "../party.ts";

export const recipientShown = defineCheck({
  id: "recipient-shown",
  helpPage: "fix-headers",
  label: "Recipient in To",
  owner: "email-service",
  asks: "whether the recipient appears in To or Cc",
  why: 'Mail to "undisclosed recipients" looks like a mass Bcc.',
  refs: ["RFC 5322 §3.6.3"],
  needs: ["message", "session", "kind"],
  kinds: ["bulk", "transactional"],
  passes: "{rcpt} appears in To or Cc.",
  findings: {
    "not-named": {
      severity: "info",
      title: "Recipient not in To",
      says: "{rcpt} does not appear in To or Cc.",
      fix: "Send a separate copy to each recipient, with their address in To.",
    },
  },
  run({ message: { to, cc }, session: { rcptTo, door }, kind }) {
    if (kind.mailingList) return notApplicable("Mailing list posts are addressed to the list.");
    if (kind.forwarded.known && kind.forwarded.value.is)
      return notApplicable("The message was forwarded to another recipient.");
    const [first] = rcptTo;
    if (first === undefined) return notApplicable("The recipient of the message is unknown.");
    const named = new Set([...to.list, ...cc.list].map(({ address }) => withoutTag(address)));
    const shown = rcptTo.find((rcpt) => named.has(withoutTag(rcpt)));
    if (shown !== undefined) return passed({ rcpt: quoted(withoutTag(shown)) });
    // A mailbox also gets what was sent to its aliases, and doesn't say to which address.
    if (doors[door.kind].knows.recipients === "no") return skipped("no-session");
    if (to.count > to.list.length || cc.count > cc.list.length) return skipped("too-large");
    return [{ finding: "not-named", data: { rcpt: quoted(first) } }];
  },
});

/** Mail to `ann+news@a.example` reaches `ann@a.example`. */
function withoutTag(address: string): string {
  const at = address.lastIndexOf("@");
  const [local = ""] = address.slice(0, Math.max(0, at)).split("+", 1);
  return `${local}${address.slice(at)}`.toLowerCase();
}
