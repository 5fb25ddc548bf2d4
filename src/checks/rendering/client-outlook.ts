// What a message's HTML uses, and how each program takes it: the same table that the checks judge by, told whole.

import type { HtmlFeatures } from "../../mail/html/features.ts";
import { clientMix } from "./client-mix.ts";
import { support, supportAsOf } from "./client-support-table.ts";
import { decorations, imageFeatures, layoutFeatures, mediaFeatures } from "./features.ts";

type SupportLevel = "shown" | "partly" | "missing" | "unknown";

export type ClientOutlook = {
  readonly asOf: string;
  /** The most used first. `share`: in percent of readers, as we assume. */
  readonly programs: readonly { readonly name: string; readonly share: number }[];
  /** Each with its standing in every program, in their order. */
  readonly features: readonly { readonly name: string; readonly standings: readonly SupportLevel[] }[];
};

const standings: Readonly<Record<string, SupportLevel>> = { y: "shown", a: "partly", n: "missing" };

/** `formats`: of the pictures. */
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

/** What holds the layout first, then what people see, then what is only finer. */
function namesOf(
  { layouts, bareMedia, styles }: HtmlFeatures,
  formats: Iterable<string>,
): [string, string][] {
  return [
    ...[...layouts.keys()].map((kind): [string, string] => {
      const { slug, name } = layoutFeatures[kind];
      return [name.replaceAll("`", ""), slug];
    }),
    ...[...bareMedia.keys()].map((tag): [string, string] => [`<${tag}>`, mediaFeatures.get(tag) ?? ""]),
    ...[...new Set(formats)].map((format): [string, string] => [
      `${format.toUpperCase()} pictures`,
      imageFeatures.get(format) ?? "",
    ]),
    ...[...styles].sort().map((name): [string, string] => [name, decorations.get(name) ?? ""]),
  ];
}
