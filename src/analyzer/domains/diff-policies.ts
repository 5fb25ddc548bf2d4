// Describes changes in BIMI, MTA-STS and TLS reporting.

import { strength } from "../dns/dmarc.ts";
import { toVisibleCut } from "../visible-text.ts";
import type { ChangeKind, ChangeWords, Direction } from "./change-kind-table.ts";
import type { BimiMeaning, DmarcMeaning, MtaStsMeaning, TlsRptMeaning } from "./policy-meanings.ts";

export function diffBimi(before: BimiMeaning, after: BimiMeaning): ChangeWords {
  const what = "The BIMI record";
  if (before.state !== "read" || after.state !== "read")
    return diffPresence(what, before.state, after.state) ?? changed(`${what} changed`);
  if (after.logo === null && before.logo !== null)
    return { kind: "record_changed", direction: "worse", says: `${what} no longer specifies a logo` };
  if (before.logo === null && after.logo !== null)
    return {
      kind: "record_changed",
      direction: "better",
      says: `${what} now specifies a logo instead of declining one`,
    };
  if (before.logo !== after.logo)
    return changed(`${what} specifies a different logo: ${show(after.logo)} instead of ${show(before.logo)}`);
  if (before.certificate !== after.certificate)
    return changed(
      `${what} specifies a different certificate: ${show(after.certificate)} instead of ${show(before.certificate)}`,
    );
  return changed(`${what} has different preferences (avp=, lps=)`);
}

function changed(says: string): ChangeWords {
  return { kind: "record_changed", direction: "neutral", says };
}

function show(url: string | null): string {
  return url === null ? "none" : toVisibleCut(url, 120);
}

const modeStrength = { none: 0, testing: 1, enforce: 2 } as const;

export function diffMtaSts(before: MtaStsMeaning, after: MtaStsMeaning): ChangeWords {
  if (before.state === "read" && after.state === "read") return describeMtaStsPolicy(before, after);
  if (after.state === "unusable")
    return {
      kind: "policy_lost",
      direction: before.state === "read" ? "worse" : "neutral",
      says: "The MTA-STS policy is missing or invalid, although the record announces it",
    };
  if (before.state === "unusable" && after.state === "read")
    return { kind: "policy_found", direction: "better", says: "The MTA-STS policy is now available and valid" };
  const earlier = before.state === "unusable" ? "broken" : before.state;
  return diffPresence("The MTA-STS record", earlier, after.state) ?? changed("The MTA-STS record changed");
}

type Policy = Extract<MtaStsMeaning, { readonly state: "read" }>;

function describeMtaStsPolicy(before: Policy, after: Policy): ChangeWords {
  const gain = modeStrength[after.mode] - modeStrength[before.mode];
  if (gain !== 0)
    return {
      kind: gain < 0 ? "policy_mode_loosened" : "policy_mode_tightened",
      direction: gain < 0 ? "worse" : "better",
      says: `The MTA-STS policy mode changed from ${before.mode} to ${after.mode}`,
    };
  const added = after.mx.filter((host) => !before.mx.includes(host));
  const removed = before.mx.filter((host) => !after.mx.includes(host));
  const moves = [
    ...(added.length > 0 ? [`now lists ${listNames(added)}`] : []),
    ...(removed.length > 0 ? [`no longer lists ${listNames(removed)}`] : []),
    ...(before.maxAgeSeconds === after.maxAgeSeconds
      ? []
      : [`has a max_age of ${after.maxAgeSeconds} seconds instead of ${before.maxAgeSeconds}`]),
  ];
  return { kind: "policy_changed", direction: "neutral", says: `The MTA-STS policy ${moves.join(", and ")}` };
}

export function diffTlsRpt(before: TlsRptMeaning, after: TlsRptMeaning): ChangeWords {
  if (before.state !== "read" || after.state !== "read")
    return (
      diffPresence("The TLS reporting record", before.state, after.state) ?? changed("The TLS reporting record changed")
    );
  const list = (uris: readonly string[]) => listNames(uris.map((uri) => toVisibleCut(uri, 80)));
  const says = `TLS reports now go to ${list(after.rua)} instead of ${list(before.rua)}`;
  return { kind: "reports_changed", direction: "neutral", says };
}

// Shared by all records: whether there is exactly one, and whether it is valid.

type Presence = "none" | "several" | "broken" | "read";

/** `what`: "The SPF record". Null: valid before and after. */
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

/** Losing a broken record makes nothing worse, because it had no effect. */
function directionOf(before: Presence, after: Presence): Direction {
  if (after === "read") return "better";
  return before === "read" ? "worse" : "neutral";
}

const words: Readonly<Record<PresenceKind, (before: Presence) => string>> = {
  record_added: () => "was added",
  record_removed: (before) => (before === "read" ? "was removed" : "was removed, but it had no effect anyway"),
  record_doubled: () => "exists more than once, so receivers ignore all of them",
  record_broken: (before) =>
    before === "read" ? "became invalid, so receivers ignore it" : "exists now, but is invalid",
  record_repaired: (before) => (before === "several" ? "is no longer duplicated" : "is valid again"),
};

/** "a, b and 3 more": a list for a sentence. */
export function listNames(names: readonly string[], most = 5): string {
  const shown = names.slice(0, most);
  const left = names.length - shown.length;
  if (left > 0) return `${shown.join(", ")} and ${left} more`;
  const [last, ...others] = shown.toReversed();
  return others.length === 0 ? (last ?? "none") : `${others.toReversed().join(", ")} and ${last}`;
}

// Describes changes of the DMARC policy that applies to a domain.

const what = "The DMARC record";
type ReadableDmarc = Extract<DmarcMeaning, { readonly state: "read" }>;

export function diffDmarc(before: DmarcMeaning, after: DmarcMeaning): ChangeWords {
  if (before.state !== "read" || after.state !== "read")
    return diffPresence(what, before.state, after.state) ?? otherwise("changed");
  return (
    describePlace(before, after) ??
    describePolicy(before, after) ??
    describeAlignment(before, after) ??
    describeReports(before, after) ??
    describeRest(before, after)
  );
}

function otherwise(says: string): ChangeWords {
  return { kind: "record_changed", direction: "neutral", says: `${what} ${says}` };
}

/** Another record applies now: the domain's own or a parent's. */
function describePlace(before: ReadableDmarc, after: ReadableDmarc): ChangeWords | null {
  if (before.at === after.at) return null;
  const isRemoved = after.at.length < before.at.length;
  const gain = gainOf(before, after);
  const policy =
    before.policy === after.policy
      ? `, and the domain's policy is still ${after.policy}`
      : `, which changes the domain's policy from ${before.policy} to ${after.policy}`;
  const says = `${what} at _dmarc.${after.at} now applies instead of the one at _dmarc.${before.at}${policy}`;
  return { kind: isRemoved ? "record_removed" : "record_added", direction: toDirection(gain), says };
}

const scopes = [
  { tag: "policy", whom: "the domain" },
  { tag: "sp", whom: "its subdomains" },
  { tag: "np", whom: "nonexistent subdomains" },
] as const;

/** The domain's own policy counts more than those for subdomains. */
function gainOf(before: ReadableDmarc, after: ReadableDmarc): number {
  const gains = scopes.map(({ tag }) => strength[after[tag]] - strength[before[tag]]);
  return gains.find((gain) => gain !== 0) ?? 0;
}

function toDirection(gain: number): Direction {
  return gain > 0 ? "better" : gain < 0 ? "worse" : "neutral";
}

function describePolicy(before: ReadableDmarc, after: ReadableDmarc): ChangeWords | null {
  const gain = gainOf(before, after);
  if (gain === 0) return null;
  const moved = scopes.filter(({ tag }) => before[tag] !== after[tag]);
  const byMove = Map.groupBy(moved, ({ tag }) => `from ${before[tag]} to ${after[tag]}`);
  const moves = [...byMove].map(([move, those]) => `${move} for ${listNames(those.map(({ whom }) => whom))}`);
  const isTested = after.isTesting && !before.isTesting ? " by test mode (t=y)" : "";
  const verb = gain < 0 ? "weakened" : "tightened";
  const effect =
    gain < 0 && after.policy === "none" && before.policy !== "none" ? ", so DMARC no longer blocks spoofed mail" : "";
  return {
    kind: gain < 0 ? "policy_loosened" : "policy_tightened",
    direction: toDirection(gain),
    says: `The DMARC policy was ${verb}${isTested} ${moves.join(", ")}${effect}`,
  };
}

const modes = { r: "relaxed", s: "strict" } as const;

function describeAlignment(before: ReadableDmarc, after: ReadableDmarc): ChangeWords | null {
  const moved = (["adkim", "aspf"] as const).filter((tag) => before[tag] !== after[tag]);
  const [first] = moved;
  if (first === undefined) return null;
  const isStricter = after[first] === "s";
  const names = moved.map((tag) => `${tag} from ${modes[before[tag]]} to ${modes[after[tag]]}`);
  const effect = isStricter
    ? ", so mail authenticated by a subdomain fails"
    : ", so subdomains can authenticate its mail";
  return {
    kind: isStricter ? "alignment_tightened" : "alignment_loosened",
    direction: "neutral",
    says: `DMARC alignment changed: ${names.join(", ")}${effect}`,
  };
}

function describeReports(before: ReadableDmarc, after: ReadableDmarc): ChangeWords | null {
  const [one, other] = [before.rua.join(), after.rua.join()];
  if (one === other) return null;
  if (other === "")
    return { kind: "reports_stopped", direction: "worse", says: "The DMARC record no longer requests reports" };
  const addresses = listNames(after.rua.map((uri) => toVisibleCut(uri, 80)));
  if (one === "")
    return {
      kind: "reports_started",
      direction: "better",
      says: `The DMARC record now requests reports to ${addresses}`,
    };
  const earlier = listNames(before.rua.map((uri) => toVisibleCut(uri, 80)));
  const says = `DMARC reports now go to ${addresses} instead of ${earlier}`;
  return { kind: "reports_changed", direction: "neutral", says };
}

function describeRest(before: ReadableDmarc, after: ReadableDmarc): ChangeWords {
  if (before.isTesting !== after.isTesting)
    return otherwise(after.isTesting ? "is now in test mode (t=y)" : "is no longer in test mode (t=y)");
  if (before.psd !== after.psd) return otherwise(`now has psd=${after.psd} instead of psd=${before.psd}`);
  return otherwise("requests different failure reports (ruf=, fo=)");
}
