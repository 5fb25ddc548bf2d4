// A well-run host that sends for a.example, of which each test changes one thing.

import { known, unknown, type Why } from "../../../../src/analyzer/checks/fact.ts";
import type { Facts, Session } from "../../../../src/analyzer/checks/facts.ts";
import type {
  DomainListing,
  HeloFact,
  Listing,
  MxFact,
  MxHost,
  Ptr,
  Row,
  ZoneFact,
} from "../../../../src/analyzer/checks/infrastructure-facts.ts";
import type { KindFact } from "../../../../src/analyzer/checks/kind.ts";
import type { Hop, Received } from "../../../../src/analyzer/mail/headers/delivery-path.ts";
import { readMessage } from "../../../../src/analyzer/mail/mime/parse.ts";
import { claimedSession } from "../../../../src/analyzer/mail/session/session.ts";
import { sureKind } from "../sure-kind.ts";

export const ip = "203.0.113.7";
export const now = Date.UTC(2026, 10, 21, 12);

const uploaded = claimedSession({ clientAddress: null, helo: null, mailFrom: null, rcptTo: [] });

export function session(changed: Partial<Session> = {}): Session {
  return {
    ...uploaded,
    door: { kind: "smtp" },
    clientAddress: ip,
    helo: "mail.a.example",
    protocol: "ESMTPS",
    tls: { version: "TLSv1.3", cipher: "TLS_AES_256_GCM_SHA384", serverName: null },
    mailFrom: "bounce@mail.a.example",
    isPublic: true,
    isLooped: false,
    receivedAt: now,
    sizeBytes: 3_000,
    receiver: "mx.seed.example",
    conduct: { esmtp: true, offered: ["SIZE", "STARTTLS", "8BITMIME"], declares8Bit: false, declaredSizeBytes: null },
    ...changed,
  };
}

export const fromUpload: Session = {
  ...uploaded,
  isPublic: false,
  isLooped: false,
  receivedAt: now,
  sizeBytes: 3_000,
  receiver: "mx.seed.example",
  conduct: null,
};
export const fromPrivate = session({ clientAddress: "10.1.2.3", isPublic: false });
export const fromOurselves = session({ clientAddress: "127.0.0.1", isPublic: false, isLooped: true });
/** Through a relay of the operator's own, which says whom it heard. */
export const viaRelay = session({ via: { how: "xclient", address: "127.0.0.1" } });

/** What a message from `address` says beyond the session. */
export function letter(address = "ann@a.example", body = "Hello"): Pick<Facts, "message" | "raw"> {
  return readMessage(Buffer.from(`From: Ann <${address}>\r\nSubject: x\r\n\r\n${body}\r\n`));
}

export const { message } = letter();

export function kind(changed: Partial<KindFact> = {}): KindFact {
  const nothing = { forwarded: unknown("off"), mailingList: false, esp: null, overridden: false };
  return { ...sureKind("transactional"), ...nothing, ...changed };
}

export const shared = kind({ esp: { name: "Mailer", shared: true, transactional: true } });
export const dedicated = kind({ esp: { name: "Mailer", shared: false, transactional: true } });

/** Names with where they lead; the names that lead to the client are the confirmed ones. */
export function ptr(names: Readonly<Record<string, readonly string[] | Why>>, changed: Partial<Ptr> = {}): Ptr {
  const forward = Object.entries(names).map(([name, found]) => ({
    name,
    addresses: typeof found === "string" ? unknown(found) : known(found),
  }));
  return {
    count: forward.length,
    names: forward.map(({ name }) => name),
    forward: forward.slice(0, 10),
    confirmed: forward
      .filter(({ addresses }) => addresses.known && addresses.value.includes(ip))
      .map(({ name }) => name),
    generic: null,
    pattern: null,
    ...changed,
  };
}

export const confirmed = ptr({ "mail.a.example": [ip] });

export function helo(text: string, changed: Partial<HeloFact> = {}): HeloFact {
  const isClient = changed.addresses === undefined;
  return { text, form: "fqdn", ours: false, addresses: known([ip]), isClient, ...changed };
}

export function mxHost(name: string, changed: Partial<MxHost> = {}): MxHost {
  const addresses = known(["203.0.113.25", "2001:db8::25"]);
  return { name, preference: 10, alias: known(null), literal: false, addresses, private: false, ...changed };
}

export function mx(changed: Partial<MxFact> = {}): Row<MxFact>[] {
  const domain = changed.domain ?? "a.example";
  const fact: MxFact = {
    domain,
    exists: true,
    soa: known(true),
    wildcard: known(false),
    nullMx: false,
    hosts: [mxHost("mx1.a.example")],
    hostsLeftOut: 0,
    addresses: null,
    ...changed,
  };
  return [{ of: domain, fact: known(fact) }];
}

export function silentRow(of: string, why: Why = "timeout"): Row<never> {
  return { of, fact: unknown(why) };
}

/** An answer of a list of addresses. */
export function listing(zone: string, changed: Partial<Listing> = {}): Row<Listing> {
  const fact: Listing = {
    zone,
    class: "minor",
    listed: true,
    code: "127.0.0.2",
    meaning: "seen sending spam",
    text: null,
    delistUrl: `https://${zone}/remove`,
    ...changed,
  };
  return { of: zone, fact: known(fact) };
}

export function domainListing(domain: string, changed: Partial<DomainListing> = {}): Row<DomainListing> {
  const fact: DomainListing = {
    domain,
    roles: ["from"],
    zone: "dbl.spamhaus.org",
    class: "bad",
    listed: true,
    code: "127.0.1.2",
    meaning: "spam domain",
    text: null,
    delistUrl: "https://check.spamhaus.org/",
    ...changed,
  };
  return { of: `${domain} at ${fact.zone}`, fact: known(fact) };
}

export function zone(changed: Partial<ZoneFact> = {}): ZoneFact {
  return {
    domain: "a.example",
    zone: "a.example",
    ns: [nameServer("ns1.host.example", ["203.0.113.53"]), nameServer("ns2.host.example", ["198.51.100.53"])],
    wildcards: [
      { of: "probe._domainkey.a.example", fact: known(null) },
      { of: "_dmarc.probe.a.example", fact: known(null) },
    ],
    ttls: [{ of: "a.example", fact: known(3_600) }],
    ...changed,
  };
}

export function nameServer(name: string, addresses: readonly string[] | Why, authoritative?: boolean) {
  return {
    name,
    addresses: typeof addresses === "string" ? unknown(addresses) : known(addresses),
    authoritative: authoritative === undefined ? unknown("off") : known(authoritative),
  };
}

export function hop(changed: Partial<Hop> = {}): Hop {
  return {
    header: "received",
    from: "out.a.example",
    helo: "out.a.example",
    name: "out.a.example",
    ip,
    reach: "public",
    by: "mx.b.example",
    with: "ESMTPS",
    tls: { used: true, version: "TLSv1.3", cipher: null },
    id: null,
    for: null,
    at: now,
    warnings: [],
    delayMs: 1_000,
    skewMs: 0,
    trusted: false,
    ...changed,
  };
}

export function received(hops: readonly Hop[], lineCount = hops.length): Received {
  return { hops, lineCount };
}
