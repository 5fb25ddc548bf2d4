// An SPF check for a person: the verdict, what decided it, and the record as the tree that it is.

import type { SpfNode, SpfRecord, SpfResult } from "../checks/authentication-facts.ts";
import { toVisible } from "../visible-text.ts";
import type { SpfAnswer } from "./spf.ts";
import { toTable } from "./table.ts";

export function toSpfText({ address, verdict, helo, record }: SpfAnswer): string {
  const published = record?.known ? record.value : null;
  const parts = [
    `SPF ${verdict.result}: ${toVisible(toSentence(address, verdict))}`,
    toTable(toRows(verdict, helo, published)),
    ...(published?.tree ? [toTree(published.tree, verdict).join("\n")] : []),
    ...(published === null ? [] : [toNotes(published).map(toVisible).join("\n")]),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

function toSentence(address: string, { result, domain, problem }: SpfResult): string {
  switch (result) {
    case "pass":
      return `${address} may send for ${domain}.`;
    case "fail":
      return `${domain} says that ${address} may not send for it.`;
    case "softfail":
      return `${domain} says that ${address} should not send for it.`;
    case "neutral":
      return `${domain} says nothing about ${address}.`;
    default:
      return problem ?? "";
  }
}

function toRows(verdict: SpfResult, helo: SpfResult | null, record: SpfRecord | null): string[][] {
  const { domain, identity, matchedTerm, matchedIn, lookups, voids, explanation } = verdict;
  const whole = record?.tree ? `; the whole record needs ${toCount(record)}` : "";
  return [
    ["Checked", `${domain ?? "(no domain)"} (${identity === "helo" ? "HELO" : "MAIL FROM"})`],
    ...(matchedTerm === null ? [] : [["Decided by", `${matchedTerm}, in the record of ${matchedIn}`]]),
    ...(record?.tree ? [["Look-ups", `${lookups} of 10${whole}; ${voids} of 2 found nothing`]] : []),
    ...(explanation === null ? [] : [["Explanation", explanation]]),
    ...(helo === null ? [] : [["HELO", toHelo(helo)]]),
  ];
}

function toHelo({ result, domain, matchedTerm, problem }: SpfResult): string {
  const reason = matchedTerm === null ? problem : `by ${matchedTerm}`;
  return `${result}${domain === null ? "" : ` for ${domain}`}${reason === null ? "" : `: ${reason}`}`;
}

function toCount({ lookups, isWhole }: SpfRecord): string {
  return isWhole ? String(lookups) : `at least ${lookups}`;
}

/** Each record below the term that leads to it, and what that term costs with all below it. */
function toTree(node: SpfNode, verdict: SpfResult, isLast = true, indent = ""): string[] {
  const isTop = node.via === null;
  const cost = node.lookups + (isTop ? 0 : 1);
  const below = isTop ? "" : `${indent}${isLast ? "   " : "│  "}`;
  const stem = node.children.length > 0 ? "│ " : "  ";
  const decides = verdict.matchedIn?.toLowerCase() === node.domain.toLowerCase() ? "  ← decides" : "";
  const heading = `${toVisible(node.via ?? node.domain)}  ${toCost(cost)}${decides}`;
  return [
    isTop ? heading : `${indent}${isLast ? "└─ " : "├─ "}${heading}`,
    ...toBody(node).map((line) => `${below}${stem}${toVisible(line)}`),
    ...node.children.flatMap((child, index) =>
      toTree(child, verdict, index === node.children.length - 1, below),
    ),
  ];
}

function toCost(lookups: number): string {
  return lookups === 1 ? "1 look-up" : `${lookups} look-ups`;
}

function toBody({ record, recordCount, exists, isLoop, terms, domain }: SpfNode): string[] {
  if (isLoop) return ["(leads back to a record above)"];
  if (!recordCount.known) return [`(DNS did not answer: ${recordCount.why})`];
  if (record === null)
    return [exists ? `(${recordCount.value || "no"} SPF records)` : `(${domain} does not exist)`];
  return [record, ...terms.flatMap(({ problem }) => (problem === null ? [] : [`✗ ${problem}`]))];
}

function toNotes(record: SpfRecord): string[] {
  const { domain, nearMisses, voids, mxOverLimit, passesAnyone, lookups, isWhole } = record;
  return [
    ...nearMisses.map((text) => `Not seen as SPF at ${domain}: ${text}`),
    ...(lookups > 10
      ? ["The whole record needs more than 10 look-ups: addresses behind the tenth get a permerror."]
      : []),
    ...voids.map((found) => `${found.term} in the record of ${found.domain} finds nothing at ${found.name}.`),
    ...mxOverLimit.map(
      (found) => `${found.term} in the record of ${found.domain} leads to ${found.hosts} hosts; 10 may be.`,
    ),
    ...(passesAnyone === null ? [] : [`Anybody passes, because of ${passesAnyone}.`]),
    ...(isWhole ? [] : ["A part of the record could not be read."]),
  ];
}
