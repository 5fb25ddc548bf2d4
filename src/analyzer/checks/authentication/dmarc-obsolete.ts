import { defineCheck, notApplicable, passed, type Raised } from "../check.ts";
import { rewriteDmarc } from "./dmarc-text.ts";
import { readAppliedPolicy } from "./policy-owner.ts";

export const dmarcObsolete = defineCheck({
  id: "dmarc-obsolete",
  helpPage: "fix-dmarc",
  label: "Retired DMARC tags",
  owner: "dns",
  asks: "whether the DMARC record uses retired tags",
  why: "RFC 9989 removed pct, rf, and ri. Receivers that follow it apply the policy to all mail.",
  refs: ["RFC 9989 §4.7", "RFC 9990"],
  needs: ["dmarc"],
  wants: ["kind"],
  passes: "The DMARC record at {name} has no retired tags.",
  findings: {
    pct: {
      severity: "minor",
      cost: 3,
      title: "Obsolete DMARC pct tag",
      says: "pct={pct} at {name} no longer limits the policy. Receivers that follow RFC 9989 apply {policy} to all mail.",
      fix: "Remove `pct`: `{corrected}`. To test the policy first, add `t=y`.",
    },
    tags: {
      severity: "info",
      title: "Obsolete DMARC tags",
      says: "The DMARC record at {name} has parts that no longer have any effect: {tags}.",
      fix: "Publish `{corrected}`.",
    },
  },
  run({ dmarc, kind }) {
    const applied = readAppliedPolicy(dmarc, kind);
    if (typeof applied === "string") return notApplicable(applied);
    const { name, record, tags, policy } = applied;
    const obsolete = dmarc.faults.filter((fault) => fault.kind === "obsolete-tag");
    const pct = obsolete.find(({ tag, value }) => tag === "pct" && /^\d{1,2}$/.test(value ?? ""))?.value ?? null;
    const others = obsolete.filter(({ tag, value }) => tag !== "pct" || value !== pct);
    const lists = { ...withoutSizes("rua", tags.rua), ...withoutSizes("ruf", tags.ruf) };
    const corrected = rewriteDmarc(record, {
      remove: ["pct", "rf", "ri"],
      set: others.some(({ tag }) => tag === "rua" || tag === "ruf") ? lists : {},
    });
    const raised: Raised<"pct" | "tags">[] = [];
    const evidence = { record };
    // With p=none, pct never limited anything.
    if (pct !== null && policy !== "none")
      raised.push({ finding: "pct", data: { pct, name, policy, corrected }, evidence });
    const left = raised.length > 0 ? others : obsolete;
    if (left.length > 0) {
      const written = left.map(({ tag, value }) => (tag === "rua" || tag === "ruf" ? `${value}` : `${tag}=${value}`));
      raised.push({ finding: "tags", data: { tags: written, name, corrected }, evidence });
    }
    return raised.length > 0 ? raised : passed({ name });
  },
});

function withoutSizes(tag: "rua" | "ruf", uris: readonly string[]): Record<string, string> {
  return uris.length === 0 ? {} : { [tag]: uris.join(",") };
}
