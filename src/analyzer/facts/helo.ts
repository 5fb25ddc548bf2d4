// The client's HELO name (RFC 5321 §4.1.1.1) and its addresses.

import { isSendingAddress, toPlainAddress } from "../addresses.ts";
import { type Fact, known, unknown } from "../checks/fact.ts";
import type { HeloFact } from "../checks/infrastructure-facts.ts";
import type { Dns } from "../dns/answer.ts";
import { hasOwnSession } from "../mail/session/doors.ts";
import type { SmtpSession } from "../mail/session/session.ts";
import { toStorableCut } from "../mail/text/bounds.ts";
import { familyOf, gatherBothFamilies } from "./mx.ts";

/** The receiving server itself. */
type Receiver = { readonly names: readonly string[]; readonly addresses: readonly string[] };

export async function gatherHelo(
  session: Pick<SmtpSession, "door" | "clientAddress" | "helo">,
  receiver: Receiver,
  dns: Dns,
): Promise<Fact<HeloFact>> {
  const { clientAddress, helo } = session;
  // An upload may claim both values. One alone means nothing.
  if (clientAddress === null || (!hasOwnSession(session) && helo === null)) return unknown("no-session");
  const client = toPlainAddress(clientAddress);
  if (client === undefined || !isSendingAddress(client)) return unknown("not-public");
  const text = helo ?? "";
  const form = formOf(text);
  const addresses = await gatherHeloAddresses(text, form, client, dns);
  return known({
    text: toStorableCut(text, 255),
    form,
    ours: isOurs(text, receiver),
    addresses,
    isClient: addresses.known && addresses.value.includes(client),
  });
}

async function gatherHeloAddresses(text: string, form: HeloFact["form"], client: string, dns: Dns) {
  if (form === "fqdn") return gatherBothFamilies(text, dns, familyOf(client));
  const literal = addressIn(text);
  return known(literal === undefined ? [] : [literal]);
}

function isOurs(text: string, { names, addresses }: Receiver): boolean {
  const literal = addressIn(text);
  if (literal !== undefined) return addresses.some((address) => toPlainAddress(address) === literal);
  return names.some((name) => name.toLowerCase() === text.toLowerCase());
}

/** RFC 6761 §6.3, RFC 6762 §3, RFC 8375, and names that routers and directory services invent. */
const localName = /^localhost$|\.(?:localhost|localdomain|local|lan|internal|intranet|private|corp|home|home\.arpa)$/i;
const label = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i;

function formOf(text: string): HeloFact["form"] {
  if (text === "") return "empty";
  if (toPlainAddress(text) !== undefined) return "bare-ip";
  if (addressIn(text) !== undefined) return "literal";
  if (localName.test(text)) return "local";
  const labels = text.split(".");
  if (text.length > 253 || !labels.every((part) => label.test(part))) return "invalid";
  if (labels.length === 1) return "single-label";
  // RFC 3696 §2: no top-level domain consists of digits only.
  return /^\d+$/.test(labels.at(-1) ?? "") ? "invalid" : "fqdn";
}

/** Bare, or as a literal: `[192.0.2.1]`, `[IPv6:2001:db8::1]` (RFC 5321 §4.1.3). */
function addressIn(text: string): string | undefined {
  if (text.length > 60) return undefined;
  const [, six, four] = /^\[(?:ipv6:([\da-f:.]+)|([\d.]+))\]$/i.exec(text) ?? [];
  return toPlainAddress(six ?? four ?? text);
}
