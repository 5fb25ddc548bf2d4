// Whether a domain sends and takes no mail at all. A fact of its own and not a question of one check, because several
// would else tell the owner of an unused domain to mend what such a domain has no need of.

import type { SpfRecord } from "./authentication-facts.ts";
import { type Fact, known, unknown } from "./fact.ts";
import type { KnownFacts, PublishedKey } from "./facts.ts";
import { findMx, wasSeenSending } from "./infrastructure/mail-domain.ts";

export type Parked = {
  readonly isParked: boolean;
  /** What tells so, in a plain sentence. */
  readonly why: string;
};

type ParkedFacts = Pick<KnownFacts, "spfRecord" | "dkimKeys" | "mx" | "history">;

/** Unknown where it hangs on an answer that did not come. */
export function inferParked(
  domain: string,
  { spfRecord, dkimKeys, mx: rows, history }: ParkedFacts,
): Fact<Parked> {
  const mx = rows.known ? findMx(rows.value, domain) : rows;
  if (!mx.known) return mx;
  const { exists, nullMx, hosts } = mx.value;
  if (!exists) return inUse("The domain does not exist.");
  if (!nullMx && hosts.length > 0) return inUse("The domain takes mail.");
  if (wasSeenSending(history)) return inUse("Mail was seen from it.");
  if (!spfRecord.known) return spfRecord;
  if (namesSenders(spfRecord.value)) return inUse("Its SPF record names servers that send for it.");
  if (dkimKeys.known && dkimKeys.value.some(isUsableKey)) return inUse("It publishes a DKIM key.");
  if (nullMx) return parked("The domain says that it takes no mail (null MX).");
  if (forbidsAll(spfRecord.value)) return parked("Its SPF record says that nobody sends for it.");
  // Without a word from the domain itself only what was seen here tells that it sends nothing.
  return history.known
    ? parked("It has no MX, no SPF record and no DKIM key, and no mail was seen from it.")
    : unknown(history.why);
}

const parked = (why: string) => known({ isParked: true, why });
const inUse = (why: string) => known({ isParked: false, why });

/** One that is broken was written for senders all the same. */
function namesSenders({ records, nearMisses, terms }: SpfRecord): boolean {
  if (records.length > 1 || (records.length === 0 && nearMisses.length > 0)) return true;
  return terms.some(({ kind, name }) => (kind === "mechanism" ? name !== "all" : name === "redirect"));
}

/** Exactly `v=spf1 -all`. */
export function forbidsAll({ records, terms }: SpfRecord): boolean {
  const [only] = terms;
  return records.length === 1 && terms.length === 1 && only?.name === "all" && only.qualifier === "-";
}

/** Receivers can verify with it. */
export function isUsableKey({ faults }: PublishedKey): boolean {
  return faults.every(({ fault }) => fault === "several");
}
