// A row of placement as the pages read it: predicted from rules, or observed in a mailbox, and never one for the other.

import type { TestReport } from "../../api/tests.ts";

export type Odds = {
  readonly inbox: number;
  readonly promotions: number;
  readonly spam: number;
  readonly rejected: number;
};

export type Reason = {
  readonly text: string;
  readonly points: number | null;
  readonly finding: string | null;
  readonly change: string | null;
};

export type Observation = {
  readonly account?: string | null;
  readonly folder?: string | null;
  readonly folder_name?: string | null;
  readonly seen_at?: string | null;
  readonly delay_ms?: number | null;
  readonly authentication_results?: readonly string[];
  readonly differs?: readonly {
    readonly mechanism: string;
    readonly ours: string | null;
    readonly theirs: string | null;
  }[];
};

export type Folder = "inbox" | "promotions" | "spam" | "rejected" | "pending" | "missing";

export type PlacementRow = {
  readonly provider: string;
  readonly folder: Folder;
  readonly method: "predicted" | "observed";
  readonly confidence: number | null;
  readonly reasons: readonly Reason[];
  readonly smtp_reply: string | null;
  readonly predicted: { readonly folder: Folder; readonly odds: Odds; readonly confidence: number } | null;
  readonly observed?: readonly Observation[];
};

export function toPlacementRows(test: TestReport): readonly PlacementRow[] {
  return test.placement_results ?? [];
}

const providerNames: Readonly<Record<string, string>> = {
  gmail: "Gmail",
  outlook: "Outlook.com",
  yahoo: "Yahoo and AOL",
  icloud: "iCloud",
  generic: "Other mailbox hosts",
};

export function toProviderName(provider: string): string {
  return providerNames[provider] ?? provider.replace(/^imap:/, "");
}
