// Predictions overlaid by observations: where a test counts as placed, provider by provider. Rates, sums and rows of a report
// are all made of it, so that a later analysis never loses what was seen.

import type { Folder } from "../placement/provider.ts";
import type { ObservedFolder } from "./sighting.ts";

export type PlacedAt = {
  readonly provider: string;
  readonly folder: Folder;
  readonly isObserved: boolean;
};

type Predicted = { readonly provider: string; readonly folder: Folder };
type Observed = { readonly provider: string; readonly folder: ObservedFolder };

/** In the order of the predictions, then providers that nothing was predicted of. */
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

/** The folder of most, of as many the worse; null of none. */
export function toMajority(
  folders: readonly ObservedFolder[],
): { readonly folder: ObservedFolder; readonly share: number } | null {
  const count = (folder: ObservedFolder) => folders.filter((one) => one === folder).length;
  const [folder] = [...worstFirst].sort((left, right) => count(right) - count(left));
  return folder && folders.length > 0 ? { folder, share: count(folder) / folders.length } : null;
}
