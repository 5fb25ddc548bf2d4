// How a domain stands, from what each feature knows of it: the worst first, and what to do first in a sentence.

import { toPlural } from "../../../analyzer/count-words.ts";
import { toList } from "../../../analyzer/words/plain-words.ts";
/** The most urgent first, among areas that are equally bad. */
export const standingAreas = [
  "blocklists",
  "records",
  "complaints",
  "senders",
  "changes",
  "streams",
  "policy",
] as const;
export type StandingArea = (typeof standingAreas)[number];

/** Worst first. */
export const standingStates = ["bad", "warning", "unknown", "next", "fine"] as const;

export type StandingItem = {
  readonly area: StandingArea;
  readonly state: (typeof standingStates)[number];
  readonly says: string;
  /** A path, or a section of the domain's page. */
  readonly page: string;
};

export type DomainStanding = { readonly says: string; readonly items: readonly StandingItem[] };

export const areaNames: Readonly<Record<StandingArea, string>> = {
  blocklists: "Blocklists",
  records: "Records",
  complaints: "Complaints and bounces",
  senders: "Senders",
  changes: "Changes",
  streams: "Streams",
  policy: "Policy",
};

/** Several features may know of one area. The worst counts. */
export function toStanding(found: readonly StandingItem[]): DomainStanding {
  const rank = ({ state, area }: StandingItem) =>
    standingStates.indexOf(state) * standingAreas.length + standingAreas.indexOf(area);
  const sorted = found.toSorted((one, other) => rank(one) - rank(other));
  const items = sorted.filter(({ area }, at) => sorted.findIndex((item) => item.area === area) === at);
  return { says: toFirst(items), items };
}

function toFirst(items: readonly StandingItem[]): string {
  const [worst] = items;
  if (worst === undefined) return "Nothing is known yet.";
  if (worst.state === "bad" || worst.state === "warning") return worst.says;
  // Without its records, little else about a domain can be judged.
  const records = items.find(({ area, state }) => area === "records" && state === "unknown");
  if (records) return records.says;
  const next = items.find(({ state }) => state === "next");
  if (next) return `No issues found. Next: ${next.says}`;
  const unknown = items.filter(({ state }) => state === "unknown").length;
  if (unknown > 0) return `No issues found, but ${toPlural(unknown, "area isn’t", "areas aren’t")} known yet.`;
  return `All good: ${toList(items.map(({ area }) => areaNames[area].toLowerCase()))}.`;
}

/** What a feature says of an area, if it could be read. */
export type StandingWords = Omit<StandingItem, "area">;

/** Longer than from a check to the next one. */
const longestGapMs = 7_200_000;

/** A check that fails in Assay puts the domain back: its next check is set, but it wasn’t checked. */
export function isPutBack(dueAt: number | null, checkedOrCreatedAt: number): boolean {
  return dueAt !== null && dueAt - checkedOrCreatedAt > longestGapMs;
}

type Issue = { readonly severity: string; readonly summary: string };

type Records = {
  /** Why the domain can't be checked. */
  readonly trouble: string | null;
  readonly isChecked: boolean;
  /** The worst first. */
  readonly issues: readonly Issue[];
  /** Names of records for which DNS didn't answer. */
  readonly silent: readonly string[];
  /** Names of records that pass. */
  readonly passing: readonly string[];
};

export function toRecordsStanding({ trouble, isChecked, issues, silent, passing }: Records): StandingWords {
  const [first] = issues;
  const silence = silent.length > 0 ? `No DNS response for ${toList(silent)}.` : "";
  if (trouble !== null) return { state: "unknown", says: trouble, page: "#verdicts" };
  if (!isChecked) return { state: "unknown", says: "The first check is in progress.", page: "#verdicts" };
  if (first !== undefined) {
    const more = issues.length > 1 ? toPlural(issues.length - 1, "more issue.", "more issues.") : "";
    const state = first.severity === "minor" ? "warning" : "bad";
    return { state, says: [first.summary, more, silence].filter((words) => words !== "").join(" "), page: "#fix" };
  }
  if (silence !== "")
    return {
      state: "unknown",
      says: passing.length > 0 ? `${silence} No issues in the others.` : silence,
      page: "#verdicts",
    };
  if (passing.length === 0) return { state: "fine", says: "No issues found.", page: "#verdicts" };
  return { state: "fine", says: `${toList(passing)} ${passing.length === 1 ? "passes" : "pass"}.`, page: "#verdicts" };
}

type Changes = {
  readonly isUnstable: boolean;
  /** It was added less than a week ago. */
  readonly isYoung: boolean;
  /** Since the domain was first checked, a week ago at most. */
  readonly newest: { readonly isWorse: boolean; readonly says: readonly string[] } | null;
};

export function toChangesStanding({ isUnstable, isYoung, newest }: Changes): StandingWords {
  const page = "#changes";
  if (isUnstable)
    return { state: "warning", says: "Its records keep changing. Alerts are paused until they settle.", page };
  if (newest === null)
    return { state: "fine", says: `No record changed ${isYoung ? "since it was added" : "in the last 7 days"}.`, page };
  const says = `Changed in the last 7 days: ${newest.says.join(" ")}`;
  return { state: newest.isWorse ? "warning" : "fine", says, page };
}
