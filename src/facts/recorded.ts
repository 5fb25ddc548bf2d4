// Verdicts that a trusted receiver recorded, beside ours: they count where DNS doesn't answer us, or no longer as it
// did. Where our own check gives an answer, ours counts, and the report shows the difference.

import type { DkimSignature, DmarcResult, SpfResult } from "../checks/authentication-facts.ts";
import { type Fact, known } from "../checks/fact.ts";
import type { RecordedResult } from "../mail/authentication-results.ts";
import { toAsciiDomain } from "../mail/author-domain.ts";
import type { Recorded } from "../mail/recorded-verdicts.ts";

const spfWords = ["pass", "fail", "softfail", "neutral", "none", "temperror", "permerror"] as const;
const dmarcWords = ["pass", "fail", "none", "temperror", "permerror"] as const;

/** Where ours is unknown or waits for DNS. */
export function withRecordedSpf(ours: Fact<SpfResult>, recorded: Recorded | null): Fact<SpfResult> {
  if (recorded === null || (ours.known && ours.value.result !== "temperror")) return ours;
  const stated = recorded.results.find(({ method }) => method === "spf");
  const result = spfWords.find((word) => word === stated?.result);
  if (!stated || result === undefined || result === "temperror") return ours;
  const { "smtp.mailfrom": mailFrom, "smtp.helo": helo } = stated.properties;
  const written = mailFrom ?? helo ?? recorded.mailFrom ?? "";
  const domain = toAsciiDomain(written.slice(written.lastIndexOf("@") + 1));
  return known({
    result,
    domain,
    identity: mailFrom === undefined && helo !== undefined ? "helo" : "mailfrom",
    explanation: null,
    cause: null,
    problem: null,
    matchedTerm: null,
    matchedIn: null,
    record: null,
    lookups: 0,
    voids: 0,
    recordedBy: recorded.by,
  });
}

/** A key that can't be asked, or that the domain has withdrawn since, leaves our own verdict open. */
const withoutKey: ReadonlySet<DkimSignature["why"]> = new Set(["key-unknown", "key-missing", "key-revoked"]);

export function withRecordedDkim(
  ours: readonly DkimSignature[],
  recorded: Recorded | null,
): readonly DkimSignature[] {
  if (recorded === null) return ours;
  const stated = recorded.results.filter(({ method }) => method === "dkim");
  return ours.map((signature) => {
    if (!withoutKey.has(signature.why)) return signature;
    const passes = stated.some((one) => one.result === "pass" && isOf(one, signature));
    return passes
      ? { ...signature, result: "pass", why: null, says: null, recordedBy: recorded.by }
      : signature;
  });
}

function isOf({ properties }: RecordedResult, { domain, selector }: DkimSignature): boolean {
  const { "header.d": d, "header.i": i, "header.s": s } = properties;
  const named = d ?? i?.slice(i.lastIndexOf("@") + 1);
  const isDomain = named !== undefined && domain !== null && named.toLowerCase() === domain.toLowerCase();
  return isDomain && (s === undefined || s.toLowerCase() === selector?.toLowerCase());
}

export function withRecordedDmarc(ours: Fact<DmarcResult>, recorded: Recorded | null): Fact<DmarcResult> {
  if (recorded === null || !ours.known || ours.value.ambiguity || ours.value.result !== "temperror")
    return ours;
  const { fromDomain } = ours.value;
  const stated = recorded.results.find(({ method }) => method === "dmarc");
  const result = dmarcWords.find((word) => word === stated?.result);
  const from = stated?.properties["header.from"];
  const isOther = from !== undefined && toAsciiDomain(from.slice(from.lastIndexOf("@") + 1)) !== fromDomain;
  if (result === undefined || result === "temperror" || isOther) return ours;
  return known({ ...ours.value, result, says: `Recorded by ${recorded.by}.`, recordedBy: recorded.by });
}
