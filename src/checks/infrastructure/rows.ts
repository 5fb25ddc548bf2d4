// Families of like facts, of which each may be unknown by itself.

import type { Why } from "../fact.ts";
import type { Row, SeenCertificate } from "../infrastructure-facts.ts";

export function knownValues<T>(rows: readonly Row<T>[]): T[] {
  return rows.flatMap(({ fact }) => (fact.known ? [fact.value] : []));
}

/** Why the first unknown one is; "off" where there is none. */
export function whyNone(rows: readonly Row<unknown>[]): Why {
  const unknown = rows.find(({ fact }) => !fact.known)?.fact;
  return unknown === undefined || unknown.known ? "off" : unknown.why;
}

// When somebody should look after a certificate, as it was when it was seen.

const dayMs = 86_400_000;
const warningMs = 14 * dayMs;

/** Of one that lives for days a quarter of its life: its owner's program renews it before that. */
export function isEndingSoon({ startsAt, endsAt, seenAt }: SeenCertificate): boolean {
  return endsAt - seenAt < Math.min(warningMs, (endsAt - startsAt) / 4);
}

export function toEndDate({ endsAt }: SeenCertificate): string {
  return new Date(endsAt).toISOString().slice(0, 10);
}
