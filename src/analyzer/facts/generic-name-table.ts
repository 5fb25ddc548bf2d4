// Reverse DNS names that no administrator chose: those of access lines, and those that hosting providers give every machine. Each
// row has names that it matches and names that it must not match; a test runs them. Names that contain the client's
// address are recognized by it (generic-name.ts), not here.

import accessLineNames from "./access-line-names.json" with { type: "json" };
import providerNames from "./provider-names.json" with { type: "json" };

type GenericPattern = {
  readonly kind: "dynamic" | "provider-default";
  /** Shown to the sender as the reason. */
  readonly says: string;
  /** Matches the whole name, in lower case. */
  readonly pattern: RegExp;
  readonly fires: readonly string[];
  readonly quiet: readonly string[];
};

/** A word counts between dots, hyphens and digits: "pool12" but not "liverpool". */
const word = (words: string) => new RegExp(`(?:^|[^a-z])(?:${words})(?:[^a-z]|$)`);

/** Matches the labels before the last two, so that cable.example may have a mail server. */
export const accessLineWords: readonly GenericPattern[] = accessLineNames.map(({ words, pattern, ...row }) => ({
  ...row,
  kind: "dynamic",
  pattern: words === undefined ? new RegExp(pattern) : word(words),
}));

/** Matches the whole name: these domains belong to providers. */
export const providerDefaults: readonly GenericPattern[] = providerNames.map((row) => ({
  ...row,
  kind: row.kind as GenericPattern["kind"],
  pattern: new RegExp(row.pattern),
}));
