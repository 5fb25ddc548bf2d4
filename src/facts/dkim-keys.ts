// The DKIM keys that a domain is known to publish: those that its operator named, those that its mail was signed with,
// and, where there are neither, those that can be guessed. Only a selector that somebody named can be missing.

import { type Fact, known, unknown } from "../checks/fact.ts";
import type { PublishedKey } from "../checks/facts.ts";
import type { Dns } from "../dns/answer.ts";
import { isKeyRecord } from "../dns/dkim-key.ts";
import { toKeyName } from "../dns/signing-names.ts";
import { type AskedKey, askDkimKey } from "./dkim-key.ts";
import { toProbeLabel } from "./mx.ts";
import { wellKnownSelectors } from "./selector-table.ts";

export type Selectors = {
  readonly configured: readonly string[];
  /** In the signatures of mail from the domain. */
  readonly seen: readonly string[];
};

/** Nobody signs with more at a time. */
const maxConfigured = 20;
const maxSeen = 20;
export const maxSelectorQuestions = Math.max(maxConfigured + maxSeen, wellKnownSelectors.length + 1);

type Source = Exclude<PublishedKey["source"], "signature">;
type Row = {
  readonly selector: string;
  readonly source: Source;
  readonly name: string;
  readonly asked: Fact<AskedKey>;
};

/** Unknown while a key that must be there did not answer, or nothing answered at all. */
export async function gatherDkimKeys(
  domain: string,
  selectors: Selectors,
  dns: Dns,
): Promise<Fact<readonly PublishedKey[]>> {
  const named = toNamed(selectors);
  const rows = named.size > 0 ? await askAll(domain, named, dns) : await probe(domain, dns);
  const silent = rows.filter(({ asked }) => !asked.known);
  const keys = rows.flatMap((row) => toPublished(domain, row) ?? []);
  const decisive = silent.find(({ source }) => source === "configured") ?? (keys.length === 0 && silent[0]);
  return decisive && !decisive.asked.known ? unknown(decisive.asked.why) : known(keys);
}

function toNamed({ configured, seen }: Selectors): ReadonlyMap<string, Source> {
  const named = new Map<string, Source>();
  for (const selector of seen.slice(0, maxSeen)) named.set(selector.toLowerCase(), "seen");
  for (const selector of configured.slice(0, maxConfigured)) named.set(selector.toLowerCase(), "configured");
  return named;
}

function askAll(domain: string, selectors: ReadonlyMap<string, Source>, dns: Dns): Promise<Row[]> {
  const names = [...selectors].flatMap(([selector, source]) => {
    const name = toKeyName(selector, domain);
    return name === null ? [] : [{ selector, source, name }];
  });
  return Promise.all(names.map(async (row) => ({ ...row, asked: await askDkimKey(row.name, dns) })));
}

/** Where a wildcard answers for every name, an answer tells nothing of the name that was guessed. */
async function probe(domain: string, dns: Dns): Promise<Row[]> {
  const guesses = new Map(wellKnownSelectors.map((selector) => [selector, "probed" as const]));
  const [wildcard, rows] = await Promise.all([
    askDkimKey(`${toProbeLabel(domain)}._domainkey.${domain}`, dns),
    askAll(domain, guesses, dns),
  ]);
  const everywhere = wildcard.known ? wildcard.value.key.records.join("\n") : "";
  if (everywhere === "") return rows;
  return rows.filter(({ asked }) => !asked.known || asked.value.key.records.join("\n") !== everywhere);
}

/** Null for what nobody said is there, and is not. */
function toPublished(domain: string, { selector, source, asked }: Row): PublishedKey | null {
  if (!asked.known) return null;
  const { key, records } = asked.value;
  const isThere = source === "probed" ? records.some(isKeyRecord) : key.records.length > 0;
  return isThere || source === "configured" ? { ...key, selector, domain, source } : null;
}
