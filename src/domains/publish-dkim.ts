// DKIM keys and the BIMI record that a domain should publish: those that it has. A key that is missing nobody can make
// up but the service that signs with it.

import { correctBimi } from "../checks/authentication/bimi-record.ts";
import { correctKeyRecord } from "../checks/authentication/dkim-key.ts";
import { withoutTestFlag } from "../checks/authentication/dkim-testing.ts";
import type { DkimKey } from "../checks/authentication-facts.ts";
import type { PublishedKey } from "../checks/facts.ts";
import { isBimiNearMiss, isBimiRecord, parseBimiRecord } from "../dns/bimi.ts";
import { readKeyRecord } from "../dns/dkim-key.ts";
import { parseTagList } from "../dns/tag-list.ts";
import { type Evidence, type Row, textsAt, toTextRow } from "./publishable.ts";

export function publishDkim(evidence: Evidence): Row[] {
  const { dkimKeys } = evidence.facts;
  if (!dkimKeys.known) return [];
  return dkimKeys.value.flatMap((key) =>
    key.source === "configured" ? publishNamed(evidence, key) : repeat(evidence, key),
  );
}

/** Nobody said that it must be there: it stays as it is, usable or not. */
function repeat(evidence: Evidence, { name, selector, revoked }: PublishedKey): Row[] {
  const why = revoked ? `The selector ${selector} is retired.` : `The key of the selector ${selector}.`;
  const texts = textsAt(evidence, name);
  return texts.map((text) => toTextRow(evidence, { name, value: text, present: [text], why }));
}

function publishNamed(evidence: Evidence, key: PublishedKey): Row {
  const { name, selector, revoked } = key;
  const present = textsAt(evidence, name);
  const [first = ""] = present;
  const ask = `The service that signs with the selector ${selector} shows what to publish here.`;
  const toRow = (value: string, why: string) => toTextRow(evidence, { name, value, present, why });
  if (present.length === 0) return toRow("", `There is no key. ${ask}`);
  if (present.length > 1) return toRow("", `${present.length} texts stand here: keep the key alone. ${ask}`);
  if (revoked) return toRow("", `The key is revoked. ${ask}`);
  const value = correctKey(key, first);
  if (value === null) return toRow("", `The key cannot be used. ${ask}`);
  return toRow(value, `The key of the selector ${selector}.`);
}

/** The key record without what keeps it from being used, and without its test flag; null where nothing makes a key of it. */
export function correctKey(key: DkimKey, record: string): string | null {
  const isBroken = key.faults.some(({ fault }) => /^(?:unreadable|version|type)$/.test(fault));
  const mended = isBroken ? correctKeyRecord({ ...key, records: [record] }) : withoutBars(record);
  if (mended === null || !key.testing) return mended;
  return withoutTestFlag({ ...key, records: [mended] }) ?? mended;
}

/** A record that forbids SHA-256, or mail, without the tag that does. */
function withoutBars(record: string): string {
  const { faults } = readKeyRecord(record);
  const bars = faults.flatMap(({ fault }) => (fault === "hash" ? ["h"] : fault === "service" ? ["s"] : []));
  if (bars.length === 0) return record;
  const kept = parseTagList(record).tags.filter(({ name }) => !bars.includes(name));
  return kept.map(({ name, value }) => `${name}=${value}`).join("; ");
}

/** Null where none stands at the domain itself: a logo is optional. */
export function publishBimi(evidence: Evidence): Row | null {
  const name = `default._bimi.${evidence.domain}`;
  const present = textsAt(evidence, name).filter((text) => isBimiRecord(text) || isBimiNearMiss(text));
  const [first] = present;
  if (first === undefined) return null;
  const usable = present.find((text) => isBimiRecord(text) && parseBimiRecord(text).ok);
  const value = usable ?? correctBimi(first, evidence.domain);
  return toTextRow(evidence, { name, value, present, why: "It names the logo that some providers show." });
}
