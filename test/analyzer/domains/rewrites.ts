// Ways to publish the same thing otherwise: none of them is a change in meaning.

import { createPublicKey } from "node:crypto";
import { keyRecord } from "../domain-cases/domain-world.ts";
import { keyData, type Published, policyText, texts } from "./watched-domain.ts";

const spf = (text: string): Published => ({ spf: text });
const p = keyData(keyRecord);
const bare = createPublicKey({ key: Buffer.from(p, "base64"), format: "der", type: "spki" })
  .export({ type: "pkcs1", format: "der" })
  .toString("base64");
const chunks = (text: string) => [text.slice(0, 40), text.slice(40, 100), text.slice(100)];
const host = (exchange: string, preference = 10) => ({ preference, exchange });
const usual = "ip4:203.0.113.0/25 ip4:198.51.100.7 ip6:2001:db8::/48 include:_spf.esp.test include:_spf.crm.test";

export const rewrites: readonly (readonly [what: string, published: Published])[] = [
  ["everything with another TTL", { ttlSeconds: 60 }],
  // SPF
  ["SPF with more spaces", spf(texts.spf.replaceAll(" ", "   "))],
  ["SPF with a space at its end", spf(`${texts.spf} `)],
  ["SPF in capitals", spf(texts.spf.replace("v=spf1", "V=SPF1").replaceAll("include", "INCLUDE"))],
  ["SPF with names in capitals", spf(texts.spf.replace("_spf.esp.test", "_SPF.Esp.Test"))],
  ["SPF with its signs written out", spf(texts.spf.replace(" mx ", " +mx ").replace(" include", " +include"))],
  ["SPF in several strings", { spf: [chunks(texts.spf)] }],
  [
    "SPF with terms of one sign in another order",
    spf(
      `v=spf1 include:_spf.crm.test ip6:2001:db8::/48 mx include:_spf.esp.test ip4:198.51.100.7 ip4:203.0.113.0/25 a:mail.a.example ~ip4:192.0.2.1 -all`,
    ),
  ],
  [
    "SPF with addresses in another order",
    spf(texts.spf.replace("ip4:203.0.113.0/25 ip4:198.51.100.7", "ip4:198.51.100.7 ip4:203.0.113.0/25")),
  ],
  [
    "SPF with an include at the front",
    spf(
      `v=spf1 include:_spf.crm.test mx a:mail.a.example ip4:203.0.113.0/25 ip4:198.51.100.7 ip6:2001:db8::/48 include:_spf.esp.test ~ip4:192.0.2.1 -all`,
    ),
  ],
  ["SPF with a single address as /32", spf(texts.spf.replace("ip4:198.51.100.7", "ip4:198.51.100.7/32"))],
  ["SPF with host bits in a network", spf(texts.spf.replace("203.0.113.0/25", "203.0.113.77/25"))],
  ["SPF with IPv6 written out", spf(texts.spf.replace("2001:db8::/48", "2001:0DB8:0:0::/48"))],
  ["SPF with the domain's own name at mx", spf(texts.spf.replace(" mx ", " mx:a.example "))],
  ["SPF with the usual lengths at mx", spf(texts.spf.replace(" mx ", " mx/32//128 "))],
  ["SPF with a dot behind a name", spf(texts.spf.replace("_spf.esp.test", "_spf.esp.test."))],
  ["SPF with a term twice", spf(texts.spf.replace(" mx ", " mx mx "))],
  ["SPF with an address within a network of the same sign", spf(texts.spf.replace(" mx ", " mx ip4:203.0.113.9 "))],
  [
    "SPF with that address behind the network",
    spf(texts.spf.replace(" include:_spf.esp", " ip4:203.0.113.9 include:_spf.esp")),
  ],
  ["SPF with an unknown modifier", spf(texts.spf.replace(" mx ", " mx note=hello "))],
  ["SPF with what stands before -all, and says the same", spf(texts.spf.replace(" -all", " -ip4:192.0.2.9 -all"))],
  [
    "SPF with networks of two signs that share no address",
    spf(`v=spf1 mx a:mail.a.example ${usual} ~ip4:192.0.2.1/32 -all`),
  ],
  // DMARC
  ["DMARC without spaces", { dmarc: texts.dmarc.replaceAll("; ", ";") }],
  ["DMARC with more spaces", { dmarc: texts.dmarc.replaceAll(";", " ; ").replaceAll("=", " = ") }],
  ["DMARC with a semicolon at its end", { dmarc: `${texts.dmarc};` }],
  [
    "DMARC with tags in another order",
    {
      dmarc:
        "v=DMARC1; fo=d:1; rua=mailto:two@a.example, mailto:dmarc@a.example; ruf=mailto:f@a.example; adkim=s; sp=quarantine; p=reject",
    },
  ],
  ["DMARC with values in capitals", { dmarc: texts.dmarc.replace("reject", "REJECT").replace("adkim=s", "adkim=S") }],
  [
    "DMARC with report addresses in another order",
    { dmarc: texts.dmarc.replace("dmarc@a.example,mailto:two@", "two@a.example,mailto:dmarc@") },
  ],
  [
    "DMARC with a report address twice",
    { dmarc: texts.dmarc.replace("two@a.example", "two@a.example,mailto:two@a.example") },
  ],
  ["DMARC with hosts in capitals", { dmarc: texts.dmarc.replace("dmarc@a.example", "dmarc@A.Example") }],
  ["DMARC with defaults written out", { dmarc: `${texts.dmarc}; aspf=r; t=n; psd=u; np=quarantine` }],
  ["DMARC with tags that mean nothing any more", { dmarc: `${texts.dmarc}; ri=3600; rf=afrf` }],
  ["DMARC with an unknown tag", { dmarc: `${texts.dmarc}; x-note=1` }],
  ["DMARC with a size behind an address", { dmarc: texts.dmarc.replace("two@a.example", "two@a.example!10m") }],
  ["DMARC in several strings", { dmarc: [chunks(texts.dmarc)] }],
  ["DMARC beside another text", { dmarc: [texts.dmarc, "hello"] }],
  // DKIM
  ["a key without its version", { google: `k=rsa; p=${p}` }],
  ["a key without its type", { google: `v=DKIM1; p=${p}` }],
  ["a key with tags in another order", { google: `v=DKIM1; p=${p}; k=rsa` }],
  ["a key with more spaces", { google: `v=DKIM1;   k = rsa ;  p = ${p} ;` }],
  ["a key with spaces inside", { google: `v=DKIM1; k=rsa; p=${p.slice(0, 70)} ${p.slice(70)}` }],
  ["a key with its type in capitals", { google: `v=DKIM1; k=RSA; p=${p}` }],
  ["a key in several strings", { google: [chunks(`v=DKIM1; k=rsa; p=${p}`)] }],
  ["a key with a note", { google: `v=DKIM1; k=rsa; n=hello; p=${p}` }],
  ["a key with defaults written out", { google: `v=DKIM1; h=sha256; k=rsa; s=email:*; p=${p}` }],
  [
    "a key behind an alias",
    { zone: { "google._domainkey.a.example": { CNAME: ["k.esp.test"] }, "k.esp.test": { TXT: [keyRecord] } } },
  ],
  ["a key without its wrapping", { google: `v=DKIM1; p=${bare}` }],
  ["a key beside another text", { google: [keyRecord, "hello"] }],
  // BIMI
  ["BIMI without spaces", { bimi: texts.bimi.replaceAll("; ", ";") }],
  ["BIMI with tags in another order", { bimi: "v=BIMI1; a=https://a.example/mark.pem; l=https://a.example/logo.svg;" }],
  ["BIMI with a host in capitals", { bimi: texts.bimi.replace("https://a.example/logo", "https://A.EXAMPLE/logo") }],
  ["BIMI with its default written out", { bimi: `${texts.bimi}; avp=brand` }],
  ["BIMI in several strings", { bimi: [chunks(texts.bimi)] }],
  // MX
  ["MX hosts in another order", { mx: [host("mx2.a.example"), host("mx1.a.example")] }],
  ["MX hosts with another preference for both", { mx: [host("mx1.a.example", 5), host("mx2.a.example", 5)] }],
  ["MX hosts in capitals", { mx: [host("MX1.A.example"), host("mx2.a.EXAMPLE")] }],
  ["MX hosts with other addresses", { zone: { "mx1.a.example": { A: ["203.0.113.99"], AAAA: ["2001:db8:25::9"] } } }],
  // MTA-STS
  ["MTA-STS with another id", { mtaSts: "v=STSv1; id=8" }],
  ["MTA-STS without spaces", { mtaSts: "v=STSv1;id=7;" }],
  [
    "an MTA-STS policy with hosts in another order",
    { policy: [...policyText.slice(0, 2), policyText[3] ?? "", policyText[2] ?? "", ...policyText.slice(4)] },
  ],
  [
    "an MTA-STS policy with hosts in capitals",
    { policy: policyText.map((line) => line.replace("mx1.a.example", "MX1.a.example")) },
  ],
  [
    "an MTA-STS policy with more spaces and an empty line",
    { policy: [...policyText.map((line) => line.replace(": ", ":   ")), ""] },
  ],
  ["an MTA-STS policy with a field nobody knows", { policy: [...policyText, "note: hello"] }],
  // TLS reports
  ["TLS reports in another order", { tlsRpt: "v=TLSRPTv1; rua=https://a.example/tls,mailto:tls@a.example" }],
  ["TLS reports without spaces", { tlsRpt: texts.tlsRpt.replace("; ", ";") }],
  ["TLS reports to hosts in capitals", { tlsRpt: texts.tlsRpt.replace("tls@a.example", "tls@A.example") }],
  // What varies by itself, or is another's
  ["name servers in another order", { zone: { "ns1.a.example": { A: ["203.0.113.54"] } } }],
  [
    "an include that says something else",
    { zone: { "_spf.esp.test": { TXT: ["v=spf1 ip4:198.51.100.0/23 include:_spf.crm.test -all"] } } },
  ],
  [
    "a new certificate at an MX host",
    {
      zone: {
        "_25._tcp.mx1.a.example": { TLSA: [{ usage: 3, selector: 1, matchingType: 1, certificate: "cd".repeat(32) }] },
      },
    },
  ],
  ["a listing of the domain", { zone: { "a.example.dbl.test": { A: ["127.0.0.2"] } } }],
  ["mail seen from a selector that was not asked before", { world: { seen: ["google", "s2", "new"] } }],
];
