import { defineCheck, notApplicable, passed, type Raised, skipped } from "../check.ts";
import type { Fact, Why } from "../fact.ts";
import { freemailProviderOf } from "../freemail-table.ts";
import type { MxCertificate, MxFact, MxHost, Row } from "../infrastructure-facts.ts";
import { toMailDomain } from "./mail-domain.ts";
import { isEndingSoon, toEndDate } from "./rows.ts";

export const mxHosts = defineCheck({
  id: "mx-hosts",
  helpPage: "fix-mx",
  label: "MX hosts",
  owner: "dns",
  asks: "whether the MX records point to valid hosts",
  why: "Replies, bounces, and reports go to the MX hosts. Assay checks these hosts in DNS. For monitored domains only, it also connects to them about once a day to read their certificates.",
  refs: ["RFC 5321 §5.1", "RFC 2181 §10.3"],
  needs: ["mx"],
  wants: ["message", "mxCertificates"],
  passes: "The MX hosts for {domain} resolve: {hosts}.",
  findings: {
    unresolvable: {
      severity: "major",
      title: "MX hosts do not resolve",
      says: "None of the MX hosts for {domain} resolves: {hosts}.",
      fix: "Correct the hostnames, or publish A records for them.",
    },
    partly: {
      severity: "minor",
      cost: 8,
      title: "Some MX hosts do not resolve",
      says: "Some MX hosts for {domain} do not resolve: {hosts}.",
      fix: "Remove or correct them.",
    },
    "not-a-host": {
      severity: "major",
      title: "MX is not a public host",
      says: "The MX host {host} for {domain} is {what}.",
      fix: "Point the MX to a public hostname.",
    },
    alias: {
      severity: "minor",
      cost: 8,
      title: "MX is a CNAME",
      says: "The MX host {host} for {domain} is an alias (CNAME), which RFC 2181 forbids.",
      fix: "Use the canonical name {target}.",
    },
    "certificate-expiring": {
      severity: "minor",
      cost: 3,
      title: "MX certificate expiring",
      owner: "mail-server",
      says: "The certificate for the MX host {host} expires on {date}.",
      fix: "Renew it. Once it expires, senders that require a valid certificate stop delivering there.",
    },
    "certificate-untrusted": {
      severity: "info",
      title: "Untrusted MX certificate",
      owner: "mail-server",
      says: "Senders that require a trusted certificate would not deliver to the MX host {host}: {problem}.",
      fix: "Optional, unless the domain has an MTA-STS policy: configure {host} to offer STARTTLS with a certificate for its hostname from a public CA.",
    },
    "no-ipv6": {
      severity: "info",
      title: "No IPv6 for incoming mail",
      says: "{domain} accepts no mail over IPv6.",
      fix: "Optional: publish AAAA records for {hosts}.",
    },
  },
  run({ mx: rows, message, mxCertificates }) {
    const asked = toMailDomain(message, rows);
    if (!("mx" in asked)) return asked;
    const { domain, hosts, nullMx } = asked.mx;
    const provider = asked.isBare ? null : freemailProviderOf(domain);
    if (provider !== null) return notApplicable(`${domain} belongs to ${provider}, which manages its MX hosts.`);
    if (nullMx || hosts.length === 0) return notApplicable("The domain has no MX hosts.");
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
    return [{ finding: "not-a-host", subject: name, data: { domain, host: name, what }, evidence: { ...host } }];
  if (!alias.known || alias.value === null) return [];
  return [{ finding: "alias", subject: name, data: { domain, host: name, target: alias.value } }];
}

/** What the MX is instead of a public hostname; null if it is one. */
function whatElse({ name, literal, private: isPrivate, addresses }: MxHost): string | null {
  if (literal) return "an IP address, not a hostname";
  if (name === "." || name === "") return "a null MX, which is valid only if it is the only MX record";
  if (name === "localhost" || name.endsWith(".localhost")) return "a name for the local machine";
  if (!isPrivate || !addresses.known) return null;
  return `a name with only private addresses (${addresses.value.slice(0, 3).join(", ")})`;
}

function isHostName(host: MxHost): boolean {
  return whatElse(host) === null;
}

/** Judges the hosts together; `hosts` are those with a public hostname. */
function judgeAll({ domain, hostsLeftOut }: MxFact, hosts: readonly MxHost[]): Raised<Finding>[] {
  const dead = hosts.filter(({ addresses }) => addresses.known && addresses.value.length === 0);
  const names = dead.map(({ name }) => name);
  if (dead.length > 0)
    return dead.length === hosts.length && hostsLeftOut === 0
      ? [{ finding: "unresolvable", data: { domain, hosts: names } }]
      : [{ finding: "partly", data: { domain, hosts: names } }];
  const isIpv4Alone = ({ addresses }: MxHost) => addresses.known && !addresses.value.some((ip) => ip.includes(":"));
  if (hosts.length === 0 || hostsLeftOut > 0 || !hosts.every(isIpv4Alone)) return [];
  return [{ finding: "no-ipv6", data: { domain, hosts: hosts.map(({ name }) => name) } }];
}

/** An unreachable host is not an issue, because many networks block outgoing port 25. */
function judgeCertificates(rows: Fact<readonly Row<MxCertificate>[]>): Raised<Finding>[] {
  if (!rows.known) return [];
  return rows.value.flatMap(({ of: host, fact }): Raised<Finding>[] => {
    if (!fact.known) return [];
    const { certificate, problem } = fact.value;
    if (problem !== null) return [{ finding: "certificate-untrusted", subject: host, data: { host, problem } }];
    if (certificate === null || !isEndingSoon(certificate)) return [];
    return [{ finding: "certificate-expiring", subject: host, data: { host, date: toEndDate(certificate) } }];
  });
}

function whySilent(hosts: readonly MxHost[]): Why | null {
  const silent = hosts.find(({ addresses }) => !addresses.known)?.addresses;
  return silent === undefined || silent.known ? null : silent.why;
}
