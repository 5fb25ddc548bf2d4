import type { Html } from "../../mail/html/page.ts";
import { defineCheck, notApplicable, passed, type Raised } from "../check.ts";
import { whyNoHtml } from "../image-only.ts";

export const htmlStructure = defineCheck({
  id: "html-structure",
  helpPage: "fix-rendering",
  label: "HTML structure",
  owner: "content",
  asks: "whether the HTML structure is valid",
  why: "Email clients repair broken HTML in different ways.",
  refs: ["HTML standard §13.2"],
  needs: ["message", "html"],
  wants: ["kind"],
  kinds: ["bulk", "transactional", "personal"],
  byKind: true,
  passes: "Tables and conditional comments are closed[[, and the HTML has {a} doctype]].",
  findings: {
    broken: {
      severity: "minor",
      cost: 3,
      title: "Broken HTML",
      says: "The HTML is broken at line {line}: {problem}.",
      fix: "{remedy}.",
    },
    conditional: {
      severity: "minor",
      cost: 8,
      title: "Unclosed Outlook conditional comment",
      says: "The conditional comment at line {line} is not closed. Outlook may show nothing.",
      fix: "Add `<![endif]-->`.",
    },
    "no-doctype": {
      severity: "info",
      title: "No HTML doctype",
      says: "The HTML has no doctype.",
      fix: "Start with `<!DOCTYPE html>`.",
      why: "Without a doctype, some email clients use old layout rules (quirks mode).",
    },
  },
  run({ message, html, kind }) {
    const why = whyNoHtml(message);
    if (why !== null) return notApplicable(why);
    // With several HTML parts shown one after another, content after `</html>` is expected.
    const isWhole = message.html?.parts.length === 1;
    // People can't change what their email client writes.
    const isPersonal = kind.known && kind.value.kind === "personal";
    const raised = [
      ...findBroken(html, isWhole),
      ...findConditional(html),
      ...(html.doctype === null && !isPersonal ? [{ finding: "no-doctype" as const }] : []),
    ];
    return raised.length > 0 ? raised : passed({ a: html.doctype === null ? null : "a" });
  },
});

type Problem = { readonly line: number; readonly problem: string; readonly remedy: string };

const tableTags = new Set("table thead tbody tfoot tr td th".split(" "));
const maxListed = 10;

function findBroken(html: Html, isWhole: boolean): Raised<"broken">[] {
  const isCut = html.cuts.includes("bytes") || html.cuts.includes("elements");
  const problems = [
    ...html.faults.flatMap((fault) => toProblem(fault, isWhole, isCut)),
    ...html.comments.conditionFaults
      .filter(({ problem }) => problem === "not-opened")
      .map(({ line }) => ({
        line,
        problem: "`<![endif]>` has no matching start",
        remedy: "Remove it, or add the matching `<!--[if mso]>`",
      })),
  ].sort((one, other) => one.line - other.line);
  const [first] = problems;
  if (!first) return [];
  return [{ finding: "broken", data: first, evidence: { problems: problems.slice(0, maxListed) } }];
}

function toProblem({ kind, tag, line }: Html["faults"][number], isWhole: boolean, isCut: boolean): Problem[] {
  if (kind === "after-html" && isWhole)
    return [{ line, problem: "content follows `</html>`", remedy: "Move it before `</body>`" }];
  if (!tableTags.has(tag)) return [];
  // In cut HTML, the end tag may be in the part that was not read.
  if (kind === "unclosed" && !isCut)
    return [{ line, problem: `\`<${tag}>\` is not closed`, remedy: `Close \`<${tag}>\`` }];
  if (kind === "stray-end")
    return [
      {
        line,
        problem: `\`</${tag}>\` closes nothing`,
        remedy: `Remove \`</${tag}>\`, or add the matching \`<${tag}>\``,
      },
    ];
  return [];
}

function findConditional({ comments, cuts }: Html): Raised<"conditional">[] {
  if (cuts.includes("bytes") || cuts.includes("elements")) return [];
  const open = comments.conditionFaults.filter(({ problem }) => problem === "not-closed");
  const [first] = open;
  if (!first) return [];
  return [{ finding: "conditional", data: { line: first.line }, evidence: { lines: open.map(({ line }) => line) } }];
}
