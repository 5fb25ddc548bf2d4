import { defineCheck, notApplicable, passed, type Raised, skipped } from "../check.ts";
import type { Fact, Why } from "../fact.ts";
import { freemailProviderOf } from "../freemail-table.ts";
import type { MxCertificate, MxFact, MxHost, Row } from "../infrastructure-facts.ts";
import { toMailDomain } from "./mail-domain.ts";
import { isEndingSoon, toEndDate } from "./rows.ts";

export const mxHosts = defineCheck({
  id: "mx-hosts",
  area: "infrastructure",
  label: "MX hosts",
  owner: "dns",
  asks: "whether the MX records lead to servers",
  why: "Replies, bounces and reports arrive there. Judged by DNS; the hosts themselves are asked for a monitored domain alone, about once a day, for the certificate that they show.",
  refs: ["RFC 5321 §5.1", "RFC 2181 §10.3"],
  needs: ["mx"],
  wants: ["message", "mxCertificates"],
  kinds: "all",
  passes: "The MX hosts of {domain} resolve: {hosts}.",
  findings: {
    unresolvable: {
      severity: "major",
      cost: 18,
      title: "MX hosts do not resolve",
      says: "None of the MX hosts of {domain} resolves ({hosts}).",
      fix: "Correct the host names, or publish their A records.",
    },
    partly: {
      severity: "minor",
      cost: 8,
      title: "Some MX hosts do not resolve",
      says: "Of the MX hosts of {domain} these do not resolve: {hosts}.",
      fix: "Remove or correct them.",
    },
    "not-a-host": {
      severity: "major",
      cost: 18,
      title: "MX is not a public host",
      says: "The MX {host} of {domain} is {what}.",
      fix: "Point the MX to a public host name.",
    },
    alias: {
      severity: "minor",
      cost: 8,
      title: "MX is a CNAME",
      says: "The MX {host} of {domain} is an alias (CNAME), which the standard forbids.",
      fix: "Use the canonical name {target}.",
    },
    "certificate-expiring": {
      severity: "minor",
      cost: 3,
      title: "MX certificate expiring",
      owner: "mail-server",
      says: "The certificate of the MX {host} ends on {date}.",
      fix: "Renew it: once it has ended, senders that ask for a valid one no longer deliver there.",
    },
    "certificate-untrusted": {
      severity: "info",
      cost: 0,
      title: "Untrusted MX certificate",
      owner: "mail-server",
      says: "Senders that ask for a trusted certificate would not find one at the MX {host}: {problem}.",
      fix: "Optional, unless the domain has an MTA-STS policy: let {host} offer STARTTLS with a certificate for its name from a public authority.",
    },
    "no-ipv6": {
      severity: "info",
      cost: 0,
      title: "No IPv6 for incoming mail",
      says: "{domain} takes no mail over IPv6.",
      fix: "Optional: publish AAAA records for {hosts}.",
    },
  },
  run({ mx: rows, message, mxCertificates }) {
    const asked = toMailDomain(message, rows);
    if (!("mx" in asked)) return asked;
    const { domain, hosts, nullMx } = asked.mx;
    const provider = asked.isBare ? null : freemailProviderOf(domain);
    if (provider !== null)
      return notApplicable(`${domain} belongs to ${provider}, who looks after its hosts.`);
    if (nullMx || hosts.length === 0) return notApplicable("The domain names no MX host.");
    const found = [
      ...hosts.flatMap((host) => judgeHost(domain, host)),
      ...judgeAll(asked.mx, hosts.filter(isHostName)),
      ...judgeCertificates(mxCertificates),
    ];
    if (found.length > 0) return found;
    const silent = whySilent(hosts);
    return silent === null ? passed({ domain, hosts: hosts.map(({ name }) => name) }) : skipped(silent);
  },
});

type Finding =
  | "unresolvable"
  | "partly"
  | "not-a-host"
  | "alias"
  | "certificate-expiring"
  | "certificate-untrusted"
  | "no-ipv6";

function judgeHost(domain: string, host: MxHost): Raised<Finding>[] {
  const { name, alias } = host;
  const what = whatElse(host);
  if (what !== null)
    return [
      { finding: "not-a-host", subject: name, data: { domain, host: name, what }, evidence: { ...host } },
    ];
  if (!alias.known || alias.value === null) return [];
  return [{ finding: "alias", subject: name, data: { domain, host: name, target: alias.value } }];
}

/** What stands there in place of a public host's name; null for one. */
function whatElse({ name, literal, private: isPrivate, addresses }: MxHost): string | null {
  if (literal) return "an address where a host name must stand";
  if (name === "." || name === "") return "a null MX, which counts only alone";
  if (name === "localhost" || name.endsWith(".localhost")) return "whatever machine asks for it";
  if (!isPrivate || !addresses.known) return null;
  return `a name of private addresses (${addresses.value.slice(0, 3).join(", ")})`;
}

function isHostName(host: MxHost): boolean {
  return whatElse(host) === null;
}

/** Of the host names among them. */
function judgeAll({ domain, hostsLeftOut }: MxFact, hosts: readonly MxHost[]): Raised<Finding>[] {
  const dead = hosts.filter(({ addresses }) => addresses.known && addresses.value.length === 0);
  const names = dead.map(({ name }) => name);
  if (dead.length > 0)
    return dead.length === hosts.length && hostsLeftOut === 0
      ? [{ finding: "unresolvable", data: { domain, hosts: names } }]
      : [{ finding: "partly", data: { domain, hosts: names } }];
  const isIpv4Alone = ({ addresses }: MxHost) =>
    addresses.known && !addresses.value.some((ip) => ip.includes(":"));
  if (hosts.length === 0 || hostsLeftOut > 0 || !hosts.every(isIpv4Alone)) return [];
  return [{ finding: "no-ipv6", data: { domain, hosts: hosts.map(({ name }) => name) } }];
}

/** A host that could not be reached is no fault: many networks let nothing out to port 25. */
function judgeCertificates(rows: Fact<readonly Row<MxCertificate>[]>): Raised<Finding>[] {
  if (!rows.known) return [];
  return rows.value.flatMap(({ of: host, fact }): Raised<Finding>[] => {
    if (!fact.known) return [];
    const { certificate, problem } = fact.value;
    if (problem !== null)
      return [{ finding: "certificate-untrusted", subject: host, data: { host, problem } }];
    if (certificate === null || !isEndingSoon(certificate)) return [];
    return [{ finding: "certificate-expiring", subject: host, data: { host, date: toEndDate(certificate) } }];
  });
}

function whySilent(hosts: readonly MxHost[]): Why | null {
  const silent = hosts.find(({ addresses }) => !addresses.known)?.addresses;
  return silent === undefined || silent.known ? null : silent.why;
}
