// What a domain that sends no mail should publish: that nobody sends for it, that what is forged goes away, that no key
// is its own, and that it takes none (RFC 7505; RFC 7208 §10.1.2; M3AAWG, Protecting Parked Domains).

import { rewriteDmarc } from "../checks/authentication/dmarc-text.ts";
import { isDmarcRecord, parseDmarcRecord } from "../dns/dmarc.ts";
import { isNearMiss, isSpfRecord } from "../dns/spf.ts";
import { mend } from "./publish-dmarc.ts";
import { type Evidence, findAnswer, type Row, textsAt, toTextRow } from "./publishable.ts";

export function publishParked(evidence: Evidence): Row[] {
  const { domain, facts } = evidence;
  const rows = [
    publishNullMx(evidence),
    facts.spfRecord.known ? publishNoSenders(evidence) : null,
    facts.dmarc.known ? publishRejection(evidence) : null,
    toTextRow(evidence, {
      name: `*._domainkey.${domain}`,
      value: "v=DKIM1; p=",
      present: findRevocation(evidence),
      why: "Every key of the domain is revoked.",
    }),
  ];
  return rows.filter((row) => row !== null);
}

function publishNullMx(evidence: Evidence): Row | null {
  const { domain } = evidence;
  const answer = findAnswer(evidence, domain, "MX");
  if (answer === undefined) return null;
  const status = answer.records.length === 0 ? "missing" : "present";
  return { name: domain, type: "MX", value: "0 .", status, why: "The domain takes no mail." };
}

function publishNoSenders(evidence: Evidence): Row {
  const { domain } = evidence;
  const present = textsAt(evidence, domain).filter((text) => isSpfRecord(text) || isNearMiss(text));
  return toTextRow(evidence, {
    name: domain,
    value: "v=spf1 -all",
    present,
    why: "Nobody sends for the domain.",
  });
}

function publishRejection(evidence: Evidence): Row {
  const name = `_dmarc.${evidence.domain}`;
  const present = textsAt(evidence, name).filter(isDmarcRecord);
  const [only] = present.length === 1 ? present : [];
  const mended = only === undefined ? "v=DMARC1" : mend(only, evidence.domain, false);
  const isStrict = only === mended && isRejecting(mended);
  const value = isStrict ? mended : rewriteDmarc(mended, { set: { p: "reject" }, remove: ["sp", "np", "t"] });
  return toTextRow(evidence, {
    name,
    value,
    present,
    why: "Mail in the domain's name is forged: it is to be refused.",
  });
}

function isRejecting(record: string): boolean {
  const { tags, policies } = parseDmarcRecord(record);
  return (
    tags?.t === false && policies !== null && Object.values(policies).every((policy) => policy === "reject")
  );
}

/** A wildcard shows in what answers under a name that nobody can have published. */
function findRevocation({ domain, facts: { zone } }: Evidence): string[] {
  const rows = zone.known ? zone.value.wildcards : [];
  return rows.flatMap(({ of, fact }) =>
    of.endsWith(`._domainkey.${domain}`) && fact.known && fact.value !== null ? [fact.value] : [],
  );
}
