// The workspace's outgoing server: its address, and the signature that it is assumed to add.

import { isSendingAddress, toPlainAddress } from "../addresses.ts";
import type { Dkim, DkimSignature } from "../checks/authentication-facts.ts";
import { type Fact, known, type Unknown } from "../checks/fact.ts";
import type { Dns } from "../dns/answer.ts";
import { toKeyName } from "../dns/signing-names.ts";
import { fieldsNamed, type HeaderSection } from "../mail/headers/fields.ts";
import { parseReceived } from "../mail/headers/received.ts";
import { type Assumed, mayPassOn, type Outgoing, toAssumedSession } from "../mail/session/outgoing.ts";
import type { SmtpSession } from "../mail/session/session.ts";
import { askDkimKey } from "./dkim-keys.ts";
import { gatherBothFamilies } from "./mx.ts";
import { judgeKeyAlone } from "./signature-verdict.ts";

/** As receivers see it, and the client that connected if that is another one. */
export type JudgedClient = { readonly session: SmtpSession; readonly connectedFrom?: string };

type Handed = { readonly session: SmtpSession; readonly section: HeaderSection };

/** `assumed` is null if nothing is assumed of the message, as if it came over the internet before. */
export async function assumeServer(
  { session, section }: Handed,
  outgoing: Outgoing | null,
  dns: Dns,
): Promise<{ readonly assumed: Assumed | null; readonly client: JudgedClient }> {
  if (outgoing === null || !mayPassOn(session) || cameOverInternet(section))
    return { assumed: null, client: { session } };
  const { host } = outgoing;
  const address = host === null ? null : (toPlainAddress(host) ?? (await findAddress(host, dns)));
  const assumed = { ...outgoing, address };
  const connectedFrom = session.clientAddress ?? "unknown";
  const client = address === null ? { session } : { session: toAssumedSession(session, assumed), connectedFrom };
  return { assumed, client };
}

/** A server on the private network passes it on. */
function cameOverInternet(section: HeaderSection): boolean {
  return fieldsNamed(section, "received").some(({ value }) => parseReceived(value).reach === "public");
}

/** Always the same one of several addresses, IPv4 first. */
async function findAddress(host: string, dns: Dns): Promise<string | null> {
  const found = await gatherBothFamilies(host, dns, "A");
  const addresses = found.known ? found.value.filter(isSendingAddress) : [];
  const [first = null] = addresses.toSorted(
    (one, other) => Number(one.includes(":")) - Number(other.includes(":")) || (one < other ? -1 : 1),
  );
  return first;
}

/** Null if none was declared. Unknown if DNS didn't answer for the key. */
export async function assumeSignature(
  { domain, selector }: Pick<Outgoing, "domain" | "selector">,
  { signatures }: Dkim,
  dns: Dns,
): Promise<{ readonly known: true; readonly value: DkimSignature } | Unknown | null> {
  const keyName = domain === null || selector === null ? null : toKeyName(selector, domain);
  if (keyName === null) return null;
  const asked = await askDkimKey(keyName, dns);
  if (!asked.known) return asked;
  const { key } = asked.value;
  const algorithm = key.type === null ? null : `${key.type}-sha256`;
  const verdict = judgeKeyAlone({ keyName, domain, identityDomain: domain, algorithm }, asked);
  return known({
    index: signatures.length,
    ...verdict,
    domain,
    selector,
    identity: null,
    algorithm,
    canon: null,
    headers: [],
    bodyLength: null,
    bodyBytes: null,
    signedAt: null,
    expiresAt: null,
    key,
    assumed: true,
  }) satisfies Fact<DkimSignature>;
}
