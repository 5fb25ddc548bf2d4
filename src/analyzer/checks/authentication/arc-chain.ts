import { defineCheck, notApplicable, passed, skipped } from "../check.ts";

export const arcChain = defineCheck({
  id: "arc-chain",
  helpPage: "fix-delivery-path",
  label: "ARC chain",
  owner: "mail-server",
  asks: "whether the ARC chain is valid",
  why: "ARC preserves authentication results when forwarding breaks SPF or DKIM. ARC is optional.",
  refs: ["RFC 8617 §5.2", "Apple sender rules"],
  needs: ["arc"],
  wants: ["kind"],
  passes: "The ARC chain sealed by {sealers} is valid.",
  findings: {
    broken: {
      severity: "minor",
      cost: 3,
      title: "ARC chain broken",
      says: "The ARC chain is broken[[ at instance {instance}]]: {failure}.",
      fix: "The forwarder[[ {sealer}]] must {how}.",
    },
    forwarded: {
      severity: "info",
      title: "Forwarded with ARC chain",
      says: "The message was forwarded by {sealers}. Its ARC chain records the original authentication results.",
      fix: null,
    },
  },
  run({ arc, kind }) {
    if (!arc.present) return notApplicable("The message has no ARC headers.");
    if (arc.result === "temperror") return skipped("timeout");
    const sealers = [...new Set(arc.sealers.flatMap(({ domain }) => domain ?? []))];
    if (arc.result !== "pass") {
      const { instance = null, says = "it cannot be read" } = arc.failure ?? {};
      const sealer = arc.sealers.find((one) => one.instance === instance)?.domain ?? null;
      const data = { instance, failure: says.replace(/\.$/, ""), sealer, how: howToMend(says) };
      return [{ finding: "broken", data, evidence: { sealers: arc.sealers } }];
    }
    // The kind of the message says whether a sealer is a forwarder or belongs to the sender.
    const isForwarded = kind.known && kind.value.forwarded.known && kind.value.forwarded.value.verified;
    if (!isForwarded) return passed({ sealers });
    return [{ finding: "forwarded", data: { sealers }, evidence: { firstResults: arc.firstResults } }];
  },
});

function howToMend(failure: string): string {
  return /\bthere is no DKIM key\b/.test(failure)
    ? "keep its key in DNS while its seals are in use"
    : "seal the message after making its last change, and number the instances without gaps";
}
