import type { Message } from "../../mail/mime/message.ts";
import { defineCheck, skipped } from "../check.ts";
import type { ScannerResult } from "../infrastructure-facts.ts";
import { shown } from "./shown.ts";

/** GTUBE (Generic Test for Unsolicited Bulk Email), a string for testing spam filters. */
const testString = "XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X";
const maxSymbolsShown = 5;

export const secondOpinions = defineCheck({
  id: "second-opinions",
  helpPage: "fix-blocklists",
  label: "Spam filter scores",
  owner: "content",
  asks: "how rspamd and SpamAssassin score the message",
  why: "The scores are extra evidence and do not predict placement. Assay's own checks cover the same rules.",
  refs: ["rspamd and SpamAssassin documents"],
  needs: ["message"],
  wants: ["scanner"],
  passes: "",
  findings: {
    score: {
      severity: "info",
      title: "Spam filter score",
      says: "{engine} scores the message {score} (threshold {threshold})[[: {symbols}]].",
      fix: "Review the rules that matched. If an Assay check reports the same issue, fix that one.",
    },
    "test-string": {
      severity: "info",
      title: "Filter test string found",
      says: "The message contains the GTUBE test string, which makes spam filters mark it as spam.",
      fix: "Remove the test string.",
    },
  },
  run({ message, scanner }) {
    const rows = scanner.known ? scanner.value : [];
    const results = rows.flatMap(({ fact }) => (fact.known ? [fact.value] : []));
    const hasTest = hasTestString(message);
    if (results.length === 0 && !hasTest) {
      const unknown = scanner.known ? rows.map(({ fact }) => fact).find((fact) => !fact.known) : scanner;
      return skipped(unknown && !unknown.known ? unknown.why : "off");
    }
    return [...results.map(toOpinion), ...(hasTest ? [{ finding: "test-string" as const }] : [])];
  },
});

export const scannerNames: Readonly<Record<ScannerResult["engine"], string>> = {
  rspamd: "rspamd",
  spamassassin: "SpamAssassin",
};

function toOpinion({ engine, version, score, threshold, action, symbols }: ScannerResult) {
  const weighing = symbols.filter(({ points }) => points !== 0).slice(0, maxSymbolsShown);
  return {
    finding: "score" as const,
    subject: engine,
    data: {
      engine: scannerNames[engine],
      score,
      threshold,
      symbols: weighing.map(({ name, points }) => `${shown(name)} ${points > 0 ? "+" : ""}${points}`),
    },
    evidence: { version, action },
  };
}

function hasTestString({ text, html }: Message): boolean {
  return [text, html].some((body) => body?.text.includes(testString));
}
