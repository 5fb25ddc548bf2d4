import { describe, expect, test } from "vitest";
import { createZoneDns } from "../../../src/analyzer/dns/zone.ts";
import { judgeMessage, type Policies, readProofs, toZone } from "./dmarc-world.ts";

/**
 * The author's domain, the policies in DNS, the SPF and DKIM results, and the verdict with its policy (and the
 * effective one).
 */
type Row = readonly [from: string, policies: Policies, proofs: string, verdict: string];

const strict = "p=reject; adkim=s; aspf=s";

const alignment: readonly Row[] = [
  ["a.example", { "a.example": "p=reject" }, "spf=pass a.example", "pass reject"],
  ["a.example", { "a.example": "p=reject" }, "dkim=pass a.example", "pass reject"],
  ["a.example", { "a.example": "p=reject" }, "spf=pass a.example; dkim=pass a.example", "pass reject"],
  ["A.Example", { "a.example": "p=reject" }, "dkim=pass A.EXAMPLE", "pass reject"],
  ["a.example", { "a.example": "p=reject" }, "spf=pass bounce.a.example", "pass reject"],
  ["a.example", { "a.example": "p=reject" }, "dkim=pass mail.a.example", "pass reject"],
  ["news.a.example", { "a.example": "p=reject" }, "dkim=pass a.example", "pass reject"],
  ["news.a.example", { "a.example": "p=reject" }, "dkim=pass mail.a.example", "pass reject"],
  ["news.a.example", { "a.example": "p=reject" }, "spf=pass mail.a.example", "pass reject"],
  ["a.example", { "a.example": "p=reject" }, "spf=pass b.example", "fail reject"],
  ["a.example", { "a.example": "p=reject" }, "dkim=pass b.example", "fail reject"],
  ["a.example", { "a.example": "p=reject" }, "dkim=pass nota.example", "fail reject"],
  ["a.example", { "a.example": "p=reject" }, "dkim=pass a.example.b.example", "fail reject"],
  ["a.example", { "a.example": "p=reject" }, "dkim=pass example", "fail reject"],
  ["a.example", { "a.example": "p=reject" }, "dkim=pass b.example; dkim=pass a.example", "pass reject"],
  ["a.example", { "a.example": "p=reject" }, "dkim=fail a.example; dkim=pass a.example", "pass reject"],
  ["a.example", { "a.example": "p=reject" }, "dkim=fail a.example; spf=pass a.example", "pass reject"],
  ["a.example", { "a.example": "p=reject" }, "spf=fail a.example; dkim=pass a.example", "pass reject"],
  ["a.example", { "a.example": strict }, "spf=pass a.example", "pass reject"],
  ["a.example", { "a.example": strict }, "dkim=pass a.example", "pass reject"],
  ["a.example", { "a.example": strict }, "spf=pass bounce.a.example", "fail reject"],
  ["a.example", { "a.example": strict }, "dkim=pass mail.a.example", "fail reject"],
  ["news.a.example", { "a.example": strict }, "dkim=pass a.example", "fail reject"],
  ["news.a.example", { "a.example": strict }, "dkim=pass news.a.example", "pass reject"],
  ["a.example", { "a.example": "p=reject; adkim=s" }, "dkim=pass mail.a.example", "fail reject"],
  ["a.example", { "a.example": "p=reject; adkim=s" }, "spf=pass mail.a.example", "pass reject"],
  ["a.example", { "a.example": "p=reject; aspf=s" }, "spf=pass mail.a.example", "fail reject"],
  ["a.example", { "a.example": "p=reject; aspf=s" }, "dkim=pass mail.a.example", "pass reject"],
  ["a.example", { "a.example": "p=reject; adkim=S" }, "dkim=pass mail.a.example", "fail reject"],
  ["a.example", { "a.example": "p=reject; adkim=strict" }, "dkim=pass mail.a.example", "pass reject"],
  ["xn--mnchen-3ya.example", { "xn--mnchen-3ya.example": "p=none" }, "dkim=pass münchen.example", "pass none"],
];

const words: readonly Row[] = [
  ["a.example", { "a.example": "p=none" }, "spf=none", "fail none"],
  ["a.example", { "a.example": "p=none" }, "spf=fail a.example", "fail none"],
  ["a.example", { "a.example": "p=none" }, "spf=softfail a.example", "fail none"],
  ["a.example", { "a.example": "p=none" }, "spf=neutral a.example", "fail none"],
  ["a.example", { "a.example": "p=none" }, "spf=permerror a.example", "fail none"],
  ["a.example", { "a.example": "p=none" }, "spf=temperror a.example", "temperror none"],
  ["a.example", { "a.example": "p=none" }, "spf=temperror b.example", "fail none"],
  ["a.example", { "a.example": "p=none" }, "spf=temperror b.example; dkim=temperror b.example", "fail none"],
  ["a.example", { "a.example": "p=none" }, "spf=temperror a.example; dkim=pass a.example", "pass none"],
  ["a.example", { "a.example": "p=none" }, "dkim=neutral a.example", "fail none"],
  ["a.example", { "a.example": "p=none" }, "dkim=policy a.example", "fail none"],
  ["a.example", { "a.example": "p=none" }, "dkim=permerror a.example", "fail none"],
  ["a.example", { "a.example": "p=none" }, "dkim=temperror a.example", "temperror none"],
  ["a.example", { "a.example": strict }, "dkim=temperror mail.a.example", "fail reject"],
  ["a.example", { "a.example": "p=none" }, "dkim=temperror a.example; spf=pass a.example", "pass none"],
  ["a.example", { "a.example": "p=none" }, "spf=unknown", "unknown none"],
  ["a.example", { "a.example": "p=none" }, "spf=unknown; dkim=fail a.example", "unknown none"],
  ["a.example", { "a.example": "p=none" }, "spf=unknown; dkim=pass a.example", "pass none"],
  ["a.example", { "a.example": "p=none" }, "spf=unknown; dkim=pass b.example", "unknown none"],
  ["a.example", { "a.example": "p=none" }, "spf=unknown; dkim=temperror a.example", "temperror none"],
  ["a.example", {}, "spf=unknown", "none null"],
];

const policy: readonly Row[] = [
  ["a.example", { "a.example": "p=quarantine" }, "spf=none", "fail quarantine"],
  ["a.example", { "a.example": "p=REJECT" }, "spf=none", "fail reject"],
  ["a.example", { "a.example": "p=reject; sp=none" }, "spf=none", "fail reject"],
  ["sub.a.example", { "a.example": "p=reject; sp=none" }, "spf=none", "fail none"],
  ["sub.a.example", { "a.example": "p=none; sp=reject" }, "spf=none", "fail reject"],
  ["sub.a.example", { "a.example": "p=quarantine" }, "spf=none", "fail quarantine"],
  ["ghost.a.example", { "a.example": "p=none; sp=quarantine; np=reject" }, "spf=none", "fail reject"],
  ["sub.a.example", { "a.example": "p=none; sp=quarantine; np=reject" }, "spf=none", "fail quarantine"],
  ["ghost.a.example", { "a.example": "p=none; sp=quarantine" }, "spf=none", "fail quarantine"],
  ["ghost.a.example", { "a.example": "p=reject" }, "spf=none", "fail reject"],
  ["ghost.a.example", { "a.example": "p=reject; np=none" }, "spf=none", "fail none"],
  ["ghost.a.example", { "a.example": "p=none; np=reject" }, "dkim=pass a.example", "pass reject"],
  ["sub.a.example", { "sub.a.example": "p=none; sp=reject", "a.example": "p=reject" }, "spf=none", "fail none"],
  ["a.example", { "a.example": "p=reject; t=y" }, "spf=none", "fail reject>quarantine"],
  ["a.example", { "a.example": "p=quarantine; t=y" }, "spf=none", "fail quarantine>none"],
  ["a.example", { "a.example": "p=none; t=y" }, "spf=none", "fail none"],
  ["a.example", { "a.example": "p=reject; t=n" }, "spf=none", "fail reject"],
  ["sub.a.example", { "a.example": "p=none; sp=reject; t=y" }, "spf=none", "fail reject>quarantine"],
  ["ghost.a.example", { "a.example": "p=none; np=reject; t=Y" }, "spf=none", "fail reject>quarantine"],
  ["a.example", { "a.example": "p=reject; pct=0" }, "spf=none", "fail reject"],
  ["a.example", { "a.example": "sp=none; p=reject" }, "spf=none", "fail reject"],
];

const faults: readonly Row[] = [
  ["a.example", {}, "spf=pass a.example", "none null"],
  ["a.example", { "a.example": "" }, "spf=pass a.example", "none null"],
  ["a.example", { "a.example": "rua=mailto:d@a.example" }, "spf=none", "fail none"],
  ["a.example", { "a.example": "rua=mailto:d@a.example" }, "spf=pass a.example", "pass none"],
  ["a.example", { "a.example": "rua=d@a.example" }, "spf=pass a.example", "none null"],
  ["a.example", { "a.example": "rua=" }, "spf=pass a.example", "none null"],
  ["a.example", { "a.example": "p=blocked" }, "spf=pass a.example", "none null"],
  ["a.example", { "a.example": "p=blocked; rua=mailto:d@a.example" }, "spf=none", "fail none"],
  ["a.example", { "a.example": "p=blocked; rua=mailto:d@a.example!10m" }, "spf=none", "fail none"],
  ["a.example", { "a.example": "p=reject; sp=no" }, "spf=pass a.example", "none null"],
  ["a.example", { "a.example": "p=reject; sp=no; rua=mailto:d@a.example" }, "spf=none", "fail none"],
  ["a.example", { "a.example": "p=reject; np=no" }, "spf=pass a.example", "none null"],
  ["a.example", { "a.example": "p=reject; np=no; rua=https://a.example/" }, "spf=none", "fail none"],
  ["a.example", { "a.example": "p=reject; t=maybe; psd=x; fo=9" }, "spf=none", "fail reject"],
  ["a.example", { "a.example": "p=reject; colour=blue" }, "spf=none", "fail reject"],
  ["a.example", { "a.example": "p=reject; gibberish" }, "spf=none", "fail reject"],
  ["a.example", { "a.example": "p=reject;; adkim=r;" }, "spf=none", "fail reject"],
  ["a.example", { "a.example": "P=reject" }, "spf=pass a.example", "none null"],
  ["a.example", { "a.example": "p=none; p=reject" }, "spf=pass a.example", "none null"],
  ["a.example", { "a.example": "p=none; v=DMARC1" }, "spf=pass a.example", "none null"],
  ["a.example", { "a.example": "p=none; x=1; x=2" }, "spf=pass a.example", "none null"],
  ["a.example", { "a.example": ["p=none", "p=reject"] }, "spf=pass a.example", "none null"],
  ["a.example", { "a.example": ["p=reject", "=unrelated text"] }, "spf=none", "fail reject"],
  ["a.example", { "a.example": ["p=reject", "=v=spf1 -all"] }, "spf=none", "fail reject"],
  ["a.example", { "a.example": "=v=dmarc1; p=reject" }, "spf=pass a.example", "none null"],
  ["a.example", { "a.example": "=p=reject; v=DMARC1" }, "spf=pass a.example", "none null"],
  ["a.example", { "a.example": "=v=DMARC1 p=reject" }, "spf=pass a.example", "none null"],
  ["a.example", { "a.example": "=v=DMARC11; p=reject" }, "spf=pass a.example", "none null"],
  ["a.example", { "a.example": "=v = DMARC1 ; p = reject" }, "spf=none", "fail reject"],
  ["a.example", { "a.example": "=V=DMARC1;p=reject" }, "spf=none", "fail reject"],
  ["sub.a.example", { "sub.a.example": ["p=none", "p=none"], "a.example": "p=reject" }, "spf=none", "fail reject"],
  ["sub.a.example", { "sub.a.example": "p=none; p=none", "a.example": "p=reject" }, "spf=none", "fail reject"],
  ["sub.a.example", { "sub.a.example": "p=wrong", "a.example": "p=reject" }, "spf=pass a.example", "none null"],
];

const tree: readonly Row[] = [
  ["a.mail.b.example", { "mail.b.example": "p=none", "b.example": "p=reject" }, "dkim=pass b.example", "pass reject"],
  ["a.mail.b.example", { "mail.b.example": "p=none; psd=n" }, "dkim=pass mail.b.example", "pass none"],
  [
    "a.mail.b.example",
    { "mail.b.example": "p=none; psd=n", "b.example": "p=reject" },
    "dkim=pass b.example",
    "fail none",
  ],
  ["a.mail.b.example", { example: "p=reject; psd=y" }, "dkim=pass b.example", "pass reject"],
  ["a.mail.b.example", { example: "p=reject; psd=y" }, "dkim=pass c.example", "fail reject"],
  ["a.mail.b.example", { example: "p=reject; psd=y; sp=none" }, "spf=none", "fail none"],
  ["ghost.b.example", { example: "p=none; psd=y; np=reject" }, "spf=none", "fail reject"],
  ["a.mail.b.example", { "mail.b.example": "p=none", example: "p=reject; psd=y" }, "spf=none", "fail reject"],
  ["b.example", { "b.example": "p=none", example: "p=reject; psd=y" }, "spf=none", "fail none"],
  ["b.example", { "b.example": "p=none; psd=y" }, "dkim=pass mail.b.example", "fail none"],
  ["b.example", { "b.example": "p=none; psd=y" }, "dkim=pass b.example", "pass none"],
  ["mail.b.example", { "b.example": "p=none; psd=y" }, "dkim=pass b.example", "fail none"],
  ["b.example", { example: "p=reject" }, "dkim=pass c.example", "pass reject"],
  ["b.example", { "b.example": "p=none; psd=n", example: "p=reject" }, "dkim=pass c.example", "fail none"],
  ["b.example", { "b.example": "p=none", "x.b.example": "p=none; psd=n" }, "dkim=pass x.b.example", "fail none"],
  ["b.example", { "b.example": "p=none", "x.b.example": "p=none" }, "dkim=pass x.b.example", "pass none"],
  ["x.b.example", { "x.b.example": "p=none" }, "dkim=pass b.example", "fail none"],
  ["x.b.example", { "x.b.example": "p=none" }, "dkim=pass y.x.b.example", "pass none"],
  ["a.b.c.d.e.f.g.h.i.example", { "f.g.h.i.example": "p=reject" }, "dkim=pass h.f.g.h.i.example", "pass reject"],
  ["a.b.c.d.e.f.g.h.i.example", { "b.c.d.e.f.g.h.i.example": "p=reject" }, "spf=none", "none null"],
  ["a.b.c.d.e.f.g.h.i.example", { "a.b.c.d.e.f.g.h.i.example": "p=reject" }, "spf=none", "fail reject"],
];

const trouble: readonly Row[] = [
  ["a.example", { "a.example": "timeout" }, "spf=pass a.example", "temperror unknown"],
  ["a.example", { "a.example": "servfail" }, "dkim=pass a.example", "temperror unknown"],
  ["a.example", { "a.example": "refused" }, "spf=none", "temperror unknown"],
  ["sub.a.example", { "a.example": "timeout" }, "dkim=pass sub.a.example", "temperror unknown"],
  ["sub.a.example", { "a.example": "p=reject", example: "timeout" }, "dkim=pass sub.a.example", "temperror unknown"],
  ["a.example", { "a.example": "p=reject", example: "timeout" }, "dkim=pass a.example", "pass reject"],
  ["a.example", { "a.example": "p=reject", example: "timeout" }, "dkim=pass mail.a.example", "temperror reject"],
  ["a.example", { "a.example": "p=reject", example: "timeout" }, "dkim=pass b.test", "fail reject"],
  ["a.example", { "a.example": "p=reject", example: "timeout" }, "dkim=fail mail.a.example", "fail reject"],
  ["a.example", { "a.example": strict, example: "timeout" }, "dkim=pass mail.a.example", "fail reject"],
  ["a.example", { "a.example": "p=reject; psd=n", example: "timeout" }, "dkim=pass mail.a.example", "pass reject"],
  ["a.example", { "a.example": "p=reject", "m.a.example": "timeout" }, "dkim=pass m.a.example", "temperror reject"],
  [
    "a.example",
    { "a.example": "p=reject", "m.a.example": "timeout" },
    "dkim=pass m.a.example; spf=pass a.example",
    "pass reject",
  ],
];

const groups = { alignment, words, policy, faults, tree, trouble };

describe.each(Object.entries(groups))("the DMARC result for %s", (_, rows) => {
  test.each(rows)("the DMARC result is right from %s with %j and %s: %s", async (from, policies, proofs, verdict) => {
    const existing = from.startsWith("ghost.") ? [] : [from.toLowerCase()];
    const dns = createZoneDns(toZone(policies, existing));
    const { dmarc, dmarcResult } = await judgeMessage({ from, ...readProofs(proofs) }, dns);
    const word = dmarcResult.known ? dmarcResult.value.result : "unknown";
    expect(`${word} ${dmarc.known ? toPolicy(dmarc.value) : "unknown"}`).toBe(verdict);
  });
});

test("the matrix has at least a hundred messages", () => {
  expect(Object.values(groups).flat().length).toBeGreaterThanOrEqual(100);
});

function toPolicy({ policy, effective }: { policy: string | null; effective: string | null }): string {
  return policy === effective ? String(policy) : `${policy}>${effective}`;
}
