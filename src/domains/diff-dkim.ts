// What changed of DKIM keys: one sentence, that names the selectors.

import { toVisibleCut } from "../visible-text.ts";
import type { ChangeKind, ChangeWords, Direction } from "./change-kind-table.ts";
import { listNames } from "./diff-policies.ts";
import type { DkimMeaning, KeyMeaning, SelectorMeaning } from "./dkim-meaning.ts";

/** The gravest first: it names the change. */
const graveness = [
  "selector_removed",
  "key_revoked",
  "key_broken",
  "record_doubled",
  "key_rotated",
  "key_changed",
  "key_repaired",
  "selector_added",
] as const satisfies readonly ChangeKind[];
type KeyChangeKind = (typeof graveness)[number];

const words: Readonly<Record<KeyChangeKind, string>> = {
  selector_removed: "the key is gone",
  key_revoked: "the key is revoked",
  key_broken: "the key can no longer be used",
  record_doubled: "several keys stand at one name, and receivers may pick either",
  key_rotated: "another key stands there",
  key_changed: "the key is the same, and its record says something else",
  key_repaired: "one key that can be used stands there again",
  selector_added: "a key was published",
};

type KeyChange = {
  readonly selector: string;
  readonly kind: KeyChangeKind;
  readonly wasUsable: boolean;
};

export function diffDkim(before: DkimMeaning, after: DkimMeaning, selectors: readonly string[]): ChangeWords {
  const changed = selectors.map((selector): KeyChange => {
    const [one, other] = [before[selector] ?? null, after[selector] ?? null];
    return { selector, kind: kindOf(one, other), wasUsable: isUsable(toKeys(one)) };
  });
  const byKind = graveness.flatMap((kind) => {
    const those = changed.filter((each) => each.kind === kind);
    if (those.length === 0) return [];
    const isHarm = worse.has(kind) && kind !== "record_doubled" && those.some(({ wasUsable }) => wasUsable);
    const effect = isHarm ? ", so that mail signed with it fails DKIM" : "";
    const names = those.map(({ selector }) => toVisibleCut(selector, 60));
    return [{ kind, says: `${toPlace(names)} ${words[kind]}${effect}` }];
  });
  const says = `DKIM: ${byKind.map((each) => each.says).join("; ")}`;
  return { kind: byKind[0]?.kind ?? "key_changed", direction: directionOf(changed, before), says };
}

function toPlace(selectors: readonly string[]): string {
  return `at the selector${selectors.length === 1 ? "" : "s"} ${listNames(selectors)}`;
}

function kindOf(before: SelectorMeaning, after: SelectorMeaning): KeyChangeKind {
  const [one, other] = [toKeys(before), toKeys(after)];
  if (other.length === 0) return "selector_removed";
  if (one.length === 0) return "selector_added";
  if (isUsable(one) !== isUsable(other)) return isUsable(other) ? "key_repaired" : lossOf(other);
  if (one.length !== other.length) return other.length > one.length ? "record_doubled" : "key_repaired";
  const isSameKey = one.every((key, index) => key.fingerprint === other[index]?.fingerprint);
  return isSameKey ? "key_changed" : "key_rotated";
}

function lossOf(keys: readonly KeyMeaning[]): KeyChangeKind {
  return keys.some(({ fault }) => fault === "revoked") ? "key_revoked" : "key_broken";
}

function toKeys(meaning: SelectorMeaning): readonly KeyMeaning[] {
  return meaning === "silent" || meaning === null ? [] : meaning;
}

function isUsable(keys: readonly KeyMeaning[]): boolean {
  return keys.some(({ fault }) => fault === null);
}

const worse: ReadonlySet<KeyChangeKind> = new Set([
  "selector_removed",
  "key_revoked",
  "key_broken",
  "record_doubled",
]);

/** To clear away what nobody can use does no harm. A first key is good news; one more may be anybody's. */
function directionOf(changed: readonly KeyChange[], before: DkimMeaning): Direction {
  if (changed.some(({ kind, wasUsable }) => worse.has(kind) && wasUsable)) return "worse";
  if (changed.every(({ kind }) => kind === "key_repaired")) return "better";
  const hadOne = Object.values(before).some((each) => isUsable(toKeys(each)));
  return !hadOne && changed.some(({ kind }) => kind === "selector_added") ? "better" : "neutral";
}
