// Where a policy's reports would go: whether the host has agreed to receive them (RFC 9990 §4) and accepts mail at all.

import type { DmarcReportTarget } from "../checks/authentication-facts.ts";
import { type Fact, known, unknown, whyUnknown } from "../checks/fact.ts";
import { type Dns, isWithin, textsOf, toQuestionName } from "../dns/answer.ts";
import { type DmarcTags, isDmarcRecord } from "../dns/dmarc.ts";
import { toReportHost } from "../dns/dmarc-uri.ts";
import { toStorableCut } from "../mail/text/bounds.ts";
import { gatherOrgDomain } from "./dmarc-walk.ts";

/** Each costs up to four queries, and reporters send to the first two addresses of a list. */
const maxHosts = 5;
const maxShownLength = 300;

type HostFacts = Pick<DmarcReportTarget, "external" | "authorised" | "receivesMail">;

export async function gatherReportTargets(
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
      hosts
        .slice(0, maxHosts)
        .map(async (host) => [host, await askHost(host, policyDomain, orgDomain, dns)] as const),
    ),
  );
  return targets.map(({ uri, list, host }) => ({
    uri: toStorableCut(uri, maxShownLength),
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

async function askHost(
  host: string,
  policyDomain: string,
  orgDomain: Fact<string>,
  dns: Dns,
): Promise<HostFacts> {
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
