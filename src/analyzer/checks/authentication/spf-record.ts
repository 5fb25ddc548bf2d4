import { toAsciiDomain } from "../../mail/headers/registrable-domain.ts";
import { toVisibleCut } from "../../visible-text.ts";
import type { SpfRecord } from "../authentication-facts.ts";
import { defineCheck, notApplicable, passed, type Raised, skipped, type Verdict } from "../check.ts";
import type { KnownFacts } from "../facts.ts";
import { quoted } from "../party.ts";
import { correctBeginning, mergeRecords, toMechanism } from "./spf-correction.ts";
import { unprovenSpfGates } from "./spf-joints.ts";
import { lostTerms } from "./spf-outline.ts";
import { findProvider, ownershipFacts, toClientAddress } from "./spf-owner.ts";

type Finding = "missing" | "several" | "not-recognised";

export const spfRecord = defineCheck({
  id: "spf-record",
  helpPage: "fix-spf",
  label: "SPF record",
  owner: "dns",
  asks: "whether the domain publishes exactly one SPF record",
  why: "Without a usable record, receivers cannot tell your servers from anyone else's.",
  refs: ["RFC 7208 §3.1, §4.5"],
  needs: ["spfRecord"],
  wants: [...ownershipFacts, "mx"],
  passes: "{domain} publishes one SPF record: `{record}`.",
  findings: {
    missing: {
      severity: "major",
      title: "No SPF record",
      says: "{domain} publishes no SPF record.",
      fix: "[[Ask {provider} to publish one.]][[Publish one TXT record at {name}, for example `{record}`. List every server and service (`include:`) that sends for the domain.]]",
      gates: unprovenSpfGates,
    },
    several: {
      severity: "major",
      title: "Multiple SPF records",
      says: "{domain} publishes {count} SPF records, so receivers treat SPF as broken (permerror).",
      fix: "[[Ask {provider} to delete all but one.]][[Delete all but one of the TXT records at {name} that begin with `v=spf1`.]][[ Merge them into one: `{merged}`]][[ (left out because it does not point to a valid record: {dropped})]]",
      gates: unprovenSpfGates,
    },
    "not-recognised": {
      severity: "major",
      title: "SPF record not recognized",
      says: 'The record at {domain} begins with "{start}", so receivers do not recognize it as SPF.',
      fix: "[[Ask {provider} to fix it.]][[Make the TXT record at {name} begin with `v=spf1` and a space.]][[ Corrected record: `{corrected}`]]",
      gates: unprovenSpfGates,
    },
  },
  run({ spfRecord, session, mx, ...facts }) {
    const { domain, records } = spfRecord;
    const [record, ...others] = records;
    if (record !== undefined && others.length === 0) return passed({ domain, record: record.slice(0, 500) });
    const provider = findProvider(domain, facts);
    const data = { domain, provider, name: provider === null ? domain : null };
    const raise = (finding: Finding, more: Raised["data"]) => [
      { finding, data: { ...data, ...more }, evidence: { records, nearMisses: spfRecord.nearMisses } },
    ];
    const offered = (text: string | null) => (provider === null ? text : null);
    if (record !== undefined) {
      const lost = lostTerms(spfRecord);
      const merged = offered(mergeRecords(records, (term) => lost.has(term)));
      const dropped = merged === null ? [] : [...lost].map((term) => `\`${term}\``);
      return raise("several", { count: records.length, merged, dropped: dropped.length > 0 ? dropped : null });
    }
    const [nearMiss] = spfRecord.nearMisses;
    if (nearMiss !== undefined)
      return raise("not-recognised", {
        start: toVisibleCut(nearMiss.slice(0, 20), 20),
        corrected: offered(correctBeginning(nearMiss)),
      });
    const address = toClientAddress({ session });
    const example = `v=spf1 ${address === null ? "mx" : toMechanism(address)} ~all`;
    return whyNotMissing(spfRecord, { session, mx, ...facts }) ?? raise("missing", { record: example });
  },
});

/** Null if a record is missing. Otherwise none is expected, or its absence has another cause. */
function whyNotMissing(
  { domain }: SpfRecord,
  { message, session, mx }: Pick<KnownFacts, "message" | "session" | "mx">,
): Verdict<Finding> | null {
  const name = toAsciiDomain(domain);
  // RFC 7208 §4.3: SPF does not look up such a name, and no record can be published there.
  if (name === null || !name.includes(".")) return notApplicable(`"${quoted(domain)}" is not a domain name.`);
  const row = mx.known ? mx.value.find(({ of }) => of.toLowerCase() === name) : undefined;
  if (row?.fact.known && !row.fact.value.exists) return notApplicable(`${domain} does not exist.`);
  if (message.known) {
    // RFC 7208 §2.4 then uses the HELO name, for which few hosts publish a record.
    const isNullSender = session.known && session.value.mailFrom === "";
    return isNullSender ? notApplicable("The return path is empty.") : null;
  }
  const fact = row?.fact ?? mx;
  if (!fact.known) return skipped(fact.why);
  const takesMail = row?.fact.known && !row.fact.value.nullMx && row.fact.value.hosts.length > 0;
  return takesMail ? null : notApplicable(`${domain} accepts no mail and is not known to send any.`);
}
