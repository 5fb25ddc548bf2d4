// The judged HTML and CSS features, by their name in the support table.

import type { LayoutKind } from "../../mail/html/features.ts";
import { clientMix } from "./client-mix.ts";
import { support } from "./client-support-table.ts";

export const layoutFeatures: Readonly<Record<LayoutKind, { readonly slug: string; readonly name: string }>> = {
  flex: { slug: "css-display-flex", name: "`display:flex`" },
  grid: { slug: "css-display-grid", name: "`display:grid`" },
  absolute: { slug: "css-position", name: "`position:absolute`" },
};

export const mediaFeatures: ReadonlyMap<string, string> = new Map([
  ["video", "html-video"],
  ["audio", "html-audio"],
  ["svg", "html-svg"],
]);

export const imageFeatures: ReadonlyMap<string, string> = new Map([
  ["svg", "image-svg"],
  ["avif", "image-avif"],
  ["apng", "image-apng"],
]);

/** Without these, a message looks plainer but keeps its content. */
export const decorations: ReadonlyMap<string, string> = new Map([
  ["@font-face", "css-at-font-face"],
  ["@keyframes", "css-at-keyframes"],
  ["linear-gradient()", "css-linear-gradient"],
  ["radial-gradient()", "css-radial-gradient"],
  ["conic-gradient()", "css-conic-gradient"],
  ["var()", "css-variables"],
  ...(
    "animation aspect-ratio backdrop-filter background-image background-size border-radius box-shadow clip-path " +
    "column-count filter gap mask-image mix-blend-mode object-fit opacity text-shadow transform transition"
  )
    .split(" ")
    .map((property): [string, string] => [property, `css-${property}`]),
]);

export const judgedFeatures: readonly string[] = [
  ...Object.values(layoutFeatures).map(({ slug }) => slug),
  ...mediaFeatures.values(),
  ...imageFeatures.values(),
  ...decorations.values(),
].sort();

type Lacking = {
  /** Client families without support, the most used first. */
  readonly clients: readonly string[];
  /** Percent of all recipients. */
  readonly share: number;
};

/** The clients without a feature. Partial or unknown support doesn't count as missing. */
export function whoLacks(slug: string): Lacking {
  const verdicts = support.get(slug) ?? "";
  const lacking = clientMix.filter((_, at) => verdicts.charAt(at) === "n");
  return { clients: lacking.map(({ name }) => name), share: lacking.reduce((sum, { share }) => sum + share, 0) };
}
