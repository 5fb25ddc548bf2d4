// What email clients support, from caniemail.com (MIT, (c) Rémi Parmentier). scripts/caniemail.ts writes the JSON.

import table from "./client-support.json" with { type: "json" };

export const supportAsOf = table.asOf;

/** For each feature, one letter per family in client-mix.ts, in that order: y, n, a (partly), u (unknown). */
export const support: ReadonlyMap<string, string> = new Map(Object.entries(table.verdicts));
