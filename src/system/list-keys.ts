// Puts the keys into questions to keyed lists, below everything that records them: who asks knows a list by its name
// without the key, and reads it so in the answer. A replay needs no key, and evidence can leak none.

import { type Dns, type DnsRecord, toQuestionName } from "../dns/answer.ts";
import type { BlocklistZone } from "../dns/dnsbl.ts";

export function withListKeys(dns: Dns, zones: readonly BlocklistZone[]): Dns {
  const keyed = zones.filter(({ zone, asked }) => zone !== asked);
  if (keyed.length === 0) return dns;
  return {
    query: async (rawName, type) => {
      const name = toQuestionName(rawName);
      const list = keyed.find(({ zone }) => name?.endsWith(`.${zone}`));
      if (name === null || list === undefined) return dns.query(rawName, type);
      const asked = `${name.slice(0, -list.zone.length)}${list.asked}`;
      // The names of aliases may hold the key too.
      const { aliases: _, ...answer } = await dns.query(asked, type);
      return { ...answer, name, records: answer.records.map((record) => hideKey(record, list)) };
    },
  };
}

/** A list may say in its text what it was asked. */
function hideKey(record: DnsRecord, { asked }: BlocklistZone): DnsRecord {
  if (record.type !== "TXT") return record;
  const [key = ""] = asked.split(".", 1);
  return { type: "TXT", parts: record.parts.map((part) => part.replaceAll(key, "***")) };
}
