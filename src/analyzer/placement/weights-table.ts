// Weights for spam, in natural log-odds that are added up. Rows based on DNS are estimates: their ranking follows the
// published rules of providers and the published scores of rspamd and SpamAssassin. Rows based on the message alone
// start as such estimates, and scripts/placement/fit.ts adjusts them to public mail, by a factor of one half to two and
// never below 0. Any changed number is a new version, so that predictions can be compared.
//
// Results of scripts/placement/evaluate.ts on SpamAssassin's public corpus (1,896 spam, 4,150 ham) without DNS, with each
// message judged by weights that never saw its sender or campaign: AUC 0.99, and 0.93 against hard ham; 89% of the spam is
// found at 1% false positives. Trained on the older half without hard ham and tested on the newer half and hard ham: AUC
// 0.97, recall 0.47. The odds are deliberately cautious, because that mail is from 2002.
//
// An imitated sender is 55 times as common in spam as in other mail: one in 40 spam messages according to APWG's yearly
// reports, against 2 false positives in 4,150 messages of public ham.

import type { FindingId } from "../checks/check.ts";
import type { FactName } from "../checks/facts.ts";
import type { Provider } from "./provider.ts";
import type { Sign } from "./signs.ts";
import weights from "./weights.json" with { type: "json" };

export const weightsVersion = "2026-11-26";

export type Points = Readonly<Record<Provider, number>>;

type Row = {
  readonly id: string;
  /** Names it in the list of unknowns. */
  readonly about: string;
  /** The row is unknown unless all of these facts are known. */
  readonly facts: readonly FactName[];
  readonly points: Points;
  readonly why: string;
  readonly source: string;
};

export type Fault = Row & {
  /** Among faults with the same cause, only the heaviest counts. */
  readonly cause: string;
  readonly findings: readonly FindingId[];
  /** Counts once per entry of this list in the finding, up to the limit. */
  readonly each?: { readonly list: string; readonly atMost: number };
};

export type SignWeight = Row & {
  readonly cause: string;
  readonly sign: Sign;
  readonly says: string;
  readonly change: string | null;
};

/** For a message without any evidence: 3 in 100. */
export const base = -3.5;

/**
 * How certain each type of gate is. A message doesn't show how much its sender sends, and a mailing list post least of
 * all.
 */
export const certainty = { any: 0.95, bulk: 0.6, mailingList: 0.2 } as const;

export const faults: readonly Fault[] = weights.faults.map((row) => ({
  ...row,
  facts: row.facts as FactName[],
  findings: row.findings as FindingId[],
}));

/** What the domain's DMARC policy asks for when DMARC fails. A gate covers rejections that a provider publishes. */
export const policies: readonly SignWeight[] = weights.policies.map(toSignWeight);

/** Evidence in favor of a message. */
export const credits: readonly SignWeight[] = weights.credits.map(toSignWeight);

function toSignWeight(row: (typeof weights)["policies" | "credits"][number]): SignWeight {
  return { ...row, facts: row.facts as FactName[], sign: row.sign as Sign };
}

/** How much words count: a share of the text model's log-odds. */
export const words = {
  points: { gmail: 1, outlook: 0.8, yahoo: 1, icloud: 0.8, generic: 1 },
  why: "Spam filters learn from words. Our words come from old public mail, so they count only in part and never decide alone.",
  source: "scripts/placement/fit.ts: SpamAssassin's public corpus, compared with current templates and ordinary mail",
} as const;
