import type { Message } from "../../mail/mime/message.ts";
import { defineCheck, skipped } from "../check.ts";
import type { ScannerResult } from "../infrastructure-facts.ts";
import { shown } from "./shown.ts";

/** Generic Test for Unsolicited Bulk Email: the text by which a filter is shown to work. */
const testString = "XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X";
const maxSymbolsShown = 5;

export const secondOpinions = defineCheck({
  id: "second-opinions",
  area: "content",
  label: "Spam filter scores",
  owner: "content",
  asks: "what rspamd and SpamAssassin think",
  why: "Their scores are evidence and say nothing of placement; the rules behind them are judged by our own checks.",
  refs: ["rspamd and SpamAssassin documents"],
  needs: ["message"],
  wants: ["scanner"],
  kinds: "all",
  domain: "no",
  passes: "",
  findings: {
    score: {
      severity: "info",
      cost: 0,
      title: "Spam filter score",
      says: "{engine} gives {score} of {threshold} points[[: {symbols}]].",
      fix: "See the named rules; where one of our checks says the same, mend that.",
    },
    "test-string": {
      severity: "info",
      cost: 0,
      title: "Filter test string found",
      says: "The message contains the filter test string, so scanners call it spam.",
      fix: "Remove it.",
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

const names: Readonly<Record<ScannerResult["engine"], string>> = {
  rspamd: "rspamd",
  spamassassin: "SpamAssassin",
};

function toOpinion({ engine, version, score, threshold, action, symbols }: ScannerResult) {
  const weighing = symbols.filter(({ points }) => points !== 0).slice(0, maxSymbolsShown);
  return {
    finding: "score" as const,
    subject: engine,
    data: {
      engine: names[engine],
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
