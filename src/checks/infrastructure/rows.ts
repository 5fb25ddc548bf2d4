// Families of like facts, of which each may be unknown by itself.

import type { Why } from "../fact.ts";
import type { Row } from "../infrastructure-facts.ts";

export function knownValues<T>(rows: readonly Row<T>[]): T[] {
  return rows.flatMap(({ fact }) => (fact.known ? [fact.value] : []));
}

/** Why the first unknown one is; "off" where there is none. */
export function whyNone(rows: readonly Row<unknown>[]): Why {
  const unknown = rows.find(({ fact }) => !fact.known)?.fact;
  return unknown === undefined || unknown.known ? "off" : unknown.why;
}
