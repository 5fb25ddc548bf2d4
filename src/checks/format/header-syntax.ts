import { defineCheck, passed, type Raised } from "../check.ts";
import { maxTold } from "./told.ts";

export const headerSyntax = defineCheck({
  id: "header-syntax",
  area: "format",
  asks: "whether the header section is well formed",
  why: "A bad line can end the headers early or be refused.",
  refs: ["RFC 5322 §2.2"],
  needs: ["raw"],
  kinds: "all",
  domain: "no",
  passes: "All {count} headers are well formed.",
  findings: {
    "bad-line": {
      severity: "major",
      cost: 18,
      says: 'Line {line} is no valid header: "{text}"[[; {others} more are none either]].',
      fix: "Correct the program that writes it.",
      gates: [{ provider: "gmail", sender: "any", may: true, reply: "550 5.7.1" }],
    },
    "no-separator": {
      severity: "critical",
      cost: 45,
      says: "No blank line separates headers and body, so the text is lost.",
      fix: "End the header section with an empty line.",
      gates: [{ provider: "gmail", sender: "any", reply: "554 5.6.0" }],
    },
    "blank-fold": {
      severity: "minor",
      cost: 3,
      says: "Line {line} continues a header with nothing but spaces.",
      fix: "Correct the folding.",
    },
  },
  run({ raw }) {
    const { badHeaderLines, blankFolds, blankLine, counts } = raw;
    const [bad] = badHeaderLines;
    const [blank] = blankFolds;
    const raised: Raised<"bad-line" | "no-separator" | "blank-fold">[] = [];
    if (bad) {
      const others = counts.badHeaderLines > 1 ? counts.badHeaderLines - 1 : null;
      const { line, text } = bad;
      const evidence = { lines: badHeaderLines.slice(0, maxTold) };
      // Without the blank line the bad lines are the body. A message of headers alone needs none (RFC 5322 §3.5).
      if (!blankLine) raised.push({ finding: "no-separator", evidence });
      else raised.push({ finding: "bad-line", data: { line, text, others }, evidence });
    }
    if (blank) {
      const evidence = { lines: blankFolds.slice(0, maxTold), count: counts.blankFolds };
      raised.push({ finding: "blank-fold", data: { line: blank.line }, evidence });
    }
    return raised.length > 0 ? raised : passed({ count: raw.headers.length });
  },
});
