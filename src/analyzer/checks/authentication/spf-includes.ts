import type { SpfRecord } from "../authentication-facts.ts";
import { defineCheck, notApplicable, passed, type Raised, skipped } from "../check.ts";
import { findJoinedTerm, unprovenSpfGates } from "./spf-joints.ts";
import { oncePerSubject, type SpfPlace, walkTree, whyNotWhole } from "./spf-outline.ts";
import { findProvider, ownershipFacts, whyNoRecord } from "./spf-owner.ts";

type RaisedFinding = Raised<"target-empty" | "target-gone" | "loop">;

const maxShown = 10;

export const spfIncludes = defineCheck({
  id: "spf-includes",
  helpPage: "fix-spf-lookups",
  label: "SPF includes",
  owner: "dns",
  asks: "whether every include and redirect points to an SPF record",
  why: "An include without a record breaks SPF (permerror). If its domain is unregistered, an attacker can register it and send as you.",
  refs: ["RFC 7208 §5.2, §6.1"],
  needs: ["spfRecord"],
  wants: [...ownershipFacts, "spf"],
  passes: "Every include in the SPF record for {domain} points to exactly one record.",
  findings: {
    "target-empty": {
      severity: "major",
      title: "Broken SPF include or redirect",
      says: '[[The SPF record for {holder} has "{term}", but {target} publishes {what}.]][[{problem}.]] Receivers treat SPF as broken (permerror).',
      fix: "[[Ask {provider} to fix it.]][[Remove {own}, or use the name in your provider's current instructions.]][[ Removing `{through}` from your own record also solves it.]]",
      gates: unprovenSpfGates,
    },
    // Urgent, but receivers answer permerror, so it must not cost more than a missing record.
    "target-gone": {
      severity: "major",
      title: "SPF trusts a nonexistent domain",
      says: "The SPF record for {holder} trusts {target}, a domain that no longer exists. Anyone who registers it can send as {domain}.",
      fix: "[[Tell {provider} right away.]][[Remove {own} right away.]][[ Until it is fixed, remove `{through}` from your own record.]]",
      gates: unprovenSpfGates,
    },
    loop: {
      severity: "major",
      title: "SPF includes form a loop",
      says: "The SPF record for {domain} includes itself in a loop: {path}.",
      fix: "[[Ask {provider} to fix the loop.]][[Remove {own}, which closes the loop.]][[ Removing `{through}` from your own record also solves it.]]",
      gates: unprovenSpfGates,
    },
  },
  run({ spfRecord, spf, ...facts }) {
    const { domain } = spfRecord;
    const none = whyNoRecord(spfRecord);
    if (none !== null) return notApplicable(none);
    const keeper = findProvider(domain, facts);
    const isHarmed = spf.known && spf.value.cause === "includes";
    if (keeper !== null && !isHarmed)
      return notApplicable(`The SPF record for ${domain} belongs to ${keeper}, not to the sender.`);
    const joined = findJoinedTerm(spfRecord)?.term;
    const found = walkTree(spfRecord).flatMap((place) =>
      place.node.via === joined ? [] : toFinding(place, spfRecord, keeper),
    );
    if (found.length > 0) return oncePerSubject(found).slice(0, maxShown);
    // The target depends on this message's sender, so the tree does not have it.
    if (spf.known && isHarmed) return [toUnseen(domain, spf.value.problem ?? "", keeper)];
    const missing = whyNotWhole(spfRecord);
    return missing === null ? passed({ domain }) : skipped(missing);
  },
});

function toFinding(place: SpfPlace, { domain }: SpfRecord, keeper: string | null): RaisedFinding[] {
  const { node, parent, path } = place;
  if (parent === null || node.via === null) return [];
  const isNested = parent.via !== null;
  const provider = keeper ?? (isNested ? parent.domain : null);
  const data = {
    domain,
    holder: parent.domain,
    target: node.domain,
    term: node.via,
    provider,
    own: provider === null ? `\`${node.via}\`` : null,
    through: keeper === null && isNested ? place.through : null,
  };
  const subject = node.domain;
  const evidence = { path, record: parent.record };
  if (node.isLoop) return [{ finding: "loop", subject, data: { ...data, path: path.join(" → ") }, evidence }];
  if (!node.recordCount.known || node.recordCount.value === 1) return [];
  if (!node.isFree.known) return [];
  if (node.isFree.value) return [{ finding: "target-gone", subject, data, evidence }];
  const count = node.recordCount.value;
  const what = count === 0 ? "no SPF record" : `${count} SPF records`;
  return [{ finding: "target-empty", subject, data: { ...data, what }, evidence }];
}

function toUnseen(domain: string, problem: string, provider: string | null): RaisedFinding {
  const own = provider === null ? "the broken include" : null;
  return { finding: "target-empty", data: { domain, problem: problem.replace(/\.$/, ""), provider, own } };
}
