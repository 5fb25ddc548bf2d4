// Folders as parts of a bar: a color, a pattern, and a word each.

import { toPercent } from "../client/words.ts";
import { toShares } from "./charts.tsx";

export const placementLooks = [
  { name: "inbox", word: "Inbox", fill: null, className: "f-inbox" },
  { name: "promotions", word: "Promotions", fill: "url(#h-promo)", className: undefined },
  { name: "spam", word: "Spam or rejected", fill: "url(#h-spam)", className: undefined },
  { name: "open", word: "Inbox or spam", fill: null, className: "f-none" },
] as const;

type Rates = { readonly inbox: number | null; readonly promotions: number | null; readonly spam: number | null };

/** What is missing to 1: predictions between inbox and spam. */
export function toOpenShare({ inbox, promotions, spam }: Rates): number {
  const open = 1 - (inbox ?? 0) - (promotions ?? 0) - (spam ?? 0);
  return open < 0.0001 ? 0 : open;
}

/** With the bar in words. */
export function toPlacementShares(rates: Rates) {
  const shares = toShares(
    placementLooks,
    ({ name }) => (name === "open" ? toOpenShare(rates) : (rates[name] ?? 0)),
    (share) => share > 0,
  );
  return { shares, label: shares.map(({ word, share }) => `${word.toLowerCase()} ${toPercent(share)}`).join(", ") };
}
