import { defineCheck, notApplicable, passed } from "../check.ts";
import { whyNoHtml } from "../image-only.ts";
import { runsRightToLeft } from "./language.ts";

export const htmlDir = defineCheck({
  id: "html-dir",
  helpPage: "fix-accessibility",
  label: "Text direction",
  owner: "content",
  asks: "whether right-to-left text is marked",
  why: 'Without dir="rtl", right-to-left text can appear in the wrong order.',
  refs: ["WCAG 1.3.2"],
  needs: ["message", "html"],
  kinds: ["bulk", "transactional", "personal"],
  passes: 'The text runs {direction}[[ and is marked with dir="{dir}"]].',
  findings: {
    "missing-rtl": {
      severity: "minor",
      cost: 3,
      title: "Right-to-left text not marked",
      says: 'The text runs right to left, but the HTML does not declare dir="rtl"[[ (found: dir="{dir}")]].',
      fix: 'Add `dir="rtl"` to `<html>` and to the outermost table, because some email clients remove `<html>`.',
    },
  },
  run({ message, html }) {
    const why = whyNoHtml(message);
    if (why !== null) return notApplicable(why);
    const { visibleText, dir, marksRightToLeft } = html;
    if (!runsRightToLeft(visibleText)) return passed({ direction: "left to right", dir: null });
    return marksRightToLeft ? passed({ direction: "right to left", dir }) : [{ finding: "missing-rtl", data: { dir } }];
  },
});
