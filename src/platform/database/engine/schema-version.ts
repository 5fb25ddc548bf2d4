// Databases from before the first release. 28 migrations made their schema, which is the one of 0001-first-release. So a
// database with all 28 only gets other bookkeeping, and one with fewer is refused.

import { Refusal } from "../../errors.ts";
import type { Store } from "../store.ts";

/** How many migrations a database has, or which one from before the first release it is. */
export type SchemaVersion = number | "unreleased" | "too-old";

const firstName = "0001-first-tables";
/** In a file of an exported workspace, too. */
export const lastUnreleased = "0028-outgoing-server";
const unreleasedCount = 28;

/** SHA-256 of the lines "name checksum" of all 28. */
export const unreleasedBookkeeping: Readonly<Record<Store["dialect"], string>> = {
  sqlite: "a552c43b4776fa0b00503dc6ad925adbbaf73b4dad1406ededa713ba2f0f6569",
  postgres: "5707c734b40bc6b27923394b185013d2d18ee537e5eb8953152814f279440b15",
};

/** By the names of its migrations, in order. */
export function toSchemaVersion(names: readonly string[]): SchemaVersion {
  return names[0] === firstName ? ofUnreleased(names.length) : names.length;
}

/** By the number in SQLite's header, which was the number of migrations before the first release. */
export function fromHeader(version: number): SchemaVersion {
  if (version > releasedFrom) return version - releasedFrom;
  return version === 0 ? 0 : ofUnreleased(version);
}

export function toHeader(migrations: number): number {
  return releasedFrom + migrations;
}

const releasedFrom = 100;

function ofUnreleased(count: number): SchemaVersion {
  return count === unreleasedCount ? "unreleased" : "too-old";
}

/** The number of its migrations, where one from before the first release counts as having the first. */
export function requireUpgradable(version: SchemaVersion): number {
  if (version === "too-old") throw tooOld("The database");
  return version === "unreleased" ? 1 : version;
}

export function tooOld(what: string): Refusal {
  return new Refusal("conflict", `${toTooOldWords(what)} Nothing was changed.`, { needsOperator: true });
}

export function toTooOldWords(what: string): string {
  return `${what} is from before the first release, and too old for this version. Start Assay as of 29 November 2026 (commit 7d883a3b) on it once, then this version.`;
}
