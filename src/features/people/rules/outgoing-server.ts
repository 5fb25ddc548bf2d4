// A workspace's outgoing server as an owner typed it.

import { isSendingAddress, toPlainAddress } from "../../../analyzer/addresses.ts";
import { findRecordOwner, readDomainName, toRecordProblem } from "../../../analyzer/dns/domain-name.ts";
import { readSelector } from "../../../analyzer/dns/signing-names.ts";
import { parseJsonObject } from "../../../analyzer/json.ts";
import type { Outgoing } from "../../../analyzer/mail/session/outgoing.ts";
import { Refusal } from "../../../platform/errors.ts";

export type TypedOutgoing = {
  readonly host?: string | null | undefined;
  readonly domain?: string | null | undefined;
  readonly selector?: string | null | undefined;
};

export function readOutgoing(typed: TypedOutgoing): Outgoing {
  const [host, domain, selector] = [typed.host, typed.domain, typed.selector].map((text) => text?.trim() || null);
  if (!host && !domain && !selector)
    throw toRefusal("host", "Enter an IP address or host name, or a domain and selector.");
  if (Boolean(domain) !== Boolean(selector))
    throw toRefusal(domain ? "selector" : "domain", "A signature needs both a domain and a selector.");
  const signer = domain ? readName(domain, "domain") : null;
  return {
    host: host ? readHost(host) : null,
    domain: signer,
    selector: signer && selector ? readSelectorOf(selector, signer) : null,
  };
}

/** As stored. Null for what no owner could have set. */
export function parseOutgoing(json: string | null): Outgoing | null {
  const stored = json === null ? null : parseJsonObject(json);
  try {
    return stored && readOutgoing(stored);
  } catch {
    return null;
  }
}

/** Documentation addresses are public enough for examples, as everywhere. */
function readHost(text: string): string {
  const address = toPlainAddress(text.replace(/^\[(.*)\]$/, "$1"));
  if (address === undefined) return readName(text, "host");
  if (isSendingAddress(address)) return address;
  throw toRefusal(
    "host",
    `${address} is not a public IP address. Enter the address that receivers see, or the server's host name.`,
  );
}

function readName(text: string, field: string): string {
  const reading = readDomainName(text);
  if (!reading.ok) throw toRefusal(field, reading.problem);
  const { domain } = reading;
  const owner = findRecordOwner(domain);
  if (owner === undefined) return domain;
  throw toRefusal(
    field,
    field === "host"
      ? `${domain} is the name of a DNS record. Enter the server's host name or IP address.`
      : toRecordProblem(domain, owner),
  );
}

function readSelectorOf(text: string, domain: string): string {
  // Users also paste the key's full name.
  const selector = readSelector(text.replace(/\._domainkey(\..*)?$/is, ""), domain);
  if (selector !== null) return selector;
  throw toRefusal("selector", "Enter the s= tag of a DKIM signature, such as s1.");
}

function toRefusal(field: string, message: string): Refusal {
  return new Refusal("invalid_request", message, { field: `outgoingServer.${field}` });
}
