import { doors } from "../../mail/session/doors.ts";
import { defineCheck, passed, type Raised } from "../check.ts";
import type { Facts } from "../facts.ts";
import { maxTold } from "./header-lines.ts";

export const headerSyntax = defineCheck({
  id: "header-syntax",
  helpPage: "fix-headers",
  label: "Header syntax",
  owner: "email-service",
  asks: "whether the header section is well formed",
  why: "An invalid line can end the headers early or cause rejection.",
  refs: ["RFC 5322 §2.2"],
  needs: ["raw"],
  wants: ["session"],
  passes: "Every header is well formed ({count} in total).",
  findings: {
    "bad-line": {
      severity: "major",
      title: "Invalid header line",
      says: 'Line {line} is not a valid header: "{text}".[[ In total, {all} lines are invalid.]]',
      fix: "Fix the software that writes this line.",
      gates: [{ provider: "gmail", sender: "any", may: true, reply: "550 5.7.1" }],
    },
    "no-separator": {
      severity: "critical",
      title: "No blank line after headers",
      says: "No blank line separates the headers from the body, so the text is lost.",
      fix: "End the headers with a blank line.",
      gates: [{ provider: "gmail", sender: "any", reply: "554 5.6.0" }],
    },
    "blank-fold": {
      severity: "minor",
      cost: 3,
      title: "Blank header continuation line",
      says: "Line {line} continues a header but contains only spaces.",
      fix: "Fix how your software folds headers.",
    },
  },
  run({ raw, session }) {
    const { blankFolds, blankLine, counts } = raw;
    const isFile = session.known && !doors[session.value.door.kind].arrives;
    const { lines: badHeaderLines, count } = isFile ? withoutFromLine(raw) : allBadLines(raw);
    const [bad] = badHeaderLines;
    const [blank] = blankFolds;
    const raised: Raised<"bad-line" | "no-separator" | "blank-fold">[] = [];
    if (bad) {
      const all = count > 1 ? count : null;
      const { line, text } = bad;
      const evidence = { lines: badHeaderLines.slice(0, maxTold) };
      // Without a blank line, the bad lines are the body. A message with only headers needs none (RFC 5322 §3.5).
      if (!blankLine) raised.push({ finding: "no-separator", evidence });
      else raised.push({ finding: "bad-line", data: { line, text, all }, evidence });
    }
    if (blank) {
      const evidence = { lines: blankFolds.slice(0, maxTold), count: counts.blankFolds };
      raised.push({ finding: "blank-fold", data: { line: blank.line }, evidence });
    }
    return raised.length > 0 ? raised : passed({ count: raw.headers.length });
  },
});

type BadLines = { readonly lines: Facts["raw"]["badHeaderLines"]; readonly count: number };

function allBadLines({ badHeaderLines, counts }: Facts["raw"]): BadLines {
  return { lines: badHeaderLines, count: counts.badHeaderLines };
}

/** Mailbox files put "From ann@x.example Sat Nov 21 …" before each message (RFC 4155). The line was never sent. */
function withoutFromLine(raw: Facts["raw"]): BadLines {
  const { lines, count } = allBadLines(raw);
  const [first, ...rest] = lines;
  return first?.line === 1 && first.text.startsWith("From ") ? { lines: rest, count: count - 1 } : { lines, count };
}
