// What a domain's report says, in a few bytes: the same for two checks that found the same, whenever they were made, however
// long that took, and in whatever order a name server gave its records. So that a check of a domain at which nothing
// happened, which is nearly each of them, need not write its report again.

import { hash } from "node:crypto";
import { type DnsAnswer, toQuestionKey } from "../dns/answer.ts";
import type { DomainReport } from "./domain-report.ts";

export function toDomainGist({ judgment, verdicts, facts, analysis }: DomainReport): string {
  const { startedAt: _at, durationMs: _took, dns, unchecked, ...evidence } = analysis;
  const said = { judgment, verdicts, facts, evidence, dns: toSaid(dns), unchecked: toSaid(unchecked) };
  return hash("sha256", JSON.stringify(said).replace(times, ""), "base64url");
}

/**
 * When a file was fetched. What follows from it, as that a certificate ends soon, stands in the judgment. In the text, where a
 * stranger's own quotes have a backslash: to be asked about each value costs JSON several times as much.
 */
const times = /(?<=[{,])"(?:fetchedAt|seenAt)":\d+,?/g;

/** Without when, how long and from whom, which are others each time. */
function toSaid(answers: readonly DnsAnswer[]): string[] {
  return answers
    .map(({ name, type, status, records, aliases, authenticated }) => {
      const sorted = records.map((record) => JSON.stringify(record)).sort();
      return JSON.stringify([toQuestionKey(name, type), status, sorted, aliases, authenticated]);
    })
    .sort();
}
