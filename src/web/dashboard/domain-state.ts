// How a monitored domain does, in a word and a line, and which of several is to be looked at first.

import type { DomainSummary } from "../../api/domains.ts";
import { judgedMechanisms, listFailing } from "../../api/failing-words.ts";
import { toList, toSentence, toShortTime } from "../client/words.ts";

type DomainState = {
  readonly kind: "failing" | "changed" | "warned" | "unknown" | "well";
  readonly tone: "critical" | "minor" | "unknown" | "good";
  readonly word: string;
  readonly line: string;
};

const kinds = ["failing", "changed", "warned", "unknown", "well"] as const;
const dayMs = 86_400_000;

type Judged = Pick<
  DomainSummary,
  "spf" | "dkim" | "dmarc" | "bimi" | "checkedAt" | "lastDriftAt" | "unstable"
>;

/** `now`: as the server has it. */
function toDomainState(domain: Judged, now: string): DomainState {
  const { checkedAt, lastDriftAt } = domain;
  const hasWord = (word: string) => judgedMechanisms.filter((one) => domain[one] === word);
  const failing = listFailing(domain);
  const missing = failing.filter((one) => domain[one] === "missing");
  const failed = failing.filter((one) => domain[one] !== "missing");
  const isChanged = lastDriftAt !== null && Date.parse(now) - Date.parse(lastDriftAt) < dayMs;
  const changed = isChanged ? toChangeWords(domain, lastDriftAt) : null;
  if (failing.length > 0) {
    const faults = [...toFault(failed, "fails", "fail"), ...toFault(missing, "is missing", "are missing")];
    const line = [toSentence(faults.join(", ")), ...(changed === null ? [] : [changed])].join("; ");
    return { kind: "failing", tone: "critical", word: "Failing", line };
  }
  if (changed !== null) return { kind: "changed", tone: "minor", word: "Changed", line: toSentence(changed) };
  if (checkedAt === null) return unknown("Not checked yet");
  const unanswered = hasWord("error");
  if (unanswered.length > 0) return unknown(`DNS did not answer for ${toNames(unanswered)}`);
  const warned = hasWord("warn");
  if (warned.length > 0)
    return { kind: "warned", tone: "minor", word: "Warning", line: `${toNames(warned)} can be better` };
  const line =
    lastDriftAt === null
      ? `Checked ${toShortTime(checkedAt)}`
      : `No change since ${toShortTime(lastDriftAt)}`;
  return { kind: "well", tone: "good", word: "Well", line };
}

function unknown(line: string): DomainState {
  return { kind: "unknown", tone: "unknown", word: "Not known", line };
}

function toFault(names: readonly string[], one: string, several: string): string[] {
  return names.length === 0 ? [] : [`${toNames(names)} ${names.length === 1 ? one : several}`];
}

function toNames(names: readonly string[]): string {
  return toList(names.map((name) => name.toUpperCase()));
}

function toChangeWords({ unstable }: Judged, at: string): string {
  return unstable ? "its records go to and fro" : `its records changed, ${toShortTime(at)}`;
}

export type StatedDomain = { readonly domain: DomainSummary; readonly state: DomainState };

export function byUrgency(domains: readonly DomainSummary[], now: string): readonly StatedDomain[] {
  return domains
    .map((domain) => ({ domain, state: toDomainState(domain, now) }))
    .toSorted(
      (a, b) =>
        kinds.indexOf(a.state.kind) - kinds.indexOf(b.state.kind) ||
        (a.domain.score ?? 100) - (b.domain.score ?? 100),
    );
}
