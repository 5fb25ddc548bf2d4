// Placement in three numbers: of the providers whose folder is known, the shares of each.

import type { Folder } from "../placement/provider.ts";

export type Rates = {
  readonly inbox_rate: number | null;
  readonly spam_rate: number | null;
  readonly promo_rate: number | null;
};

/** What counts as what. What is refused is lost to the reader like spam. */
export const countedAs: Readonly<Record<Folder, "inbox" | "spam" | "promotions">> = {
  inbox: "inbox",
  promotions: "promotions",
  spam: "spam",
  rejected: "spam",
};

export function toRates(placed: readonly { readonly folder: Folder }[]): Rates {
  const shareOf = (counted: "inbox" | "spam" | "promotions") =>
    placed.length === 0
      ? null
      : placed.filter(({ folder }) => countedAs[folder] === counted).length / placed.length;
  return { inbox_rate: shareOf("inbox"), spam_rate: shareOf("spam"), promo_rate: shareOf("promotions") };
}
