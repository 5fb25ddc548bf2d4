// The name that the client's address bears in DNS (RFC 1035 §3.5). Whether it leads back is for a check to ask.

import { toReverseName } from "../addresses.ts";
import type { Dns } from "../dns/answer.ts";
import type { Known } from "../reports/report.ts";

/** `null`: the address bears no name. With several, the first in the order of the alphabet, so that two runs agree. */
export async function gatherReverseName(address: string | null, dns: Dns): Promise<Known<string | null>> {
  if (address === null) return { known: false, why: "No session tells the client's address." };
  const { status, records } = await dns.query(toReverseName(address), "PTR");
  if (status !== "answered" && status !== "nodata" && status !== "nxdomain")
    return { known: false, why: `DNS did not answer for ${address} (${status}).` };
  const names = records.flatMap((record) => (record.type === "PTR" ? [record.target] : []));
  return { known: true, value: names.sort()[0] ?? null };
}
