// Predictions, replaced by observations where there are any: where a test counts as placed, for each provider. Rates,
// sums and report rows all use it, so that a later analysis never loses an observation.

import type { Folder } from "../placement/provider.ts";
import type { ObservedFolder } from "./sighting.ts";

export type PlacedAt = {
  readonly provider: string;
  readonly folder: Folder;
  readonly isObserved: boolean;
};

type Predicted = { readonly provider: string; readonly folder: Folder };
type Observed = { readonly provider: string; readonly folder: ObservedFolder };

/** In the order of the predictions, then providers without a prediction. */
export function toPlaced(predicted: readonly Predicted[], observed: readonly Observed[]): PlacedAt[] {
  const seen = Map.groupBy(observed, ({ provider }) => provider);
  const folderAt = (provider: string) =>
    toMajority((seen.get(provider) ?? []).map(({ folder }) => folder))?.folder;
  const others = [...seen.keys()].filter((name) => predicted.every(({ provider }) => provider !== name));
  return [
    ...predicted.map(({ provider, folder }) => ({
      provider,
      folder: folderAt(provider) ?? folder,
      isObserved: seen.has(provider),
    })),
    ...others.sort().flatMap((provider) => {
      const folder = folderAt(provider);
      return folder ? [{ provider, folder, isObserved: true }] : [];
    }),
  ];
}

const worstFirst: readonly ObservedFolder[] = ["spam", "promotions", "inbox"];

/** The most common folder; a tie goes to the worse one. Null without any. */
export function toMajority(
  folders: readonly ObservedFolder[],
): { readonly folder: ObservedFolder; readonly share: number } | null {
  const count = (folder: ObservedFolder) => folders.filter((one) => one === folder).length;
  const [folder] = [...worstFirst].sort((left, right) => count(right) - count(left));
  return folder && folders.length > 0 ? { folder, share: count(folder) / folders.length } : null;
}
