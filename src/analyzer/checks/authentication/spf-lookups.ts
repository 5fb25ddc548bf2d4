import type { SpfRecord } from "../authentication-facts.ts";
import { defineCheck, notApplicable, passed, type Raised, skipped } from "../check.ts";
import type { KnownFacts } from "../facts.ts";
import { unprovenSpfGates } from "./spf-joints.ts";
import { listCosts, outlineTree, whyNotWhole } from "./spf-outline.ts";
import { findProvider, ownershipFacts, toClientAddress, whyNoRecord } from "./spf-owner.ts";

type RaisedFinding = Raised<"over-limit" | "over-limit-elsewhere" | "mx-over-limit" | "near-limit">;

/** RFC 7208 §4.6.4. */
const maxLookups = 10;
const nearLimit = 8;
const shorten =
  "[[Ask {provider} to shorten the record.]][[Remove unused includes from the record for {name}]][[: {candidates}]][[. Or send some of your mail from a subdomain of {name} with its own record.]]";

export const spfLookups = defineCheck({
  id: "spf-lookups",
  helpPage: "fix-spf-lookups",
  label: "SPF lookups",
  owner: "dns",
  asks: "whether the SPF record stays within 10 DNS lookups",
  why: "After 10 lookups, receivers stop and treat SPF as broken (permerror).",
  refs: ["RFC 7208 §4.6.4"],
  needs: ["spfRecord"],
  wants: [...ownershipFacts, "spf"],
  passes: "The SPF record for {domain} uses {lookups} of the 10 allowed DNS lookups[[: {costs}]].",
  findings: {
    "over-limit": {
      severity: "major",
      title: "Too many SPF lookups",
      says: "The SPF record for {domain} needs {lookups} DNS lookups. The limit is 10, so receivers treat SPF as broken (permerror).",
      fix: shorten,
      gates: unprovenSpfGates,
    },
    "over-limit-elsewhere": {
      severity: "minor",
      cost: 8,
      title: "Full SPF record exceeds lookup limit",
      says: "SPF used {used} of 10 lookups[[ for {ip}]], but the full record for {domain} needs {lookups}, so senders listed later in it fail.",
      fix: shorten,
    },
    "mx-over-limit": {
      severity: "major",
      title: "Too many MX hosts in SPF",
      says: '"{term}" in the SPF record for {holder} resolves to {count} MX hosts. The limit is 10, so receivers treat SPF as broken (permerror).',
      fix: "[[Ask {provider} to replace it with addresses.]][[Replace `{own}` with the addresses of the hosts that send, as `ip4:` and `ip6:` terms.]]",
      gates: unprovenSpfGates,
    },
    "near-limit": {
      severity: "info",
      title: "SPF close to lookup limit",
      says: "The SPF record for {domain} uses {lookups} of 10 lookups. A change by one of your providers could push it over the limit.",
      fix: "No action needed now. Remove unused includes before you add another[[: {costs}]].",
    },
  },
  run({ spfRecord, spf, ...facts }) {
    const { domain, lookups } = spfRecord;
    const none = whyNoRecord(spfRecord);
    if (none !== null) return notApplicable(none);
    const provider = findProvider(domain, facts);
    const isOver = spf.known && spf.value.cause === "lookups";
    if (provider !== null && !isOver)
      return notApplicable(`The SPF record for ${domain} belongs to ${provider}, not to the sender.`);
    const found = [...findLongLists(spfRecord, provider), ...findExcess(spfRecord, spf, facts, provider)];
    if (found.length > 0) return found;
    const missing = whyNotWhole(spfRecord);
    if (missing !== null) return skipped(missing);
    const costs = listCosts(spfRecord);
    if (lookups > maxLookups) return skipped("timeout");
    if (lookups < nearLimit) return passed({ domain, lookups, costs });
    return [{ finding: "near-limit", data: { domain, lookups, costs }, evidence: toEvidence(spfRecord) }];
  },
});

function findLongLists({ mxOverLimit, domain }: SpfRecord, keeper: string | null): RaisedFinding[] {
  return mxOverLimit.map(({ term, domain: holder, hosts: count }) => {
    const provider = keeper ?? (holder.toLowerCase() === domain.toLowerCase() ? null : holder);
    const data = { term, holder, count, provider, own: provider === null ? term : null };
    return { finding: "mx-over-limit", subject: term, data };
  });
}

/** The tree is the same for every message. Whether it broke SPF for this one decides which finding is raised. */
function findExcess(
  record: SpfRecord,
  spf: KnownFacts["spf"],
  facts: Pick<KnownFacts, "session">,
  provider: string | null,
): RaisedFinding[] {
  const { domain, isWhole } = record;
  const cause = spf.known ? spf.value.cause : null;
  const isExplained = record.mxOverLimit.length > 0;
  const isOver = record.lookups > maxLookups || (cause === "lookups" && !isExplained);
  if (!isOver || (spf.known && spf.value.result === "temperror")) return [];
  const needed = Math.max(record.lookups, maxLookups + 1);
  const lookups = isWhole && record.lookups === needed ? needed : `at least ${needed}`;
  const own = provider === null ? { name: domain, candidates: listCosts(record) } : {};
  const data = { domain, lookups, provider, ...own };
  const evidence = toEvidence(record);
  if (!spf.known || spf.value.result === "permerror") return [{ finding: "over-limit", data, evidence }];
  const used = spf.value.lookups;
  return [{ finding: "over-limit-elsewhere", data: { ...data, ip: toClientAddress(facts), used }, evidence }];
}

function toEvidence({ tree }: SpfRecord) {
  return { tree: tree && outlineTree(tree) };
}
