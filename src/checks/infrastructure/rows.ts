// Rows of facts of the same kind. Each row may be unknown on its own.

import type { Why } from "../fact.ts";
import type { Row, SeenCertificate } from "../infrastructure-facts.ts";

export function knownValues<T>(rows: readonly Row<T>[]): T[] {
  return rows.flatMap(({ fact }) => (fact.known ? [fact.value] : []));
}

/** The reason of the first unknown row, or "off" if all are known. */
export function whyNone(rows: readonly Row<unknown>[]): Why {
  const unknown = rows.find(({ fact }) => !fact.known)?.fact;
  return unknown === undefined || unknown.known ? "off" : unknown.why;
}

// Whether a certificate needed renewal when it was seen.

const dayMs = 86_400_000;
const warningMs = 14 * dayMs;

/** A short-lived certificate gets a warning only in the last quarter of its life, because it is renewed before that. */
export function isEndingSoon({ startsAt, endsAt, seenAt }: SeenCertificate): boolean {
  return endsAt - seenAt < Math.min(warningMs, (endsAt - startsAt) / 4);
}

export function toEndDate({ endsAt }: SeenCertificate): string {
  return new Date(endsAt).toISOString().slice(0, 10);
}
