// Whether a domain neither sends nor receives mail. It is a fact, because several checks would otherwise ask the owner of
// an unused domain for fixes that it doesn't need.

import type { SpfRecord } from "./authentication-facts.ts";
import { type Fact, known, unknown } from "./fact.ts";
import type { KnownFacts, Parked, PublishedKey } from "./facts.ts";
import { findMx, wasSeenSending } from "./infrastructure/mail-domain.ts";

type ParkedFacts = Pick<KnownFacts, "spfRecord" | "dkimKeys" | "mx" | "history">;

/** Unknown if it depends on a missing answer. */
export function inferParked(domain: string, { spfRecord, dkimKeys, mx: rows, history }: ParkedFacts): Fact<Parked> {
  const mx = rows.known ? findMx(rows.value, domain) : rows;
  if (!mx.known) return mx;
  const { exists, nullMx, hosts } = mx.value;
  if (!exists) return inUse("The domain does not exist.");
  if (!nullMx && hosts.length > 0) return inUse("The domain receives mail.");
  if (wasSeenSending(history)) return inUse("The domain was seen sending mail.");
  if (!spfRecord.known) return spfRecord;
  if (namesSenders(spfRecord.value)) return inUse("The domain's SPF record allows servers to send.");
  if (dkimKeys.known && dkimKeys.value.some(isUsableKey)) return inUse("The domain publishes a DKIM key.");
  if (nullMx) return parked("The domain has a null MX record, so it receives no mail.");
  if (forbidsAll(spfRecord.value)) return parked("The domain's SPF record allows no server to send.");
  // If the domain publishes nothing, only our history can show that it sends nothing.
  return history.known
    ? parked("The domain has no MX, SPF, or DKIM records and was not seen sending mail.")
    : unknown(history.why);
}

const parked = (why: string) => known({ isParked: true, why });
const inUse = (why: string) => known({ isParked: false, why });

/** A broken SPF record still shows that the domain has senders. */
function namesSenders({ records, nearMisses, terms }: SpfRecord): boolean {
  if (records.length > 1 || (records.length === 0 && nearMisses.length > 0)) return true;
  return terms.some(({ kind, name }) => (kind === "mechanism" ? name !== "all" : name === "redirect"));
}

/** Exactly `v=spf1 -all`. */
export function forbidsAll({ records, terms }: SpfRecord): boolean {
  const [only] = terms;
  return records.length === 1 && terms.length === 1 && only?.name === "all" && only.qualifier === "-";
}

/** True if receivers can verify signatures with the key. */
export function isUsableKey({ faults }: PublishedKey): boolean {
  return faults.every(({ fault }) => fault === "several");
}
