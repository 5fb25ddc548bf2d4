import { black, blend, type Color, contrastOf, parseColor, toHex, white } from "../../mail/html/css-values.ts";
import type { TextStyle } from "../../mail/html/page.ts";
import { toStorableCut } from "../../mail/text/bounds.ts";
import { defineCheck, notApplicable, passed } from "../check.ts";
import { whyNoHtml } from "../image-only.ts";
import { withoutHiddenLinks } from "./text-size.ts";

export const textContrast = defineCheck({
  id: "text-contrast",
  helpPage: "fix-accessibility",
  label: "Text contrast",
  owner: "content",
  asks: "whether text has enough contrast",
  why: "Text with little contrast is hard to read, above all in sunlight.",
  refs: ["WCAG 1.4.3"],
  needs: ["message", "html"],
  wants: ["links"],
  kinds: ["bulk", "transactional"],
  passes:
    "Lowest text contrast: {ratio}:1[[, in large text, which needs {least}:1]].[[ {unjudged} characters on images or in unknown colors were not judged.]]",
  findings: {
    low: {
      severity: "minor",
      cost: 3,
      title: "Low text contrast",
      says: '"{text}" has a contrast ratio of {ratio}:1. The minimum is {least}:1.',
      fix: "Use {color} or a {further}.",
    },
  },
  run({ message, html, links }) {
    const why = whyNoHtml(message);
    if (why !== null) return notApplicable(why);
    const read = withoutHiddenLinks(html.textStyles, links).filter(({ chars, sample }) => chars > 0 && sample !== "");
    const judged = read.filter(isKnown).sort((one, other) => one.contrast - other.contrast);
    const [lowest] = judged;
    if (!lowest) return notApplicable("The text colors could not be determined.");
    const low = judged.filter((style) => style.contrast < leastFor(style));
    const [most] = low.toSorted((one, other) => other.chars - one.chars);
    if (!most)
      return passed({
        ratio: toRatio(lowest.contrast),
        least: lowest.contrast < leastContrast ? leastFor(lowest) : null,
        unjudged: read.length > judged.length ? countChars(read) - countChars(judged) : null,
      });
    const chars = countChars(low);
    const data = describe(most);
    // API clients may still read the old name `colour`.
    return [{ finding: "low", data, evidence: { chars, styles: low.slice(0, 10), colour: data.color } }];
  },
});

type KnownStyle = TextStyle & { readonly contrast: number; readonly color: string; readonly background: string };

const leastContrast = 4.5;
const longestSample = 60;

function isKnown(style: TextStyle): style is KnownStyle {
  return style.contrast !== null && style.color !== null && style.background !== null;
}

function countChars(styles: readonly TextStyle[]): number {
  return styles.reduce((sum, { chars }) => sum + chars, 0);
}

function leastFor({ isLarge }: TextStyle): number {
  return isLarge ? 3 : leastContrast;
}

/** Rounds down: 4.49 is below 4.5. */
function toRatio(contrast: number): string {
  return (Math.floor(contrast * 10) / 10).toFixed(1);
}

function describe(style: KnownStyle) {
  const { sample, contrast, background } = style;
  const text = toStorableCut(sample, longestSample);
  const ground = parseColor(background) ?? white;
  const written = parseColor(style.color) ?? black;
  const least = leastFor(style);
  const isLight = contrastOf(written, black) > contrastOf(ground, black);
  const data = { text, ratio: toRatio(contrast), least, background };
  // White on orange stays white, because black would be another design.
  if (isLight && contrastOf(white, ground) < least)
    return {
      ...data,
      color: readableFrom(ground, written, black, least),
      further: `darker background behind ${style.color}`,
    };
  const isDarker = !isLight && contrastOf(black, ground) >= contrastOf(white, ground);
  const color = readableFrom(written, ground, isDarker ? black : white, least);
  return { ...data, color, further: `${isDarker ? "darker" : "lighter"} color on ${background}` };
}

/** The first color with enough contrast between the current one and black or white. */
function readableFrom(color: Color, ground: Color, end: Color, least: number): string {
  for (let step = 1; step < 50; step++) {
    const hex = toHex(blend({ ...end, a: step / 50 }, { ...color, a: 1 }));
    if (contrastOf(parseColor(hex) ?? end, ground) >= least) return hex;
  }
  return toHex(end);
}
