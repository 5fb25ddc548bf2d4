import { describe, expect, it } from "vitest";
import type { RecordType } from "../../../src/analyzer/dns/answer.ts";
import { createZoneDns, type Zone } from "../../../src/analyzer/dns/zone.ts";
import { parseZone } from "../../../src/analyzer/dns/zone-file.ts";

async function ask(zone: Zone, name: string, type: RecordType) {
  return createZoneDns(zone).query(name, type);
}

function read(text: string): Zone {
  const file = parseZone(text);
  if (!file.ok) throw new Error(`line ${file.line}: ${file.problem}`);
  return file.zone;
}

describe("createZoneDns", () => {
  const zone: Zone = {
    "Example.com": { TXT: ["v=spf1 -all", "x".repeat(300)], MX: [{ preference: 10, exchange: "mx.example.com." }] },
    "deep.below.example.com": { A: ["192.0.2.1"] },
    "alias.example.com": { CNAME: ["Deep.Below.Example.com."] },
    "lost.example.com": { CNAME: ["absent.example"] },
    "loop.example.com": { CNAME: ["loop.example.com"] },
    "*.wild.example": { A: ["192.0.2.9"] },
    "there.wild.example": { TXT: ["here"] },
    "partly.example": { A: ["192.0.2.1"], TXT: "timeout" },
    "slow.example": "fail",
    "servfail.example": "servfail",
    "refused.example": "refused",
  };

  it("createZoneDns answers a name and a type with its records", async () => {
    const answer = await ask(zone, "EXAMPLE.com.", "TXT");
    expect(answer).toMatchObject({ name: "example.com", status: "answered", ttlSeconds: 300 });
    expect(answer.records).toEqual([
      { type: "TXT", parts: ["v=spf1 -all"] },
      { type: "TXT", parts: ["x".repeat(255), "x".repeat(45)] },
    ]);
    expect((await ask(zone, "example.com", "MX")).records).toEqual([
      { type: "MX", preference: 10, exchange: "mx.example.com" },
    ]);
  });

  it.each<[string, RecordType, string]>([
    ["example.com", "A", "nodata"],
    ["below.example.com", "A", "nodata"],
    ["absent.example.com", "A", "nxdomain"],
    ["alias.example.com", "A", "answered"],
    ["alias.example.com", "MX", "nodata"],
    ["alias.example.com", "CNAME", "answered"],
    ["lost.example.com", "A", "nxdomain"],
    ["loop.example.com", "A", "servfail"],
    ["any.wild.example", "A", "answered"],
    ["any.wild.example", "MX", "nodata"],
    ["there.wild.example", "A", "nodata"],
    ["below.there.wild.example", "A", "nxdomain"],
    ["partly.example", "A", "answered"],
    ["partly.example", "TXT", "timeout"],
    ["partly.example", "MX", "nodata"],
    ["slow.example", "A", "timeout"],
    ["servfail.example", "A", "servfail"],
    ["refused.example", "A", "refused"],
    ["cut\0off.example", "A", "malformed"],
    ["__proto__", "A", "nxdomain"],
  ])("createZoneDns answers the query %j %s with %s", async (name, type, status) => {
    expect((await ask(zone, name, type)).status).toBe(status);
  });
});

describe("parseZone", () => {
  it("parseZone reads zone files as people write them", async () => {
    const zone = read(`
$ORIGIN example.com.        ; the zone
$TTL 1h
@       IN SOA ns1 hostmaster\\.team.example.com. (
            2026010101      ; serial
            7200 3600 2w
            300 )           ; minimum
        IN NS  ns1
@       86400 IN MX 10 mail
        IN 300 MX 20 backup.example.net.
        TXT "v=spf1 mx -all"
        TXT ( "v=verify; "
              "a \\"quote\\" and \\065" )
ns1     A 192.0.2.53
mail    A 192.0.2.25
        AAAA 2001:db8::25
www     CNAME @
_dmarc  TXT "v=DMARC1; p=none"
_25._tcp.mail TLSA 3 1 1 ( ABCDEF01
                           23456789 )
@       CAA 0 issue "ca.example; policy=ev"
sub     DS 12345 13 2 0011AABB
_imaps._tcp SRV 0 1 993 mail
1.2.0.192.in-addr.arpa. PTR mail
`);
    expect(zone).toEqual({
      "example.com": {
        ttlSeconds: 300,
        SOA: [
          {
            primary: "ns1.example.com",
            mailbox: "hostmaster.team.example.com.",
            serial: 2026010101,
            refresh: 7200,
            retry: 3600,
            expire: 1_209_600,
            minimum: 300,
          },
        ],
        NS: ["ns1.example.com"],
        MX: [
          { preference: 10, exchange: "mail.example.com" },
          { preference: 20, exchange: "backup.example.net" },
        ],
        TXT: [["v=spf1 mx -all"], ["v=verify; ", 'a "quote" and A']],
        CAA: [{ flags: 0, tag: "issue", value: "ca.example; policy=ev" }],
      },
      "ns1.example.com": { ttlSeconds: 3600, A: ["192.0.2.53"] },
      "mail.example.com": { ttlSeconds: 3600, A: ["192.0.2.25"], AAAA: ["2001:db8::25"] },
      "www.example.com": { ttlSeconds: 3600, CNAME: ["example.com"] },
      "_dmarc.example.com": { ttlSeconds: 3600, TXT: [["v=DMARC1; p=none"]] },
      "_25._tcp.mail.example.com": {
        ttlSeconds: 3600,
        TLSA: [{ usage: 3, selector: 1, matchingType: 1, certificate: "abcdef0123456789" }],
      },
      "sub.example.com": {
        ttlSeconds: 3600,
        DS: [{ keyTag: 12345, algorithm: 13, digestType: 2, digest: "0011aabb" }],
      },
      "_imaps._tcp.example.com": {
        ttlSeconds: 3600,
        SRV: [{ priority: 0, weight: 1, port: 993, target: "mail.example.com" }],
      },
      "1.2.0.192.in-addr.arpa": { ttlSeconds: 3600, PTR: ["mail.example.com"] },
    });
    expect((await ask(zone, "www.example.com", "TXT")).status).toBe("answered");
    expect((await ask(zone, "example.com", "SOA")).records).toEqual([
      { type: "SOA", primary: "ns1.example.com", serial: 2026010101, minimum: 300 },
    ]);
  });

  it("parseZone reads names as absolute without $ORIGIN", () => {
    expect(read('example.com TXT "v=spf1 -all"\r\nexample.com. A 192.0.2.1')).toEqual({
      "example.com": { TXT: [["v=spf1 -all"]], A: ["192.0.2.1"] },
    });
  });

  it("parseZone splits text of more than 255 bytes, and keeps non-ASCII text as bytes", () => {
    expect(read(`example.com TXT "${"k".repeat(256)}" "é"`)).toEqual({
      "example.com": { TXT: [["k".repeat(255), "k", "\u00c3\u00a9"]] },
    });
  });

  it.each([
    [
      "example.com A 192.0.2.1\nexample.com A 192.0.2",
      2,
      'The address of the A record must be an IPv4 address, not "192.0.2".',
    ],
    ["example.com AAAA 192.0.2.1", 1, 'The address of the AAAA record must be an IPv6 address, not "192.0.2.1".'],
    ["\n\nexample.com MX mail", 3, 'The preference of the MX record must be a number from 0 to 65535, not "mail".'],
    ["example.com MX 10", 1, "The exchange of the MX record must be a name, not nothing."],
    ["example.com MX 10 a b", 1, 'The MX record ends before "b".'],
    ["example.com TLSA 3 1 1 xyz", 1, 'The certificate of the TLSA record must be hexadecimal digits, not "xyz".'],
    ["example.com TXT", 1, "The TXT record needs at least one string."],
    ["example.com HINFO a b", 1, '"HINFO" is not a supported record type.'],
    ["example.com 300", 1, "The record for example.com has no type."],
    ["a..b A 192.0.2.1", 1, '"a..b" is not a name.'],
    ["@ A 192.0.2.1", 1, '"@" is not a name.'],
    ["  A 192.0.2.1", 1, "The first record has no name."],
    ["$INCLUDE /etc/passwd", 1, '"$INCLUDE" is not supported. Only $ORIGIN and $TTL are.'],
    ["example.com \u001b[2J a", 1, '"\\u001b[2J" is not a supported record type.'],
    ["$TTL soon", 1, '$TTL must be a time like 3600 or 1h, not "soon".'],
    ["$ORIGIN", 1, '"$ORIGIN" needs exactly one value.'],
    ['\nexample.com TXT "open\nnext A 192.0.2.1', 2, "A quoted string is not closed on the line where it starts."],
    ["\nexample.com TXT ( a\nb", 2, "A parenthesis is never closed."],
    ["example.com TXT a )", 1, "There is a closing parenthesis without an opening one."],
    ["example.com TXT a\\", 1, "There is no character after a backslash."],
  ])("parseZone reports the error and line in %j", (text, line, problem) => {
    expect(parseZone(text)).toEqual({ ok: false, line, problem });
  });

  it("parseZone ignores a UTF-8 byte order mark", () => {
    expect(parseZone("\ufeffexample.com A 192.0.2.1")).toEqual(parseZone("example.com A 192.0.2.1"));
  });

  it("parseZone parses 4 MB in one pass and rejects more", () => {
    const line = 'example.com TXT "text"\n';
    expect(parseZone(line.repeat(150_000)).ok).toBe(true);
    expect(parseZone(line.repeat(200_000))).toMatchObject({ ok: false, problem: "The zone is larger than 4 MB." });
    expect(parseZone(`a TXT "${"x".repeat(4_000_000)}"`).ok).toBe(true);
  });
});
