// A row of placement: predicted from rules or observed in a mailbox. The two are never mixed.

import { isEitherWay } from "../../analyzer/placement/provider.ts";
import { providerNames } from "../../analyzer/words/provider-words.ts";
import type { TestReport } from "../../features/tests/contract/tests.ts";

export type PlacementRow = NonNullable<TestReport["placement_results"]>[number];
export type Folder = PlacementRow["folder"];
export type Mailbox = PlacementRow["observed"][number];
export type Prediction = NonNullable<PlacementRow["predicted"]>;
export type Odds = Prediction["odds"];
export type Reason = Prediction["reasons"][number];

/** awaited: a mailbox is connected, but hasn't shown the message. */
export const standings = ["observed", "awaited", "predicted"] as const;
export type Standing = (typeof standings)[number];

export function toPlacementRows(test: Pick<TestReport, "placement_results">): readonly PlacementRow[] {
  return test.placement_results ?? [];
}

export function toStanding({ method, folder }: PlacementRow): Standing {
  return isUnseen(folder) ? "awaited" : method;
}

export function isUnseen(folder: Folder): boolean {
  return folder === "pending" || folder === "missing";
}

/** Predicted between inbox and spam. */
export function isOpen({ method, predicted }: PlacementRow): boolean {
  return method === "predicted" && predicted !== null && isEitherWay(predicted.odds);
}

/** A mailbox at none of the large providers. */
export function isOwnMailbox(provider: string): boolean {
  return provider.startsWith("imap:");
}

export function toProviderName(provider: string): string {
  return providerNames[provider] ?? provider.replace(/^imap:/, "");
}
