import { toReadable } from "../../dns/spf.ts";
import type { SpfNode, SpfRecord } from "../authentication-facts.ts";
import { defineCheck, notApplicable, passed, type Raised, skipped } from "../check.ts";
import { correctRecord, suggestTerm } from "./spf-correction.ts";
import { findJoinedTerm, unprovenSpfGates } from "./spf-joints.ts";
import { oncePerSubject, walkTree, whyNotWhole } from "./spf-outline.ts";
import { findProvider, ownershipFacts, whyNoRecord } from "./spf-owner.ts";

type RaisedFinding = Raised<"invalid-term" | "joined-terms" | "repeated-modifier">;

/** One error is enough for a permerror. */
const maxShown = 5;

export const spfSyntax = defineCheck({
  id: "spf-syntax",
  helpPage: "fix-spf",
  label: "SPF syntax",
  owner: "dns",
  asks: "whether every term of the SPF record is valid",
  why: "A single invalid term breaks the whole record (permerror).",
  refs: ["RFC 7208 §4.6, §5, §6, §7"],
  needs: ["spfRecord"],
  wants: [...ownershipFacts, "spf"],
  passes: "Every term in the SPF record for {domain}, and in the records that it includes, is valid.",
  findings: {
    "invalid-term": {
      severity: "major",
      title: "Invalid term in SPF record",
      says: "[[In the SPF record for {holder}, ]]{problem} Receivers treat SPF as broken (permerror).",
      fix: "[[Ask {provider} to fix it.]][[Replace `{term}` with `{suggestion}`.]][[Remove or correct {useless}.]][[ Corrected record: `{corrected}`]]",
      gates: unprovenSpfGates,
    },
    "joined-terms": {
      severity: "major",
      title: "SPF terms run together",
      says: 'The SPF record for {domain} is split into strings without a space between them, which joins two terms into "{term}".',
      fix: '[[Ask {provider} to fix it.]][[Put a space at the end of the first string: `"{first} " "{second}"`]]',
      gates: unprovenSpfGates,
    },
    "repeated-modifier": {
      severity: "major",
      title: "Duplicate SPF modifier",
      says: 'The SPF record for {holder} has {count} "{modifier}=" modifiers, so receivers treat SPF as broken (permerror).',
      fix: "[[Ask {provider} to fix it.]][[Keep one `{own}=`.]]",
      gates: unprovenSpfGates,
    },
  },
  run({ spfRecord, spf, ...facts }) {
    const none = whyNoRecord(spfRecord);
    if (none !== null) return notApplicable(none);
    const keeper = findProvider(spfRecord.domain, facts);
    const cause = spf.known ? spf.value.cause : null;
    if (keeper !== null && cause !== "syntax")
      return notApplicable(`The SPF record for ${spfRecord.domain} belongs to ${keeper}, not to the sender.`);
    const found = [...findJoined(spfRecord, keeper), ...findUnreadable(spfRecord, keeper)];
    if (found.length > 0) return oncePerSubject(found).slice(0, maxShown);
    // The term is in a part of the record that was not kept, or depends on this message's sender.
    if (cause === "syntax" && spf.known) return [toUnseen(spfRecord.domain, spf.value.problem, keeper)];
    const missing = whyNotWhole(spfRecord);
    return missing === null ? passed({ domain: spfRecord.domain }) : skipped(missing);
  },
});

function findJoined(record: SpfRecord, keeper: string | null): RaisedFinding[] {
  const joined = findJoinedTerm(record);
  if (joined === null) return [];
  const { term, first, second } = joined;
  const strings = keeper === null ? { first, second } : {};
  return [{ finding: "joined-terms", data: { domain: record.domain, provider: keeper, term, ...strings } }];
}

function findUnreadable(record: SpfRecord, keeper: string | null): RaisedFinding[] {
  const joined = findJoinedTerm(record);
  return walkTree(record).flatMap(({ node, parent }) => {
    const provider = keeper ?? (parent === null ? null : node.domain);
    return [
      ...findInvalid(node, provider).filter(({ subject }) => parent !== null || subject !== joined?.term),
      ...findRepeated(node, provider),
    ];
  });
}

function findInvalid({ domain, record, terms }: SpfNode, provider: string | null): RaisedFinding[] {
  const faulty = new Set(terms.flatMap(({ text, problem }) => (problem === null ? [] : [text])));
  if (faulty.size === 0) return [];
  const corrected = correctRecord(record, (all) =>
    all.flatMap((term) => (faulty.has(term) ? (suggestTerm(term) ?? []) : term)),
  );
  return terms.flatMap(({ text, problem }): RaisedFinding[] => {
    if (problem === null) return [];
    const suggestion = suggestTerm(text);
    const term = toReadable(text);
    const own = suggestion === null ? { useless: `\`${term}\`` } : { term, suggestion };
    const data = { holder: domain, problem, provider, ...(provider === null ? { ...own, corrected } : {}) };
    return [{ finding: "invalid-term", subject: text, data, evidence: { record } }];
  });
}

function findRepeated({ domain, record, terms }: SpfNode, provider: string | null): RaisedFinding[] {
  return ["redirect", "exp"].flatMap((modifier): RaisedFinding[] => {
    const count = terms.filter(({ kind, name }) => kind === "modifier" && name === modifier).length;
    if (count < 2) return [];
    const data = { holder: domain, count, modifier, provider, own: provider === null ? modifier : null };
    return [{ finding: "repeated-modifier", subject: modifier, data, evidence: { record } }];
  });
}

function toUnseen(domain: string, problem: string | null, provider: string | null): RaisedFinding {
  // The problem of an SPF result names the record itself.
  const data = { holder: null, problem: problem ?? `The SPF record for ${domain} has an invalid term.`, provider };
  return { finding: "invalid-term", data: { ...data, useless: provider === null ? "the term" : null } };
}
