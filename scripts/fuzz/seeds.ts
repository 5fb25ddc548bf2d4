// The inputs that are mutated, by the kind of data that a parser reads.

import * as packets from "dns-packet";
import { receivedSamples } from "../../test/analyzer/mail/headers/received-samples.ts";
import { attacks } from "../../test/analyzer/mail/html/attacks.ts";
import { dmarcSamples, tlsSample } from "../../test/analyzer/mail/reports/samples.ts";
import { seedLetters } from "./letters.ts";

export const seedKinds = ["letter", "page", "field", "record", "packet", "report"] as const;
export type SeedKind = (typeof seedKinds)[number];

export function readSeeds(): Record<SeedKind, Buffer[]> {
  const toBytes = (text: string) => Buffer.from(text);
  return {
    letter: seedLetters(),
    page: [...attacks, ...pages].map(toBytes),
    field: [...fields, ...receivedSamples.map(({ line }) => line)].map(toBytes),
    record: records.map(toBytes),
    packet: sections.map(toRecords),
    report: [...dmarcSamples.map(({ content }) => content), JSON.stringify(tlsSample)].map((text) => Buffer.from(text)),
  };
}

const pages = [
  `<!doctype html><html><head><title>News</title><style>@media (max-width:600px){td.a>b{display:block!important}} #i,.c:hover{color:red;background:url("x.png") #fff}</style></head>
<body bgcolor=white><div style="display:none;font-size:0">Preview&nbsp;&zwnj;</div><table role=presentation><tr><td><a href="https://click.shop.example/t?u=https%3A%2F%2Fshop.example">https://shop.example</a>
<img src="https://img.shop.example/o.gif" width=1 height=1 alt=""><img src=cid:logo srcset="a.png 1x, b.png 2x"></td></tr></table>
<!--[if mso]><v:rect><![endif]--><p style='color:#FFF;font:bold 12px/1.5 Arial'>Hi &amp; bye<br><a href="mailto:a@b.example?subject=u">unsubscribe</a></body></html>`,
  `<font size=1 color=#fefefe>hidden</font><p style="mso-hide:all;opacity:.01;position:absolute;left:-999em">x</p><a href="http://1.2.3.4:8080/%zz">pay</a><a href="https://xn--80ak6aa92e.example/">b</a>`,
];

const fields = [
  "Ann Author <ann@sender.example>",
  '"Ann \\"A\\" Author" (a (nested) comment) <ann@[192.0.2.1]>, bob@b.example',
  "Friends: ann@a.example, =?utf-8?Q?J=C3=B6rg?= <joerg@b.example>;, <@relay.example:carl@c.example>",
  " v=1; a=rsa-sha256; c=relaxed/simple; d=sender.example; s=s1; i=@sender.example; q=dns/txt; l=100;\r\n t=1117574938; x=1118006938; h=from:to:subject; z=From:a@b|To:c=3A;\r\n bh=MTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTI=; b=dzdVyOfAKCdLXdJOc9G2q8LoXSlEniSb",
  " i=1; a=ed25519-sha256; d=sender.example; s=s1; cv=none; t=1; b=AAAA",
  " i=2; mx.example; spf=pass smtp.mailfrom=a@b.example; dkim=pass (good) header.d=b.example",
  "v=BIMI1; s=brand",
  "utf-8''%e2%82%ac; filename*0*=a; filename*1=b",
];

const records = [
  "v=spf1 ip4:192.0.2.0/24 ip6:2001:db8::/32 a:%{d} mx/24//64 include:_spf.%{ir}.%{v}.example exists:%{l1r+-}.%{o} ~all exp=why.%{d}",
  "v=spf1 redirect=_spf.sender.example ptr ?all",
  "%{i} is not one of %{d}'s %{S} at %{t}%_%%%-",
  "v=DMARC1; p=reject; sp=none; np=quarantine; adkim=s; aspf=r; fo=1:d:s; t=y; psd=n; rua=mailto:a@sender.example!10m,mailto:b@other.example; ruf=mailto:c@d.example",
  "v=DKIM1; k=rsa; h=sha256; t=s:y; s=email; n=a=20note; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDwIRP/UC3SBsEmGqZ9ZJW3/DkMoGeLnQg1fWn7/zYtIxN2SnFCjxOCKG9v3b4jYfcTNh5ijSsq631uBItLa7od+v/RtdC2UzJ1lWT947qR+Rcac2gbto/NMqJ0fzfVjH4OuKhitdY9tf6mcwGjaNBcWToIMmPSPDdQPNUYckcQ2QIDAQAB",
  "k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=",
  "v=BIMI1; l=https://sender.example/logo.svg; a=https://sender.example/vmc.pem; avp=brand",
  "v=STSv1; id=20260101T000000;",
  "version: STSv1\r\nmode: enforce\r\nmx: *.sender.example\r\nmx: mx.sender.example\r\nmax_age: 604800\r\n",
  "v=TLSRPTv1; rua=mailto:tls@sender.example,https://sender.example/tls",
  "127.0.0.2 127.0.0.10 127.255.255.254",
  '{"clientAddress":"192.0.2.1","helo":"a.example","mailFrom":"a@b.example","rcptTo":["c@d.example"],"connectedAt":1,"transcript":"S0 220 hi\\nC5 EHLO a"}',
];

const owner = { name: "sender.example", ttl: 60 };

const sections: readonly packets.Answer[][] = [
  [{ ...owner, type: "TXT", data: ["v=spf1 -all", "more"] }],
  [
    { ...owner, type: "CNAME", data: "other.example" },
    { name: "other.example", ttl: 60, type: "TXT", data: "found" },
    { name: "other.example", ttl: 60, type: "MX", data: { preference: 1, exchange: "mx.example" } },
  ],
  [
    { ...owner, type: "SOA", data: { mname: "ns.example", rname: "a.example", serial: 1, minimum: 60 } },
    { ...owner, type: "A", data: "192.0.2.1" },
    { ...owner, type: "AAAA", data: "2001:db8::1" },
  ],
];

/** The record count and the records: what follows the question in an answer. */
function toRecords(answers: packets.Answer[]): Buffer {
  const questions: packets.Question[] = [{ name: owner.name, type: "TXT" }];
  const end = packets.encode({ questions }).length;
  const whole = packets.encode({ type: "response", questions, answers });
  return Buffer.concat([Buffer.from([answers.length]), whole.subarray(end)]);
}
