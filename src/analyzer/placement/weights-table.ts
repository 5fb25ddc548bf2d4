// Weights for spam, in natural log-odds that are added up. Each counts the same for every provider. Rows based on DNS are
// estimates in the order of the providers' published rules and of the published scores of rspamd and SpamAssassin. Rows
// based on the message alone are fitted to public mail by scripts/placement/fit.ts, by at most 1.5 points.
// Any changed number is a new version, so that predictions can be compared.
//
// How well they do on mail that they never saw is in measured.json, which scripts/placement/evaluate.ts writes.
//
// An imitated sender is 110 times as common in spam as in other mail: one in 40 spam messages according to APWG's yearly
// reports, against 2 false positives in 9,008 messages of public ham. No word in those mixes alphabets.

import type { FindingId } from "../checks/check.ts";
import type { FactName } from "../checks/facts.ts";
import type { Sign } from "./signs.ts";
import weights from "./weights.json" with { type: "json" };

export const weightsVersion = "2026-11-30";

type Row = {
  readonly id: string;
  /** Names it in the list of unknowns. */
  readonly about: string;
  /** The row is unknown unless all of these facts are known. */
  readonly facts: readonly FactName[];
  readonly points: number;
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

/** For a message without any evidence: 0.7 in 100. With it, less than 1% of each left-out corpus of ham is in spam. */
export const base = -5;

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

/**
 * What the domain's DMARC policy asks for when DMARC fails (a gate covers rejections that a provider publishes), the
 * shape of the message, and evidence in its favor.
 */
export const signWeights: readonly SignWeight[] = [...weights.policies, ...weights.shapes, ...weights.credits].map(
  (row) => ({ ...row, facts: row.facts as FactName[], sign: row.sign as Sign }),
);
