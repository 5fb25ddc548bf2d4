import type { Html } from "../../mail/html/page.ts";
import { toStorableCut } from "../../mail/text/bounds.ts";
import { defineCheck, notApplicable, passed, type Raised } from "../check.ts";
import { toCount } from "../format/amounts.ts";
import { whyNoHtml } from "../image-only.ts";

/** Gmail ignores longer styles. */
const maxStyleBytes = 16_384;

export const styleSheets = defineCheck({
  id: "style-sheets",
  helpPage: "fix-html-size",
  label: "Style sheets",
  owner: "content",
  asks: "whether email clients apply the styles",
  why: "Gmail and Yahoo ignore external style sheets and styles in the body.",
  refs: ["caniemail: <style>, <link>, @import"],
  needs: ["message", "html"],
  kinds: ["bulk", "transactional", "personal"],
  passes: "The HTML has no styles that email clients ignore[[ ({bytes} bytes in `<style>`)]].",
  findings: {
    external: {
      severity: "minor",
      cost: 8,
      title: "External style sheet",
      says: "The HTML loads the style sheet {url}, which Gmail, Outlook.com, and Yahoo ignore.",
      fix: "Move the styles into `<style>` in the head, or inline them.",
    },
    "too-long": {
      severity: "minor",
      cost: 8,
      title: "Styles too long for Gmail",
      says: "The styles total {bytes} bytes. Gmail ignores `<style>` blocks over 16 KB.",
      fix: "Remove unused rules, or inline them.",
      why: "Without its styles, the message looks different in Gmail.",
    },
    "in-body": {
      severity: "minor",
      cost: 3,
      title: "Styles outside the head",
      says: "Every `<style>` is in the body. Gmail reads styles only in the head.",
      fix: "Move `<style>` into the head.",
    },
  },
  run({ message, html }) {
    const why = whyNoHtml(message);
    if (why !== null) return notApplicable(why);
    const raised = findFaults(html);
    return raised.length > 0 ? raised : passed({ bytes: html.styleBytes === 0 ? null : toCount(html.styleBytes) });
  },
});

function findFaults({ linkedSheets, styles, styleBytes }: Html) {
  const raised: Raised<"external" | "too-long" | "in-body">[] = [];
  // Fonts that don't load fall back to others, so nothing breaks.
  const urls = [
    ...linkedSheets.filter(({ isFont }) => !isFont).map(({ href }) => href),
    ...styles.imports.filter(({ isFont }) => !isFont).map(({ url }) => url),
  ];
  const [url] = urls;
  if (url !== undefined)
    raised.push({ finding: "external", data: { url: toStorableCut(url, 120) }, evidence: { urls } });
  if (styleBytes > maxStyleBytes) raised.push({ finding: "too-long", data: { bytes: toCount(styleBytes) } });
  if (styles.inHead === 0 && styles.inBody > 0) raised.push({ finding: "in-body", evidence: { count: styles.inBody } });
  return raised;
}
