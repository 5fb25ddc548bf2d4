// The same messages through mailauth in strict mode, an independent implementation of the same RFC.

import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { createZoneDns, type Zone } from "../../../src/analyzer/dns/zone.ts";
import { toResolve } from "../../platform/system/dns-resolve.ts";
import { judgeMessage, readProofs, toZone } from "./dmarc-world.ts";

type Peer = { readonly status: { readonly result: string }; readonly policy?: string };
const { dmarc } = createRequire(import.meta.url)("mailauth/lib/dmarc") as {
  dmarc: (message: Record<string, unknown>) => Promise<Peer | false>;
};

/** Small numbers from a seed, so that each run has the same messages. */
function createDice(seed: number) {
  let state = seed;
  return <T>(choices: readonly T[]): T => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return choices[Math.floor((state / 2 ** 32) * choices.length)] as T;
  };
}

const domains = [
  "a.example",
  "n.a.example",
  "m.a.example",
  "x.n.a.example",
  "b.example",
  "example",
  "q.r.s.t.u.v.n.a.example",
];
const records = [
  "p=none",
  "p=reject",
  "p=quarantine; sp=none",
  "p=none; np=reject",
  "p=reject; adkim=s",
  "p=reject; aspf=s",
  "p=none; psd=n",
  "p=reject; psd=y",
  "p=reject; t=y",
  "p=wrong",
  "p=wrong; rua=mailto:d@a.example",
  "p=none; p=none",
  "p=none; sp=x",
  "sp=reject; rua=mailto:x!5m",
  "adkim=s; p=reject; aspf=s; psd=u",
  "=v=dmarc1; p=none",
  "timeout",
];
const results = ["pass", "fail", "pass", "none"];

test("mailauth in strict mode gives the same verdict and policy for many messages", async () => {
  const choose = createDice(9989);
  const apart: string[] = [];
  for (let count = 0; count < 3_000; count++) {
    const policies = Object.fromEntries([0, 1, 2].map(() => [choose(domains), choose(records)]));
    const from = choose(domains);
    const [spfDomain, dkimDomain] = [choose(domains), choose(domains)];
    const [spfResult, dkimResult] = [choose(results), choose(results)];
    const proofs = `spf=${spfResult} ${spfDomain}; dkim=${dkimResult === "none" ? "neutral" : dkimResult} ${dkimDomain}`;
    const zone = toZone(policies, choose([true, false]) ? [from] : []);
    const ours = await judgeOurs(from, proofs, zone);
    const passing = (result: string | undefined, domain: string | undefined) =>
      result === "pass" && domain ? [{ domain }] : [];
    const theirs = await judgeTheirs(from, passing(spfResult, spfDomain), passing(dkimResult, dkimDomain), zone);
    if (ours !== theirs) apart.push(`${from} ${JSON.stringify(policies)} ${proofs}: ours ${ours}, theirs ${theirs}`);
  }
  expect(apart).toEqual([]);
});

async function judgeOurs(from: string, proofs: string, zone: Zone): Promise<string> {
  const { dmarc: policy, dmarcResult } = await judgeMessage({ from, ...readProofs(proofs) }, createZoneDns(zone));
  const word = dmarcResult.known ? dmarcResult.value.result : "unknown";
  return word === "pass" || word === "fail" ? `${word} ${policy.known && policy.value.effective}` : word;
}

async function judgeTheirs(from: string, spfDomains: unknown, dkimDomains: unknown, zone: Zone): Promise<string> {
  const resolver = toResolve(createZoneDns(zone));
  const given = { headerFrom: [`ann@${from}`], fromFields: 1, spfDomains, dkimDomains };
  const verdict = await dmarc({ ...given, resolver, strict: true });
  if (!verdict) return "none";
  const { result } = verdict.status;
  return result === "pass" || result === "fail" ? `${result} ${verdict.policy}` : result;
}
