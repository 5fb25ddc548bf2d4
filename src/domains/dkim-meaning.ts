// The DKIM keys of a domain, by selector. Which of them are asked for changes with what was learned of the domain's mail,
// so each is compared by itself: one that was not asked in one of two checks tells nothing.

import { createHash } from "node:crypto";
import { whyUnknown } from "../checks/fact.ts";
import type { PublishedKey } from "../checks/facts.ts";
import { isKeyRecord, type KeyRecord, readKeyRecord } from "../dns/dkim-key.ts";
import { parseTagList } from "../dns/tag-list.ts";
import type { DomainReport } from "../reports/domain-report.ts";
import { toLines } from "./parts.ts";
import type { Reading } from "./snapshot.ts";

export type KeyMeaning = {
  /** unusable: whatever the reason, no receiver can verify with it. */
  readonly fault: "revoked" | "unusable" | null;
  readonly type: string | null;
  readonly fingerprint: string | null;
  readonly isTesting: boolean;
  readonly isStrict: boolean;
};

/** Null: there is no key; silent: it did not answer. */
export type SelectorMeaning = readonly KeyMeaning[] | null | "silent";
export type DkimMeaning = Readonly<Record<string, SelectorMeaning>>;

/** Of those asked at once: facts/dkim-keys.ts. */
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

/** A name that nobody can have published shows a wildcard, and is no selector. */
const guessed = /^probe-[0-9a-f]{16}\./;

function toKeyLines({ name, records }: PublishedKey): string[] {
  return records.map((record) => `${name} ${record}`.slice(0, maxLineLength));
}

/** Other texts beside a key are none; where there is nothing else they are a key that cannot be used. */
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
  return {
    fault: null,
    type,
    fingerprint: toFingerprint(text),
    isTesting: testing,
    isStrict: strictIdentity,
  };
}

/** RSA keys are published bare and wrapped (dkim-key.ts). Unwrapped by hand, because to import one takes half a millisecond. */
const wrapping = /^30(?:82....|81..|..)300d06092a864886f70d010101050003(?:82....|81..|..)00/;

function toFingerprint(text: string): string {
  const p = parseTagList(text).tags.find(({ name }) => name === "p")?.value ?? "";
  const bare = Buffer.from(p.replace(/\s+/g, ""), "base64").toString("hex").replace(wrapping, "");
  return createHash("sha256").update(bare).digest("hex").slice(0, 32);
}
