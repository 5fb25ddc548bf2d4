import * as packets from "dns-packet";
import { describe, expect, it } from "vitest";
import { createDice } from "../../../scripts/dice.ts";
import { decodeAnswer } from "../../../src/platform/system/dns-packets.ts";
import type { Question } from "../../../src/platform/system/dns-question.ts";

const question: Question = { id: 4711, name: "example.com", type: "TXT" };

const samples: Buffer[] = [
  [{ type: "TXT", name: "example.com", ttl: 60, data: ["v=spf1 -all", "more"] }],
  [
    { type: "CNAME", name: "example.com", ttl: 60, data: "other.example" },
    { type: "TXT", name: "other.example", ttl: 60, data: "found" },
    { type: "MX", name: "other.example", ttl: 60, data: { preference: 1, exchange: "mx.example" } },
    { type: "A", name: "other.example", ttl: 60, data: "192.0.2.1" },
    { type: "AAAA", name: "other.example", ttl: 60, data: "2001:db8::1" },
  ],
  [
    { type: "CAA", name: "example.com", ttl: 60, data: { flags: 0, tag: "issue", value: "ca.example" } },
    { type: "SRV", name: "example.com", ttl: 60, data: { port: 25, target: "mx.example" } },
    {
      type: "DS",
      name: "example.com",
      ttl: 60,
      data: { keyTag: 1, algorithm: 13, digestType: 2, digest: Buffer.alloc(32) },
    },
    {
      type: "TLSA",
      name: "example.com",
      ttl: 60,
      data: { usage: 3, selector: 1, matchingType: 1, certificate: Buffer.alloc(32) },
    },
  ],
].map((answers) =>
  packets.encode({
    type: "response",
    id: question.id,
    flags: 0x0180,
    questions: [{ type: "TXT", name: "example.com" }],
    answers: answers as packets.Answer[],
    authorities: [{ type: "SOA", name: "com", ttl: 60, data: { mname: "a.test", rname: "b.test", minimum: 9 } }],
    additionals: [
      {
        type: "OPT",
        name: ".",
        udpPayloadSize: 1232,
        extendedRcode: 0,
        ednsVersion: 0,
        flags: 0,
        flag_do: false,
        options: [],
      },
    ],
  }),
);

function mutate(packet: Buffer, dice: (sides: number) => number): Buffer {
  const copy = Buffer.from(packet);
  const mutations = 1 + dice(8);
  for (let done = 0; done < mutations; done++) {
    // Mostly after the question, because a packet with a different question is rejected at once.
    const at = dice(10) === 0 ? dice(copy.length) : 29 + dice(copy.length - 29);
    copy[at] = [0, 0xff, 0xc0, dice(256)][dice(4)] ?? 0;
  }
  return dice(4) === 0 ? copy.subarray(0, dice(copy.length)) : copy;
}

describe("decodeAnswer", () => {
  it("decodeAnswer never throws and always returns a known status, for any bytes", () => {
    const dice = createDice(1);
    const seen = new Set<string>();
    for (let round = 0; round < 20_000; round++) {
      const sample = samples[dice(samples.length)] ?? Buffer.alloc(0);
      const reply = decodeAnswer(mutate(sample, dice), question);
      seen.add(typeof reply === "string" ? reply : reply.status);
      if (typeof reply !== "string") expect(JSON.parse(JSON.stringify(reply))).toEqual(reply);
    }
    expect([...seen].sort()).toEqual(["alias", "answered", "foreign", "malformed", "nodata", "servfail"]);
  });

  it("decodeAnswer shows unprintable bytes of a name as numbers", () => {
    const packet = packets.encode({
      type: "response",
      id: 1,
      questions: [{ type: "PTR", name: "1.in-addr.arpa" }],
      answers: [{ type: "PTR", name: "1.in-addr.arpa", ttl: 1, data: "evil\u001b[2J\0é.example" }],
    });
    expect(decodeAnswer(packet, { id: 1, name: "1.in-addr.arpa", type: "PTR" })).toMatchObject({
      records: [{ type: "PTR", target: "evil\\027[2J\\000\\195\\169.example" }],
    });
  });

  it("decodeAnswer returns text with one character per byte", () => {
    const bytes = Buffer.from([0x00, 0x7f, 0x80, 0xff]);
    const packet = packets.encode({
      type: "response",
      id: question.id,
      questions: [{ type: "TXT", name: "example.com" }],
      answers: [{ type: "TXT", name: "EXAMPLE.com", ttl: 1, data: [bytes] }],
    });
    expect(decodeAnswer(packet, question)).toMatchObject({ records: [{ parts: [bytes.toString("latin1")] }] });
  });

  it("decodeAnswer treats a TTL with the highest bit as 0", () => {
    const packet = packets.encode({
      type: "response",
      id: question.id,
      questions: [{ type: "TXT", name: "example.com" }],
      answers: [{ type: "TXT", name: "example.com", ttl: 0x80000001, data: "x" }],
    });
    expect(decodeAnswer(packet, question)).toMatchObject({ ttlSeconds: 0 });
  });
});
