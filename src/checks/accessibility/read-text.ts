import type { TextStyle } from "../../mail/html.ts";
import type { Links } from "../../mail/links.ts";
import type { Fact } from "../fact.ts";

/** An unsubscribe link that nobody can see has a check of its own: below these it is hidden. */
const hiddenPx = 8;
const hiddenContrast = 1.5;

/** The looks of the text without those unsubscribe links. */
export function withoutHiddenLinks(styles: readonly TextStyle[], links: Fact<Links>): readonly TextStyle[] {
  const hidden = (links.known ? links.value.list : []).filter(
    ({ role, place, fontPx, contrast }) =>
      role === "unsubscribe" &&
      place === "html" &&
      ((fontPx ?? hiddenPx) < hiddenPx || (contrast ?? hiddenContrast) < hiddenContrast),
  );
  if (hidden.length === 0) return styles;
  return styles.map((style) => {
    const own = hidden.filter(
      ({ fontPx, contrast }) => fontPx === style.fontPx && contrast === style.contrast,
    );
    const chars = own.reduce((sum, { text }) => sum + text.replace(/\s/g, "").length, 0);
    return { ...style, chars: Math.max(0, style.chars - chars) };
  });
}
