// Placement in three numbers: of the providers whose folder is known, the shares of each.

import type { Folder } from "../placement/provider.ts";

export type Rates = {
  readonly inbox_rate: number | null;
  readonly spam_rate: number | null;
  readonly promo_rate: number | null;
};

/** What is refused is lost to the reader like spam. */
export function toRates(placed: readonly { readonly folder: Folder }[]): Rates {
  const shareOf = (...folders: readonly Folder[]) =>
    placed.length === 0
      ? null
      : placed.filter(({ folder }) => folders.includes(folder)).length / placed.length;
  return {
    inbox_rate: shareOf("inbox"),
    spam_rate: shareOf("spam", "rejected"),
    promo_rate: shareOf("promotions"),
  };
}
