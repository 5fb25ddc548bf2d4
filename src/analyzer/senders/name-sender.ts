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

/** Anyone can register a domain that matches a pattern with a number in the registered part. */
function isOfOne(domain: string): boolean {
  if (!domain.includes("#")) return true;
  return toRegistrableDomain(domain.replaceAll("#", "1")) === toRegistrableDomain(domain.replaceAll("#", "2"));
}

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
      domains
        .filter(isOfOne)
        .map((domain) => [domain, { name, kind: kind ?? "service", page: pages.get(name) ?? null }] as const),
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
  const { address } = evidence;
  const own = toRegistrableDomain(ownDomain);
  const spf = toProof("spf", evidence.spf);
  const host = toProof("reverse-dns", evidence.host);
  const dkim = toProof("dkim", evidence.dkim);
  const isOwnHost = host !== null && toRegistrableDomain(host.domain) === own && !isNumbered(host.domain, address);
  const dkimWithoutServer = spf === null && (host === null || isOwnHost) ? dkim : null;
  return (
    toService(spf, table) ??
    toService(dkimWithoutServer, table) ??
    (isOwnHost ? toOwn(host, own) : toService(host, table)) ??
    toOther(spf ?? dkimWithoutServer) ??
    toNetwork(evidence, table)
  );
}

const domainName = /^(?:[a-z\d_-]{1,63}\.){1,10}[a-z\d-]{2,63}$/i;

/** Reports may have any text as a domain. */
function toProof(by: SenderProof, domain: string | null): Proof | null {
  return domain !== null && domainName.test(domain) ? { by, domain } : null;
}

/** Whether the name of a host was made from its address, as providers name the machines of their customers. */
function isNumbered(host: string, address: string | null): boolean {
  const parts = (address ?? "").split(".");
  const numbers = host.split(/\D+/);
  return parts.length === 4 && parts.slice(-2).every((part) => numbers.includes(part));
}

/** Whose machines others rent, or whose lines others use. */
export const rented: ReadonlySet<SenderKind> = new Set(["hosting", "network"]);

function toService(proof: Proof | null, table: SenderTable): NamedSender | null {
  const known = proof ? findByDomain(proof.domain, table) : null;
  if (proof === null || known === null || rented.has(known.kind)) return null;
  return { ...known, key: `${known.kind}:${known.name}`, by: proof.by, evidence: proof.domain };
}

function toOwn({ by, domain }: Proof, own: string): NamedSender {
  return { key: `own:${own}`, name: `Hosts of ${own}`, kind: "own", page: null, by, evidence: domain };
}

function toOther(proof: Proof | null): NamedSender | null {
  if (proof === null) return null;
  const name = toRegistrableDomain(proof.domain);
  return { key: `domain:${name}`, name, kind: "unknown", page: null, by: proof.by, evidence: proof.domain };
}

/**
 * Many share a hosting company or a line, so the network is the sender, and reverse DNS or a database only adds whose it is.
 * Its key stays when they change.
 */
function toNetwork({ address, host, network }: SenderEvidence, table: SenderTable): NamedSender | null {
  const key = toNetworkKey(address);
  if (key === null) return null;
  const block = key.slice(networkPrefix.length);
  const of = { key, kind: "unknown", page: null } as const;
  const known = host === null ? null : findByDomain(host, table);
  if (known) return { ...of, kind: known.kind, name: `${known.name} (${block})`, by: "reverse-dns", evidence: host };
  const named = host === null ? network : toRegistrableDomain(host);
  if (named === null) return { ...of, name: block, by: "nothing", evidence: null };
  const by = host === null ? "network" : "reverse-dns";
  return { ...of, name: `${named} (${block})`, by, evidence: host ?? network };
}

const networkPrefix = "network:";

export function toNetworkKey(address: string | null): string | null {
  const block = address === null ? null : toBlock(address);
  return block === null ? null : `${networkPrefix}${block}`;
}

/** Whether a sender can have this key. */
export function isSenderKey(key: string, table: SenderTable): boolean {
  const [, prefix = "", name = ""] = /^([a-z]{1,20}):(.{1,300})$/.exec(key) ?? [];
  if (key.startsWith(networkPrefix)) return toNetworkKey(name.split("/")[0] ?? "") === key;
  if (prefix === "domain" || prefix === "own") return domainName.test(name) && toRegistrableDomain(name) === name;
  return [...table.values()].some((known) => known.kind === prefix && known.name === name);
}

type Proved = Pick<SenderEvidence, "spf" | "dkim">;
type Result = { readonly domain: string; readonly result: string | null };

/** What a report's row proves. Of several domains, one that is known. */
export function toProved(
  { spf, dkim }: { readonly spf: readonly Result[]; readonly dkim: readonly Result[] },
  ownDomain: string,
): Proved {
  const own = toRegistrableDomain(ownDomain);
  const pick = (results: readonly Result[]) => {
    const isForeign = (domain: string) => domainName.test(domain) && toRegistrableDomain(domain) !== own;
    const foreign = results.filter(({ domain, result }) => result === "pass" && isForeign(domain));
    return (foreign.find(({ domain }) => findByDomain(domain, builtIn) !== null) ?? foreign[0])?.domain ?? null;
  };
  return { spf: pick(spf), dkim: pick(dkim) };
}

const forwardingReasons: ReadonlySet<string> = new Set(["forwarded", "trusted_forwarder", "mailing_list"]);

/** Whether the receiver gives it as the reason why it didn't apply the policy. With ARC, it is in the comment. */
export function saysForwarded(
  reasons: readonly { readonly type: string; readonly comment?: string | null }[],
): boolean {
  return reasons.some(({ type, comment }) => forwardingReasons.has(type) || /\barc=pass\b/i.test(comment ?? ""));
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
