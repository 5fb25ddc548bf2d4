import type { SpfRecord } from "../authentication-facts.ts";
import { defineCheck, notApplicable, passed, type Raised, skipped } from "../check.ts";
import { findJoinedTerm, unprovenSpfGates } from "./spf-joints.ts";
import { oncePerSubject, type SpfPlace, walkTree, whyNotWhole } from "./spf-outline.ts";
import { findProvider, ownershipFacts, whyNoRecord } from "./spf-owner.ts";

type RaisedFinding = Raised<"target-empty" | "target-gone" | "loop">;

const maxShown = 10;

export const spfIncludes = defineCheck({
  id: "spf-includes",
  area: "authentication",
  label: "SPF includes",
  owner: "dns",
  asks: "whether every include and redirect leads to a record",
  why: "An include without a record is a permerror, and a target whose domain is free can be registered by somebody who then sends as you.",
  refs: ["RFC 7208 §5.2, §6.1"],
  needs: ["spfRecord"],
  wants: [...ownershipFacts, "spf"],
  kinds: "all",
  passes: "Every include of the SPF record of {domain} leads to one record.",
  findings: {
    "target-empty": {
      severity: "major",
      cost: 18,
      title: "Broken SPF include or redirect",
      says: '[[The SPF record of {holder} says "{term}", but {target} publishes {what}]][[{problem}]]; receivers answer permerror.',
      fix: "[[Ask {provider} to correct it.]][[Remove `{own}`, or use the name in your provider's current instructions.]][[ It stands behind `{through}`: without that term of yours it does no harm.]]",
      gates: unprovenSpfGates,
    },
    // Receivers answer permerror, as with no record; no more than that may it cost, however urgent it is.
    "target-gone": {
      severity: "major",
      cost: 18,
      title: "SPF trusts a nonexistent domain",
      says: "The SPF record of {holder} trusts {target}, a domain that no longer exists; whoever registers it may send in the name of {domain}.",
      fix: "[[Tell {provider} today.]][[Remove `{own}` today.]][[ It stands behind `{through}`: remove that term of yours until it is mended.]]",
      gates: unprovenSpfGates,
    },
    loop: {
      severity: "major",
      cost: 18,
      title: "SPF includes form a loop",
      says: "The SPF record of {domain} goes round in a circle: {path}.",
      fix: "[[Ask {provider} to correct it.]][[Remove the term that closes the circle: `{own}`]][[ It stands behind `{through}`: without that term of yours it does no harm.]]",
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
      return notApplicable(`The SPF record of ${domain} is kept by ${keeper}.`);
    const joined = findJoinedTerm(spfRecord)?.term;
    const found = walkTree(spfRecord).flatMap((place) =>
      place.node.via === joined ? [] : toFinding(place, spfRecord, keeper),
    );
    if (found.length > 0) return oncePerSubject(found).slice(0, maxShown);
    // A target that only this message's sender leads to.
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
    own: provider === null ? node.via : null,
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
  const own = provider === null ? "the include" : null;
  return { finding: "target-empty", data: { domain, problem: problem.replace(/\.$/, ""), provider, own } };
}
