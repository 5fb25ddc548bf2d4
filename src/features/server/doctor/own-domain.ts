// Checks a domain that should receive mail here: which records to publish, which settings to change, and what is already in
// place. Only DNS and this machine are contacted.

import { isLoopback, isPublicAddress, type ListenAddress } from "../../../analyzer/addresses.ts";
import type { Dns } from "../../../analyzer/dns/answer.ts";
import { toList } from "../../../analyzer/words/plain-words.ts";
import { toHostPort } from "../../../platform/settings/setting-kinds.ts";
import type * as api from "../contract/doctor.ts";
import { examineReverseNames } from "./dns.ts";
import {
  type Addresses,
  type Exchangers,
  findAddresses,
  findExchangers,
  includesAny,
  isKnown,
  toPublicName,
} from "./exchangers.ts";
import { toReachable } from "./ports.ts";
import { createHeading, type DoctorRow, type Patient } from "./row.ts";

type WantedSetting = Omit<api.DomainLook["settings"][number], "inApp">;

export type DomainLook = Omit<api.DomainLook, "settings" | "rows"> & {
  readonly settings: WantedSetting[];
  readonly rows: DoctorRow[];
};

/** What is there already stays, because apps on this machine may send to it. */
function toListens({ config, probes }: Patient): string {
  const everywhere = ["0.0.0.0", ...(probes.ownAddresses.some((own) => own.includes(":")) ? ["::"] : [])];
  const others = config.smtpListen.filter(({ port }) => port !== 25);
  return [...others, ...everywhere.map((host) => ({ host, port: 25 }))].map(toHostPort).join(",");
}

export async function lookAtDomain(domain: string, patient: Patient): Promise<DomainLook> {
  const host = toPublicName(patient.hostName) ?? `mx.${domain}`;
  const dns = askInTurn(patient);
  const asking = { ...patient, hostName: host, system: { ...patient.system, dns } };
  const exchangers = await findExchangers(domain, dns);
  // If the MX record has another name of this machine, the address of that name counts.
  const preferred = exchangers.found[0];
  const isOurs = preferred !== undefined && includesAny(patient.probes.ownAddresses, preferred.addresses);
  const named = isOurs ? preferred : { name: host, ...(await findAddresses(host, dns)) };
  const mx = exchangerRow(domain, named.name, exchangers, publicOf(patient).length > 0);
  const address = addressRow(named.name, named, patient);
  const rows = [mx, address, seedDomainRow(domain, patient), await portRow(patient)];
  return {
    domain,
    records: toRecords(domain, named.name, patient),
    settings: toSettings(domain, host, patient),
    rows: [...rows, await examineReverseNames(asking)].flat(),
    isPublished: mx.state === "green" && address.state !== "red" && named.addresses.length > 0,
  };
}

/** Uses the clients of the probes, which have no cache, so that a record shows as soon as it is published. */
function askInTurn({ probes, system }: Patient): Dns {
  const [first, ...others] = probes.dnsServers.map(({ dns }) => dns);
  return {
    query: async (name, type) => {
      let answer = await (first ?? system.dns).query(name, type);
      for (const dns of others) if (!isKnown(answer)) answer = await dns.query(name, type);
      return answer;
    },
  };
}

function publicOf({ probes }: Patient): readonly string[] {
  return probes.ownAddresses.filter(isPublicAddress).slice(0, 4);
}

function toRecords(domain: string, host: string, patient: Patient): api.DomainLook["records"] {
  const own = publicOf(patient).map((address) => ({
    type: address.includes(":") ? ("AAAA" as const) : ("A" as const),
    name: host,
    value: address,
  }));
  const addresses = own.length > 0 ? own : [{ type: "A" as const, name: host, value: null }];
  return [{ type: "MX", name: domain, value: `10 ${host}.` }, ...addresses];
}

function toSettings(domain: string, host: string, patient: Patient): WantedSetting[] {
  const { seedDomains, smtpHostname, smtpListen } = patient.config;
  const isTaken = seedDomains.includes(domain);
  // The others keep taking mail; the first is the one of new seed addresses.
  const domains = isTaken ? seedDomains : [domain, ...seedDomains];
  const isOpen = openTo(smtpListen).some(({ port }) => port === 25);
  return [
    { name: "ASSAY_SEED_DOMAINS", value: domains.join(","), isSet: isTaken },
    { name: "ASSAY_SMTP_HOSTNAME", value: host, isSet: smtpHostname === host },
    { name: "ASSAY_SMTP_LISTEN", value: toListens(patient), isSet: isOpen },
  ];
}

function exchangerRow(
  domain: string,
  host: string,
  { status, isNullMx, found }: Exchangers,
  isSelfKnown: boolean,
): DoctorRow {
  const heading = createHeading("mx", "MX record");
  if (!isKnown({ status })) return heading.grey(`The DNS lookup for ${domain} failed (${status}).`);
  const publish = "Add the MX record.";
  if (isNullMx) return heading.red(`${domain} has a null MX record, which says that it accepts no mail.`, publish);
  const [preferred, ...others] = found.map(({ name }) => name);
  if (preferred === undefined) return heading.red(`${domain} has no MX record yet.`, publish);
  const published =
    others.length === 0
      ? `The MX record for ${domain} is ${preferred}`
      : `The MX records for ${domain} are ${toList([preferred, ...others])}`;
  const instead = "Replace the existing MX records with this one.";
  if (preferred === host)
    return others.length === 0
      ? heading.green(`The MX record for ${domain} is ${host}.`)
      : heading.green(
          `The first MX record for ${domain} is ${host}. If it does not respond, mail goes to ${toList(others)}.`,
        );
  const trouble = found[0]?.trouble ?? null;
  if (trouble !== null)
    return heading.grey(
      `${published}. The DNS lookup for ${preferred} failed (${trouble}), so Assay cannot tell whether that is this machine.`,
    );
  if (others.includes(host)) return heading.red(`${published}. Mail goes to ${preferred} first.`, instead);
  if (isSelfKnown) return heading.red(`${published}, not ${host}.`, instead);
  return heading.grey(
    `${published}. This machine has only private addresses, so Assay cannot tell whether that is this machine.`,
    `If it is, everything is fine. If not: ${instead}`,
  );
}

function addressRow(host: string, { addresses, trouble }: Addresses, patient: Patient): DoctorRow {
  const heading = createHeading("address", `Address of ${host}`);
  if (trouble !== null) return heading.grey(`The DNS lookup for ${host} failed (${trouble}).`);
  if (addresses.length === 0) return heading.red(`${host} has no IP address yet.`, "Add its address record.");
  const named = `${host} resolves to ${addresses.join(", ")}`;
  if (includesAny(patient.probes.ownAddresses, addresses)) return heading.green(`${named}, which is this machine.`);
  const own = publicOf(patient);
  if (own.length > 0)
    return heading.red(
      `${named}. The address of this machine is ${own.join(", ")}.`,
      "Replace the existing address record.",
    );
  return heading.grey(
    `${named}. This machine has only private addresses, so Assay cannot tell whether it points here.`,
    "Make sure that port 25 of that address is forwarded to this machine.",
  );
}

function seedDomainRow(domain: string, { config }: Patient): DoctorRow {
  const heading = createHeading("seed-domain", "Seed domain");
  return config.seedDomains.includes(domain)
    ? heading.green(`Assay accepts mail for ${domain}.`)
    : heading.red(`Assay does not accept mail for ${domain} yet.`, "Turn it on.");
}

async function portRow(patient: Patient): Promise<DoctorRow> {
  const heading = createHeading("port-25", "Port 25");
  const { smtpListen } = patient.config;
  const listens = openTo(smtpListen);
  const where = smtpListen.map(({ host, port }) => `${host} port ${port}`).join(", ");
  const set = "Turn on port 25.";
  if (listens.length === 0) return heading.red(`Assay listens on ${where}, which other machines cannot reach.`, set);
  const on25 = listens.find(({ port }) => port === 25);
  if (on25 === undefined)
    return heading.grey(
      `Assay listens on ${where}, but other servers deliver to port 25.`,
      `Forward port 25 to it, or turn on port 25.`,
    );
  const host = publicOf(patient)[0] ?? toReachable(on25.host);
  const heard = await patient.probes.knock({ host, port: 25 });
  return heard.state === "answered" && /^220[ -].*\bAssay\b/.test(heard.firstLine)
    ? heading.green(`Assay responds on ${host} port 25. A firewall in front of this machine could still block it.`)
    : heading.red(`Assay does not respond on ${host} port 25.`, "Run assay doctor to see what uses that port.");
}

/** Addresses that other machines can reach. */
function openTo(listens: readonly ListenAddress[]): readonly ListenAddress[] {
  return listens.filter(({ host }) => !isLoopback(host));
}
