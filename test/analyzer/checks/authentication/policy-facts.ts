// Facts about policies as a zone gives them, and the kind of a message made by hand.

import type { Arc, Dmarc } from "../../../../src/analyzer/checks/authentication-facts.ts";
import { known } from "../../../../src/analyzer/checks/fact.ts";
import type { Facts } from "../../../../src/analyzer/checks/facts.ts";
import type { Forwarded, KindFact } from "../../../../src/analyzer/checks/kind.ts";
import { createZoneDns, type Zone } from "../../../../src/analyzer/dns/zone.ts";
import { gatherBimi, gatherDomainBimi } from "../../../../src/analyzer/facts/bimi.ts";
import { gatherDmarc } from "../../../../src/analyzer/facts/dmarc.ts";
import { type Given, judgeMessage, type Policies, readProofs, signature, toZone } from "../../facts/dmarc-world.ts";
import { sureKind } from "../sure-kind.ts";

export const notForwarded: Forwarded = { is: false, verified: false, by: null, first: null, reasons: [] };

export function kindOf(rest: Partial<KindFact> = {}): KindFact {
  return {
    ...sureKind("transactional"),
    overridden: false,
    forwarded: known(notForwarded),
    mailingList: false,
    esp: null,
    ...rest,
  };
}

/** A chain that verifies, and what its first stop found. */
export function forwardedBy(by: string, dmarc: string | null): KindFact {
  const first = { spf: "pass", dkim: "pass", dmarc };
  return kindOf({ forwarded: known({ is: true, verified: true, by, first, reasons: ["An ARC chain verifies."] }) });
}

/** Records as `toZone` reads them; the domain itself exists where it has other records in `rest`. */
export async function dmarcOf(domain: string, policies: Policies = {}, rest: Zone = {}): Promise<Dmarc> {
  const fact = await gatherDmarc(
    domain,
    createZoneDns({ [domain]: { A: ["192.0.2.1"] }, ...toZone(policies), ...rest }),
  );
  if (!fact.known) throw new Error(`unknown: ${fact.why}`);
  return fact.value;
}

/** A message from `from` with `proofs` ("spf=pass a.example; dkim=pass b.example"), all facts of DMARC. */
export async function judged(
  from: string,
  proofs: string,
  policies: Policies = {},
): Promise<Pick<Facts, "spf" | "dkim" | "dmarc" | "dmarcResult">> {
  const given = readProofs(proofs);
  const verdict = await judgeMessage({ from, ...given }, createZoneDns(toZone(policies, [from])));
  const { dmarc, dmarcResult, dkim } = verdict;
  if (!dmarc.known || !dmarcResult.known || !given.spf?.known) throw new Error("unknown");
  return { spf: given.spf.value, dkim, dmarc: dmarc.value, dmarcResult: dmarcResult.value };
}

export async function bimiOf(from: string, policies: Policies, rest: Zone, given: Given = {}) {
  const dns = createZoneDns({ ...toZone(policies), ...rest });
  const verdict = await judgeMessage({ from, signatures: [signature("pass", from)], ...given }, dns);
  const bimi = await gatherBimi(verdict, dns);
  if (!bimi.known || !verdict.dmarc.known) throw new Error("unknown");
  return { bimi: bimi.value, dmarc: verdict.dmarc.value };
}

export async function domainBimiOf(domain: string, policies: Policies, rest: Zone) {
  const dns = createZoneDns({ ...toZone(policies), ...rest });
  const dmarc = await gatherDmarc(domain, dns);
  if (!dmarc.known) throw new Error("unknown");
  const bimi = await gatherDomainBimi(dmarc.value, dns);
  if (!bimi.known) throw new Error("unknown");
  return { bimi: bimi.value, dmarc: dmarc.value };
}

export function arcOf(rest: Partial<Arc> = {}): Arc {
  return {
    present: true,
    result: "pass",
    instances: 1,
    sealers: [{ instance: 1, domain: "lists.example", selector: "s1" }],
    failure: null,
    firstResults: "lists.example; dmarc=pass",
    ...rest,
  };
}
