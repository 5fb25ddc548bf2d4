// Names who sends, by what can't be made up: a domain that passed SPF or DKIM, reverse DNS that its forward lookup confirms,
// or the network's registered name. A name that nothing proves is never used.

import { toPlainAddress } from "../addresses.ts";
import { espRows, findByDomain } from "../checks/esp.ts";
import { toRegistrableDomain } from "../mail/headers/registrable-domain.ts";
import senderTable from "./senders.json" with { type: "json" };

/** `network`: gives people access to the internet. `gateway`: filters mail for others. */
export const senderKinds = [
  "service",
  "mailbox",
  "hosting",
  "gateway",
  "forwarder",
  "network",
  "organization",
  "own",
  "unknown",
] as const;
export type SenderKind = (typeof senderKinds)[number];

/** What a name is from. */
export const senderProofs = ["dkim", "spf", "reverse-dns", "network", "nothing"] as const;
type SenderProof = (typeof senderProofs)[number];

export type SenderRow = {
  readonly name: string;
  /** Null: an email service of esp.json, whose domains are there. */
  readonly kind: SenderKind | null;
  /** With everything below them. */
  readonly domains: readonly string[];
  /** The service's own page on authenticating a domain. */
  readonly page: string | null;
};

type KnownSender = { readonly name: string; readonly kind: SenderKind; readonly page: string | null };

/** Known senders by domain. `#` in a domain matches a number. */
export type SenderTable = ReadonlyMap<string, KnownSender>;

/**
 * `more`: from the operator's file. The built-in ones win, because people's marks are kept by their names, and because maps
 * of others name some hosts by who owned them once.
 */
export function toSenderTable(more: readonly SenderRow[]): SenderTable {
  const rows = [...more, ...senderRows];
  const pages = new Map(rows.map(({ name, page }) => [name, page]));
  const services = espRows.map(({ name, domains }) => ({
    name,
    kind: "service" as const,
    domains: domains?.split(" ") ?? [],
  }));
  return new Map(
    [...rows, ...services].flatMap(({ name, kind, domains }) =>
      domains.map((domain) => [domain, { name, kind: kind ?? "service", page: pages.get(name) ?? null }] as const),
    ),
  );
}

// As of 2026-11-30. Domains were checked against parsedmarc's map of reverse DNS names (Apache-2.0).
const senderRows: readonly SenderRow[] = (
  senderTable as readonly { name: string; kind?: SenderKind; domains?: string; page?: string }[]
).map(({ name, kind = null, domains, page = null }) => ({ name, kind, page, domains: domains?.split(" ") ?? [] }));

/** Without the operator’s file. */
export const builtIn = toSenderTable([]);

type SenderEvidence = {
  /** Another organization's domain for which SPF passed. It belongs to who sent from the address. */
  readonly spf: string | null;
  /** The same of DKIM, whose signatures also pass through forwarders. */
  readonly dkim: string | null;
  readonly address: string | null;
  /** Confirmed reverse DNS. */
  readonly host: string | null;
  /** The name under which the network is registered. */
  readonly network: string | null;
};

export type NamedSender = KnownSender & {
  /** Identifies it over time. */
  readonly key: string;
  readonly by: SenderProof;
  /** The domain, host or network that names it. */
  readonly evidence: string | null;
};

type Proof = { readonly by: SenderProof; readonly domain: string };

/** Null: small rows that a report sums up, which have no address. */
export function nameSender(evidence: SenderEvidence, ownDomain: string, table: SenderTable): NamedSender | null {
  const { network, address } = evidence;
  const own = toRegistrableDomain(ownDomain);
  const spf = toProof("spf", evidence.spf);
  const host = toProof("reverse-dns", evidence.host);
  const dkim = toProof("dkim", evidence.dkim);
  const isOwnHost = host !== null && toRegistrableDomain(host.domain) === own;
  return (
    toKnown(spf, table) ??
    (spf === null && (host === null || isOwnHost) ? toKnown(dkim, table) : null) ??
    (isOwnHost ? toOwn(host, own) : null) ??
    toKnown(host, table) ??
    toOther(spf ?? host) ??
    toKnown(dkim, table) ??
    toOther(dkim) ??
    toNetwork(network, address)
  );
}

function toProof(by: SenderProof, domain: string | null): Proof | null {
  return domain === null ? null : { by, domain };
}

function toKnown(proof: Proof | null, table: SenderTable): NamedSender | null {
  const known = proof ? findByDomain(proof.domain, table) : null;
  return known && proof ? { ...known, key: `${known.kind}:${known.name}`, by: proof.by, evidence: proof.domain } : null;
}

function toOwn({ by, domain }: Proof, own: string): NamedSender {
  return { key: `own:${own}`, name: `Your servers at ${own}`, kind: "own", page: null, by, evidence: domain };
}

function toOther(proof: Proof | null): NamedSender | null {
  return proof ? toUnknown(toRegistrableDomain(proof.domain), "domain", proof.by, proof.domain) : null;
}

function toNetwork(network: string | null, address: string | null): NamedSender | null {
  if (network !== null) return toUnknown(network, "as", "network", network);
  const block = address === null ? null : toBlock(address);
  return block === null ? null : toUnknown(block, "network", "nothing", null);
}

function toUnknown(name: string, prefix: string, by: SenderProof, evidence: string | null): NamedSender {
  return { key: `${prefix}:${name}`, name, kind: "unknown", page: null, by, evidence };
}

type Proved = Pick<SenderEvidence, "spf" | "dkim">;
type Result = { readonly domain: string; readonly result: string | null };

/** What a report's row proves. Of several domains, one that is known. */
export function toProved(
  { spf, dkim }: { readonly spf: readonly Result[]; readonly dkim: readonly Result[] },
  ownDomain: string,
  table = builtIn,
): Proved {
  const own = toRegistrableDomain(ownDomain);
  const pick = (results: readonly Result[]) => {
    const foreign = results.filter(({ domain, result }) => result === "pass" && toRegistrableDomain(domain) !== own);
    return (foreign.find(({ domain }) => findByDomain(domain, table) !== null) ?? foreign[0])?.domain ?? null;
  };
  return { spf: pick(spf), dkim: pick(dkim) };
}

const forwardingReasons: ReadonlySet<string> = new Set(["forwarded", "trusted_forwarder", "mailing_list"]);

/** Whether the receiver gives it as the reason why it didn't apply the policy. */
export function saysForwarded(reasons: readonly string[]): boolean {
  return reasons.some((type) => forwardingReasons.has(type));
}

/** The /24 of an IPv4 address, the /48 of an IPv6 address. Null if it isn't one. */
function toBlock(address: string): string | null {
  const plain = toPlainAddress(address);
  if (plain === undefined) return null;
  if (!plain.includes(":")) return `${plain.split(".").slice(0, 3).join(".")}.0/24`;
  const [head = "", tail] = plain.split("::");
  const groups = head === "" ? [] : head.split(":");
  const rest = tail === undefined || tail === "" ? [] : tail.split(":");
  const missing = tail === undefined ? 0 : Math.max(0, 8 - groups.length - rest.length);
  const whole = [...groups, ...Array.from({ length: missing }, () => "0"), ...rest];
  return `${whole
    .slice(0, 3)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":")}::/48`;
}
