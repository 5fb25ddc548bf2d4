import { isInNetworks, isPublicAddress, parseNetworks, toReverseName } from "../../addresses.ts";
import type { Dns, DnsAnswer } from "../../dns/answer.ts";
import { findListRow } from "../../dns/dnsbl.ts";
import { addressesIn, findAddresses, findExchangers, includesAny, isKnown, localOnly } from "./exchangers.ts";
import { createHeading, type DoctorRow, type Examination, type Patient } from "./row.ts";

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
      const { addresses, trouble } = await findAddresses(name, system.dns);
      if (trouble !== null)
        return heading.grey(`${address} is ${name}, and DNS gave no answer for ${name} (${trouble}).`);
      return addresses.includes(address)
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
  const { status, found } = await findExchangers(domain, system.dns);
  if (!isKnown({ status })) return heading.grey(`DNS gave no answer (${status}).`);
  if (found.length === 0) return heading.red("It has none, so no mail comes.", publish);
  const addresses = found.flatMap((each) => each.addresses);
  const named = found.map(({ name }) => name).join(", ");
  if (includesAny(probes.ownAddresses, addresses)) return heading.green(`It points here: ${named}.`);
  const troubled = found.find(({ trouble }) => trouble !== null);
  if (troubled) return heading.grey(`DNS gave no answer for ${troubled.name} (${troubled.trouble}).`);
  if (addresses.length === 0) return heading.red(`It names ${named}, which has no address.`, publish);
  if (own.length === 0)
    return heading.grey(
      `It points to ${named} (${addresses.join(", ")}); this machine has no public address to compare.`,
      "See that port 25 of that address is passed on to ASSAY_SMTP_LISTEN.",
    );
  return heading.red(`It points to ${named} (${addresses.join(", ")}), which is not this machine.`, publish);
}
