// Which mailbox providers act on a finding, and what they then answer.

import { toActing, toActor, toDeed } from "../api/gate-words.ts";
import type { Gate } from "../checks/check.ts";
import type { JudgedFinding, Judgment } from "../reports/judgment.ts";

/** A sentence about everybody's mail, and one about that of bulk senders. */
export function toGateSentences(gates: readonly Gate[]): string[] {
  const tell = (sender: Gate["sender"]) =>
    toActing(gates)
      .filter((gate) => gate.sender === sender)
      .map(toClause)
      .join("; ");
  const [any, bulk] = [tell("any"), tell("bulk")];
  return [
    ...(any === "" ? [] : [`${any}.`]),
    ...(bulk === "" ? [] : [`From bulk senders (about 5,000 messages a day): ${bulk}.`]),
  ];
}

function toClause({ provider, reply, may }: Gate): string {
  const who = toActor(provider);
  const deed = toDeed(reply);
  if (deed !== null) return `${who} ${deed}`;
  if (!/^[45]\d\d\b/.test(reply)) return `${who}: ${reply}`;
  const isDeferral = reply.startsWith("4");
  const verb = may ? `may ${isDeferral ? "defer" : "refuse"}` : isDeferral ? "defers" : "refuses";
  return `${who} ${verb} it: ${reply}`;
}

// What a machine's report speaks of: a file or a domain, and what was found of it.

export type JudgedSubject = {
  /** Of the file or domain. */
  readonly name: string;
  /** Of the file; null for a domain and for standard input. */
  readonly path: string | null;
  /** Null for what is no test and has no verdicts: a bounce, a report. */
  readonly judgment: Judgment | null;
};

/** Why it matters, what to do, and who refuses mail for it. */
export function toDetails({ why, gates }: JudgedFinding, fix: string | null): string[] {
  return [why, ...(fix === null ? [] : [`Fix: ${fix}`]), ...toGateSentences(gates)];
}
