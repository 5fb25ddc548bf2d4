import { type Fact, known, unknown } from "../../../../src/analyzer/checks/fact.ts";
import type { History, KnownFacts } from "../../../../src/analyzer/checks/facts.ts";
import { inferParked } from "../../../../src/analyzer/checks/infer-parked.ts";
import { parkedDomain } from "../../../../src/analyzer/checks/infrastructure/parked-domain.ts";
import { createZoneDns, type Zone } from "../../../../src/analyzer/dns/zone.ts";
import { gatherDmarc } from "../../../../src/analyzer/facts/dmarc.ts";
import { gatherMx } from "../../../../src/analyzer/facts/mx.ts";
import { gatherSpfRecord } from "../../../../src/analyzer/facts/spf-record.ts";
import { publishedOf } from "../authentication/dkim-facts.ts";
import { testCheck } from "../test-check.ts";

const domain = "a.example";
const unused: History = { sameMessageId: 0, selectorsSeen: [], keyFirstSeen: null };
const nullMx = [{ preference: 0, exchange: "." }];
const rejecting: Zone = { "_dmarc.a.example": { TXT: ["v=DMARC1; p=reject"] } };

type Knowing = { readonly history?: Fact<History>; readonly dkimKeys?: KnownFacts["dkimKeys"] };

/** `own`: what stands at the domain itself. */
async function given(own: Zone[string] | null, others: Zone = {}, knowing: Knowing = {}) {
  const dns = createZoneDns({ ...(own === null ? {} : { [domain]: own }), ...others });
  const [spfRecord, dmarc, mx] = await Promise.all([
    gatherSpfRecord(domain, dns),
    gatherDmarc(domain, dns),
    gatherMx([{ domain, depth: "hosts" }], dns),
  ]);
  if (!spfRecord.known || !dmarc.known) throw new Error("The zone does not answer.");
  const { history = known(unused), dkimKeys = known([]) } = knowing;
  const parked = inferParked(domain, { spfRecord, mx: known(mx), history, dkimKeys });
  const told = { spfRecord: spfRecord.value, dmarc: dmarc.value };
  return parked.known ? { facts: { ...told, parked: parked.value } } : { facts: told, unknown: { parked: parked.why } };
}

const website = { A: ["203.0.113.80"] };
const locked = await given({ ...website, MX: nullMx, TXT: ["v=spf1 -all"] }, rejecting);

testCheck(parkedDomain, [
  {
    when: "passes a domain whose records forbid mail",
    ...locked,
    says: "a.example sends no mail, and its SPF and DMARC records say so.",
  },
  { when: "passes a domain without a null MX too", ...(await given({ ...website, TXT: ["v=spf1 -all"] }, rejecting)) },
  {
    when: "reports a null MX without a DMARC policy",
    ...(await given({ ...website, MX: nullMx, TXT: ["v=spf1 -all"] })),
    finds: ["unprotected"],
    fix: "Publish a DMARC record for a.example that rejects all mail: `v=DMARC1; p=reject`.",
  },
  {
    when: "reports a DMARC policy without SPF",
    ...(await given(website, rejecting)),
    finds: ["unprotected"],
    fix: "Publish an SPF record for a.example that allows no senders: `v=spf1 -all`.",
  },
  {
    when: "reports SPF with ~all",
    ...(await given({ MX: nullMx, TXT: ["v=spf1 ~all"] }, rejecting)),
    finds: ["unprotected"],
  },
  {
    when: "judges the domain's own records even if it is unknown whether it sends",
    ...(await given({ ...website, TXT: ["v=spf1 -all"] }, {}, { history: unknown("off") })),
    finds: ["unprotected"],
  },
  {
    when: "is skipped if neither the domain nor a user says that it sends nothing",
    ...(await given(website, {}, { history: unknown("off") })),
    outcome: "skipped",
  },
  {
    when: "does not apply to a domain that was seen sending",
    ...(await given(website, {}, { history: known({ ...unused, selectorsSeen: ["s1"] }) })),
    outcome: "not-applicable",
  },
  {
    when: "does not apply to a domain with senders in SPF",
    ...(await given({ MX: nullMx, TXT: ["v=spf1 include:_spf.b.example -all"] })),
    outcome: "not-applicable",
  },
  {
    when: "does not apply to a domain that receives mail",
    ...(await given({ MX: [{ preference: 10, exchange: "mx.a.example" }] })),
    outcome: "not-applicable",
  },
  { when: "does not apply to a domain that does not exist", ...(await given(null)), outcome: "not-applicable" },
  {
    when: "is skipped while DNS does not answer",
    ...(await given({ ...website, MX: "timeout", TXT: ["v=spf1 -all"] }, rejecting)),
    outcome: "skipped",
  },
  {
    when: "does not apply to a domain with a DKIM key",
    ...(await given(website, {}, { dkimKeys: known([publishedOf()]) })),
    outcome: "not-applicable",
  },
  {
    when: "does not apply to a domain with a broken SPF record for senders",
    ...(await given({ ...website, TXT: ["v=spf1include:_spf.b.example -all"] })),
    outcome: "not-applicable",
  },
]);
