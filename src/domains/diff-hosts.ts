// What changed in where a domain's mail goes, and in what vouches for that.

import { toVisibleCut } from "../visible-text.ts";
import type { ChangeWords, Direction } from "./change-kind-table.ts";
import { listNames } from "./diff-policies.ts";
import type { DaneMeaning, DnssecMeaning, MxMeaning } from "./host-meanings.ts";

export function diffMx(before: MxMeaning, after: MxMeaning): ChangeWords {
  if (before.state === "hosts" && after.state === "hosts") return tellMxHosts(before.tiers, after.tiers);
  if (after.state === "null")
    return {
      kind: "mx_changed",
      direction: loss(before),
      says: "The domain says that it takes no mail (null MX)",
    };
  if (after.state === "hosts") {
    const says = `Mail for the domain goes to ${listHosts(after.tiers.flat())}, where it had no MX host`;
    return { kind: "record_added", direction: "better", says };
  }
  const wherefore = {
    implicit: "mail goes to the addresses of the domain itself",
    none: "mail for the domain goes nowhere",
    gone: "the name does not exist in DNS any more",
  }[after.state];
  return { kind: "record_removed", direction: loss(before), says: `The domain has no MX host: ${wherefore}` };
}

function loss({ state }: MxMeaning): Direction {
  return state === "hosts" || state === "implicit" ? "worse" : "neutral";
}

type Tiers = readonly (readonly string[])[];

function tellMxHosts(before: Tiers, after: Tiers): ChangeWords {
  const added = after.flat().filter((host) => !before.flat().includes(host));
  const removed = before.flat().filter((host) => !after.flat().includes(host));
  const moves = [
    ...(added.length > 0 ? [`goes to ${listHosts(added)}, where it did not`] : []),
    ...(removed.length > 0 ? [`no longer goes to ${listHosts(removed)}`] : []),
  ];
  const says =
    moves.length > 0 ? moves.join(", and ") : "goes to the same hosts in another order of preference";
  return { kind: "mx_changed", direction: "neutral", says: `Mail for the domain ${says}` };
}

function listHosts(hosts: readonly string[]): string {
  return listNames(hosts.map((host) => toVisibleCut(host, 80)));
}

export function diffDnssec({ state: before }: DnssecMeaning, { state: after }: DnssecMeaning): ChangeWords {
  if (after === "bogus")
    return {
      kind: "dnssec_broken",
      direction: "worse",
      says: "The DNSSEC signatures of the domain are not valid, so that many resolvers refuse to answer for it",
    };
  if (before === "bogus")
    return {
      kind: "dnssec_repaired",
      direction: "better",
      says: `The domain can be resolved again: ${after === "signed" ? "its DNSSEC signatures are valid" : "it is no longer signed"}`,
    };
  return after === "signed"
    ? { kind: "dnssec_gained", direction: "better", says: "The domain is signed with DNSSEC" }
    : { kind: "dnssec_lost", direction: "worse", says: "The domain is no longer signed with DNSSEC" };
}

export function diffDane(before: DaneMeaning, after: DaneMeaning, hosts: readonly string[]): ChangeWords {
  const lost = hosts.filter((host) => before[host] === true && after[host] === false);
  const gained = hosts.filter((host) => !lost.includes(host));
  const says = [
    ...(lost.length > 0 ? [`${listHosts(lost)} ${are(lost)} no longer protected by DANE`] : []),
    ...(gained.length > 0 ? [`${listHosts(gained)} ${are(gained)} protected by DANE`] : []),
  ].join("; ");
  return lost.length > 0
    ? { kind: "dane_lost", direction: "worse", says: `Of the MX hosts, ${says}` }
    : { kind: "dane_gained", direction: "better", says: `Of the MX hosts, ${says}` };
}

function are(hosts: readonly string[]): string {
  return hosts.length === 1 ? "is" : "are";
}
