// Signed letters and the verdicts that the standards demand of them. Unless a row says otherwise the letter is Ann's of
// a.example, signed for that domain and sent through a service whose SPF passes for the service alone: DMARC then rests on
// the signature.

import { toPublished } from "../mail/signing/sign.ts";
import { keyOf, type Letter, now, type Rows, type Signing } from "./verdict-world.ts";

const replace = (from: string | RegExp, to: string) => (text: string) => {
  const changed = text.replace(from, to);
  if (changed === text) throw new Error(`The letter holds no ${from}.`);
  return changed;
};

type Form = "simple" | "relaxed";
type Mutation = {
  readonly name: string;
  readonly letter: Letter;
  readonly sign?: Signing;
  /** Why the signature no longer passes. */
  readonly why?: (header: Form, body: Form) => string | false;
};

const unlessHeaderRelaxed = (header: Form) => header === "simple" && "fail:header-changed";
const unlessBodyRelaxed = (_: Form, body: Form) => body === "simple" && "fail:body-changed";
const header = () => "fail:header-changed";
const body = () => "fail:body-changed";
const oversigned = { names: ["from", "from", "to", "subject", "subject", "date", "reply-to"] };
const footer = (text: string) => `${text}-- \r\nA footer\r\n`;

const mutations: readonly Mutation[] = [
  { name: "nothing changes (RFC 6376 §6.1.3)", letter: {} },
  {
    name: "a header field is refolded (RFC 6376 §3.4.2)",
    letter: { change: replace("question of", "question\r\n of") },
    why: unlessHeaderRelaxed,
  },
  {
    name: "a header name changes case (RFC 6376 §3.4.2)",
    letter: { change: replace("\r\nSubject:", "\r\nSUBJECT:") },
    why: unlessHeaderRelaxed,
  },
  {
    name: "white space within a header field changes (RFC 6376 §3.4.2)",
    letter: { change: replace("of  some", "of some") },
    why: unlessHeaderRelaxed,
  },
  {
    name: "a signed value changes case (RFC 6376 §3.4.2)",
    letter: { change: replace("A question", "a question") },
    why: header,
  },
  { name: "a signed header field goes (RFC 6376 §5.4)", letter: { change: replace(/Date:.*\r\n/, "") }, why: header },
  {
    name: "an unsigned header field comes (RFC 6376 §5.4)",
    letter: { change: replace("From:", "X-Spam: no\r\nFrom:") },
  },
  {
    name: "a second Subject comes above (RFC 6376 §5.4.2)",
    letter: { change: replace("From:", "Subject: x\r\nFrom:") },
  },
  {
    name: "a second Subject comes below (RFC 6376 §5.4.2)",
    letter: { change: replace("Message-ID:", "Subject: x\r\nMessage-ID:") },
    why: header,
  },
  {
    name: "a second Subject comes above an oversigned one (RFC 6376 §8.15)",
    letter: { change: replace("From:", "Subject: x\r\nFrom:") },
    sign: oversigned,
    why: header,
  },
  {
    name: "a Reply-To comes that was signed as absent (RFC 6376 §5.4)",
    letter: { change: replace("From:", "Reply-To: x@c.example\r\nFrom:") },
    sign: oversigned,
    why: header,
  },
  { name: "a word of the body changes (RFC 6376 §3.7)", letter: { change: replace("answer", "ANSWER") }, why: body },
  { name: "a footer comes (RFC 6376 §3.7)", letter: { change: footer }, why: body },
  { name: "a footer comes behind l= (RFC 6376 §3.5)", letter: { change: footer }, sign: { bodyLength: 20 } },
  { name: "empty lines end the body (RFC 6376 §3.4.3)", letter: { change: (text) => `${text}\r\n\r\n` } },
  {
    name: "white space ends a line (RFC 6376 §3.4.4)",
    letter: { change: replace("Dear Bob,", "Dear Bob, \t") },
    why: unlessBodyRelaxed,
  },
  {
    name: "a run of white space changes (RFC 6376 §3.4.4)",
    letter: { change: replace("answer  is", "answer \t is") },
    why: unlessBodyRelaxed,
  },
];

const algorithms: readonly (Signing & { readonly name: string })[] = [
  { name: "rsa-sha256" },
  { name: "ed25519-sha256", key: "ed25519" },
  { name: "rsa-sha1", algorithm: "rsa-sha1" },
];

const forms = (["simple", "relaxed"] as const).flatMap((header) =>
  (["simple", "relaxed"] as const).map((body) => ({ header, body })),
);

/** Every form × algorithm × change. */
function toMutationRows(): Rows {
  return Object.fromEntries(
    algorithms.flatMap(({ name: algorithm, ...by }) =>
      forms.flatMap((form) =>
        mutations.map((mutation) => [
          `${algorithm}, c=${form.header}/${form.body}: ${mutation.name}`,
          toMutationRow(mutation, form, by),
        ]),
      ),
    ),
  );
}

function toMutationRow(
  { letter, sign, why }: Mutation,
  form: { readonly header: Form; readonly body: Form },
  by: Signing,
): Rows[string] {
  // RFC 8301 §3.1: rsa-sha1 proves nothing, whatever it would have proved.
  const broken = by.algorithm === "rsa-sha1" ? "policy:sha1" : why?.(form.header, form.body);
  const canonicalization = `${form.header}/${form.body}`;
  return [
    `spf=pass dkim=${broken || "pass"} dmarc=${broken ? "fail" : "pass"} reject`,
    { ...letter, sign: { ...by, ...sign, canonicalization } },
  ];
}

const passes = "spf=pass dkim=pass dmarc=pass reject";
const unsigned = "spf=pass dkim=none dmarc=fail reject";
const keyName = "rsa1024._domainkey.a.example";
const withKey = (...texts: string[]): Letter => ({ zone: { [keyName]: { TXT: texts } } });
const p = toPublished(keyOf("rsa1024"));
const dkimFails = (why: string) => `spf=pass dkim=${why} dmarc=fail reject`;

const keys: Rows = {
  "no key (RFC 6376 §6.1.2)": [dkimFails("permerror:key-missing"), { zone: { [keyName]: {} } }],
  "no such name (RFC 6376 §6.1.2)": [
    dkimFails("permerror:key-missing"),
    { sign: { selector: "gone" }, zone: { "gone._domainkey.a.example": { CNAME: ["nowhere.example"] } } },
  ],
  "a key behind a CNAME (RFC 6376 §3.6.2)": [
    passes,
    {
      sign: { selector: "cname" },
      zone: {
        "cname._domainkey.a.example": { CNAME: ["k.esp.example"] },
        "k.esp.example": { TXT: [`v=DKIM1; p=${p}`] },
      },
    },
  ],
  "a revoked key (RFC 6376 §3.6.1 p=)": [dkimFails("permerror:key-revoked"), withKey("v=DKIM1; p=")],
  "a record without p= (RFC 6376 §3.6.1)": [dkimFails("permerror:key-faulty"), withKey("v=DKIM1; k=rsa")],
  "base64 with a letter too many (RFC 6376 §3.6.1)": [
    dkimFails("permerror:key-faulty"),
    withKey(`v=DKIM1; p=${p.slice(0, 20)}!${p.slice(20)}`),
  ],
  "base64 that was cut (RFC 6376 §3.6.1)": [dkimFails("permerror:key-faulty"), withKey(`p=${p.slice(0, 100)}`)],
  "base64 with blanks in it (RFC 6376 §3.6.1)": [passes, withKey(`p=${p.slice(0, 50)} ${p.slice(50)}`)],
  "a key in several strings (RFC 6376 §3.6.2.2)": [
    passes,
    { zone: { [keyName]: { TXT: [["v=DKIM1; k=r", `sa; p=${p.slice(0, 99)}`, p.slice(99)]] } } },
  ],
  "another version (RFC 6376 §3.6.1 v=)": [dkimFails("permerror:key-faulty"), withKey(`v=DKIM2; p=${p}`)],
  "the version not in front (RFC 6376 §3.6.1 v=)": [dkimFails("permerror:key-faulty"), withKey(`p=${p}; v=DKIM1`)],
  "no version (RFC 6376 §3.6.1 v=)": [passes, withKey(`p=${p}`)],
  "a key of another kind (RFC 8463 §3)": [
    dkimFails("permerror:key-unsuitable"),
    withKey(`v=DKIM1; k=ed25519; p=${toPublished(keyOf("ed25519"))}`),
  ],
  "a kind that nobody knows (RFC 6376 §3.6.1 k=)": [
    dkimFails("permerror:key-faulty"),
    withKey(`v=DKIM1; k=dsa; p=${p}`),
  ],
  "somebody else's key (RFC 6376 §6.1.3)": [
    dkimFails("fail:header-changed"),
    withKey(`v=DKIM1; p=${toPublished(keyOf("rsa2048"))}`),
  ],
  "h= without sha256 (RFC 6376 §3.6.1 h=)": [dkimFails("permerror:key-unsuitable"), withKey(`v=DKIM1; h=sha1; p=${p}`)],
  "h= with sha256 (RFC 6376 §3.6.1 h=)": [passes, withKey(`v=DKIM1; h=sha1:sha256; p=${p}`)],
  "s= for something else (RFC 6376 §3.6.1 s=)": [
    dkimFails("permerror:key-unsuitable"),
    withKey(`v=DKIM1; s=tlsrpt; p=${p}`),
  ],
  "s=email (RFC 6376 §3.6.1 s=)": [passes, withKey(`v=DKIM1; s=email; p=${p}`)],
  "t=y, which changes no verdict (RFC 6376 §3.6.1 t=)": [passes, withKey(`v=DKIM1; t=y; p=${p}`)],
  "t=s with i= below d= (RFC 6376 §3.6.1 t=)": [
    dkimFails("permerror:strict-identity"),
    { ...withKey(`v=DKIM1; t=s; p=${p}`), sign: { tags: { i: "@mail.a.example" } } },
  ],
  "t=s with i= of d= itself (RFC 6376 §3.6.1 t=)": [
    passes,
    { ...withKey(`v=DKIM1; t=y:s; p=${p}`), sign: { tags: { i: "ann@a.example" } } },
  ],
  "i= below d= (RFC 6376 §3.5 i=)": [passes, { sign: { tags: { i: "ann@mail.a.example" } } }],
  "two keys, one of them right (RFC 6376 §3.6.2.2)": [
    passes,
    withKey(`v=DKIM1; p=${toPublished(keyOf("rsa2048"))}`, `v=DKIM1; p=${p}`),
  ],
  "a key beside another text (RFC 6376 §3.6.2.2)": [passes, withKey("site-verification=1", `v=DKIM1; p=${p}`)],
  "512 bits (RFC 8301 §3.2)": [dkimFails("policy:key-too-short"), { sign: { key: "rsa512" } }],
  "768 bits (RFC 8301 §3.2)": [dkimFails("policy:key-too-short"), { sign: { key: "rsa768" } }],
  "1024 bits (RFC 8301 §3.2)": [passes, { sign: { key: "rsa1024" } }],
  "2048 bits (RFC 8301 §3.2)": [passes, { sign: { key: "rsa2048" } }],
  "4096 bits (RFC 8301 §3.2)": [passes, { sign: { key: "rsa4096" } }],
  "a bare RSAPublicKey (RFC 6376 §3.6.1 p=)": [passes, withKey(`v=DKIM1; p=${toPublished(keyOf("rsa1024"), "pkcs1")}`)],
  "DNS silent for the key (RFC 6376 §6.1.2)": [
    "spf=pass dkim=temperror:key-unknown dmarc=temperror reject",
    { zone: { [keyName]: "timeout" } },
  ],
  "DNS failing for the key, SPF passing for the author (RFC 9989 §5.3)": [
    "spf=pass dkim=temperror:key-unknown dmarc=pass reject",
    { zone: { [keyName]: "servfail" }, ip: "192.0.2.20", mailFrom: "ann@a.example" },
  ],
};

const tagged = (tags: Record<string, string | null>): Letter => ({ sign: { tags } });

const signatures: Rows = {
  "no signature (RFC 8601 §2.7.1)": [unsigned, { sign: [] }],
  "another version (RFC 6376 §6.1.1)": [dkimFails("neutral:version"), tagged({ v: "2" })],
  "no bh= (RFC 6376 §6.1.1)": [dkimFails("neutral:missing-tag"), tagged({ bh: null })],
  "no d= (RFC 6376 §6.1.1)": [dkimFails("neutral:missing-tag"), tagged({ d: null })],
  "an algorithm that nobody knows (RFC 6376 §3.3)": [dkimFails("neutral:algorithm"), tagged({ a: "rsa-md5" })],
  "a form that nobody knows (RFC 6376 §3.5 c=)": [dkimFails("neutral:canonicalization"), tagged({ c: "nofws/simple" })],
  "From unsigned (RFC 6376 §5.4)": [dkimFails("permerror:from-unsigned"), { sign: { names: ["to", "subject"] } }],
  "i= outside d= (RFC 6376 §6.1.1)": [dkimFails("permerror:identity"), tagged({ i: "@b.example" })],
  "x= in the past (RFC 6376 §3.5 x=)": [dkimFails("neutral:expired"), tagged({ t: `${now - 900}`, x: `${now - 60}` })],
  "x= in the future (RFC 6376 §3.5 x=)": [passes, tagged({ t: `${now - 900}`, x: `${now + 60}` })],
  "x= before t= (RFC 6376 §3.5 x=)": [dkimFails("neutral:expired"), tagged({ t: `${now + 900}`, x: `${now + 60}` })],
  "t= in the future, which a verifier may let be (RFC 6376 §3.5 t=)": [passes, tagged({ t: `${now + 900}` })],
  "a tag that nobody knows (RFC 6376 §3.2)": [passes, tagged({ zz: "1" })],
  "a tag that stands twice (RFC 6376 §3.2)": [
    dkimFails("neutral:syntax"),
    { change: replace("; d=a.example", "; d=a.example; d=a.example") },
  ],
  "l= beyond the body (RFC 6376 §3.5 l=)": [
    dkimFails("permerror:body-length"),
    { sign: { bodyLength: 40 }, change: replace(/\r\n\tthe.*$/s, "") },
  ],
  "l=0 and another body (RFC 6376 §8.2)": [
    passes,
    { sign: { bodyLength: 0 }, change: replace(/\r\n\r\nDear.*$/s, "\r\n\r\nBuy!\r\n") },
  ],
  "no body at all (RFC 6376 §3.4.3)": [passes, { body: "" }],
  "a broken signature above a good one (RFC 6376 §6.1)": [
    "spf=pass dkim=fail:header-changed+pass dmarc=pass reject",
    { sign: [{ tags: { b: "AAAA" } }, { key: "ed25519" }] },
  ],
  "both algorithms (RFC 8463 §3)": [
    "spf=pass dkim=pass+pass dmarc=pass reject",
    { sign: [{ key: "rsa2048" }, { key: "ed25519" }] },
  ],
  "a foreign signature beside the author's (RFC 9989 §4.4.1)": [
    "spf=pass dkim=pass+pass dmarc=pass reject",
    { sign: [{ domain: "esp.example" }, {}] },
  ],
  "a second From, above (RFC 9989 §5.3.1)": [
    "spf=pass dkim=pass dmarc=permerror ?parser-failed",
    { change: replace("From:", "From: x@c.example\r\nFrom:") },
  ],
  "a second From above an oversigned one (RFC 9989 §5.3.1)": [
    "spf=pass dkim=fail:header-changed dmarc=fail reject",
    { sign: oversigned, change: replace("From:", "From: x@c.example\r\nFrom:") },
  ],
  "From changed by a list (RFC 9989 §4.4)": [
    "spf=pass dkim=fail:header-changed dmarc=none -",
    { change: replace("Ann <ann@a.example>", "Ann via List <list@list.example>") },
  ],
};

const record = (text: string) => ({ TXT: [`v=DMARC1; ${text}`] });
const strict = { "_dmarc.a.example": { TXT: ["v=DMARC1; p=reject; adkim=s; aspf=s"] } };
const byEnvelope: Letter = { sign: [], ip: "192.0.2.20", mailFrom: "ann@a.example" };

const alignment: Rows = {
  "d= is the author's domain in other capitals (RFC 6376 §3.5 d=)": [passes, { sign: { domain: "A.EXAMPLE" } }],
  "d= below, relaxed (RFC 9989 §4.4.1)": [passes, { sign: { domain: "mail.a.example" } }],
  "d= below, strict (RFC 9989 §4.4.1)": [dkimFails("pass"), { sign: { domain: "mail.a.example" }, zone: strict }],
  "d= the same, strict (RFC 9989 §4.4.1)": [passes, { zone: strict }],
  "d= above, relaxed (RFC 9989 §4.4.1)": [passes, { from: "ann@mail.a.example" }],
  "d= above, strict (RFC 9989 §4.4.1)": [dkimFails("pass"), { from: "ann@mail.a.example", zone: strict }],
  "d= beside, relaxed (RFC 9989 §4.4.1)": [passes, { from: "ann@mail.a.example", sign: { domain: "news.a.example" } }],
  "d= foreign (RFC 9989 §4.4.1)": [dkimFails("pass"), { sign: { domain: "esp.example" } }],
  "d= that ends alike (RFC 9989 §4.4.1)": [dkimFails("pass"), { sign: { domain: "nota.example" } }],
  "d= that begins alike (RFC 9989 §4.4.1)": [dkimFails("pass"), { sign: { domain: "a.example.esp.example" } }],
  "d= the author's suffix, which is no domain name (RFC 6376 §3.5 d=)": [
    dkimFails("neutral:bad-name"),
    { sign: { domain: "example" } },
  ],
  "d= the domain of a suffix that has an address (RFC 9989 §4.10.2)": [
    dkimFails("pass"),
    { sign: { domain: "co.example" }, from: "ann@a.co.example", zone: { "_dmarc.a.co.example": record("p=reject") } },
  ],
  "MAIL FROM the same (RFC 9989 §4.4.2)": ["spf=pass dkim=none dmarc=pass reject", byEnvelope],
  "MAIL FROM the same, strict (RFC 9989 §4.4.2)": [
    "spf=pass dkim=none dmarc=pass reject",
    { ...byEnvelope, zone: strict },
  ],
  "MAIL FROM below, relaxed (RFC 9989 §4.4.2)": [
    "spf=pass dkim=none dmarc=pass reject",
    { ...byEnvelope, mailFrom: "x@mail.a.example" },
  ],
  "MAIL FROM below, strict (RFC 9989 §4.4.2)": [
    unsigned,
    { ...byEnvelope, mailFrom: "x@mail.a.example", zone: strict },
  ],
  "MAIL FROM foreign (RFC 9989 §4.4.2)": [unsigned, { sign: [] }],
  "a U-label in From, A-labels in d= (RFC 8616 §5)": [
    "spf=pass dkim=pass dmarc=pass quarantine",
    {
      from: "Ann <ann@münchen.example>",
      sign: { domain: "xn--mnchen-3ya.example" },
      zone: { "_dmarc.xn--mnchen-3ya.example": { TXT: ["v=DMARC1; p=quarantine"] } },
    },
  ],
  "A-labels in From, d= of a subdomain (RFC 8616 §5)": [
    "spf=pass dkim=pass dmarc=pass quarantine",
    {
      from: "ann@XN--MNCHEN-3YA.example",
      sign: { domain: "mail.xn--mnchen-3ya.example" },
      zone: { "_dmarc.xn--mnchen-3ya.example": { TXT: ["v=DMARC1; p=quarantine"] } },
    },
  ],
  "a U-label in MAIL FROM (RFC 8616 §4)": [
    "spf=pass dkim=none dmarc=pass reject",
    {
      from: "Ann <ann@münchen.example>",
      sign: [],
      mailFrom: "ann@münchen.example",
      zone: {
        "xn--mnchen-3ya.example": { TXT: ["v=spf1 ip4:192.0.2.10 -all"] },
        "_dmarc.xn--mnchen-3ya.example": { TXT: ["v=DMARC1; p=reject"] },
      },
    },
  ],
  "a label that looks the same and is another (RFC 9989 §4.4)": [
    "spf=pass dkim=pass dmarc=none -",
    { from: "ann@\u0430.example" },
  ],
};

const policyOf = (record: string | readonly string[], more: Letter = {}): Letter => ({
  sign: [],
  ...more,
  zone: { "_dmarc.a.example": { TXT: [record].flat() }, ...more.zone },
});
const fails = (policy: string) => `spf=pass dkim=none dmarc=fail ${policy}`;
const below: Letter = { from: "ann@mail.a.example" };
const ghost: Letter = { from: "ann@ghost.a.example" };

const policy: Rows = {
  "p=none (RFC 9989 §4.7 p)": [fails("none"), policyOf("v=DMARC1; p=none")],
  "p=quarantine (RFC 9989 §4.7 p)": [fails("quarantine"), policyOf("v=DMARC1; p=quarantine")],
  "p=Reject (RFC 9989 §4.8)": [fails("reject"), policyOf("v=DMARC1; p=Reject")],
  "sp below (RFC 9989 §4.7 sp)": [fails("quarantine"), policyOf("v=DMARC1; p=reject; sp=quarantine; np=none", below)],
  "p below where there is no sp (RFC 9989 §4.7 sp)": [fails("reject"), policyOf("v=DMARC1; p=reject", below)],
  "np where nothing exists (RFC 9989 §4.7 np)": [
    fails("reject"),
    policyOf("v=DMARC1; p=none; sp=none; np=reject", ghost),
  ],
  "sp where nothing exists and there is no np (RFC 9989 §4.7 np)": [
    fails("quarantine"),
    policyOf("v=DMARC1; p=none; sp=quarantine", ghost),
  ],
  "np and a name that exists without address (RFC 9989 §3.2.13)": [
    fails("none"),
    policyOf("v=DMARC1; p=none; np=reject", { ...ghost, zone: { "ghost.a.example": { TXT: ["x"] } } }),
  ],
  "the subdomain's own record (RFC 9989 §4.10.1)": [
    fails("none"),
    policyOf("v=DMARC1; p=reject", {
      ...below,
      zone: { "_dmarc.mail.a.example": { TXT: ["v=DMARC1; p=none; sp=reject"] } },
    }),
  ],
  "t=y (RFC 9989 §4.7 t)": [fails("reject>quarantine"), policyOf("v=DMARC1; p=reject; t=y")],
  "t=y with quarantine (RFC 9989 §4.7 t)": [fails("quarantine>none"), policyOf("v=DMARC1; p=quarantine; t=y")],
  "pct=0, which is no more (RFC 9989 §4.7)": [fails("reject"), policyOf("v=DMARC1; p=reject; pct=0")],
  "no record (RFC 9989 §5.3)": ["spf=pass dkim=none dmarc=none -", policyOf("hello")],
  "no record, all passing (RFC 9989 §5.3)": ["spf=pass dkim=pass dmarc=none -", policyOf("hello", { sign: {} })],
  "two records (RFC 9989 §4.10)": [
    "spf=pass dkim=pass dmarc=none -",
    policyOf(["v=DMARC1; p=none", "v=DMARC1; p=reject"], { sign: {} }),
  ],
  "a record beside another text (RFC 9989 §4.10)": [fails("reject"), policyOf(["x=1", "v=DMARC1; p=reject"])],
  "a record in two strings (RFC 9989 §4.5)": [
    fails("reject"),
    { sign: [], zone: { "_dmarc.a.example": { TXT: [["v=DMARC1; p=re", "ject"]] } } },
  ],
  "p that nobody knows, with rua (RFC 9989 §4.10.1)": [
    fails("none"),
    policyOf("v=DMARC1; p=block; rua=mailto:d@a.example"),
  ],
  "p that nobody knows, without rua (RFC 9989 §4.10.1)": [
    "spf=pass dkim=none dmarc=none -",
    policyOf("v=DMARC1; p=block"),
  ],
  "the version in the wrong place (RFC 9989 §4.8)": ["spf=pass dkim=none dmarc=none -", policyOf("p=reject; v=DMARC1")],
  "the version in other capitals (RFC 9989 §4.8)": ["spf=pass dkim=none dmarc=none -", policyOf("v=dmarc1; p=reject")],
  "a tag that nobody knows (RFC 9989 §4.8)": [fails("reject"), policyOf("v=DMARC1; p=reject; zz=1")],
  "DNS silent for the record (RFC 9989 §4.10)": [
    "spf=pass dkim=pass dmarc=temperror ?timeout",
    { zone: { "_dmarc.a.example": "timeout" } },
  ],
  "DNS refusing above the author's own record (RFC 9989 §4.10.1)": [passes, { zone: { "_dmarc.example": "refused" } }],
};

const deep = "a.b.c.d.e.f.g.h.i.j.k.example";

const tree: Rows = {
  "psd=n names the organisation (RFC 9989 §4.10.2)": [
    "spf=pass dkim=pass dmarc=fail none",
    { from: "ann@x.mail.a.example", zone: { "_dmarc.mail.a.example": record("p=none; psd=n") } },
  ],
  "psd=n and d= within it (RFC 9989 §4.10.2)": [
    "spf=pass dkim=pass dmarc=pass none",
    {
      from: "ann@x.mail.a.example",
      sign: { domain: "mail.a.example" },
      zone: { "_dmarc.mail.a.example": record("p=none; psd=n") },
    },
  ],
  "psd=y above: the organisation is the name below (RFC 9989 §4.10.2)": [
    "spf=pass dkim=pass dmarc=pass quarantine",
    {
      from: "ann@x.c.example",
      sign: { domain: "y.c.example" },
      zone: { "_dmarc.example": record("p=quarantine; psd=y") },
    },
  ],
  "psd=y above: two organisations under one suffix (RFC 9989 §4.10.2)": [
    "spf=pass dkim=pass dmarc=fail quarantine",
    {
      from: "ann@x.c.example",
      sign: { domain: "d.example" },
      zone: { "_dmarc.example": record("p=quarantine; psd=y") },
    },
  ],
  "psd=y of the author's own domain (RFC 9989 §4.10.2)": [
    "spf=pass dkim=pass dmarc=fail reject",
    { sign: { domain: "mail.a.example" }, zone: { "_dmarc.a.example": record("p=reject; psd=y") } },
  ],
  "twelve labels, a record at the last seven (RFC 9989 §4.10)": [
    "spf=pass dkim=pass dmarc=pass reject",
    {
      from: `ann@${deep}`,
      sign: { domain: "f.g.h.i.j.k.example" },
      zone: { "_dmarc.f.g.h.i.j.k.example": record("p=reject") },
    },
  ],
  "twelve labels, a record at the last eight, which nobody asks (RFC 9989 §4.10)": [
    "spf=pass dkim=pass dmarc=none -",
    { from: `ann@${deep}`, zone: { [deep]: { A: ["192.0.2.6"] }, "_dmarc.e.f.g.h.i.j.k.example": record("p=reject") } },
  ],
  "twelve labels and their own record (RFC 9989 §4.10)": [
    "spf=pass dkim=none dmarc=fail reject",
    { from: `ann@${deep}`, sign: [], zone: { [`_dmarc.${deep}`]: record("p=reject") } },
  ],
  "twelve labels, the topmost record names the organisation (RFC 9989 §4.10.2)": [
    "spf=pass dkim=pass dmarc=pass quarantine",
    {
      from: `ann@${deep}`,
      sign: { domain: "k.example" },
      zone: { "_dmarc.i.j.k.example": record("p=reject"), "_dmarc.k.example": record("p=quarantine") },
    },
  ],
  "a parent without a record is another organisation (RFC 9989 §4.10.2)": [
    "spf=pass dkim=pass dmarc=fail reject",
    {
      from: "ann@mail.c.example",
      sign: { domain: "c.example" },
      zone: { "_dmarc.mail.c.example": record("p=reject") },
    },
  ],
  "a record at the author's domain and none above (RFC 9989 §4.10.2)": [
    "spf=pass dkim=pass dmarc=pass reject",
    {
      from: "ann@mail.c.example",
      sign: { domain: "x.mail.c.example" },
      zone: { "_dmarc.mail.c.example": record("p=reject") },
    },
  ],
  "a signer whose own tree says psd=n (RFC 9989 §4.10.2)": [
    "spf=pass dkim=pass dmarc=fail reject",
    { sign: { domain: "shop.a.example" }, zone: { "_dmarc.shop.a.example": record("p=none; psd=n") } },
  ],
  "DNS silent in the signer's tree (RFC 9989 §4.10)": [
    "spf=pass dkim=pass dmarc=temperror reject",
    { sign: { domain: "shop.a.example" }, zone: { "_dmarc.shop.a.example": "timeout" } },
  ],
};

const spfOf = (text: string, more: Letter = {}): Letter => ({
  ...byEnvelope,
  ...more,
  zone: { "a.example": { TXT: [text] }, ...more.zone },
});
const spfFails = (word: string) => `spf=${word} dkim=none dmarc=fail reject`;

const tenHosts = Array.from({ length: 10 }, (_, index) => `mx${index}.a.example`);

const envelope: Rows = {
  "an address that may not send (RFC 7208 §2.6.4)": [spfFails("fail"), { ...byEnvelope, ip: "198.51.100.9" }],
  "the same, with a good signature (RFC 9989 §5.3)": [
    "spf=fail dkim=pass dmarc=pass reject",
    { ip: "198.51.100.9", mailFrom: "ann@a.example" },
  ],
  "softfail (RFC 7208 §2.6.5)": [spfFails("softfail"), spfOf("v=spf1 ~all")],
  "neutral (RFC 7208 §2.6.2)": [spfFails("neutral"), spfOf("v=spf1 ?all")],
  "no record (RFC 7208 §2.6.1)": [spfFails("none"), spfOf("hello")],
  "two records (RFC 7208 §4.5)": [
    spfFails("permerror"),
    { ...byEnvelope, zone: { "a.example": { TXT: ["v=spf1 -all", "v=spf1 +all"] } } },
  ],
  "a record that cannot be read (RFC 7208 §4.6)": [spfFails("permerror"), spfOf("v=spf1 ip4:1.2.3 -all")],
  "eleven look-ups (RFC 7208 §4.6.4)": [
    spfFails("permerror"),
    spfOf(`v=spf1 ${Array.from({ length: 11 }, (_, index) => `exists:e${index}.a.example`).join(" ")} -all`, {
      zone: Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`e${index}.a.example`, { TXT: ["x"] }])),
    }),
  ],
  "the last of ten MX hosts (RFC 7208 §5.4)": [
    "spf=pass dkim=none dmarc=pass reject",
    {
      ...byEnvelope,
      ip: "192.0.2.109",
      zone: {
        "a.example": { TXT: ["v=spf1 mx -all"], MX: tenHosts.map((exchange) => ({ preference: 1, exchange })) },
        ...Object.fromEntries(tenHosts.map((name, index) => [name, { A: [`192.0.2.${100 + index}`] }])),
      },
    },
  ],
  "eleven MX hosts (RFC 7208 §4.6.4)": [
    spfFails("permerror"),
    {
      ...byEnvelope,
      zone: {
        "a.example": {
          TXT: ["v=spf1 mx -all"],
          MX: [...tenHosts, "mx11.a.example"].map((exchange) => ({ preference: 1, exchange })),
        },
      },
    },
  ],
  "an explanation of the domain's own (RFC 7208 §6.2)": [
    spfFails("fail"),
    spfOf("v=spf1 -all exp=why.a.example", { zone: { "why.a.example": { TXT: ["Not from %{i}."] } } }),
  ],
  "two names that are not there, and one too many (RFC 7208 §4.6.4)": [
    spfFails("permerror"),
    spfOf("v=spf1 a:x1.none.example a:x2.none.example a:x3.none.example -all"),
  ],
  "an include that passes, behind a redirect (RFC 7208 §5.2, §6.1)": [
    "spf=pass dkim=none dmarc=pass reject",
    spfOf("v=spf1 redirect=_spf.a.example", {
      zone: {
        "_spf.a.example": { TXT: ["v=spf1 include:esp.example include:own.a.example -all"] },
        "own.a.example": { TXT: ["v=spf1 ip4:192.0.2.20"] },
      },
    }),
  ],
  "an include without a record (RFC 7208 §5.2)": [spfFails("permerror"), spfOf("v=spf1 include:none.example -all")],
  "a macro of the local part (RFC 7208 §7)": [
    "spf=pass dkim=none dmarc=pass reject",
    spfOf("v=spf1 exists:%{l}.allowed.a.example -all", { zone: { "ann.allowed.a.example": { A: ["127.0.0.2"] } } }),
  ],
  "DNS silent for the record (RFC 7208 §2.6.6)": [
    "spf=temperror dkim=none dmarc=temperror reject",
    { ...byEnvelope, zone: { "a.example": { TXT: "timeout" } } },
  ],
  "DNS failing for another's record (RFC 9989 §4.4.2)": [
    "spf=temperror dkim=none dmarc=fail reject",
    { sign: [], zone: { "esp.example": { TXT: "servfail" } } },
  ],
  "the null path, HELO of the author's organisation (RFC 7208 §2.4)": [
    "spf=pass dkim=none dmarc=pass reject",
    { ...byEnvelope, mailFrom: "", helo: "mail.a.example" },
  ],
  "the same, strict (RFC 9989 §4.4.2)": [
    unsigned,
    { ...byEnvelope, mailFrom: "", helo: "mail.a.example", zone: strict },
  ],
  "the null path, another's HELO (RFC 9989 §4.4.2)": [unsigned, { sign: [], mailFrom: "" }],
  "a HELO that would align beside a MAIL FROM that does not (RFC 9989 §4.4.2)": [
    "spf=none dkim=none dmarc=fail reject",
    { sign: [], ip: "192.0.2.20", helo: "mail.a.example", mailFrom: "x@silent.example" },
  ],
  "an IPv6 client (RFC 7208 §5.6)": [
    "spf=pass dkim=none dmarc=pass reject",
    spfOf("v=spf1 ip6:2001:db8::/32 -all", { ip: "2001:db8::25" }),
  ],
  "an IPv4 client in an IPv6 coat (RFC 7208 §5)": [
    "spf=pass dkim=none dmarc=pass reject",
    { ...byEnvelope, ip: "::ffff:192.0.2.20" },
  ],
  "no session, a good signature (RFC 9989 §5.3)": ["spf=unknown:no-session dkim=pass dmarc=pass reject", { ip: null }],
  "no session, no signature: nobody knows": [
    "spf=unknown:no-session dkim=none dmarc=unknown:no-session reject",
    { ip: null, sign: [] },
  ],
};

const authors: Rows = {
  "no From (RFC 9989 §5.3.1)": [
    "spf=pass dkim=permerror:from-unsigned dmarc=permerror ?parser-failed",
    { from: null, sign: { names: ["to", "subject"] } },
  ],
  "two authors of one domain (RFC 9989 §5.3.1)": [passes, { from: "ann@a.example, Eve <eve@a.example>" }],
  "two authors of two domains (RFC 9989 §5.3.1)": [
    "spf=pass dkim=pass dmarc=permerror ?parser-failed",
    { from: "ann@a.example, eve@c.example" },
  ],
  "a group of one author (RFC 6854 §2.1)": [passes, { from: "Team: ann@a.example;" }],
  "an encoded name (RFC 2047 §5)": [passes, { from: "=?utf-8?Q?J=C3=BCrgen?= <j@a.example>" }],
  "a name in UTF-8 (RFC 6532 §3.1)": [passes, { from: "Jürgen Müller <j@a.example>" }],
  "the address in place of a name": [passes, { from: "ann@a.example <ann@a.example>" }],
  "a closing dot": [passes, { from: "Ann <ann@a.example.>" }],
  "capitals (RFC 4343)": [passes, { from: "Ann <ANN@A.EXAMPLE>" }],
  "a comment (RFC 5322 §3.2.2)": [passes, { from: "Ann (Sales) <ann@a.example>" }],
  "no space behind the colon (RFC 5322 §2.2)": [passes, { change: replace("From: ", "From:"), sign: {} }],
  "an address literal": ["spf=pass dkim=pass dmarc=permerror ?parser-failed", { from: "ann@[192.0.2.10]" }],
};

export const verdictTable: Readonly<Record<string, Rows>> = {
  "changes on the way": toMutationRows(),
  keys,
  signatures,
  alignment,
  policy,
  "the tree walk": tree,
  "the envelope": envelope,
  authors,
};
