// What is the matter with a domain, in a sentence or three: what is wrong comes first.

import type { MonitoredDomain } from "../../api/domains.ts";
import { toList, toSentence, toShortTime, toWord } from "../client/words.ts";
import { faultsOf } from "../report/findings.ts";
import {
  hasDriftedLately,
  isSilent,
  toJudged,
  toVerdictWord,
  verdictMechanisms,
  verdictNames,
} from "./verdicts.tsx";

export function toLead(domain: MonitoredDomain): string {
  if (domain.checkedAt === null)
    return "It is being checked for the first time. What is found appears here by itself.";
  const silence = toSilence(domain);
  const faults = toFaults(domain);
  const isWell = faults.length === 0;
  const well = silence.length > 0 ? "What could be read is well." : "Its records are well.";
  return [...faults, ...silence, ...(isWell ? [well] : []), ...toDrift(domain)].join(" ");
}

function toFaults(domain: MonitoredDomain): readonly string[] {
  const [first, ...others] = faultsOf(toJudged(domain));
  if (!first) return [];
  return [
    first.summary,
    ...(others.length === 0 ? [] : [`${toSentence(toWord(others.length))} more to mend.`]),
  ];
}

function toSilence(domain: MonitoredDomain): readonly string[] {
  const silent = verdictMechanisms.filter((mechanism) => domain[mechanism] === "error");
  if (silent.length === 0) return [];
  return [`DNS did not answer for ${toList(silent.map((mechanism) => verdictNames[mechanism]))}.`];
}

function toDrift(domain: MonitoredDomain): readonly string[] {
  const { lastDriftAt, unstable } = domain;
  if (unstable) return ["Its records go to and fro."];
  if (lastDriftAt === null || !hasDriftedLately(domain)) return [];
  return [`A record changed within the day (${toShortTime(lastDriftAt)}).`];
}

/** What a check by hand found, beside what was known. */
export function toOutcome(before: MonitoredDomain, after: MonitoredDomain): string {
  const changed = verdictMechanisms.filter((mechanism) => before[mechanism] !== after[mechanism]);
  if (changed.length === 0) return "Checked: every verdict is as before.";
  const words = changed.map(
    (mechanism) =>
      `${verdictNames[mechanism]} went from ${toVerdictWord(before[mechanism]).toLowerCase()} to ${toVerdictWord(after[mechanism]).toLowerCase()}`,
  );
  const next = isSilent(after) ? "" : " A change is told once a second look confirms it.";
  return `Checked: ${toList(words)}.${next}`;
}
