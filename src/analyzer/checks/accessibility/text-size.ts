import type { TextStyle } from "../../mail/html/page.ts";
import type { Links } from "../../mail/links/links.ts";
import { defineCheck, notApplicable, passed } from "../check.ts";
import type { Fact } from "../fact.ts";
import { whyNoHtml } from "../image-only.ts";

/** Below these, an unsubscribe link is hidden, which `unsubscribe-link` reports. */
const hiddenPx = 8;
const hiddenContrast = 1.5;

/** The text styles without hidden unsubscribe links. */
export function withoutHiddenLinks(styles: readonly TextStyle[], links: Fact<Links>): readonly TextStyle[] {
  const hidden = (links.known ? links.value.list : []).filter(
    ({ role, place, fontPx, contrast }) =>
      role === "unsubscribe" &&
      place === "html" &&
      ((fontPx ?? hiddenPx) < hiddenPx || (contrast ?? hiddenContrast) < hiddenContrast),
  );
  if (hidden.length === 0) return styles;
  return styles.map((style) => {
    const own = hidden.filter(({ fontPx, contrast }) => fontPx === style.fontPx && contrast === style.contrast);
    const chars = own.reduce((sum, { text }) => sum + text.replace(/\s/g, "").length, 0);
    return { ...style, chars: Math.max(0, style.chars - chars) };
  });
}

export const leastPx = 12;

export const textSize = defineCheck({
  id: "text-size",
  helpPage: "fix-accessibility",
  label: "Text size",
  owner: "content",
  asks: "whether text is large enough",
  why: "Small text is hard to read, especially on phones.",
  refs: ["mail design practice"],
  needs: ["message", "html"],
  wants: ["links"],
  kinds: ["bulk", "transactional"],
  passes: "Most text is {size} px.",
  findings: {
    small: {
      severity: "minor",
      cost: 3,
      title: "Small text",
      says: "{share}% of the text is smaller than 12 px, most often {size} px.",
      fix: "Use at least 14 px for body text.",
    },
  },
  run({ message, html, links }) {
    const why = whyNoHtml(message);
    if (why !== null) return notApplicable(why);
    const styles = withoutHiddenLinks(html.textStyles, links).filter(({ chars }) => chars > 0);
    if (styles.length === 0) return notApplicable("The HTML has no visible text.");
    const sizes = new Map<number, number>();
    for (const { fontPx, chars } of styles) sizes.set(fontPx, (sizes.get(fontPx) ?? 0) + chars);
    const byUse = [...sizes].sort(([, one], [, other]) => other - one);
    const all = byUse.reduce((sum, [, chars]) => sum + chars, 0);
    const small = byUse.filter(([px]) => px < leastPx);
    const share = small.reduce((sum, [, chars]) => sum + chars, 0) / all;
    if (share <= 1 / 2) return passed({ size: byUse[0]?.[0] ?? 0 });
    const data = { size: small[0]?.[0] ?? 0, share: Math.floor(share * 100) };
    return [{ finding: "small", data, evidence: { charsBySize: Object.fromEntries(byUse.slice(0, 20)) } }];
  },
});
