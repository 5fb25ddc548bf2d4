import { toStorableCut } from "../../mail/text/bounds.ts";
import { templateMarksIn } from "../../mail/urls/patterns.ts";
import { defineCheck, notApplicable, passed } from "../check.ts";
import { whyNoHtml } from "../image-only.ts";

export const htmlTitle = defineCheck({
  id: "html-title",
  helpPage: "fix-accessibility",
  label: "HTML title",
  owner: "content",
  asks: "whether the HTML has a title",
  why: '"View in browser" pages show the title, and screen readers announce it.',
  refs: ["WCAG 2.4.2"],
  needs: ["message", "html"],
  kinds: ["bulk", "transactional"],
  passes: 'The HTML has the title "{title}".',
  findings: {
    missing: {
      severity: "info",
      title: "No HTML title",
      says: 'The HTML has no title[[ except "{text}"]].',
      fix: "Add a title to the head[[: `<title>{subject}</title>`]].",
    },
  },
  run({ message, html }) {
    const why = whyNoHtml(message);
    if (why !== null) return notApplicable(why);
    const title = html.title || null;
    if (title !== null && /\p{L}/u.test(title) && templateMarksIn(title, 1).length === 0) return passed({ title });
    const subject = message.subject?.trim().replace(/\s+/g, " ") || null;
    return [{ finding: "missing", data: { text: title, subject: subject && toMarkup(toStorableCut(subject, 150)) } }];
  },
});

function toMarkup(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
