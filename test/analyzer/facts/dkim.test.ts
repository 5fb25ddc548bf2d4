import { describe, expect, test } from "vitest";
import type { DkimSignature } from "../../../src/analyzer/checks/authentication-facts.ts";
import type { Dns } from "../../../src/analyzer/dns/answer.ts";
import { createZoneDns, type Zone } from "../../../src/analyzer/dns/zone.ts";
import { verifyDkim } from "../../../src/analyzer/facts/dkim.ts";
import { readHeaderSection } from "../../../src/analyzer/mail/headers/fields.ts";
import {
  ed25519Key,
  newRsaKey,
  rsaKey,
  type SignOptions,
  sign,
  toKeyRecord,
  toPublished,
  toSignature,
} from "../mail/signing/sign.ts";

const receivedAt = Date.UTC(2026, 10, 21, 12);
const seconds = receivedAt / 1_000;

const message = [
  "From: Ann <ann@example.com>",
  "To: bob@example.net",
  "Subject: Hello",
  "Date: Fri, 20 Nov 2026 10:00:00 +0000",
  "",
  "A body.",
  "",
].join("\r\n");

const keyName = "sel._domainkey.example.com";
const goodZone: Zone = { [keyName]: { TXT: [toKeyRecord(rsaKey)] } };

function verify(text: string, dns: Dns | Zone = goodZone) {
  const raw = Buffer.from(text, "latin1");
  const asked = typeof dns.query === "function" ? (dns as Dns) : createZoneDns(dns as Zone);
  return verifyDkim({ raw, section: readHeaderSection(raw) }, asked, receivedAt);
}

async function verifyOne(text: string, dns: Dns | Zone = goodZone): Promise<DkimSignature> {
  const { signatures } = await verify(text, dns);
  expect(signatures).toHaveLength(1);
  return signatures[0] as DkimSignature;
}

/** A DNS that records its queries. */
function recording(zone: Zone): { dns: Dns; asked: string[] } {
  const asked: string[] = [];
  const inner = createZoneDns(zone);
  return {
    asked,
    dns: {
      query: (name, type) => {
        asked.push(`${type} ${name}`);
        return inner.query(name, type);
      },
    },
  };
}

describe("the examples of the DKIM standards", () => {
  test("both signatures of RFC 8463 appendix A pass", async () => {
    const text = [
      "DKIM-Signature: v=1; a=ed25519-sha256; c=relaxed/relaxed;",
      " d=football.example.com; i=@football.example.com;",
      " q=dns/txt; s=brisbane; t=1528637909; h=from : to :",
      " subject : date : message-id : from : subject : date;",
      " bh=2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=;",
      " b=/gCrinpcQOoIfuHNQIbq4pgh9kyIK3AQUdt9OdqQehSwhEIug4D11Bus",
      " Fa3bT3FY5OsU7ZbnKELq+eXdp1Q1Dw==",
      "DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed;",
      " d=football.example.com; i=@football.example.com;",
      " q=dns/txt; s=test; t=1528637909; h=from : to : subject :",
      " date : message-id : from : subject : date;",
      " bh=2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=;",
      " b=F45dVWDfMbQDGHJFlXUNB2HKfbCeLRyhDXgFpEL8GwpsRe0IeIixNTe3",
      " DhCVlUrSjV4BwcVcOF6+FF3Zo9Rpo1tFOeS9mPYQTnGdaSGsgeefOsk2Jz",
      " dA+L10TeYt9BgDfQNZtKdN1WO//KgIqXP7OdEFE4LjFYNcUxZQ4FADY+8=",
      "From: Joe SixPack <joe@football.example.com>",
      "To: Suzie Q <suzie@shopping.example.net>",
      "Subject: Is dinner ready?",
      "Date: Fri, 11 Jul 2003 21:00:37 -0700 (PDT)",
      "Message-ID: <20030712040037.46341.5F8J@football.example.com>",
      "",
      "Hi.",
      "",
      "We lost the game.  Are you hungry yet?",
      "",
      "Joe.",
      "",
    ].join("\r\n");
    const { signatures } = await verify(text, {
      "brisbane._domainkey.football.example.com": {
        TXT: ["v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="],
      },
      "test._domainkey.football.example.com": {
        TXT: [
          "v=DKIM1; k=rsa; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDkHlOQoBTzWRiGs5V6NpP3idY6Wk08a5qhdR6wy5bdOKb2jLQiY/J16JYi0Qvx/byYzCNb3W91y3FutACDfzwQ/BC/e/8uBsCR+yz1Lxj+PL6lHvqMKrM3rG4hstT5QjvHO9PzoxZyVYLzBfO2EeC3Ip3G+2kryOTIKT+l/K4w3QIDAQAB",
        ],
      },
    });
    expect(signatures.map(({ result, algorithm }) => [result, algorithm])).toEqual([
      ["pass", "ed25519-sha256"],
      ["pass", "rsa-sha256"],
    ]);
    expect(signatures.map(({ key }) => key?.bits)).toEqual([256, 1_024]);
  });

  test("the message of RFC 6376 appendix A passes, as corrected by errata 3192 and 4926", async () => {
    const text = [
      "DKIM-Signature: v=1; a=rsa-sha256; s=brisbane; d=example.com;",
      "      c=simple/simple; q=dns/txt; i=joe@football.example.com;",
      "      h=Received : From : To : Subject : Date : Message-ID;",
      "      bh=2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=;",
      "      b=AuUoFEfDxTDkHlLXSZEpZj79LICEps6eda7W3deTVFOk4yAUoqOB",
      "      4nujc7YopdG5dWLSdNg6xNAZpOPr+kHxt1IrE+NahM6L/LbvaHut",
      "      KVdkLLkpVaVVQPzeRDI009SO2Il5Lu7rDNH6mZckBdrIx0orEtZV",
      "      4bmp/YzhwvcubU4=;",
      "Received: from client1.football.example.com  [192.0.2.1]",
      "      by submitserver.example.com with SUBMISSION;",
      "      Fri, 11 Jul 2003 21:01:54 -0700 (PDT)",
      "From: Joe SixPack <joe@football.example.com>",
      "To: Suzie Q <suzie@shopping.example.net>",
      "Subject: Is dinner ready?",
      "Date: Fri, 11 Jul 2003 21:00:37 -0700 (PDT)",
      "Message-ID: <20030712040037.46341.5F8J@football.example.com>",
      "",
      "Hi.",
      "",
      "We lost the game. Are you hungry yet?",
      "",
      "Joe.",
      "",
    ].join("\r\n");
    const p =
      "MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDwIRP/UC3SBsEmGqZ9ZJW3/DkMoGeLnQg1fWn7/zYtIxN2SnFCjxOCKG9v3b4jYfcTNh5ijSsq631uBItLa7od+v/RtdC2UzJ1lWT947qR+Rcac2gbto/NMqJ0fzfVjH4OuKhitdY9tf6mcwGjaNBcWToIMmPSPDdQPNUYckcQ2QIDAQAB";
    const signature = await verifyOne(text, { "brisbane._domainkey.example.com": { TXT: [`v=DKIM1; p=${p}`] } });
    expect(signature).toMatchObject({ result: "pass", domain: "example.com", identity: "joe@football.example.com" });
  });
});

describe("the parsed signature", () => {
  test("the parsed signature is reported with its key if it passes", async () => {
    const text = sign(message, {
      canonicalization: "relaxed",
      names: ["From", "Subject", "subject"],
      bodyLength: 4,
      tags: { t: String(seconds - 60), x: String(seconds + 60) },
    });
    expect(await verifyOne(text)).toEqual({
      index: 0,
      result: "pass",
      why: null,
      says: null,
      domain: "example.com",
      selector: "sel",
      identity: "@example.com",
      algorithm: "rsa-sha256",
      canon: { header: "relaxed", body: "simple" },
      headers: ["from", "subject", "subject"],
      bodyLength: 4,
      bodyBytes: 9,
      signedAt: receivedAt - 60_000,
      expiresAt: receivedAt + 60_000,
      key: {
        name: keyName,
        records: [toKeyRecord(rsaKey)],
        type: "rsa",
        bits: 1_024,
        revoked: false,
        testing: false,
        strictIdentity: false,
        hashes: null,
        services: ["*"],
        faults: [],
      },
    });
  });

  test.each<[string, SignOptions]>([
    ["no c=", { canonicalization: null }],
    ["c=simple alone", { canonicalization: "simple" }],
    ["i= below d=", { tags: { i: "ann@news.example.com" } }],
    ["i= in another case", { tags: { i: "@News.EXAMPLE.com" } }],
    ["a quoted-printable i=", { tags: { i: "a=6E=6En=3D@example.com" } }],
    ["a quoted i=", { tags: { i: '"a=40b=3B\\""@example.com' } }],
    ["tag values in capital letters", { tags: { a: "RSA-SHA256", c: "Relaxed/RELAXED", q: "DNS/TXT" } }],
    ["d= and s= in another case", { domain: "Example.COM", selector: "SEL" }],
    ["an unknown tag", { tags: { wonder: "full; r2_d2=1" } }],
    ["q= with an unknown method beside dns/txt", { tags: { q: "carrier/pigeon : dns/txt" } }],
    ["header names in any case, with spaces", { names: ["From", " to ", "SUBJECT"] }],
    ["an empty name in h=", { names: ["from", "", "to", ""] }],
    ["t= in the future", { tags: { t: String(seconds + 86_400) } }],
    ["x= in this second", { tags: { x: String(seconds) } }],
    ["l= of 76 digits", { bodyLength: 4, tags: { l: "4".padStart(76, "0") } }],
    ["h= that names the signature itself", { names: ["from", "dkim-signature"] }],
    ["z=", { tags: { z: "From:ann@example.com|Subject:Hello" } }],
  ])("the parsed signature is accepted with %s", async (_, options) => {
    expect(await verifyOne(sign(message, options))).toMatchObject({ result: "pass", says: null });
  });

  test.each<[string, SignOptions, string, string, RegExp]>([
    ["without v=", { tags: { v: null } }, "neutral", "missing-tag", /v= is missing/],
    ["without bh=", { tags: { bh: null } }, "neutral", "missing-tag", /bh= is missing/],
    ["without h=", { tags: { h: null } }, "neutral", "missing-tag", /h= is missing/],
    ["without d=", { tags: { d: null } }, "neutral", "missing-tag", /d= is missing/],
    ["without s=", { tags: { s: null } }, "neutral", "missing-tag", /s= is missing/],
    ["without a=", { tags: { a: null } }, "neutral", "missing-tag", /a= is missing/],
    ["with v=2", { tags: { v: "2" } }, "neutral", "version", /"2"/],
    ["with v=1.0", { tags: { v: "1.0" } }, "neutral", "version", /"1\.0"/],
    ["with an empty b=", { tags: { b: "" } }, "neutral", "syntax", /b= is empty/],
    ["with an empty bh=", { tags: { bh: "" } }, "neutral", "syntax", /bh= is empty/],
    ["with an empty h=", { names: [] }, "neutral", "syntax", /h= lists no headers/],
    ["with an empty d=", { domain: "" }, "neutral", "bad-name", /d=""/],
    ["with an empty s=", { selector: "" }, "neutral", "bad-name", /s=""/],
    ["whose b= is not base64", { tags: { b: "a*b" } }, "neutral", "syntax", /b="a\*b" is not base64/],
    ["whose bh= is not base64", { tags: { bh: "=abc" } }, "neutral", "syntax", /bh="=abc"/],
    ["whose bh= is not SHA-256", { tags: { bh: "YWJj" } }, "fail", "body-changed", /bh= has 3 bytes/],
    ["with a repeated tag", { tags: { wonder: "1; d=example.com" } }, "neutral", "syntax", /d= appears more than once/],
    ["with an empty tag", { tags: { wonder: "1;" } }, "neutral", "syntax", /empty tag/],
    ["with an invalid tag", { tags: { wonder: "1; 2x=1" } }, "neutral", "syntax", /name=value/],
    ["with a tag name in capitals", { tags: { a: null, A: "rsa-sha256" } }, "neutral", "missing-tag", /a= is missing/],
    ["with a control character", { tags: { wonder: "a\0b" } }, "neutral", "syntax", /control character/],
    ["whose t= is not a number", { tags: { t: "now" } }, "neutral", "syntax", /t="now"/],
    ["whose x= is negative", { tags: { x: "-1" } }, "neutral", "syntax", /x="-1"/],
    ["whose t= has 13 digits", { tags: { t: "1".repeat(13) } }, "neutral", "syntax", /t=/],
    ["whose l= is not a number", { tags: { l: "4x" } }, "neutral", "syntax", /l="4x"/],
    ["whose l= is empty", { tags: { l: "" } }, "neutral", "syntax", /l= is empty/],
    ["whose l= has 77 digits", { tags: { l: "1".repeat(77) } }, "neutral", "syntax", /l=/],
    ["whose l= is longer than the body", { tags: { l: "10" } }, "permerror", "body-length", /9 bytes.* l=10/],
    ["whose h= has a name with a space", { names: ["from", "sub ject"] }, "neutral", "syntax", /"sub ject"/],
    ["whose q= has only an unknown method", { tags: { q: "carrier/pigeon" } }, "neutral", "syntax", /dns\/txt/],
    ["whose i= is outside d=", { tags: { i: "ann@example.org" } }, "permerror", "identity", /example\.org.*outside/],
    ["whose i= only ends like d=", { tags: { i: "@badexample.com" } }, "permerror", "identity", /outside/],
    [
      "whose i= is above d=",
      { domain: "sub.example.com", tags: { i: "@example.com" } },
      "permerror",
      "identity",
      /outside/,
    ],
    ["whose i= has no @", { tags: { i: "example.com" } }, "neutral", "syntax", /local-part/],
    ["whose i= has two @", { tags: { i: "a=40b@example.com" } }, "neutral", "syntax", /local-part/],
    ["whose i= has no domain name", { tags: { i: "@a..example.com" } }, "neutral", "bad-name", /domain name/],
    ["that leaves From unsigned", { names: ["to", "subject"] }, "permerror", "from-unsigned", /From/],
    ["with an unknown algorithm", { algorithm: "rsa-sha512" }, "neutral", "algorithm", /rsa-sha512/],
    ["with rsa-sha1", { algorithm: "rsa-sha1" }, "policy", "sha1", /rsa-sha1/],
    ["with an unknown c=", { tags: { c: "nofws" } }, "neutral", "canonicalization", /nofws/],
    ["with half an unknown c=", { tags: { c: "relaxed/nofws" } }, "neutral", "canonicalization", /nofws/],
    ["with an empty c=", { tags: { c: "" } }, "neutral", "canonicalization", /c=""/],
    ["that expired a second ago", { tags: { x: String(seconds - 1) } }, "neutral", "expired", /2026-11-21T11:59:59/],
    ["whose x= equals t=", { tags: { t: "99999999999", x: "99999999999" } }, "neutral", "expired", /not later/],
    [
      "whose x= and t= have 12 digits",
      { tags: { t: "9".repeat(12), x: "9".repeat(12) } },
      "neutral",
      "expired",
      /not later/,
    ],
    ["of 33 KB", { tags: { wonder: "x".repeat(33_000) } }, "neutral", "syntax", /32 KB/],
    ["that names 1,001 header fields", { names: ["from", ...Array(1_000).fill("x")] }, "neutral", "syntax", /1000/],
  ])("the parsed signature does not pass %s", async (_, options, result, why, says) => {
    const signature = await verifyOne(sign(message, options));
    expect([signature.result, signature.why]).toEqual([result, why]);
    expect(signature.says).toMatch(says);
  });

  test("the parsed signature is reported as far as it is readable", async () => {
    const signature = await verifyOne(sign(message, { tags: { v: "7", i: "ann@example.com" } }));
    expect(signature).toMatchObject({
      domain: "example.com",
      selector: "sel",
      identity: "ann@example.com",
      canon: { header: "relaxed", body: "relaxed" },
      key: null,
    });
  });

  test("the parsed signature is safe to store and show, whatever bytes it contains", async () => {
    const i = "\xff\xfe=00=0D=0A\x1b[31m@example.com";
    const signature = await verifyOne(sign(message, { tags: { i, a: "\xed\xa0\x80" } }));
    expect(JSON.stringify(signature)).not.toMatch(/\\u0000|\\ud[89a-f]/i);
    expect(signature.says).not.toMatch(/\p{Cc}/u);
  });
});

describe("DKIM key names", () => {
  test.each([
    ["s=", { selector: "sel._domainkey.example.org.\0.x" }],
    ["s=", { selector: "sel\\000" }],
    ["s=", { selector: "a..b" }],
    ["s=", { selector: ".sel" }],
    ["s=", { selector: "sel." }],
    ["s=", { selector: "s el" }],
    ["s=", { selector: "sel\x7f" }],
    ["s=", { selector: "sel/../x" }],
    ["s=", { selector: "x".repeat(64) }],
    ["s=", { selector: "-sel" }],
    ["s=", { selector: Array(60).fill("abcd").join(".") }],
    ["s=", { selector: "\xff\xfe" }],
    // U+3002, which Unicode's mapping turns into a dot, and U+FF41, which it turns into "a".
    ["s=", { selector: "sel\xe3\x80\x82x" }],
    ["s=", { selector: "\xef\xbd\x81" }],
    ["d=", { domain: "example.com\0.attack.example" }],
    ["d=", { domain: "example.com." }],
    ["d=", { domain: "com" }],
    ["d=", { domain: "example.com\x01" }],
    ["d=", { domain: "@example.com" }],
    ["d=", { domain: "[192.0.2.1]" }],
    ["d=", { domain: `${"abcdefghi.".repeat(26)}com` }],
  ])("DKIM key names cause no query for %s %j", async (tag, options) => {
    const { dns, asked } = recording({});
    const signature = await verifyOne(sign(message, options), dns);
    expect(signature.result).toBe("neutral");
    expect(signature.why).toMatch(/bad-name|syntax/);
    expect(tag === "s=" ? signature.selector : signature.domain).toBeNull();
    expect(asked).toEqual([]);
  });

  test("DKIM key names that are too long in total cause no query", async () => {
    const { dns, asked } = recording({});
    const options = { selector: "s".repeat(20), domain: `${"abcdefghi.".repeat(24)}com` };
    expect(await verifyOne(sign(message, options), dns)).toMatchObject({ why: "bad-name" });
    expect(asked).toEqual([]);
  });

  test("DKIM key names may contain underscores", async () => {
    const zone = { "my_sel._domainkey._x.example.com": { TXT: [toKeyRecord(rsaKey)] } };
    const text = sign(message, { selector: "my_sel", domain: "_x.example.com" });
    expect((await verifyOne(text, zone)).result).toBe("pass");
  });

  test("DKIM key names with U-labels are queried and compared as A-labels (RFC 8616)", async () => {
    const bytes = (text: string) => Buffer.from(text).toString("latin1");
    const { dns, asked } = recording({
      "xn--schlssel-95a._domainkey.xn--bcher-kva.example": { TXT: [toKeyRecord(rsaKey)] },
    });
    const text = sign(message, {
      selector: bytes("schlüssel"),
      domain: bytes("Bücher.example"),
      tags: { i: "ann@news.xn--bcher-kva.example" },
    });
    expect(await verifyOne(text, dns)).toMatchObject({
      result: "pass",
      domain: "xn--bcher-kva.example",
      selector: "xn--schlssel-95a",
    });
    expect(asked).toEqual(["TXT xn--schlssel-95a._domainkey.xn--bcher-kva.example"]);
  });
});

describe("the DKIM key", () => {
  const p = toPublished(rsaKey);
  const other = newRsaKey(1_024);
  const shortKey = newRsaKey(512);

  test.each<[string, string]>([
    ["without v= and k=", `p=${p}`],
    ["with a bare RSAPublicKey", `v=DKIM1; p=${toPublished(rsaKey, "pkcs1")}`],
    ["with white space in p=", `v=DKIM1; p=${p.slice(0, 50)} \t${p.slice(50)} ;`],
    ["with spaces around everything", ` v = DKIM1 ; k = rsa ; p = ${p} `],
    ["with h= that has sha256", `v=DKIM1; h=sha1 : sha256; p=${p}`],
    ["with s=email", `v=DKIM1; s=tlsrpt:email; p=${p}`],
    ["with g= of RFC 4871, which is now ignored", `v=DKIM1; g=bob; p=${p}`],
    ["with notes", `v=DKIM1; n=the "new=20key"; p=${p}`],
    ["with t=y", `v=DKIM1; t=y; p=${p}`],
    ["with t=s, and no i=", `v=DKIM1; t=y:s; p=${p}`],
    ["with words in capitals", `v=DKIM1; k=RSA; h=SHA256; s=EMAIL; p=${p}`],
    ["with unknown tags and flags", `v=DKIM1; zz=1; t=q; p=${p}`],
  ])("a DKIM key %s is used", async (_, record) => {
    expect(await verifyOne(sign(message), { [keyName]: { TXT: [record] } })).toMatchObject({
      result: "pass",
      key: { faults: [], bits: 1_024 },
    });
  });

  test.each<[string, string[], string, string, RegExp]>([
    ["that is revoked", ["v=DKIM1; p="], "permerror", "key-revoked", /revoked/],
    ["without p=", ["v=DKIM1; k=rsa"], "permerror", "key-faulty", /missing/],
    ["with another version", [`v=DKIM2; p=${p}`], "permerror", "key-faulty", /DKIM2/],
    ["with v= in another case", [`v=dkim1; p=${p}`], "permerror", "key-faulty", /dkim1/],
    ["with v= not first", [`k=rsa; v=DKIM1; p=${p}`], "permerror", "key-faulty", /not the first/],
    ["with bad base64", ["v=DKIM1; p=MII***"], "permerror", "key-faulty", /not base64/],
    ["that is cut short", [`v=DKIM1; p=${p.slice(0, 100)}`], "permerror", "key-faulty", /cut off/],
    ["in quotation marks", [`"v=DKIM1; p=${p}"`], "permerror", "key-faulty", /quotation marks/],
    ["with escaped semicolons", [`v=DKIM1\\; k=rsa\\; p=${p}`], "permerror", "key-faulty", /backslashes/],
    ["with a repeated tag", [`v=DKIM1; p=${p}; p=${p}`], "permerror", "key-faulty", /more than once/],
    ["of an unknown type", [`v=DKIM1; k=dsa; p=${p}`], "permerror", "key-faulty", /dsa/],
    ["that is another record", ["v=spf1 -all"], "permerror", "key-faulty", /spf1/],
    ["of the other type", [toKeyRecord(ed25519Key)], "permerror", "key-unsuitable", /ed25519/],
    ["whose h= lacks sha256", [`v=DKIM1; h=sha1; p=${p}`], "permerror", "key-unsuitable", /sha1/],
    ["whose s= excludes email", [`v=DKIM1; s=tlsrpt; p=${p}`], "permerror", "key-unsuitable", /tlsrpt/],
    ["of 512 bits", [toKeyRecord(shortKey)], "policy", "key-too-short", /512 bits/],
    ["of another signer", [toKeyRecord(other)], "fail", "header-changed", /changed/],
    ["that is empty", [""], "permerror", "key-faulty", /empty/],
  ])("a DKIM key %s fails the signature", async (_, records, result, why, says) => {
    const signature = await verifyOne(sign(message), { [keyName]: { TXT: records } });
    expect([signature.result, signature.why]).toEqual([result, why]);
    expect(signature.says).toMatch(says);
    expect(signature.key?.records).toEqual(records);
  });

  test("the DKIM key with t=s requires i= to be in the domain of d=", async () => {
    const zone = { [keyName]: { TXT: [`v=DKIM1; t=s; p=${p}`] } };
    expect((await verifyOne(sign(message, { tags: { i: "x@EXAMPLE.com" } }), zone)).result).toBe("pass");
    expect(await verifyOne(sign(message, { tags: { i: "@sub.example.com" } }), zone)).toMatchObject({
      result: "permerror",
      why: "strict-identity",
    });
  });

  test("the DKIM key is missing whether or not its name exists", async () => {
    for (const zone of [{}, { [keyName]: { A: ["192.0.2.1"] } }])
      expect(await verifyOne(sign(message), zone)).toMatchObject({
        result: "permerror",
        why: "key-missing",
        key: { name: keyName, records: [], faults: [{ fault: "missing" }] },
      });
  });

  test.each(["timeout", "servfail", "refused", "unreachable"] as const)(
    "the DKIM key is unknown if DNS answers %s",
    async (trouble) => {
      const signature = await verifyOne(sign(message), { [keyName]: trouble });
      expect(signature).toMatchObject({ result: "temperror", why: "key-unknown", key: null });
    },
  );

  test("the DKIM key is found through a CNAME and joined from its strings", async () => {
    const record = toKeyRecord(rsaKey);
    const zone = {
      [keyName]: { CNAME: ["key.provider.example"] },
      "key.provider.example": { TXT: [[record.slice(0, 40), record.slice(40)]] },
    };
    expect((await verifyOne(sign(message), zone)).result).toBe("pass");
  });

  test("the DKIM key is the one that verifies if a name has several, which is an issue", async () => {
    const records = ["unrelated=yes", toKeyRecord(other), toKeyRecord(rsaKey)];
    expect(await verifyOne(sign(message), { [keyName]: { TXT: records } })).toMatchObject({
      result: "pass",
      key: { records, faults: [{ fault: "several", says: `there are 2 key records at ${keyName}` }] },
    });
  });

  test("the DKIM key next to other TXT records counts as a single key", async () => {
    const records = ["v=spf1 -all", toKeyRecord(rsaKey)];
    const signature = await verifyOne(sign(message), { [keyName]: { TXT: records } });
    expect(signature).toMatchObject({ result: "pass", key: { faults: [] } });
  });

  test("the DKIM key of Ed25519 has 32 bytes", async () => {
    const text = sign(message, { key: ed25519Key });
    const spki = ed25519Key.export({ format: "der", type: "pkcs8" }).toString("base64");
    expect((await verifyOne(text, { [keyName]: { TXT: [toKeyRecord(ed25519Key)] } })).result).toBe("pass");
    expect(await verifyOne(text, { [keyName]: { TXT: [`v=DKIM1; k=ed25519; p=${spki}`] } })).toMatchObject({
      why: "key-faulty",
      says: expect.stringMatching(/an Ed25519 key has 32/),
    });
  });
});

describe("several DKIM signatures", () => {
  test("several DKIM signatures are judged in message order, and a shared key is queried once", async () => {
    const { dns, asked } = recording(goodZone);
    const broken = sign(message, { tags: { bh: "AAAA" } });
    const text = `${toSignature(message)}\r\n${toSignature(message, { domain: "other.example" })}\r\n${broken}`;
    const { signatures, ignored } = await verify(text, dns);
    expect(signatures.map(({ index, result }) => [index, result])).toEqual([
      [0, "pass"],
      [1, "permerror"],
      [2, "fail"],
    ]);
    expect(ignored).toBe(0);
    expect(asked.sort()).toEqual([`TXT sel._domainkey.example.com`, `TXT sel._domainkey.other.example`]);
  });

  test("several DKIM signatures may sign one another", async () => {
    const inner = sign(message);
    const text = sign(inner, { names: ["from", "dkim-signature", "dkim-signature"] });
    expect((await verify(text)).signatures.map(({ result }) => result)).toEqual(["pass", "pass"]);
    const stripped = text.replace(inner, message);
    expect((await verify(stripped)).signatures.map(({ why }) => why)).toEqual(["header-changed"]);
  });

  test("DKIM signatures after the twentieth are counted, but not evaluated", async () => {
    const { dns, asked } = recording({});
    const own = (index: number) => `${toSignature(message, { domain: `d${index}.example` })}\r\n`;
    const text = Array.from({ length: 1_000 }, (_, index) => own(index % 40)).join("") + message;
    const { signatures, ignored } = await verify(text, dns);
    expect(ignored).toBe(980);
    expect(signatures).toHaveLength(50);
    expect(signatures[19]?.why).toBe("key-missing");
    expect(signatures[20]).toMatchObject({ result: "policy", why: "too-many", domain: "d20.example" });
    expect(asked).toHaveLength(20);
  });

  test("an unsigned message has no DKIM signatures", async () => {
    expect(await verify(message)).toEqual({ signatures: [], ignored: 0 });
  });
});

describe("the reason why a changed message fails", () => {
  const long = message.replace("A body.\r\n", "Line one.\r\n\r\nLine  two. \r\n");

  test.each<[string, (signed: string) => string, SignOptions, RegExp]>([
    ["a footer", (text) => `${text}-- \r\nBy scanner\r\n`, {}, /16 bytes were added to the end/],
    [
      "a missing body",
      (text) => text.replace(/Line.*$/s, ""),
      {},
      /^the hash of the body does not match the one in the signature \(bh=\)$/,
    ],
    ["a bare LF", (text) => text.replace("one.\r\n", "one.\n"), {}, /bare LF/],
    [
      "a signature of an empty body",
      (text) => `${text}Something.\r\n`,
      { tags: { bh: "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=" } },
      /the hash of an empty body/,
    ],
    [
      "a wrong c=",
      (text) => text.replace("c=relaxed/relaxed", "c=relaxed/simple"),
      {},
      /with relaxed canonicalization, but c= says simple/,
    ],
    [
      "a subject mark",
      (text) => text.replace("Subject: ", "Subject: [EXTERNAL] "),
      {},
      /"\[EXTERNAL\]" was added to the Subject/,
    ],
    ["another subject mark", (text) => text.replace("Subject: ", "Subject: ***SPAM*** "), {}, /\*\*\*SPAM\*\*\*/],
    [
      "an added field",
      (text) => text.replace("To:", "Reply-To: x@y.example\r\nTo:"),
      { names: ["from", "reply-to"] },
      /a Reply-To header was added/,
    ],
    ["a removed field", (text) => text.replace(/Date:.*\r\n/, ""), {}, /perhaps because date was removed/],
    [
      "a copied field",
      (text) => text.replace("To: bob@", "To: eve@"),
      { tags: { z: "To:bob@example.net|Date:x" } },
      /^To differs from the signed copy/,
    ],
    [
      "any other change",
      (text) => text.replace("To: bob@", "To: eve@"),
      {},
      /a signed header was changed \(signed headers: From, To, Subject, Date\)/,
    ],
    [
      "a change under c=simple",
      (text) => text.replace("To: bob@", "To:\r\n bob@"),
      { canonicalization: "simple" },
      /refolded/,
    ],
  ])("the reason why a changed message fails is named for %s", async (_, change, options, says) => {
    const signature = await verifyOne(change(sign(long, options)));
    expect(signature.result).toBe("fail");
    expect(signature.says).toMatch(says);
  });
});

describe("hostile and unusual messages", () => {
  test("a DKIM signature has the same result with bare LF as with CRLF", async () => {
    const { result } = await verifyOne(sign(message, { canonicalization: "simple/simple" }).replaceAll("\r\n", "\n"));
    expect(result).toBe("pass");
  });

  test("a DKIM signature is judged without a body or a blank line", async () => {
    const header = message.slice(0, message.indexOf("\r\n\r\n") + 2);
    for (const canonicalization of ["simple/simple", "relaxed/relaxed"])
      expect((await verifyOne(sign(header, { canonicalization }))).result).toBe("pass");
  });

  test.each([
    ["spaces", " ".repeat(25e6)],
    ["bare LFs", "\n".repeat(25e6)],
    ["empty lines", "\r\n".repeat(12e6)],
    ["lines of dots", "..\r\n".repeat(6e6)],
    ["white space and letters", "a \t".repeat(8e6)],
  ])("25 MB of %s with twenty signatures of different l= are hashed once per form", async (_, filler) => {
    const body = `${filler}x`;
    const header = message.slice(0, message.indexOf("\r\n\r\n") + 4);
    const signatures = Array.from({ length: 20 }, (_, index) =>
      toSignature(message, {
        canonicalization: index % 2 ? "relaxed/relaxed" : "simple/simple",
        tags: { l: String(index) },
      }),
    );
    const verified = await verify(`${signatures.join("\r\n")}\r\n${header}${body}`);
    expect(verified.signatures.every(({ result }) => result === "fail" || result === "permerror")).toBe(true);
  });
});
