// The names that the client's address bears in DNS, and whether they lead back to it (RFC 8601 §3): anybody may write
// any name into the reverse zone of an address of his own.

import { isSendingAddress, toPlainAddress, toReverseName } from "../addresses.ts";
import { type Fact, known, unknown, whyUnknown } from "../checks/fact.ts";
import type { Ptr } from "../checks/infrastructure-facts.ts";
import type { Dns } from "../dns/answer.ts";
import { familyOf, gatherAddresses } from "./addresses-of.ts";
import { judgeName } from "./generic-name.ts";

/** RFC 7208 §5.5 looks at as many. */
const maxConfirmed = 10;
const maxNames = 50;

/** `clientAddress`: null without a session. */
export async function gatherPtr(clientAddress: string | null, dns: Dns): Promise<Fact<Ptr>> {
  const address = clientAddress === null ? undefined : toPlainAddress(clientAddress);
  if (clientAddress === null) return unknown("no-session");
  if (address === undefined || !isSendingAddress(address)) return unknown("not-public");
  const answer = await dns.query(toReverseName(address), "PTR");
  const why = whyUnknown(answer);
  if (why !== undefined) return unknown(why);
  const targets = answer.records.flatMap((record) => (record.type === "PTR" ? [record.target] : []));
  const names = [...new Set(targets.map((name) => name.toLowerCase()))].sort();
  const forward = await Promise.all(
    names.slice(0, maxConfirmed).map(async (name) => ({
      name,
      addresses: await gatherAddresses(name, familyOf(address), dns),
    })),
  );
  const confirmed = forward
    .filter(({ addresses }) => addresses.known && addresses.value.includes(address))
    .map(({ name }) => name);
  const { generic, pattern } = judgeNames(confirmed.length > 0 ? confirmed : names, address);
  return known({
    count: names.length,
    names: names.slice(0, maxNames),
    forward,
    confirmed,
    generic,
    pattern,
  });
}

/** Receivers read one of several; one that was chosen redeems the others. */
function judgeNames(names: readonly string[], address: string): Pick<Ptr, "generic" | "pattern"> {
  const judged = names.slice(0, maxConfirmed).map((name) => judgeName(name, address));
  const first = judged[0];
  if (!first || judged.includes(null)) return { generic: null, pattern: null };
  return { generic: first.kind, pattern: first.pattern };
}
