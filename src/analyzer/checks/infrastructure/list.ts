import { inArea } from "../check.ts";
import { allowlist } from "./allowlist.ts";
import { dane } from "./dane.ts";
import { deliveryDelay } from "./delivery-delay.ts";
import { dnsTtl } from "./dns-ttl.ts";
import { dnsWildcard } from "./dns-wildcard.ts";
import { dnssec } from "./dnssec.ts";
import { domainBlocklist } from "./domain-blocklist.ts";
import { envelopeDomain } from "./envelope-domain.ts";
import { fcrdns } from "./fcrdns.ts";
import { fromDomain } from "./from-domain.ts";
import { heloName } from "./helo-name.ts";
import { heloResolves } from "./helo-resolves.ts";
import { hopClocks } from "./hop-clocks.ts";
import { ipBlocklist } from "./ip-blocklist.ts";
import { mtaSts } from "./mta-sts.ts";
import { mxHosts } from "./mx-hosts.ts";
import { nameservers } from "./nameservers.ts";
import { parkedDomain } from "./parked-domain.ts";
import { ptrGeneric } from "./ptr-generic.ts";
import { ptrRecord } from "./ptr-record.ts";
import { receivedPath } from "./received-path.ts";
import { senderBlocklist } from "./sender-blocklist.ts";
import { smtpConduct } from "./smtp-conduct.ts";
import { sourceAddress } from "./source-address.ts";
import { tlsRpt } from "./tls-rpt.ts";
import { tlsUsed } from "./tls-used.ts";

export const infrastructureChecks = inArea("infrastructure", [
  sourceAddress,
  ptrRecord,
  fcrdns,
  ptrGeneric,
  heloName,
  heloResolves,
  tlsUsed,
  ipBlocklist,
  domainBlocklist,
  senderBlocklist,
  allowlist,
  fromDomain,
  envelopeDomain,
  mxHosts,
  mtaSts,
  tlsRpt,
  dane,
  dnssec,
  nameservers,
  dnsWildcard,
  dnsTtl,
  parkedDomain,
  receivedPath,
  deliveryDelay,
  hopClocks,
  smtpConduct,
]);
