// The features that a message's HTML uses and their support in each email client, from the table that the checks use.

import type { HtmlFeatures } from "../../mail/html/features.ts";
import { clientMix } from "./client-mix.ts";
import { support, supportAsOf } from "./client-support-table.ts";
import { decorations, imageFeatures, layoutFeatures, mediaFeatures } from "./features.ts";

type SupportLevel = "shown" | "partly" | "missing" | "unknown";

export type ClientOutlook = {
  readonly asOf: string;
  /** The most used first. `share`: assumed percent of recipients. */
  readonly programs: readonly { readonly name: string; readonly share: number }[];
  /** Each with its support in every client, in the order of `programs`. */
  readonly features: readonly { readonly name: string; readonly standings: readonly SupportLevel[] }[];
};

const standings: Readonly<Record<string, SupportLevel>> = { y: "shown", a: "partly", n: "missing" };

/** `formats`: the image formats. */
export function toClientOutlook(used: HtmlFeatures, formats: Iterable<string>): ClientOutlook {
  return {
    asOf: supportAsOf,
    programs: clientMix.map(({ name, share }) => ({ name, share })),
    features: namesOf(used, formats).flatMap(([name, slug]) => {
      const verdicts = support.get(slug);
      if (verdicts === undefined) return [];
      return [{ name, standings: clientMix.map((_, at) => standings[verdicts.charAt(at)] ?? "unknown") }];
    }),
  };
}

/** Layout features first, then media, then decoration. */
function namesOf({ layouts, bareMedia, styles }: HtmlFeatures, formats: Iterable<string>): [string, string][] {
  return [
    ...[...layouts.keys()].map((kind): [string, string] => {
      const { slug, name } = layoutFeatures[kind];
      return [name.replaceAll("`", ""), slug];
    }),
    ...[...bareMedia.keys()].map((tag): [string, string] => [`<${tag}>`, mediaFeatures.get(tag) ?? ""]),
    ...[...new Set(formats)].map((format): [string, string] => [
      `${format.toUpperCase()} images`,
      imageFeatures.get(format) ?? "",
    ]),
    ...[...styles].sort().map((name): [string, string] => [name, decorations.get(name) ?? ""]),
  ];
}
