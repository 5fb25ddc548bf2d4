import { toAsciiDomain } from "../../mail/headers/registrable-domain.ts";
import type { Message } from "../../mail/mime/message.ts";
import type { DmarcResult } from "../authentication-facts.ts";
import { defineCheck, passed, skipped } from "../check.ts";
import { toProposedName } from "../impersonation/judge-name.ts";
import { shownAuthorsOf } from "../party.ts";
import { isHeaderCut, linesNamed, seenIn, toFew } from "./header-lines.ts";

export const fromHeader = defineCheck({
  id: "from-header",
  helpPage: "fix-headers",
  label: "From header",
  owner: "email-service",
  asks: "whether From has exactly one address",
  why: "DMARC and all providers rely on the From address.",
  refs: ["RFC 5322 §3.6.2", "RFC 9989 §5.3.1", "Gmail sender rules"],
  needs: ["message", "raw"],
  wants: ["dmarcResult"],
  passes: "From has one address, {address}.",
  findings: {
    missing: {
      severity: "critical",
      title: "No From address",
      says: "The message has no From address.",
      fix: "Add `From: {name} <{address}>`.",
      gates: [
        { provider: "gmail", sender: "any", reply: "550 5.7.1" },
        { provider: "outlook", sender: "any", reply: "550 5.7.512" },
      ],
    },
    "several-headers": {
      severity: "critical",
      title: "Multiple From headers",
      says: "The message has {count} From headers ({values}).",
      fix: "Send only one From header.",
      gates: [{ provider: "gmail", sender: "any", reply: "550 5.7.1" }],
    },
    "several-addresses": {
      severity: "major",
      title: "Multiple From addresses",
      says: "From has {count} addresses. Gmail rejects such mail, and DMARC cannot evaluate it.",
      fix: "Keep one address, and move the others to Reply-To or Cc.",
      gates: [{ provider: "gmail", sender: "any", reply: "550 5.7.1" }],
    },
    invalid: {
      severity: "critical",
      title: "Invalid From header",
      says: 'The From header is invalid: "{value}".',
      fix: 'Use `From: "{name}" <{address}>`.',
      gates: [
        { provider: "gmail", sender: "any", reply: "550 5.7.1" },
        // Outlook.com documents it, and still accepts much of such mail.
        { provider: "outlook", sender: "any", may: true, reply: "550 5.7.512" },
      ],
    },
    ambiguous: {
      severity: "major",
      title: "Ambiguous From header",
      says: "{problem}. Receivers may see different authors, so DMARC can fail for any of them.",
      fix: 'Send one `From: "{name}" <{address}>`, and no other header that looks like it.',
    },
  },
  run({ message, raw, dmarcResult }) {
    const lines = linesNamed({ raw, message }, "from");
    const [line] = lines;
    const suggested = suggest(message);
    if (lines.length > 1) {
      const values = toFew(lines.map(({ value }) => value));
      return [{ finding: "several-headers", data: { count: lines.length, values }, evidence: seenIn(lines) }];
    }
    if (!line && isHeaderCut(message)) return skipped("too-large");
    if (!line || line.value === "") return [{ finding: "missing", data: suggested, evidence: { ...line } }];
    const { list } = message.from;
    const readable = list.filter(({ problem }) => problem === null);
    if (readable.length > 1) {
      const count = message.from.count - list.length + readable.length;
      return [{ finding: "several-addresses", data: { count }, evidence: line }];
    }
    const [author] = readable;
    // Next to unreadable text, an address is not certain: `Shop, Inc. <a@b.example>` counts as two.
    if (!author || list.length > 1)
      return [{ finding: "invalid", data: { ...suggested, value: line.value }, evidence: line }];
    const problem = dmarcResult.known ? toProblem(dmarcResult.value) : null;
    if (problem !== null) return [{ finding: "ambiguous", data: { ...suggested, problem }, evidence: line }];
    return passed({ address: author.address });
  },
});

function toProblem({ ambiguity, fromDomain, says }: DmarcResult): string | null {
  if (ambiguity) return ambiguity.replace(/\.$/, "");
  return fromDomain === null ? (says ?? "From is ambiguous").replace(/\.$/, "") : null;
}

const longestName = 100;
const longestRead = 1_000;

/**
 * Suggests a From header from the name and address in From. Sender and Reply-To may belong to others, so they only count
 * if From shows no address at all.
 */
function suggest(message: Message) {
  const { from, sender, replyTo, fromText } = message;
  const isAddressed = (shownAuthorsOf(message)[0]?.address ?? "") !== "";
  const mailboxes = isAddressed ? from.list : [...sender.list, ...replyTo.list];
  const usable = mailboxes.find(
    ({ problem, domain, address }) =>
      problem === null && domain !== null && toAsciiDomain(domain) !== null && !address.includes("\ufffd"),
  );
  const text = (fromText ?? "").slice(0, longestRead);
  const [, comment] = /\(([^()]{1,100})\)\s{0,9}$/.exec(text) ?? [];
  const [beginning = ""] = text.split("<", 1);
  const name = (comment ?? beginning)
    .replace(/["\\]/g, "")
    .replace(/[\s,;]{1,20}$/, "")
    .trim()
    .slice(0, longestName);
  const isName = name !== "" && !/[@:;\ufffd\p{Cc}]|=\?/u.test(name);
  const address = usable?.address ?? "you@your-domain.example";
  return { name: toProposedName(isName ? name : "", address), address };
}
