// What changed in BIMI, MTA-STS and TLS reporting.

import { toVisibleCut } from "../visible-text.ts";
import type { ChangeKind, ChangeWords, Direction } from "./change-kind-table.ts";
import type { BimiMeaning, MtaStsMeaning, TlsRptMeaning } from "./policy-meanings.ts";

export function diffBimi(before: BimiMeaning, after: BimiMeaning): ChangeWords {
  const what = "The BIMI record";
  if (before.state !== "read" || after.state !== "read")
    return diffPresence(what, before.state, after.state) ?? changed(`${what} is another`);
  if (after.logo === null && before.logo !== null)
    return { kind: "record_changed", direction: "worse", says: `${what} announces a logo no longer` };
  if (before.logo === null && after.logo !== null)
    return {
      kind: "record_changed",
      direction: "better",
      says: `${what} announces a logo, where it declined to`,
    };
  if (before.logo !== after.logo)
    return changed(`${what} names another logo: ${show(after.logo)} in place of ${show(before.logo)}`);
  if (before.certificate !== after.certificate)
    return changed(
      `${what} names another certificate: ${show(after.certificate)} in place of ${show(before.certificate)}`,
    );
  return changed(`${what} has other preferences (avp=, lps=)`);
}

function changed(says: string): ChangeWords {
  return { kind: "record_changed", direction: "neutral", says };
}

function show(url: string | null): string {
  return url === null ? "none" : toVisibleCut(url, 120);
}

const modeStrength = { none: 0, testing: 1, enforce: 2 } as const;

export function diffMtaSts(before: MtaStsMeaning, after: MtaStsMeaning): ChangeWords {
  if (before.state === "read" && after.state === "read") return tellMtaStsPolicy(before, after);
  if (after.state === "unusable")
    return {
      kind: "policy_lost",
      direction: before.state === "read" ? "worse" : "neutral",
      says: "The MTA-STS policy that the record announces is not there, or cannot be read",
    };
  if (before.state === "unusable" && after.state === "read")
    return { kind: "policy_found", direction: "better", says: "The MTA-STS policy is there and can be read" };
  const earlier = before.state === "unusable" ? "broken" : before.state;
  return diffPresence("The MTA-STS record", earlier, after.state) ?? changed("The MTA-STS record is another");
}

type Policy = Extract<MtaStsMeaning, { readonly state: "read" }>;

function tellMtaStsPolicy(before: Policy, after: Policy): ChangeWords {
  const gain = modeStrength[after.mode] - modeStrength[before.mode];
  if (gain !== 0)
    return {
      kind: gain < 0 ? "policy_mode_loosened" : "policy_mode_tightened",
      direction: gain < 0 ? "worse" : "better",
      says: `The mode of the MTA-STS policy went from ${before.mode} to ${after.mode}`,
    };
  const added = after.mx.filter((host) => !before.mx.includes(host));
  const removed = before.mx.filter((host) => !after.mx.includes(host));
  const moves = [
    ...(added.length > 0 ? [`names ${listNames(added)}, which it did not`] : []),
    ...(removed.length > 0 ? [`no longer names ${listNames(removed)}`] : []),
    ...(before.maxAgeSeconds === after.maxAgeSeconds
      ? []
      : [`is kept for ${after.maxAgeSeconds} seconds, and was for ${before.maxAgeSeconds}`]),
  ];
  return { kind: "policy_changed", direction: "neutral", says: `The MTA-STS policy ${moves.join(", and ")}` };
}

export function diffTlsRpt(before: TlsRptMeaning, after: TlsRptMeaning): ChangeWords {
  if (before.state !== "read" || after.state !== "read")
    return (
      diffPresence("The record for TLS reports", before.state, after.state) ??
      changed("The record for TLS reports is another")
    );
  const list = (uris: readonly string[]) => listNames(uris.map((uri) => toVisibleCut(uri, 80)));
  const says = `TLS reports go to ${list(after.rua)}, and went to ${list(before.rua)}`;
  return { kind: "reports_changed", direction: "neutral", says };
}

// What is alike for every record: that it is there, alone, and can be read.

type Presence = "none" | "several" | "broken" | "read";

/** `what`: "The SPF record". Null: one record that can be read stands there before and after. */
export function diffPresence(what: string, before: Presence, after: Presence): ChangeWords | null {
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
