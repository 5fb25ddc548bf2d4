import { findModifier, liveMechanisms } from "../../dns/spf.ts";
import type { SpfRecord } from "../authentication-facts.ts";
import { defineCheck, notApplicable, passed, type Raised } from "../check.ts";
import { correctRecord, endWith, moveBeforeAll } from "./spf-correction.ts";
import { ownershipFacts, whyNoAdvice } from "./spf-owner.ts";

type RaisedFinding = Raised<"no-verdict" | "dead-terms">;

/** A record may have thousands of terms. */
const maxShown = 20;

export const spfEnd = defineCheck({
  id: "spf-end",
  helpPage: "fix-spf",
  label: "End of SPF record",
  owner: "dns",
  asks: "how the SPF record ends",
  why: "The last term tells receivers how to treat all other servers.",
  refs: ["RFC 7208 §4.7, §5.1, §6.1"],
  needs: ["spfRecord"],
  wants: ownershipFacts,
  passes: 'The SPF record for {domain} ends with "{end}".',
  findings: {
    "no-verdict": {
      severity: "minor",
      cost: 3,
      title: "SPF default is neutral",
      says: "The SPF record for {domain} has {end}, so servers that it does not list get a neutral result instead of a fail.",
      fix: "End it with `~all`, or with `-all` once every sender is listed[[: `{corrected}`]].",
    },
    "dead-terms": {
      severity: "minor",
      cost: 3,
      title: 'SPF terms after "all"',
      says: 'Receivers ignore {terms} in the SPF record for {domain} because of "all".',
      fix: "Remove the ignored terms, or move them before `all`[[: `{corrected}`]].",
    },
  },
  run({ spfRecord, ...facts }) {
    const unfit = whyNoAdvice(spfRecord, facts);
    if (unfit !== null) return notApplicable(unfit);
    const { domain, terms } = spfRecord;
    const end = liveMechanisms(terms).find(({ name }) => name === "all");
    const redirect = findModifier(terms, "redirect");
    const isOpen = end === undefined && redirect === undefined;
    if (isOpen && terms.some(({ problem }) => problem !== null))
      return notApplicable("An invalid term may have been meant to end the record. See spf-syntax.");
    const found = [
      ...(isOpen ? [toNoVerdict(spfRecord, 'no "all" term')] : []),
      ...(end?.qualifier === "?" ? [toNoVerdict(spfRecord, `"${end.text}"`)] : []),
      ...findDeadTerms(spfRecord),
    ];
    return found.length > 0 ? found : passed({ domain, end: (end ?? redirect)?.text ?? "" });
  },
});

function toNoVerdict({ domain, records: [record] }: SpfRecord, end: string): RaisedFinding {
  const corrected = correctRecord(record, (terms) => endWith("~all", terms));
  return { finding: "no-verdict", data: { domain, end, corrected }, evidence: { record } };
}

function findDeadTerms({ domain, terms, records: [record] }: SpfRecord): RaisedFinding[] {
  const mechanisms = terms.filter(({ kind }) => kind === "mechanism");
  const behind = mechanisms.slice(liveMechanisms(terms).length);
  const hasAll = mechanisms.some(({ name }) => name === "all");
  const beside = terms.filter(({ kind, name }) => hasAll && kind === "modifier" && name === "redirect");
  const dead = [...behind, ...beside].slice(0, maxShown).map(({ text }) => `"${text}"`);
  if (dead.length === 0) return [];
  // Moved terms take effect, so a redirect is left out: it would bring in a whole record.
  const corrected = correctRecord(record, moveBeforeAll);
  return [{ finding: "dead-terms", data: { domain, terms: dead, corrected }, evidence: { record } }];
}
