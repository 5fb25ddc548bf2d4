// Everything that is judged, as one value, for whoever shows a report: a report names a check that passed and a rule, and
// doesn't repeat what they ask.

import type { Check } from "./check.ts";
import { checksById } from "./list.ts";
import { ruleLists } from "./tallies/list.ts";
import type { ProviderRules } from "./tally.ts";

export type CheckCatalog = {
  /** By their ids, in the order of the list. */
  readonly checks: ReadonlyMap<string, Check>;
  readonly ruleLists: readonly ProviderRules[];
};

export const checkCatalog: CheckCatalog = { checks: checksById, ruleLists };
