import { defineCheck, notApplicable, passed, skipped } from "../check.ts";
import { whyNoHtml } from "../image-only.ts";

/** About a page of text. */
const longText = 1_500;

export const headings = defineCheck({
  id: "headings",
  helpPage: "fix-accessibility",
  label: "Headings",
  owner: "content",
  asks: "whether long messages have headings",
  why: "Screen reader users jump from heading to heading.",
  refs: ["WCAG 2.4.6"],
  needs: ["message", "html"],
  kinds: ["bulk"],
  passes: "The text is {chars} characters long and has {headings}.",
  findings: {
    none: {
      severity: "info",
      title: "No headings",
      says: "The text is {chars} characters long and has no headings.",
      fix: "Use `<h1>` to `<h3>` for headings.",
    },
  },
  run({ message, html }) {
    const why = whyNoHtml(message);
    if (why !== null) return notApplicable(why);
    const { visibleChars: chars, headings: count, cuts } = html;
    if (chars <= longText) return notApplicable("The text is too short to need headings.");
    if (count > 0) return passed({ chars, headings: count === 1 ? "1 heading" : `${count} headings` });
    return cuts.includes("bytes") || cuts.includes("elements")
      ? skipped("too-large")
      : [{ finding: "none", data: { chars } }];
  },
});
