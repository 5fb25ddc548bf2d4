// What is known of each list beside its answers (lists.json): how often it may be asked, what a listing means at the big
// providers, and how to get off it.

import type { AskedWith } from "../../../analyzer/checks/infrastructure-facts.ts";
import { findListRow, listChoices } from "../../../analyzer/dns/dnsbl.ts";
import lists from "./lists.json" with { type: "json" };

type ListAdvice = {
  readonly means: string;
  readonly steps: string;
  readonly perHour?: number;
  /** Its terms allow this use without a key, a registration, or a limit that they don't name. */
  readonly isFree?: boolean;
};

const listAdvice: Readonly<Record<string, ListAdvice>> = lists.lists;

/**
 * Half of the smallest number that lists publish, which is 100,000 a day, because messages ask them too. Those that allow
 * fewer, or say only "low volume", have their own number.
 */
const usualPerHour = 2_000;

export function adviceOf(zone: string, weight: string) {
  const row = findListRow(zone);
  const { means, steps } = weight === "policy" ? lists.policy : (listAdvice[row?.name ?? ""] ?? lists.unknown);
  return { list: row?.name ?? zone, delistUrl: row?.delistUrl ?? null, means, steps };
}

/** What the lists take. One that Assay doesn't know may take anything. */
export function kindsOf(lists: readonly { readonly zone: string }[]): ReadonlySet<AskedWith> {
  return new Set<AskedWith>(
    lists.flatMap(({ zone }) => {
      const row = findListRow(zone);
      if (row === undefined) return ["ipv4", "ipv6", "domain"];
      return row.kind === "domain" ? ["domain"] : row.ipv6 ? ["ipv4", "ipv6"] : ["ipv4"];
    }),
  );
}

export function perHourOf(zone: string): number {
  return listAdvice[findListRow(zone)?.name ?? ""]?.perHour ?? usualPerHour;
}

/** What one click turns on. */
export const freeZones: readonly string[] = listChoices.flatMap(({ name, zones }) =>
  listAdvice[name]?.isFree ? zones.slice(0, 1) : [],
);

const hourMs = 3_600_000;
/** Addresses aren't spread evenly over the hours. */
const slack = 1.25;

/** In how many hours each address is asked about once. 1: every hour. */
export function toTurn(addresses: number, perHour: number): number {
  return Math.max(1, Math.ceil((addresses * slack) / perHour));
}

/** From its ID, so that it stays the same: its millisecond of the hour, and which of several hours is its turn. */
function toPlace(id: string): { readonly inHourMs: number; readonly turn: number } {
  let number = 0;
  for (const character of id.slice(-10)) number = (number * 33 + character.charCodeAt(0)) >>> 0;
  return { inHourMs: number % hourMs, turn: number >>> 12 };
}

/** At least half an hour after `now`, so that one lookup after another tells something new, and at most an hour and a half. */
export function toNextLookup(id: string, now: number): number {
  const { inHourMs } = toPlace(id);
  return Math.floor((now - inHourMs) / hourMs + 1.5) * hourMs + inHourMs;
}

export function isTurn(id: string, now: number, turns: number): boolean {
  const { inHourMs, turn } = toPlace(id);
  return (Math.floor((now - inHourMs) / hourMs) + turn) % turns === 0;
}

export const origins = ["typed", "domain", "spf", "tests", "reports"] as const;
export type Origin = (typeof origins)[number];

/** Worst first. */
export const classes = ["major", "bad", "policy", "abused", "minor", "grey", "broad"] as const;
