// What is alike for every record: that it is there, alone, and can be read.

import type { ChangeKind, Direction, Told } from "./change-kind-table.ts";

export type Presence = "none" | "several" | "broken" | "read";

/** `what`: "The SPF record". Null: one record that can be read stands there before and after. */
export function tellPresence(what: string, before: Presence, after: Presence): Told | null {
  if (before === "read" && after === "read") return null;
  const kind = kindOf(before, after);
  return { kind, direction: directionOf(before, after), says: `${what} ${words[kind](before)}` };
}

type PresenceKind = Extract<ChangeKind, `record_${"added" | "removed" | "doubled" | "broken" | "repaired"}`>;

function kindOf(before: Presence, after: Presence): PresenceKind {
  if (after === "none") return "record_removed";
  if (after === "several") return "record_doubled";
  if (after === "broken") return "record_broken";
  return before === "none" ? "record_added" : "record_repaired";
}

/** Nobody can use what is broken: it is no worse to lose it. */
function directionOf(before: Presence, after: Presence): Direction {
  if (after === "read") return "better";
  return before === "read" ? "worse" : "neutral";
}

const words: Readonly<Record<PresenceKind, (before: Presence) => string>> = {
  record_added: () => "is there, where there was none",
  record_removed: (before) => (before === "read" ? "is gone" : "is gone, which nobody could use"),
  record_doubled: () => "stands there more than once, and receivers use none of several",
  record_broken: (before) =>
    before === "read" ? "can no longer be used, and receivers ignore it" : "is there now, and cannot be used",
  record_repaired: (before) =>
    before === "several" ? "stands there once again, where there were several" : "can be used again",
};

/** "a, b and 3 more": names in a sentence. */
export function listNames(names: readonly string[], most = 5): string {
  const shown = names.slice(0, most);
  const left = names.length - shown.length;
  if (left > 0) return `${shown.join(", ")} and ${left} more`;
  const [last, ...others] = shown.toReversed();
  return others.length === 0 ? (last ?? "none") : `${others.toReversed().join(", ")} and ${last}`;
}
