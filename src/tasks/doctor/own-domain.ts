// A domain that somebody wants to receive mail at: what is to be published for it and to be set here, and how much of that
// is in place. DNS is asked about that name and the servers it names; the one door that is knocked at is this machine's.

import { isPublicAddress } from "../../addresses.ts";
import type { Dns } from "../../dns/answer.ts";
import type { ListenAddress } from "../../setting-kinds.ts";
import { examineReverseNames } from "./dns.ts";
import {
  type Addresses,
  type Exchangers,
  findAddresses,
  findExchangers,
  includesAny,
  isKnown,
  localOnly,
} from "./exchangers.ts";
import { toReachable } from "./ports.ts";
import { createHeading, type DoctorRow, type Patient } from "./row.ts";

type WantedRecord = {
  readonly type: "MX" | "A" | "AAAA";
  readonly name: string;
  /** Null: the address is a public one that this machine does not know of. */
  readonly value: string | null;
};

type WantedSetting = { readonly name: string; readonly value: string; readonly isSet: boolean };

export type DomainLook = {
  readonly domain: string;
  readonly records: readonly WantedRecord[];
  readonly settings: readonly WantedSetting[];
  readonly rows: readonly DoctorRow[];
  /** DNS says all that it is to say, as far as that can be told from here. */
  readonly isPublished: boolean;
};

const everywhere = "0.0.0.0:25,[::]:25";
const loopback = /^(127\.|::1$|localhost$)/;

export async function lookAtDomain(domain: string, patient: Patient): Promise<DomainLook> {
  const host = toPublishedName(domain, patient.hostName);
  const dns = askInTurn(patient);
  const asking = { ...patient, hostName: host, system: { ...patient.system, dns } };
  const exchangers = await findExchangers(domain, dns);
  // Where another name of this machine stands, its address is what counts.
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
    rows: [...rows, ...(await examineReverseNames(asking))],
    isPublished: mx.state === "green" && address.state !== "red" && named.addresses.length > 0,
  };
}

/** A machine's own name is often known to itself alone. */
function toPublishedName(domain: string, hostName: string): string {
  return hostName.includes(".") && !localOnly.test(hostName) ? hostName : `mx.${domain}`;
}

/** Each time anew, because a record that was published a moment ago must show: the clients of the probes remember nothing. */
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

function toRecords(domain: string, host: string, patient: Patient): readonly WantedRecord[] {
  const own = publicOf(patient).map((address) => ({
    type: address.includes(":") ? ("AAAA" as const) : ("A" as const),
    name: host,
    value: address,
  }));
  const addresses = own.length > 0 ? own : [{ type: "A" as const, name: host, value: null }];
  return [{ type: "MX", name: domain, value: `10 ${host}.` }, ...addresses];
}

function toSettings(domain: string, host: string, { config }: Patient): readonly WantedSetting[] {
  const { seedDomains, smtpHostname } = config;
  const isTaken = seedDomains.includes(domain);
  // The others keep taking mail; the first is the one of new seed addresses.
  const domains = isTaken ? seedDomains : [domain, ...seedDomains];
  const listens = openTo(config.smtpListen);
  return [
    { name: "ASSAY_SEED_DOMAINS", value: domains.join(","), isSet: isTaken },
    { name: "ASSAY_SMTP_HOSTNAME", value: host, isSet: smtpHostname === host },
    { name: "ASSAY_SMTP_LISTEN", value: everywhere, isSet: listens.some(({ port }) => port === 25) },
  ];
}

function exchangerRow(
  domain: string,
  host: string,
  { status, isNullMx, found }: Exchangers,
  isSelfKnown: boolean,
): DoctorRow {
  const heading = createHeading("mx", "MX record");
  if (!isKnown({ status })) return heading.grey(`DNS gave no answer for ${domain} (${status}).`);
  const publish = "Publish the MX record.";
  if (isNullMx) return heading.red(`${domain} says that it takes no mail (a null MX).`, publish);
  const [preferred, ...others] = found.map(({ name }) => name);
  if (preferred === undefined) return heading.red(`${domain} has no MX record yet.`, publish);
  const all = [preferred, ...others].join(", ");
  const instead = "Publish the MX record in place of what is there.";
  if (preferred === host)
    return others.length === 0
      ? heading.green(`${domain} names ${host}.`)
      : heading.green(`${domain} names ${host} first. When it does not answer, others take mail: ${all}.`);
  const trouble = found[0]?.trouble ?? null;
  if (trouble !== null)
    return heading.grey(
      `${domain} names ${all}. Whether that is this machine cannot be told: DNS gave no answer for ${preferred} (${trouble}).`,
    );
  if (others.includes(host))
    return heading.red(`${domain} names ${all}: mail goes to ${preferred} first.`, instead);
  if (isSelfKnown) return heading.red(`${domain} names ${all}, and not ${host}.`, instead);
  return heading.grey(
    `${domain} names ${all}. Whether that is this machine cannot be told: it has only private addresses.`,
    `If it is, set ASSAY_SMTP_HOSTNAME=${preferred}; if not: ${instead}`,
  );
}

function addressRow(host: string, { addresses, trouble }: Addresses, patient: Patient): DoctorRow {
  const heading = createHeading("address", `Address of ${host}`);
  if (trouble !== null) return heading.grey(`DNS gave no answer for ${host} (${trouble}).`);
  if (addresses.length === 0) return heading.red(`${host} has no address yet.`, "Publish its address.");
  const named = `${host} is ${addresses.join(", ")}`;
  if (includesAny(patient.probes.ownAddresses, addresses)) return heading.green(`${named}: this machine.`);
  const own = publicOf(patient);
  if (own.length > 0)
    return heading.red(
      `${named}, and this machine is ${own.join(", ")}.`,
      "Publish the address in place of what is there.",
    );
  return heading.grey(
    `${named}. Whether that leads here cannot be told: this machine has only private addresses.`,
    "See that port 25 of that address is passed on to this machine.",
  );
}

function seedDomainRow(domain: string, { config }: Patient): DoctorRow {
  const heading = createHeading("seed-domain", "Taken by Assay");
  return config.seedDomains.includes(domain)
    ? heading.green(`Assay takes mail for ${domain}.`)
    : heading.red(
        `Assay refuses mail for ${domain} as things stand.`,
        "Set ASSAY_SEED_DOMAINS and start Assay again.",
      );
}

async function portRow(patient: Patient): Promise<DoctorRow> {
  const heading = createHeading("port-25", "Port 25");
  const { smtpListen } = patient.config;
  const listens = openTo(smtpListen);
  const where = smtpListen.map(({ host, port }) => `${host} port ${port}`).join(", ");
  const set = `Set ASSAY_SMTP_LISTEN=${everywhere} and start Assay again.`;
  if (listens.length === 0)
    return heading.red(`Assay listens at ${where}, which no other machine reaches.`, set);
  const on25 = listens.find(({ port }) => port === 25);
  if (on25 === undefined)
    return heading.grey(
      `Assay listens at ${where}, and other servers deliver to port 25.`,
      `Have port 25 passed on to it, or: ${set}`,
    );
  const host = publicOf(patient)[0] ?? toReachable(on25.host);
  const heard = await patient.probes.knock({ host, port: 25 });
  return heard.state === "answered" && /^220[ -].*\bAssay\b/.test(heard.firstLine)
    ? heading.green(
        `Assay answers at ${host} port 25. Whether a firewall before this machine lets others in, the first message will tell.`,
      )
    : heading.red(
        `Assay does not answer at ${host} port 25.`,
        "See what holds that port: assay doctor tells it.",
      );
}

/** Those that another machine can reach. */
function openTo(listens: readonly ListenAddress[]): readonly ListenAddress[] {
  return listens.filter(({ host }) => !loopback.test(host));
}
