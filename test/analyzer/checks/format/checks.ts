import { known, unknown } from "../../../../src/analyzer/checks/fact.ts";
import type { KnownFacts } from "../../../../src/analyzer/checks/facts.ts";
import { formatChecks } from "../../../../src/analyzer/checks/format/list.ts";
import { type Finding, runChecks } from "../../../../src/analyzer/checks/run.ts";
import { type Given, kind, session } from "./given.ts";

const asked = [...new Set(formatChecks.flatMap(({ needs, wants }) => [...needs, ...wants]))];

/** What all of them find in a message that came by SMTP; nothing is known of its signatures. */
export function findingsIn(read: Given): Finding[] {
  const facts = {
    ...Object.fromEntries(asked.map((name) => [name, unknown("timeout")])),
    ...Object.fromEntries(Object.entries(read).map(([name, value]) => [name, known(value)])),
    session: known(session()),
    kind: known(kind()),
  } as unknown as KnownFacts;
  const outcomes = runChecks(formatChecks, { on: "message", kind: "transactional", facts }, (_, error) => {
    throw error;
  });
  return outcomes.flatMap((outcome) => (outcome.outcome === "found" ? outcome.findings : []));
}
