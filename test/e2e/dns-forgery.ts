// Answers that lie, each made of the true one: what it would make of a letter if it were believed is a pass.

import * as packets from "dns-packet";

export function edit(answer: Buffer, change: (packet: packets.DecodedPacket) => packets.Packet): Buffer {
  return packets.encode(change(packets.decode(answer)));
}

export function toAlias(name: string, target: string): packets.Answer {
  return { type: "CNAME", name, ttl: 60, data: target };
}

export function patch(answer: Buffer, change: (copy: Buffer) => void): Buffer {
  const copy = Buffer.from(answer);
  change(copy);
  return copy;
}

/** All that an honest server would have said, so that whoever believes it lets the letter pass. */
const hasRecords = (answer: Buffer) => answer.readUInt16BE(6) > 0;

export const lies: Readonly<Record<string, readonly [forge: (answer: Buffer) => readonly Uint8Array[], why: string]>> =
  {
    "with another id": [
      (answer) => [patch(answer, (copy) => copy.writeUInt16BE(copy.readUInt16BE(0) ^ 1, 0))],
      "timeout",
    ],
    "to another question": [
      (answer) => [edit(answer, (packet) => ({ ...packet, questions: [{ type: "TXT", name: "other.example" }] }))],
      "timeout",
    ],
    "to a question of another type": [
      (answer) => [
        edit(answer, (packet) => ({
          ...packet,
          questions: packet.questions?.map((question) => ({ ...question, type: "CAA" as const })) ?? [],
        })),
      ],
      "timeout",
    ],
    "without a question": [(answer) => [edit(answer, (packet) => ({ ...packet, questions: [] }))], "timeout"],
    "that are questions": [
      (answer) => [patch(answer, (copy) => copy.writeUInt8(copy.readUInt8(2) & 0x7f, 2))],
      "timeout",
    ],
    "of noise": [(answer) => [Buffer.alloc(answer.length, 0xa5)], "timeout"],
    "of no bytes": [() => [Buffer.alloc(0)], "timeout"],
    "that end in the middle": [(answer) => [answer.subarray(0, answer.length - 9)], "servfail"],
    "with counts that lie": [(answer) => [patch(answer, (copy) => copy.writeUInt16BE(999, 6))], "servfail"],
    "of NXDOMAIN, with records": [
      (answer) => [hasRecords(answer) ? patch(answer, (copy) => copy.writeUInt8(0x83, 3)) : answer],
      "servfail",
    ],
    "about other names": [
      (answer) => [
        edit(answer, ({ answers = [], authorities: _, ...packet }) => ({
          ...packet,
          answers: (answers.length > 0 ? answers : [{ type: "A" as const, name: "x", data: "192.0.2.9" }]).map(
            (record) => ({ ...record, name: "elsewhere.example" }),
          ),
        })),
      ],
      "servfail",
    ],
    "that bite their tails": [
      (answer) => [
        edit(answer, ({ questions = [], ...packet }) => ({
          ...packet,
          questions,
          answers: questions.map(({ name }) => toAlias(name, name)),
        })),
      ],
      "servfail",
    ],
    "that lead from alias to alias in one packet": [
      (answer) => [
        edit(answer, ({ questions = [], ...packet }) => ({
          ...packet,
          questions,
          answers: Array.from({ length: 40 }, (_, index) =>
            toAlias(index === 0 ? (questions[0]?.name ?? "") : `link${index}.example`, `link${index + 1}.example`),
          ),
        })),
      ],
      "servfail",
    ],
  };
