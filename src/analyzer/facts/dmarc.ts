// The DMARC policy that covers a domain (RFC 9989 §4.10), with its errors and where its reports go. Not mailauth's,
// because verdicts need the evidence: each name of the tree walk with its records, their errors, records that cancel
// each other, and missing answers.

import type { Dmarc, DmarcReportTarget } from "../checks/authentication-facts.ts";
import { type Fact, known, unknown, whyUnknown } from "../checks/fact.ts";
import { type Dns, isWithin, textsOf, toQuestionName } from "../dns/answer.ts";
import {
  type DmarcPolicies,
  type DmarcPolicy,
  type DmarcTags,
  isDmarcRecord,
  milder,
  strength,
  toReportHost,
} from "../dns/dmarc.ts";
import { toStorableCut } from "../mail/text/bounds.ts";
import { type AppliedStep, chooseStep, type DmarcStep, gatherOrgDomain, toOrgDomain, walkTree } from "./dmarc-walk.ts";

/** Real records have a few hundred characters. Longer ones are cut. */
const maxShownLength = 4_000;
const maxShownRecords = 10;

/** `domain` is in A-labels. Unknown if DNS leaves open which record applies. */
export async function gatherDmarc(domain: string, dns: Dns): Promise<Fact<Dmarc>> {
  const [walk, exists] = await Promise.all([walkTree(domain, dns), gatherExistence(domain, dns)]);
  const chosen = chooseStep(domain, walk);
  if (!chosen.known) return chosen;
  const applied = chosen.value;
  const orgDomain = toOrgDomain(domain, walk);
  const [policy, apexRecord] = await Promise.all([
    applied && readPolicy(domain, applied, orgDomain, exists, dns),
    applied ? null : gatherApexRecord(domain, dns),
  ]);
  const { record, policyFaults, ...facts } = policy ?? noPolicy;
  const { recordsAt, records, faults } = readDeciding(walk.steps, applied);
  return known({
    domain,
    name: `_dmarc.${domain}`,
    orgDomain,
    recordsAt,
    records,
    record,
    ...facts,
    faults: [...faults, ...policyFaults],
    isSubdomain: orgDomain.known && orgDomain.value !== domain,
    exists,
    apexRecord,
    spfInPlace: showAny(walk.steps[0]?.spf),
    walk: walk.steps.map((step) => ({ name: `_dmarc.${step.domain}`, record: showAny(step.record?.text) })),
  });
}

type Policy = Pick<Dmarc, "foundAt" | "record" | "tags" | "policy" | "effective" | "reportTargets"> & {
  readonly policyFaults: Dmarc["faults"];
};

const noPolicy: Policy = {
  foundAt: null,
  record: null,
  tags: null,
  policyFaults: [],
  policy: null,
  effective: null,
  reportTargets: [],
};

async function readPolicy(
  domain: string,
  { domain: foundAt, record }: AppliedStep,
  orgDomain: Fact<string>,
  exists: Fact<boolean>,
  dns: Dns,
): Promise<Policy> {
  const { text, tags, faults, policies } = record;
  const policy = policies && choosePolicy(policies, foundAt === domain, exists);
  return {
    foundAt,
    record: show(text),
    tags,
    policyFaults: faults,
    policy,
    effective: policy !== null && tags.t ? milder[policy] : policy,
    reportTargets: await gatherReportTargets(foundAt, toOwner(foundAt, orgDomain), tags, dns),
  };
}

/** The organization that a record belongs to. A record above the organizational domain belongs to a registry. */
function toOwner(foundAt: string, orgDomain: Fact<string>): Fact<string> {
  return orgDomain.known && !isWithin(foundAt, orgDomain.value) ? known(foundAt) : orgDomain;
}

/** §4.10.1: p of the domain's own record. From a parent's record sp, or np if the domain does not exist. */
function choosePolicy({ p, sp, np }: DmarcPolicies, isOwn: boolean, exists: Fact<boolean>): DmarcPolicy {
  if (isOwn) return p;
  if (exists.known) return exists.value ? sp : np;
  return strength[sp] < strength[np] ? sp : np;
}

/** If anything at the domain's own name was meant as DMARC, it decides, because that is what has to be fixed. */
function readDeciding(
  steps: readonly DmarcStep[],
  applied: DmarcStep | null,
): Pick<Dmarc, "recordsAt" | "records" | "faults"> {
  const isMeant = ({ texts, faults }: DmarcStep) => texts.length > 0 || faults.length > 0;
  const deciding = steps.slice(0, 1).find(isMeant) ?? applied ?? steps.find(isMeant);
  if (!deciding) return { recordsAt: null, records: [], faults: [] };
  const records = deciding.texts.slice(0, maxShownRecords).map(show);
  return { recordsAt: deciding.domain, records, faults: deciding.faults };
}

/**
 * §3.2.13: only NXDOMAIN means that a name does not exist. Resolvers also return it for a CNAME to a missing name (RFC
 * 6604 §3), so the CNAME is looked up as well.
 */
async function gatherExistence(domain: string, dns: Dns): Promise<Fact<boolean>> {
  for (const type of ["A", "CNAME"] as const) {
    const answer = await dns.query(domain, type);
    const why = whyUnknown(answer);
    if (why !== undefined) return unknown(why);
    if (answer.status !== "nxdomain") return known(true);
  }
  return known(false);
}

/**
 * A DMARC record at the domain itself, where receivers do not look. Looked up only if there is none at the right name.
 */
async function gatherApexRecord(domain: string, dns: Dns): Promise<string | null> {
  const texts = textsOf(await dns.query(domain, "TXT"));
  const misplaced = texts.find((text) => isDmarcRecord(text) || /^\W*v(?=\W*=)\W+dmarc/i.test(text.slice(0, 50)));
  return misplaced === undefined ? null : show(misplaced);
}

function showAny(text: string | null | undefined): string | null {
  return text === null || text === undefined ? null : show(text);
}

function show(text: string): string {
  return toStorableCut(text, maxShownLength);
}

// Where a policy's reports would go: whether the host has agreed to receive them (RFC 9990 §4) and accepts mail at all.

/** Each costs up to four queries, and reporters send to the first two addresses of a list. */
const maxHosts = 5;
const maxShownUri = 300;

type HostFacts = Pick<DmarcReportTarget, "external" | "authorised" | "receivesMail">;

async function gatherReportTargets(
  policyDomain: string,
  orgDomain: Fact<string>,
  tags: DmarcTags,
  dns: Dns,
): Promise<DmarcReportTarget[]> {
  const lists = ["rua", "ruf"] as const;
  const targets = lists.flatMap((list) => tags[list].map((uri) => ({ uri, list, host: toReportHost(uri) })));
  const hosts = [...new Set(targets.flatMap(({ uri, host }) => (host && isMail(uri) ? [host] : [])))];
  const asked = new Map(
    await Promise.all(
      hosts.slice(0, maxHosts).map(async (host) => [host, await askHost(host, policyDomain, orgDomain, dns)] as const),
    ),
  );
  return targets.map(({ uri, list, host }) => ({
    uri: toStorableCut(uri, maxShownUri),
    list,
    host,
    ...((host !== null && isMail(uri) && asked.get(host)) || notAsked(host !== null && isMail(uri))),
  }));
}

function isMail(uri: string): boolean {
  return /^mailto:/i.test(uri);
}

/** Above the limit, or not a valid report address. */
function notAsked(isBound: boolean): HostFacts {
  const why = unknown(isBound ? "budget" : "off");
  return { external: false, authorised: why, receivesMail: why };
}

async function askHost(host: string, policyDomain: string, orgDomain: Fact<string>, dns: Dns): Promise<HostFacts> {
  const [isInside, receivesMail] = await Promise.all([
    isSameOrganisation(host, policyDomain, orgDomain, dns),
    gatherReceivesMail(host, dns),
  ]);
  if (!isInside.known) return { external: false, authorised: isInside, receivesMail };
  const authorised = isInside.value ? known(true) : await gatherConsent(host, policyDomain, dns);
  return { external: !isInside.value, authorised, receivesMail };
}

/** An organizational domain is the name itself or a parent of it, so a host outside the domain needs no tree walk. */
async function isSameOrganisation(
  host: string,
  policyDomain: string,
  orgDomain: Fact<string>,
  dns: Dns,
): Promise<Fact<boolean>> {
  if (host === policyDomain) return known(true);
  if (!orgDomain.known) return orgDomain;
  if (host === orgDomain.value) return known(true);
  if (!isWithin(host, orgDomain.value)) return known(false);
  const org = await gatherOrgDomain(host, dns);
  return org.known ? known(org.value === orgDomain.value) : org;
}

async function gatherConsent(host: string, policyDomain: string, dns: Dns): Promise<Fact<boolean>> {
  const name = `${policyDomain}._report._dmarc.${host}`;
  if (toQuestionName(name) === null) return known(false);
  const answer = await dns.query(name, "TXT");
  const why = whyUnknown(answer);
  if (why !== undefined) return unknown(why);
  return known(textsOf(answer).some(isDmarcRecord));
}

/** RFC 5321 §5.1: an MX, or else an address. RFC 7505: an MX of "." rejects all mail. */
async function gatherReceivesMail(host: string, dns: Dns): Promise<Fact<boolean>> {
  const mx = await dns.query(host, "MX");
  const why = whyUnknown(mx);
  if (why !== undefined) return unknown(why);
  const exchanges = mx.records.flatMap((record) => (record.type === "MX" ? [record.exchange] : []));
  if (exchanges.length > 0) return known(exchanges.some((exchange) => exchange !== "." && exchange !== ""));
  const answers = await Promise.all([dns.query(host, "A"), dns.query(host, "AAAA")]);
  if (answers.some(({ records }) => records.length > 0)) return known(true);
  const trouble = answers.map(whyUnknown).find((reason) => reason !== undefined);
  return trouble === undefined ? known(false) : unknown(trouble);
}
