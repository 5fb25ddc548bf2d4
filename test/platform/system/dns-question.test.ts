import * as packets from "dns-packet";
import { describe, expect, it } from "vitest";
import { createDice } from "../../../scripts/dice.ts";
import { recordTypes } from "../../../src/analyzer/dns/answer.ts";
import { encodeQuestion, type Question, repeatsQuestion } from "../../../src/platform/system/dns-question.ts";

const names = [".", "a", "com", "example.com", "_domainkey.a-b.example", "2.0.192.in-addr.arpa", "a b.test"];
const longest = [63, 63, 63, 61].map((length) => "x".repeat(length)).join(".");

describe("encodeQuestion", () => {
  it("encodeQuestion writes packets that another codec reads", () => {
    for (const name of [...names, longest])
      for (const type of recordTypes) {
        const packet = encodeQuestion({ id: 0xfedc, name, type }, { edns: true });
        expect(packets.decode(packet)).toMatchObject({
          id: 0xfedc,
          type: "query",
          flag_rd: true,
          flag_ad: true,
          flag_cd: false,
          questions: [{ name, type, class: "IN" }],
          answers: [],
          additionals: [{ type: "OPT", udpPayloadSize: 1232, ednsVersion: 0, flags: 0, options: [] }],
        });
        expect(packets.decode.bytes).toBe(packet.length);
      }
  });

  it("encodeQuestion can query without EDNS, recursion, or validation", () => {
    const question: Question = { id: 1, name: "example.com", type: "SOA" };
    const direct = packets.decode(encodeQuestion(question, { edns: false, direct: true }));
    expect(direct).toMatchObject({ flag_rd: false, flag_cd: false, additionals: [] });
    const unchecked = packets.decode(encodeQuestion(question, { edns: true, unchecked: true }));
    expect(unchecked).toMatchObject({ flag_rd: true, flag_cd: true });
  });
});

describe("repeatsQuestion", () => {
  const question: Question = { id: 7, name: "mail.example.com", type: "TXT" };
  const replyTo = (asked: Question) => packets.encode({ type: "response", id: 7, questions: [asked] });

  it("repeatsQuestion accepts the question itself in any letter case", () => {
    for (const name of [...names, longest])
      for (const type of recordTypes)
        expect(repeatsQuestion(replyTo({ id: 7, name: name.toUpperCase(), type }), { id: 7, name, type })).toBe(true);
  });

  it("repeatsQuestion rejects another name, type, or class, and half a question", () => {
    const others = ["mail.example.co", "mail.example.com.x", "nail.example.com", "mail-example.com", "."];
    for (const name of others) expect(repeatsQuestion(replyTo({ ...question, name }), question)).toBe(false);
    expect(repeatsQuestion(replyTo({ ...question, type: "MX" }), question)).toBe(false);
    const reply = replyTo(question);
    const chaos = Buffer.from(reply);
    chaos.writeUInt16BE(3, chaos.length - 2);
    expect(repeatsQuestion(chaos, question)).toBe(false);
    for (let end = 0; end < reply.length; end++) expect(repeatsQuestion(reply.subarray(0, end), question)).toBe(false);
  });

  it("repeatsQuestion rejects any changed byte except letter case", () => {
    const dice = createDice(1);
    const reply = replyTo(question);
    for (let round = 0; round < 5_000; round++) {
      const other = Buffer.from(reply);
      const at = 12 + dice(reply.length - 12);
      other[at] = dice(256);
      const isSame = other.toString("latin1").toLowerCase() === reply.toString("latin1");
      expect(repeatsQuestion(other, question)).toBe(isSame);
    }
  });
});
