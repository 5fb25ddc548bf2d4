// A name server asked itself, and not through a resolver: does it serve the zone that names it? One packet, to a public
// address and the port of DNS, for a domain that somebody monitors or asks about; never because a message named it.

import { randomInt } from "node:crypto";
import { isPublicAddress } from "../addresses.ts";
import { type Fact, known, unknown } from "../checks/fact.ts";
import { toQuestionName } from "../dns/answer.ts";
import { readAuthority } from "./dns-packets.ts";
import { encodeQuestion } from "./dns-question.ts";
import { askByUdp, type DnsServer } from "./dns-udp.ts";

/** Unknown while it keeps silent: its network, or ours, may let nothing through. */
export async function askAuthority(
  server: DnsServer,
  zone: string,
  timeoutMs: number,
): Promise<Fact<boolean>> {
  const name = toQuestionName(zone);
  if (name === null) return unknown("parser-failed");
  const question = { id: randomInt(0x10000), name, type: "SOA" } as const;
  const reply = await askByUdp<boolean | "unclear">({
    server,
    query: encodeQuestion(question, { edns: false, direct: true }),
    read: (bytes) => {
      const said = readAuthority(bytes, question);
      return said === "foreign" ? null : (said ?? "unclear");
    },
    timeoutMs,
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (typeof reply === "boolean") return known(reply);
  return unknown(reply === "unclear" ? "refused" : "timeout");
}

/** For addresses that strangers publish. */
export function createServerAsker(timeoutMs: number) {
  return async (address: string, zone: string): Promise<Fact<boolean>> =>
    isPublicAddress(address)
      ? askAuthority({ host: address, port: 53 }, zone, timeoutMs)
      : unknown("not-public");
}
