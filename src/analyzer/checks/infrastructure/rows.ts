// Rows of facts of the same kind. Each row may be unknown on its own.

import { isNotInUse, type Why } from "../fact.ts";
import type { Row, SeenCertificate } from "../infrastructure-facts.ts";

export function knownValues<T>(rows: readonly Row<T>[]): T[] {
  return rows.flatMap(({ fact }) => (fact.known ? [fact.value] : []));
}

/** The reason of the first unknown row, if possible one that is in use. "off" if all are known. */
export function whyNone(rows: readonly Row<unknown>[]): Why {
  const whys = rows.flatMap(({ fact }) => (fact.known ? [] : [fact.why]));
  return whys.find((why) => !isNotInUse(why)) ?? whys[0] ?? "off";
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
