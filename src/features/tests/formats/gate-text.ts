// Which mailbox providers act on a finding, and how they reply.

import type { Gate } from "../../../analyzer/checks/check.ts";
import type { JudgedFinding } from "../../../analyzer/reports/judgment.ts";
import type { Judged } from "../../../analyzer/reports/report.ts";
import { toActing, toActor, toDeed } from "../../../analyzer/words/gate-words.ts";

/** One sentence about all senders, and one about bulk senders. */
export function toGateSentences(gates: readonly Gate[]): string[] {
  const tell = (sender: Gate["sender"]) =>
    toActing(gates)
      .filter((gate) => gate.sender === sender)
      .map(toClause)
      .join("; ");
  const [any, bulk] = [tell("any"), tell("bulk")];
  return [
    ...(any === "" ? [] : [`${any}.`]),
    ...(bulk === "" ? [] : [`For bulk senders (about 5,000 messages a day): ${bulk}.`]),
  ];
}

function toClause({ provider, reply, may }: Gate): string {
  const who = toActor(provider);
  const deed = toDeed(reply);
  if (deed !== null) return `${who} ${deed}`;
  if (!/^[45]\d\d\b/.test(reply)) return `${who}: ${reply}`;
  const isDeferral = reply.startsWith("4");
  const verb = may ? `may ${isDeferral ? "defer" : "reject"}` : isDeferral ? "defers" : "rejects";
  return `${who} ${verb} it with ${reply}`;
}

// The subject of a report for machines: a file or a domain, and its report.

export type JudgedSubject = {
  /** Name of the file or domain. */
  readonly name: string;
  /** Path of the file. Null for a domain and for standard input. */
  readonly path: string | null;
  /** Null for a bounce, report or automatic reply, which has no verdicts. */
  readonly report: Judged | null;
};

/** Why it matters, how to fix it, and which providers reject mail for it. */
export function toDetails({ why, gates }: JudgedFinding, fix: string | null): string[] {
  return [why, ...(fix === null ? [] : [`Fix: ${fix}`]), ...toGateSentences(gates)];
}
