// Proposes a domain's existing DKIM keys and BIMI record. A missing key can come only from the service that signs with
// it.

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

/** The key was not configured by the user, so it stays unchanged, valid or not. */
function repeat(evidence: Evidence, { name, selector, revoked }: PublishedKey): Row[] {
  const why = revoked ? `The key at selector ${selector} is revoked.` : `The public key for selector ${selector}.`;
  const texts = textsAt(evidence, name);
  return texts.map((text) => toTextRow(evidence, { name, value: text, present: [text], why }));
}

function publishNamed(evidence: Evidence, key: PublishedKey): Row {
  const { name, selector, revoked } = key;
  const present = textsAt(evidence, name);
  const [first = ""] = present;
  const ask = `Get the record from the service that signs with selector ${selector}.`;
  const toRow = (value: string, why: string) => toTextRow(evidence, { name, value, present, why });
  if (present.length === 0) return toRow("", `The key is missing. ${ask}`);
  if (present.length > 1) return toRow("", `There are ${present.length} TXT records here. Keep only the key. ${ask}`);
  if (revoked) return toRow("", `The key is revoked. ${ask}`);
  const value = correctKey(key, first);
  if (value === null) return toRow("", `The key is invalid. ${ask}`);
  return toRow(value, `The public key for selector ${selector}.`);
}

/** The key record without errors and test flag. Null if it cannot be corrected. */
export function correctKey(key: DkimKey, record: string): string | null {
  const isBroken = key.faults.some(({ fault }) => /^(?:unreadable|version|type)$/.test(fault));
  const corrected = isBroken ? correctKeyRecord({ ...key, records: [record] }) : withoutBars(record);
  if (corrected === null || !key.testing) return corrected;
  return withoutTestFlag({ ...key, records: [corrected] }) ?? corrected;
}

/** Removes tags that forbid SHA-256 or email. */
function withoutBars(record: string): string {
  const { faults } = readKeyRecord(record);
  const bars = faults.flatMap(({ fault }) => (fault === "hash" ? ["h"] : fault === "service" ? ["s"] : []));
  if (bars.length === 0) return record;
  const kept = parseTagList(record).tags.filter(({ name }) => !bars.includes(name));
  return kept.map(({ name, value }) => `${name}=${value}`).join("; ");
}

/** Null if the domain has no BIMI record, because a logo is optional. */
export function publishBimi(evidence: Evidence): Row | null {
  const name = `default._bimi.${evidence.domain}`;
  const present = textsAt(evidence, name).filter((text) => isBimiRecord(text) || isBimiNearMiss(text));
  const [first] = present;
  if (first === undefined) return null;
  const usable = present.find((text) => isBimiRecord(text) && parseBimiRecord(text).ok);
  const value = usable ?? correctBimi(first, evidence.domain);
  return toTextRow(evidence, { name, value, present, why: "The logo that some mailbox providers show." });
}
