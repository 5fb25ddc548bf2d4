// What changed in BIMI, MTA-STS and TLS reporting.

import type { DmarcPolicy } from "../dns/dmarc.ts";
import { toVisibleCut } from "../visible-text.ts";
import type { ChangeKind, ChangeWords, Direction } from "./change-kind-table.ts";
import type { BimiMeaning, DmarcMeaning, MtaStsMeaning, TlsRptMeaning } from "./policy-meanings.ts";

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

// What changed in the DMARC policy that covers a domain.

const what = "The DMARC record";
type ReadableDmarc = Extract<DmarcMeaning, { readonly state: "read" }>;

export function diffDmarc(before: DmarcMeaning, after: DmarcMeaning): ChangeWords {
  if (before.state !== "read" || after.state !== "read")
    return diffPresence(what, before.state, after.state) ?? otherwise("is another");
  return (
    tellPlace(before, after) ??
    tellPolicy(before, after) ??
    tellAlignment(before, after) ??
    tellReports(before, after) ??
    tellRest(before, after)
  );
}

function otherwise(says: string): ChangeWords {
  return { kind: "record_changed", direction: "neutral", says: `${what} ${says}` };
}

/** The domain's own record gives way to one above it, or the other way round. */
function tellPlace(before: ReadableDmarc, after: ReadableDmarc): ChangeWords | null {
  if (before.at === after.at) return null;
  const isRemoved = after.at.length < before.at.length;
  const gain = gainOf(before, after);
  const policy = `, whose policy for the domain is ${after.policy}${before.policy === after.policy ? " too" : ` and was ${before.policy}`}`;
  const says = `${what} at _dmarc.${after.at} applies now, and no longer the one at _dmarc.${before.at}${policy}`;
  return { kind: isRemoved ? "record_removed" : "record_added", direction: toDirection(gain), says };
}

const strength: Readonly<Record<DmarcPolicy, number>> = { none: 0, quarantine: 1, reject: 2 };
const scopes = [
  { tag: "policy", whom: "the domain" },
  { tag: "sp", whom: "its subdomains" },
  { tag: "np", whom: "names below it that do not exist" },
] as const;

/** The domain's own policy outweighs what is asked for below it. */
function gainOf(before: ReadableDmarc, after: ReadableDmarc): number {
  const gains = scopes.map(({ tag }) => strength[after[tag]] - strength[before[tag]]);
  return gains.find((gain) => gain !== 0) ?? 0;
}

function toDirection(gain: number): Direction {
  return gain > 0 ? "better" : gain < 0 ? "worse" : "neutral";
}

function tellPolicy(before: ReadableDmarc, after: ReadableDmarc): ChangeWords | null {
  const gain = gainOf(before, after);
  if (gain === 0) return null;
  const moved = scopes.filter(({ tag }) => before[tag] !== after[tag]);
  const byMove = Map.groupBy(moved, ({ tag }) => `from ${before[tag]} to ${after[tag]}`);
  const moves = [...byMove].map(([move, those]) => `${move} for ${listNames(those.map(({ whom }) => whom))}`);
  const isTested = after.isTesting && !before.isTesting ? " by test mode (t=y)" : "";
  const verb = gain < 0 ? "loosened" : "tightened";
  const effect =
    gain < 0 && after.policy === "none" && before.policy !== "none"
      ? ", so that forged mail is delivered"
      : "";
  return {
    kind: gain < 0 ? "policy_loosened" : "policy_tightened",
    direction: toDirection(gain),
    says: `The DMARC policy was ${verb}${isTested} ${moves.join(", ")}${effect}`,
  };
}

const modes = { r: "relaxed", s: "strict" } as const;

function tellAlignment(before: ReadableDmarc, after: ReadableDmarc): ChangeWords | null {
  const moved = (["adkim", "aspf"] as const).filter((tag) => before[tag] !== after[tag]);
  const [first] = moved;
  if (first === undefined) return null;
  const isStricter = after[first] === "s";
  const names = moved.map((tag) => `${tag} went from ${modes[before[tag]]} to ${modes[after[tag]]}`);
  const effect = isStricter
    ? ", so that mail proven by a subdomain fails"
    : ", so that subdomains may prove its mail";
  return {
    kind: isStricter ? "alignment_tightened" : "alignment_loosened",
    direction: "neutral",
    says: `The DMARC alignment changed: ${names.join(", ")}${effect}`,
  };
}

function tellReports(before: ReadableDmarc, after: ReadableDmarc): ChangeWords | null {
  const [one, other] = [before.rua.join(), after.rua.join()];
  if (one === other) return null;
  if (other === "")
    return {
      kind: "reports_stopped",
      direction: "worse",
      says: "The DMARC record asks for no reports any more",
    };
  const addresses = listNames(after.rua.map((uri) => toVisibleCut(uri, 80)));
  if (one === "")
    return {
      kind: "reports_started",
      direction: "better",
      says: `The DMARC record asks for reports to ${addresses}`,
    };
  const earlier = listNames(before.rua.map((uri) => toVisibleCut(uri, 80)));
  const says = `DMARC reports go to ${addresses}, and went to ${earlier}`;
  return { kind: "reports_changed", direction: "neutral", says };
}

function tellRest(before: ReadableDmarc, after: ReadableDmarc): ChangeWords {
  if (before.isTesting !== after.isTesting)
    return otherwise(after.isTesting ? "is in test mode (t=y)" : "has left test mode (t=y)");
  if (before.psd !== after.psd) return otherwise(`says psd=${after.psd} where it said psd=${before.psd}`);
  return otherwise("asks for other reports on single messages (ruf=, fo=)");
}
