import {
  isInNetworks,
  isPublicAddress,
  parseNetworks,
  toPlainAddress,
  toReverseName,
} from "../../addresses.ts";
import type { Dns, DnsAnswer } from "../../dns/answer.ts";
import { findListRow } from "../../dns/dnsbl.ts";
import { createHeading, type DoctorRow, type Examination, type Patient } from "./row.ts";

/** RFC 2606 §2 and RFC 6761 §6: no mail comes to these from outside. */
const localOnly = /(^|\.)(localhost|test|invalid|example|local|internal)$/;

/** Any name would do; this one exists wherever the internet is. */
const askedName = "example.com";

/** Blocklists answer from here when they refuse the resolver instead of answering; some use 127.0.0.1. */
const refusals = parseNetworks(["127.255.255.0/24", "127.0.0.1/32"]);
const listings = parseNetworks(["127.0.0.0/8"]);

export const examineDnsServers: Examination = async ({ probes }) => {
  if (probes.dnsServers.length === 0)
    return [createHeading("dns", "DNS server").red("There is none.", "Name one in ASSAY_DNS_SERVERS.")];
  return Promise.all(
    probes.dnsServers.map(async ({ address, dns }) => {
      const heading = createHeading("dns", "DNS server");
      const answer = await dns.query(askedName, "A");
      if (isKnown(answer)) return heading.green(`${address} answered in ${answer.durationMs} ms.`);
      return heading.red(
        `${address} gave no answer for ${askedName} (${answer.status}).`,
        "Name a resolver that serves this machine in ASSAY_DNS_SERVERS; best one of your own on loopback.",
      );
    }),
  );
};

export const examineBlocklists: Examination = async ({ config, system }) => {
  const heading = createHeading("blocklists", "Blocklists");
  if (config.dnsbls.length === 0) return [heading.grey("None is asked: ASSAY_DNSBLS names none.")];
  return Promise.all(config.dnsbls.map(({ zone }) => blocklistRow(zone, system.dns)));
};

export const examineMailExchangers: Examination = async (patient) => {
  return Promise.all(patient.config.seedDomains.map((domain) => exchangerRow(domain, patient)));
};

export const examineReverseNames: Examination = async ({ probes, system, hostName }) => {
  const heading = createHeading("reverse-name", "Reverse name");
  const own = probes.ownAddresses.filter(isPublicAddress).slice(0, 4);
  if (own.length === 0) return [heading.grey("This machine has no public address of its own.")];
  return Promise.all(
    own.map(async (address) => {
      const answer = await system.dns.query(toReverseName(address), "PTR");
      if (!isKnown(answer)) return heading.grey(`DNS gave no answer for ${address} (${answer.status}).`);
      const [name] = answer.records.flatMap((record) => (record.type === "PTR" ? [record.target] : []));
      const fix = `Ask whoever gave you the address to publish: ${toReverseName(address)}. PTR ${hostName}.`;
      if (name === undefined) return heading.red(`${address} has no reverse name.`, fix);
      const confirmed = (await addressesOf(name, system.dns)).includes(address);
      return confirmed
        ? heading.green(`${address} is ${name}, and ${name} is ${address}.`)
        : heading.red(`${address} is ${name}, but ${name} does not lead back to it.`, fix);
    }),
  );
};

async function blocklistRow(zone: string, dns: Dns): Promise<DoctorRow> {
  const heading = createHeading("blocklists", `Blocklist ${zone}`);
  const answer = await askTestEntries(zone, dns);
  if (!isKnown(answer)) return heading.grey(`It gave no answer (${answer.status}).`);
  const codes = addressesIn(answer);
  if (codes.some((code) => isInNetworks(code, refusals)))
    return heading.red(
      "It refuses this resolver.",
      "Run a resolver of your own and name it in ASSAY_DNS_SERVERS.",
    );
  if (codes.some((code) => !isInNetworks(code, listings)))
    return heading.red("Something between here and the list rewrites its answers.", "Use another resolver.");
  if (codes.length === 0)
    return heading.red(
      "It does not list its own test entry: it is dead, or hides from this resolver.",
      "Take it out of ASSAY_DNSBLS.",
    );
  return heading.green("It answers this resolver.");
}

/** RFC 5782 §5: a list of addresses lists 127.0.0.2, one of names lists "test"; some have an entry of their own. */
async function askTestEntries(zone: string, dns: Dns): Promise<DnsAnswer> {
  const row = findListRow(zone);
  const own = row?.kind === "domain" && row.testName !== undefined ? [row.testName] : [];
  const [first = "", ...others] = ["2.0.0.127", "test", ...own].map((entry) => `${entry}.${zone}`);
  let answer = await dns.query(first, "A");
  for (const name of others) if (answer.records.length === 0) answer = await dns.query(name, "A");
  return answer;
}

async function exchangerRow(domain: string, { probes, system, hostName }: Patient): Promise<DoctorRow> {
  const heading = createHeading("mx", `MX of ${domain}`);
  if (localOnly.test(domain))
    return heading.grey("This name is for trying out on this machine; no mail comes to it from outside.");
  const own = probes.ownAddresses.filter(isPublicAddress);
  const publish = `Publish: ${domain}. MX 10 ${hostName}. — and ${hostName}. A ${own[0] ?? "the public address of this machine"}`;
  const answer = await system.dns.query(domain, "MX");
  if (!isKnown(answer)) return heading.grey(`DNS gave no answer (${answer.status}).`);
  const targets = answer.records.flatMap((record) => (record.type === "MX" ? [record.exchange] : []));
  if (targets.length === 0) return heading.red("It has none, so no mail comes.", publish);
  const found = (await Promise.all(targets.map((target) => addressesOf(target, system.dns)))).flat();
  const named = targets.join(", ");
  if (found.length === 0) return heading.red(`It names ${named}, which has no address.`, publish);
  const ownPlain = probes.ownAddresses.map(toPlainAddress);
  if (found.some((address) => ownPlain.includes(toPlainAddress(address))))
    return heading.green(`It points here: ${named}.`);
  if (own.length === 0)
    return heading.grey(
      `It points to ${named} (${found.join(", ")}); this machine has no public address to compare.`,
      "See that port 25 of that address is passed on to ASSAY_SMTP_LISTEN.",
    );
  return heading.red(`It points to ${named} (${found.join(", ")}), which is not this machine.`, publish);
}

async function addressesOf(name: string, dns: Dns): Promise<readonly string[]> {
  const answers = await Promise.all([dns.query(name, "A"), dns.query(name, "AAAA")]);
  return answers.flatMap(addressesIn);
}

function addressesIn(answer: DnsAnswer): string[] {
  return answer.records.flatMap((record) => ("address" in record ? [record.address] : []));
}

/** A "no" is an answer too. */
function isKnown({ status }: DnsAnswer): boolean {
  return status === "answered" || status === "nodata" || status === "nxdomain";
}
