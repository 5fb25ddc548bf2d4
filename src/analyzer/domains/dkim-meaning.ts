// The DKIM keys of a domain, by selector. The queried selectors change as more is learned about the domain's mail, so
// each selector is compared separately. One that was not queried in both checks is not compared.

import { createHash } from "node:crypto";
import { whyUnknown } from "../checks/fact.ts";
import type { PublishedKey } from "../checks/facts.ts";
import { isKeyRecord, type KeyRecord, readKeyRecord } from "../dns/dkim-key.ts";
import { parseTagList } from "../dns/tag-list.ts";
import type { DomainReport } from "../reports/domain-report.ts";
import { toVisibleCut } from "../visible-text.ts";
import type { ChangeKind, ChangeWords, Direction } from "./change-kind-table.ts";
import { listNames } from "./diff-policies.ts";
import { toLines } from "./parts.ts";
import type { Reading } from "./snapshot.ts";

type KeyMeaning = {
  /** unusable: no receiver can verify with it, for any reason. */
  readonly fault: "revoked" | "unusable" | null;
  readonly type: string | null;
  readonly fingerprint: string | null;
  readonly isTesting: boolean;
  readonly isStrict: boolean;
};

/** Null: no key. silent: no answer. */
type SelectorMeaning = readonly KeyMeaning[] | null | "silent";
export type DkimMeaning = Readonly<Record<string, SelectorMeaning>>;

/** Above the number that one check queries (analyzer/facts/dkim-keys.ts). */
const maxSelectors = 80;
const maxLineLength = 2_000;

export function readDkim({ domain, facts: { dkimKeys }, analysis }: DomainReport): Reading | null {
  if (!dkimKeys.known) return null;
  const suffix = `._domainkey.${domain}`;
  const toSelector = (name: string) =>
    name.endsWith(suffix) && !guessed.test(name) ? [name.slice(0, -suffix.length)] : [];
  const selectors = new Map<string, SelectorMeaning>();
  for (const question of analysis.unasked)
    for (const selector of toSelector(question.replace(/^\S+ TXT /, ""))) selectors.set(selector, "silent");
  for (const { type, name, ...answer } of analysis.dns.filter(({ type }) => type === "TXT"))
    for (const selector of toSelector(name))
      selectors.set(selector, whyUnknown(answer) === undefined ? null : "silent");
  const keys = dkimKeys.value.filter(({ records }) => records.length > 0);
  for (const key of keys) selectors.set(key.selector, toMeaning(key));
  const inOrder = [...selectors].sort(([one], [other]) => (one < other ? -1 : 1)).slice(0, maxSelectors);
  const meaning: DkimMeaning = Object.fromEntries(inOrder);
  return { record: toLines(keys.flatMap(toKeyLines).sort()), meaning };
}

/** Random names detect wildcards and are not selectors. */
const guessed = /^probe-[0-9a-f]{16}\./;

function toKeyLines({ name, records }: PublishedKey): string[] {
  return records.map((record) => `${name} ${record}`.slice(0, maxLineLength));
}

/** Other TXT records next to a key are ignored. Without a key, they count as an invalid key. */
function toMeaning({ records, ...key }: PublishedKey): readonly KeyMeaning[] {
  const [only = "", ...others] = records;
  if (others.length === 0) return [toKeyMeaning({ ...key, text: only })];
  const all = records.map(readKeyRecord);
  const keys = all.filter(isKeyRecord);
  const meanings = (keys.length > 0 ? keys : all.slice(0, 1)).map(toKeyMeaning);
  return meanings.sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
}

type ReadKey = Pick<KeyRecord, "text" | "type" | "testing" | "strictIdentity"> & {
  readonly faults: readonly { readonly fault: string }[];
};

function toKeyMeaning({ text, type, faults, testing, strictIdentity }: ReadKey): KeyMeaning {
  if (faults.length > 0) {
    const fault = faults.some((each) => each.fault === "revoked") ? "revoked" : "unusable";
    return { fault, type: null, fingerprint: null, isTesting: false, isStrict: false };
  }
  return { fault: null, type, fingerprint: toFingerprint(text), isTesting: testing, isStrict: strictIdentity };
}

/**
 * RSA keys are published with or without a wrapper (dkim-key.ts). It is stripped by hand, because importing a key takes
 * half a millisecond.
 */
const wrapping = /^30(?:82....|81..|..)300d06092a864886f70d010101050003(?:82....|81..|..)00/;

function toFingerprint(text: string): string {
  const p = parseTagList(text).tags.find(({ name }) => name === "p")?.value ?? "";
  const bare = Buffer.from(p.replace(/\s+/g, ""), "base64").toString("hex").replace(wrapping, "");
  return createHash("sha256").update(bare).digest("hex").slice(0, 32);
}

// Describes changes of DKIM keys in one sentence with the selectors.

/** Most serious first; the first one names the change. */
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
  selector_removed: "the key was removed",
  key_revoked: "the key was revoked",
  key_broken: "the key became invalid",
  record_doubled: "there are several keys, and receivers may pick any of them",
  key_rotated: "the key was replaced",
  key_changed: "the key is the same, but other tags of its record changed",
  key_repaired: "there is one valid key again",
  selector_added: "a key was published",
};

type KeyChange = { readonly selector: string; readonly kind: KeyChangeKind; readonly wasUsable: boolean };

export function diffDkim(before: DkimMeaning, after: DkimMeaning, selectors: readonly string[]): ChangeWords {
  const changed = selectors.map((selector): KeyChange => {
    const [one, other] = [before[selector] ?? null, after[selector] ?? null];
    return { selector, kind: kindOf(one, other), wasUsable: isUsable(toKeys(one)) };
  });
  const byKind = graveness.flatMap((kind) => {
    const those = changed.filter((each) => each.kind === kind);
    if (those.length === 0) return [];
    const isHarm = worse.has(kind) && kind !== "record_doubled" && those.some(({ wasUsable }) => wasUsable);
    const effect = isHarm ? ", so mail signed with it fails DKIM" : "";
    const names = those.map(({ selector }) => toVisibleCut(selector, 60));
    return [{ kind, says: `${toPlace(names)} ${words[kind]}${effect}` }];
  });
  const says = `DKIM: ${byKind.map((each) => each.says).join("; ")}`;
  return { kind: byKind[0]?.kind ?? "key_changed", direction: directionOf(changed, before), says };
}

function toPlace(selectors: readonly string[]): string {
  return `at selector${selectors.length === 1 ? "" : "s"} ${listNames(selectors)}`;
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

const worse: ReadonlySet<KeyChangeKind> = new Set(["selector_removed", "key_revoked", "key_broken", "record_doubled"]);

/** Removing an unusable key does no harm. A first key is an improvement; another one is neutral. */
function directionOf(changed: readonly KeyChange[], before: DkimMeaning): Direction {
  if (changed.some(({ kind, wasUsable }) => worse.has(kind) && wasUsable)) return "worse";
  if (changed.every(({ kind }) => kind === "key_repaired")) return "better";
  const hadOne = Object.values(before).some((each) => isUsable(toKeys(each)));
  return !hadOne && changed.some(({ kind }) => kind === "selector_added") ? "better" : "neutral";
}
