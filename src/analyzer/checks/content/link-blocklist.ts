import { toVisible } from "../../visible-text.ts";
import { defineCheck, findOpen, notApplicable, skipped } from "../check.ts";
import { answersAbout, type ListedDomain, listedDomains } from "./listed-links.ts";
import { maxRaised } from "./shown.ts";

export const linkBlocklist = defineCheck({
  id: "link-blocklist",
  helpPage: "fix-blocklists",
  label: "Link blocklists",
  owner: "content",
  asks: "whether linked domains are on a blocklist",
  why: "A single blocklisted link can send an otherwise good message to spam.",
  refs: ["Spamhaus DBL, SURBL, URIBL pages", "Apple SMTP errors"],
  needs: ["links", "uribl"],
  passes: "No linked domain is on a blocklist.",
  findings: {
    listed: {
      severity: "critical",
      title: "Linked domain on a blocklist",
      says: "The linked domain {domain} is on {lists} ({meaning}).",
      fix: "Remove the link. If it is your domain, fix the cause[[, then request removal at {advice}]].",
      gates: [
        { provider: "apple", sender: "any", reply: "550 5.7.1" },
        { provider: "yahoo", sender: "any", reply: "554 [PH01]" },
      ],
    },
    doubtful: {
      severity: "minor",
      cost: 3,
      title: "Possible blocklisting of linked domain",
      says: "The linked domain {domain} is on {lists} ({meaning}).",
      fix: "Link to another domain if you can.",
    },
  },
  run({ links, uribl }) {
    const answers = answersAbout(links, uribl);
    if (answers.length === 0) return notApplicable("The message links only to the sender's domain.");
    const [unknown] = answers.filter((answer) => !answer.known);
    if (unknown && answers.every((answer) => !answer.known)) return skipped(unknown.why);
    return [...listedDomains({ known: true, value: uribl }).values()].slice(0, maxRaised).map(toRaised);
  },
  open: ({ links, uribl }) => findOpen("uribl", answersAbout(links, uribl)),
});

function toRaised({ domain, severity, rows }: ListedDomain) {
  return {
    finding: severity,
    subject: domain,
    data: {
      domain,
      lists: rows.map(({ zone, code }) => (code === null ? zone : `${zone} (${code})`)),
      meaning: toVisible(rows.find(({ meaning }) => meaning !== null)?.meaning ?? "listed"),
      advice: rows.find(({ delistUrl }) => delistUrl !== null)?.delistUrl ?? null,
    },
    evidence: { rows },
  };
}
