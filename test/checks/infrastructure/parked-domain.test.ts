import type { Facts } from "../../../src/checks/facts.ts";
import { parkedDomain } from "../../../src/checks/infrastructure/parked-domain.ts";
import { gatherDmarc } from "../../../src/facts/dmarc.ts";
import { gatherMx } from "../../../src/facts/mx.ts";
import { gatherSpfRecord } from "../../../src/facts/spf-record.ts";
import { createZoneDns, type Zone } from "../../../src/system/zone.ts";
import { testCheck } from "../test-check.ts";
import { silentRow } from "./facts.ts";

const domain = "a.example";
const unused: Facts["history"] = { sameMessageId: 0, selectorsSeen: [], keyFirstSeen: null };
const nullMx = [{ preference: 0, exchange: "." }];
const rejecting: Zone = { "_dmarc.a.example": { TXT: ["v=DMARC1; p=reject"] } };

/** `own`: what stands at the domain itself. */
async function given(own: Zone[string] | null, others: Zone = {}) {
  const dns = createZoneDns({ ...(own === null ? {} : { [domain]: own }), ...others });
  const [spfRecord, dmarc, mx] = await Promise.all([
    gatherSpfRecord(domain, dns),
    gatherDmarc(domain, dns),
    gatherMx([{ domain, depth: "hosts" }], dns),
  ]);
  if (!spfRecord.known || !dmarc.known) throw new Error("The zone does not answer.");
  return { spfRecord: spfRecord.value, dmarc: dmarc.value, mx, history: unused };
}

const website = { A: ["203.0.113.80"] };
const locked = await given({ ...website, MX: nullMx, TXT: ["v=spf1 -all"] }, rejecting);

testCheck(parkedDomain, [
  {
    when: "passes a domain that forbids mail in its name",
    facts: locked,
    says: "a.example sends no mail, and says so.",
  },
  {
    when: "passes one without the null MX too",
    facts: await given({ ...website, TXT: ["v=spf1 -all"] }, rejecting),
  },
  {
    when: "tells of a null MX without a policy",
    facts: await given({ ...website, MX: nullMx, TXT: ["v=spf1 -all"] }),
    finds: ["unprotected"],
    fix: "Publish `a.example` TXT `v=spf1 -all` and `_dmarc.a.example` TXT `v=DMARC1; p=reject`.",
  },
  {
    when: "tells of a policy without SPF",
    facts: await given(website, rejecting),
    finds: ["unprotected"],
  },
  {
    when: "tells of SPF that forbids softly",
    facts: await given({ MX: nullMx, TXT: ["v=spf1 ~all"] }, rejecting),
    finds: ["unprotected"],
  },
  {
    when: "judges what the domain says of itself, though nobody knows what was sent",
    facts: await given({ ...website, TXT: ["v=spf1 -all"] }),
    unknown: { history: "off" },
    finds: ["unprotected"],
  },
  {
    when: "is skipped where neither the domain nor anybody says that it sends nothing",
    facts: await given(website),
    unknown: { history: "off" },
    outcome: "skipped",
  },
  {
    when: "says nothing of a domain that was seen sending",
    facts: { ...(await given(website)), history: { ...unused, selectorsSeen: ["s1"] } },
    outcome: "not-applicable",
  },
  {
    when: "says nothing of a domain that names its senders",
    facts: await given({ MX: nullMx, TXT: ["v=spf1 include:_spf.b.example -all"] }),
    outcome: "not-applicable",
  },
  {
    when: "says nothing of a domain that takes mail",
    facts: await given({ MX: [{ preference: 10, exchange: "mx.a.example" }] }),
    outcome: "not-applicable",
  },
  {
    when: "says nothing of a domain that does not exist",
    facts: await given(null),
    outcome: "not-applicable",
  },
  {
    when: "is skipped while DNS does not answer",
    facts: { ...locked, mx: [silentRow(domain)] },
    outcome: "skipped",
  },
]);
