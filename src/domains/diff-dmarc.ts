// What changed in the DMARC policy that covers a domain.

import type { DmarcPolicy } from "../dns/dmarc.ts";
import { toVisibleCut } from "../visible-text.ts";
import type { ChangeWords, Direction } from "./change-kind-table.ts";
import { diffPresence, listNames } from "./diff-policies.ts";
import type { DmarcMeaning } from "./policy-meanings.ts";

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
