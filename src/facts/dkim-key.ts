// The key at a name, for the signatures of a message and for the monitor of a domain.

import type { DkimKey } from "../checks/authentication-facts.ts";
import { type Fact, known, unknown, whyUnknown } from "../checks/fact.ts";
import { type Dns, type DnsAnswer, textsOf } from "../dns/answer.ts";
import { isKeyRecord, type KeyRecord, readKeyRecord } from "../dns/dkim-key.ts";
import { toStorableCut } from "../mail/text/bounds.ts";

export type AskedKey = {
  readonly key: DkimKey;
  /** The key records, including invalid ones. Other texts count only if there is no key record. */
  readonly records: readonly KeyRecord[];
};

/** A name should have one key record. A few more are read, but there is no reason to publish this many. */
const maxRecords = 10;
/** Room for a key of 16,384 bits. */
const maxShownLength = 4_096;

export async function askDkimKey(name: string, dns: Dns): Promise<Fact<AskedKey>> {
  const answer = await dns.query(name, "TXT");
  const why = whyUnknown(answer);
  if (why !== undefined) return unknown(why);
  const asked = read.get(answer) ?? readAnswer(name, answer);
  read.set(answer, asked);
  return known(asked);
}

/** A key is imported once per DNS answer, because importing is a tenth of the work for a short message. */
const read = new WeakMap<DnsAnswer, AskedKey>();

function readAnswer(name: string, answer: DnsAnswer): AskedKey {
  const texts = textsOf(answer);
  const all = texts.slice(0, maxRecords).map(readKeyRecord);
  const keys = all.filter(isKeyRecord);
  const records = keys.length > 0 ? keys : all;
  return { key: toFact(name, texts.slice(0, maxRecords), records, keys.length), records };
}

function toFact(
  name: string,
  texts: readonly string[],
  records: readonly KeyRecord[],
  keyCount: number,
): DkimKey {
  const shown = records.find(({ faults }) => faults.length === 0) ?? records[0];
  return {
    name,
    records: texts.map(toShown),
    type: shown?.type == null ? null : toShown(shown.type),
    bits: shown?.bits ?? null,
    revoked: shown?.revoked ?? false,
    testing: shown?.testing ?? false,
    strictIdentity: shown?.strictIdentity ?? false,
    hashes: shown?.hashes?.map(toShown) ?? null,
    services: shown?.services.map(toShown) ?? [],
    faults: [
      ...(records.length === 0
        ? [{ fault: "missing" as const, says: `there is no DKIM key at ${name}` }]
        : []),
      ...(keyCount > 1
        ? [{ fault: "several" as const, says: `there are ${keyCount} key records at ${name}` }]
        : []),
      ...(shown?.faults ?? []),
    ],
  };
}

function toShown(text: string): string {
  return toStorableCut(Buffer.from(text, "latin1").toString("utf8"), maxShownLength);
}
