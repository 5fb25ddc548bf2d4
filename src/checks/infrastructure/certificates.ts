// When somebody should look after a certificate, as it was when it was seen.

import type { SeenCertificate } from "../infrastructure-facts.ts";

const dayMs = 86_400_000;
const warningMs = 14 * dayMs;

/** Of one that lives for days a quarter of its life: its owner's program renews it before that. */
export function isEndingSoon({ startsAt, endsAt, seenAt }: SeenCertificate): boolean {
  return endsAt - seenAt < Math.min(warningMs, (endsAt - startsAt) / 4);
}

export function toEndDate({ endsAt }: SeenCertificate): string {
  return new Date(endsAt).toISOString().slice(0, 10);
}
