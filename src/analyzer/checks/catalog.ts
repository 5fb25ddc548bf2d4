// All checks and rules as one value, for code that shows a report: a report only names the checks that passed and the
// rules, without their texts.

import type { ListedCheck } from "./check.ts";
import { checksById } from "./list.ts";
import { ruleLists } from "./tallies/list.ts";
import type { ProviderRules } from "./tally.ts";

export type CheckCatalog = {
  /** By ID, in the order of the list. */
  readonly checks: ReadonlyMap<string, ListedCheck>;
  readonly ruleLists: readonly ProviderRules[];
};

export const checkCatalog: CheckCatalog = { checks: checksById, ruleLists };
