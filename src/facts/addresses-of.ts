// The addresses of a name, of both families.

import { toPlainAddress } from "../addresses.ts";
import { type Fact, known, unknown, whyUnknown } from "../checks/fact.ts";
import { type Dns, type DnsAnswer, toQuestionName } from "../dns/answer.ts";

// The addresses of a name, both families or one.

/** No mail server has more. The limit keeps a report from growing with what a stranger publishes. */
const maxAddresses = 50;

/** A name that cannot be looked up has no addresses. */
export async function gatherAddresses(name: string, type: "A" | "AAAA", dns: Dns): Promise<Fact<string[]>> {
  if (toQuestionName(name) === null) return known([]);
  return toAddresses(await dns.query(name, type));
}

/** Unknown unless both families answered. `enough`: a family whose answer is enough if it has any address. */
export async function gatherBothFamilies(
  name: string,
  dns: Dns,
  enough: "A" | "AAAA" | null = null,
): Promise<Fact<string[]>> {
  const [four, six] = await Promise.all([
    gatherAddresses(name, "A", dns),
    gatherAddresses(name, "AAAA", dns),
  ]);
  if (four.known && six.known) return known([...four.value, ...six.value]);
  const sufficient = enough === "A" ? four : six;
  if (enough !== null && sufficient.known && sufficient.value.length > 0) return sufficient;
  return four.known ? six : four;
}

export function familyOf(address: string): "A" | "AAAA" {
  return address.includes(":") ? "AAAA" : "A";
}

function toAddresses(answer: DnsAnswer): Fact<string[]> {
  const why = whyUnknown(answer);
  if (why !== undefined) return unknown(why);
  return known(
    answer.records.slice(0, maxAddresses).flatMap((record) => {
      if (record.type !== "A" && record.type !== "AAAA") return [];
      return [toPlainAddress(record.address) ?? record.address];
    }),
  );
}
