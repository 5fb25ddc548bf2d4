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
      fix: "Add a `<title>` to the head, for example with the subject.",
    },
  },
  run({ message, html }) {
    const why = whyNoHtml(message);
    if (why !== null) return notApplicable(why);
    const title = html.title || null;
    if (title !== null && /\p{L}/u.test(title) && templateMarksIn(title, 1).length === 0) return passed({ title });
    return [{ finding: "missing", data: { text: title } }];
  },
});
