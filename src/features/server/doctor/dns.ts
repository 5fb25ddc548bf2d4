import { isInNetworks, isPublicAddress, parseNetworks, toReverseName } from "../../../analyzer/addresses.ts";
import type { Dns, DnsAnswer } from "../../../analyzer/dns/answer.ts";
import { findListRow } from "../../../analyzer/dns/dnsbl.ts";
import { publicName as askedName } from "../../../platform/system/public-names.ts";
import {
  addressesIn,
  findAddresses,
  findExchangers,
  includesAny,
  isKnown,
  isReservedName,
  toPublicName,
} from "./exchangers.ts";
import { createHeading, type DoctorRow, type Examination, type Patient } from "./row.ts";

/** Blocklists answer with these addresses when they refuse a resolver. Some use 127.0.0.1. */
const refusals = parseNetworks(["127.255.255.0/24", "127.0.0.1/32"]);
const listings = parseNetworks(["127.0.0.0/8"]);

const setServers = "Set the DNS resolvers (Settings > Server, or ASSAY_DNS_SERVERS)";

export const examineDnsServers: Examination = async ({ probes, config: { dnsTrusted } }) => {
  if (probes.dnsServers.length === 0)
    return createHeading("dns", "DNS server").red("No DNS server configured.", `${setServers}.`);
  const asked = await Promise.all(
    probes.dnsServers.map(async ({ address, dns }) => ({ address, answer: await dns.query(askedName, "A") })),
  );
  // Beside a server that resolves public names, one that doesn't is broken, and no private network's own.
  const isPrivate =
    dnsTrusted.length > 0 && !asked.some(({ answer }) => isKnown(answer) && answer.status !== "nxdomain");
  return asked.map(({ address, answer }) => {
    const heading = createHeading("dns", "DNS server");
    if (isPrivate && answer.status === "nxdomain")
      return heading.green(
        `${address} does not resolve public names. Reports use it for ${dnsTrusted.join(", ")} (ASSAY_DNS_TRUSTED).`,
      );
    if (answer.status === "nxdomain")
      return heading.red(
        `${address} responds, but does not resolve public names: ${askedName} does not exist there. Reports cannot check domains with it.`,
        `${setServers} to a resolver that does.${dnsTrusted.length === 0 ? " In a network without public DNS, set ASSAY_DNS_TRUSTED to your own domains." : ""}`,
      );
    if (isKnown(answer)) return heading.green(`${address} responded in ${answer.durationMs} ms.`);
    return heading.red(
      `${address} did not respond to a query for ${askedName} (${answer.status}).`,
      `${setServers} to a resolver that serves this machine, ideally a local one on 127.0.0.1.`,
    );
  });
};

export const examineBlocklists: Examination = async ({ config, system }) => {
  const heading = createHeading("blocklists", "Blocklists");
  if (config.dnsbls.length === 0)
    return heading.grey(
      "ASSAY_DNSBLS names no lists. In the app, turn lists on under Settings > Blocklists and scanners.",
    );
  return Promise.all(config.dnsbls.map(({ zone }) => testBlocklist(zone, system.dns)));
};

export const examineMailExchangers: Examination = async (patient) => {
  return Promise.all(patient.config.seedDomains.map((domain) => exchangerRow(domain, patient)));
};

export const examineReverseNames: Examination = async ({ probes, system, hostName }) => {
  const heading = createHeading("reverse-name", "Reverse DNS");
  const own = probes.ownAddresses.filter(isPublicAddress).slice(0, 4);
  const publicName = toPublicName(hostName);
  const ownName = publicName === null ? "<your mail server's host name>" : `${publicName}.`;
  if (own.length === 0) return heading.grey("This machine has no public IP address.");
  return Promise.all(
    own.map(async (address) => {
      const answer = await system.dns.query(toReverseName(address), "PTR");
      if (!isKnown(answer)) return heading.grey(`The DNS lookup for ${address} failed (${answer.status}).`);
      const [name] = answer.records.flatMap((record) => (record.type === "PTR" ? [record.target] : []));
      const fix = `Ask your hosting provider to add: ${toReverseName(address)}. PTR ${ownName}`;
      if (name === undefined) return heading.red(`No reverse DNS (PTR) for ${address}.`, fix);
      const { addresses, trouble } = await findAddresses(name, system.dns);
      if (trouble !== null)
        return heading.grey(`${address} has the name ${name}, but the DNS lookup for ${name} failed (${trouble}).`);
      return addresses.includes(address)
        ? heading.green(`${address} has the name ${name}, which resolves back to it.`)
        : heading.red(`${address} has the name ${name}, which does not resolve back to it.`, fix);
    }),
  );
};

export async function testBlocklist(zone: string, dns: Dns): Promise<DoctorRow> {
  const heading = createHeading("blocklists", `Blocklist ${zone}`);
  const answer = await askTestEntries(zone, dns);
  if (!isKnown(answer)) return heading.grey(`No response (${answer.status}).`);
  const codes = addressesIn(answer);
  if (codes.some((code) => isInNetworks(code, refusals)))
    return heading.red(
      "The list refuses queries from your DNS resolver.",
      "Run your own resolver and set ASSAY_DNS_SERVERS.",
    );
  if (codes.some((code) => !isInNetworks(code, listings)))
    return heading.red("Your resolver or network changes the list's responses.", "Use another resolver.");
  if (codes.length === 0)
    return heading.red(
      "The list does not contain its own test entry. It has shut down, or it does not serve your resolver.",
      "Turn it off.",
    );
  if (await listsEverything(zone, dns))
    return heading.red(
      "The list also contains the test entries that must never be listed. It has shut down, or your resolver changes its responses.",
      "Turn it off.",
    );
  return heading.green("Works.");
}

/** RFC 5782 §5. Reports ignore such a list (analyzer/facts/list-tests.ts), so it must not look as if it worked. */
async function listsEverything(zone: string, dns: Dns): Promise<boolean> {
  const answers = await Promise.all(["1.0.0.127", "invalid"].map((entry) => dns.query(`${entry}.${zone}`, "A")));
  return answers.some((answer) => addressesIn(answer).some((code) => isInNetworks(code, listings)));
}

/** RFC 5782 §5: IP lists contain 127.0.0.2, domain lists contain "test". Some have another test entry. */
async function askTestEntries(zone: string, dns: Dns): Promise<DnsAnswer> {
  const row = findListRow(zone);
  const own = row?.kind === "domain" && row.testName !== undefined ? [row.testName] : [];
  const [first = "", ...others] = ["2.0.0.127", "test", ...own].map((entry) => `${entry}.${zone}`);
  let answer = await dns.query(first, "A");
  for (const name of others) if (answer.records.length === 0) answer = await dns.query(name, "A");
  return answer;
}

async function exchangerRow(domain: string, { probes, system, hostName }: Patient): Promise<DoctorRow> {
  const heading = createHeading("mx", `MX record for ${domain}`);
  if (isReservedName(domain))
    return heading.grey("Only for tests on this machine. Other servers cannot deliver mail to this name.");
  const own = probes.ownAddresses.filter(isPublicAddress);
  const host = toPublicName(hostName) ?? `mx.${domain}`;
  const publish = `Add these records: "${domain}. MX 10 ${host}." and "${host}. A ${own[0] ?? "<public IP address of this machine>"}"`;
  const { status, found } = await findExchangers(domain, system.dns);
  if (!isKnown({ status })) return heading.grey(`The DNS lookup failed (${status}).`);
  if (found.length === 0) return heading.red("No MX record, so no mail can arrive.", publish);
  const addresses = found.flatMap((each) => each.addresses);
  const named = found.map(({ name }) => name).join(", ");
  if (includesAny(probes.ownAddresses, addresses)) return heading.green(`Points to this machine: ${named}.`);
  const troubled = found.find(({ trouble }) => trouble !== null);
  if (troubled) return heading.grey(`The DNS lookup for ${troubled.name} failed (${troubled.trouble}).`);
  if (addresses.length === 0) return heading.red(`Points to ${named}, which has no IP address.`, publish);
  if (own.length === 0)
    return heading.grey(
      `Points to ${named} (${addresses.join(", ")}). This machine has no public address to compare it with.`,
      "Make sure that port 25 of that address is forwarded to ASSAY_SMTP_LISTEN.",
    );
  return heading.red(`Points to ${named} (${addresses.join(", ")}), which is not this machine.`, publish);
}
