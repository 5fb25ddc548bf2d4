import { defineCheck, notApplicable, passed, type Raised } from "../check.ts";
import { whyNoHtml } from "../image-only.ts";

const widestPx = 700;
/** A narrower part is an icon or a spacer, which says nothing about the layout. */
const telling = 100;

export const layoutWidth = defineCheck({
  id: "layout-width",
  helpPage: "fix-rendering",
  label: "Layout width",
  owner: "content",
  asks: "whether the layout is narrow enough and has a viewport tag",
  why: "Most mail is read on phones.",
  refs: ["no standard (mail design practice)"],
  needs: ["message", "html"],
  kinds: ["bulk", "transactional"],
  passes: "The layout is narrow enough and has a viewport tag.[[ Widest fixed part: {width} px.]]",
  findings: {
    "too-wide": {
      severity: "minor",
      cost: 3,
      title: "Layout too wide",
      says: "A `<{tag}>` with a fixed width makes the layout {width} px wide.",
      fix: "Use `width:100%; max-width:600px`.",
    },
    "no-viewport": {
      severity: "info",
      title: "No mobile viewport tag",
      says: "The HTML has no viewport tag.",
      fix: 'Add `<meta name="viewport" content="width=device-width">`.',
    },
  },
  run({ message, html }) {
    const why = whyNoHtml(message);
    if (why !== null) return notApplicable(why);
    const { widest, viewport, styles } = html;
    const raised: Raised<"too-wide" | "no-viewport">[] = [];
    if (widest && widest.widthPx > widestPx && !styles.hasMediaQueries)
      raised.push({ finding: "too-wide", data: { width: widest.widthPx, tag: widest.tag } });
    if (viewport === null) raised.push({ finding: "no-viewport" });
    return raised.length > 0 ? raised : passed({ width: widest && widest.widthPx >= telling ? widest.widthPx : null });
  },
});
