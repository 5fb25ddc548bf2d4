import { expect, test } from "vitest";
import { createDataReader } from "../../../../src/features/intake/smtp/data-reader.ts";
import { createMessageMemory } from "../../../../src/features/intake/smtp/message-memory.ts";
import { dropTransaction, keepMessage } from "../../../../src/features/intake/smtp/transaction.ts";
import type { ReceivedMessage } from "../../../../src/features/intake/work/receive-message.ts";
import { testSystem } from "../../../test-system.ts";

const nothing = Buffer.alloc(0);

function take(memory: ReturnType<typeof createMessageMemory>, bytes: number, atMost = 1_000_000): Buffer {
  const buffer = memory.grow(nothing, bytes, atMost);
  if (buffer === null) throw new Error("no room");
  return buffer;
}

test("a message keeps its bytes when its buffer grows, whatever the memory contained", () => {
  const memory = createMessageMemory(1_000_000);
  memory.giveBack(take(memory, 8_000).fill("old"));
  const small = take(memory, 4_000);
  small.fill("new", 0, 4_000);
  const grown = memory.grow(small, 8_000, 1_000_000);
  expect(grown?.toString("latin1", 0, 3_999)).toBe("new".repeat(1_333));
  expect(grown?.length).toBeGreaterThanOrEqual(8_000);
});

test("a returned buffer is reused for the next message, unless it may still be read", () => {
  const memory = createMessageMemory(1_000_000);
  const first = take(memory, 60_000);
  memory.giveBack(first);
  const second = take(memory, 50_000);
  expect(second).toBe(first);
  memory.abandon(second);
  expect(take(memory, 50_000)).not.toBe(first);
});

test("two messages at once never share a buffer", () => {
  const memory = createMessageMemory(100_000_000);
  const held = new Set<Buffer>();
  for (let step = 0; step < 2_000; step++) {
    const [oldest] = held;
    if (oldest && step % 3 !== 0) {
      held.delete(oldest);
      memory.giveBack(oldest);
    } else {
      const buffer = take(memory, 1 + ((step * 7_919) % 200_000));
      expect(held.has(buffer)).toBe(false);
      held.add(buffer);
    }
  }
});

test("all buffers together stay within the limit, and one message may use all of it", () => {
  const memory = createMessageMemory(65_536);
  const first = take(memory, 40_000, 65_536);
  expect(memory.grow(nothing, 1, 65_536)).toBeNull();
  memory.giveBack(first);
  const growing = take(memory, 30_000, 65_536);
  expect(memory.grow(growing, 65_536, 65_536)?.length).toBe(65_536);
});

test("many large messages at once do not discard the smaller buffers", () => {
  const memory = createMessageMemory(100_000_000);
  const large = Array.from({ length: 20 }, () => take(memory, 1_000_000));
  for (const buffer of large) memory.giveBack(buffer);
  const small = take(memory, 60_000);
  memory.giveBack(small);
  expect(take(memory, 60_000)).toBe(small);
});

test("at most 16 MiB are kept for reuse, from messages up to 1 MiB", () => {
  const memory = createMessageMemory(100_000_000);
  const takeMany = () => Array.from({ length: 40 }, () => take(memory, 1_000_000));
  const before = takeMany();
  for (const buffer of before) memory.giveBack(buffer);
  expect(takeMany().filter((buffer) => before.includes(buffer)).length).toBeLessThanOrEqual(16);
  const huge = take(memory, 2_000_000, 4_000_000);
  memory.giveBack(huge);
  expect(take(memory, 2_000_000, 4_000_000)).not.toBe(huge);
});

test("memory is returned however a message ends", () => {
  const maxBytes = 65_536;
  const memory = createMessageMemory(maxBytes);
  const read = (...pieces: string[]) => {
    const reader = createDataReader({ maxBytes, memory });
    for (const piece of pieces) reader.feed(Buffer.from(piece));
    return reader;
  };
  const filling = "x".repeat(40_000);
  for (let time = 0; time < 1_000; time++) {
    read("kept\r\n.\r\n").release();
    read("grown ", "x".repeat(5_000), "x".repeat(20_000), "\r\n.\r\n").release();
    read("given up").release();
    read("held by somebody\r\n.\r\n").abandon();
    read(filling, filling, "too big\r\n.\r\n").release();
    const first = read(filling);
    read(filling, "no room\r\n.\r\n").release();
    first.release();
  }
  const all = take(memory, maxBytes, maxBytes);
  memory.giveBack(all);
  expect(take(memory, maxBytes, maxBytes)).toBe(all);
});

test("a buffer never exceeds the maximum message size", () => {
  const memory = createMessageMemory(1_000_000);
  expect(take(memory, 70_000, 100_000).length).toBe(100_000);
  expect(take(memory, 10, 100_000).length).toBe(4_096);
});

test("the buffer of a message that could not be stored isn't reused, because it may still be read", async () => {
  const memory = createMessageMemory(1_000_000);
  const held: Uint8Array[] = [];
  for (const letter of ["a", "b"]) {
    const reader = createDataReader({ maxBytes: 100_000, memory });
    reader.feed(Buffer.from(`${letter.repeat(5_000)}\r\n.\r\n`));
    const receive = async ({ raw }: ReceivedMessage) => {
      held.push(raw);
      throw new Error("not now");
    };
    const room = {
      limits: { headerBytes: 65_536 },
      receive,
      rehearsals: null,
      visit: null,
      noteDeferred: () => {},
      log: testSystem().log,
    };
    const transaction = { recipients: [], rehearsal: null, reader, deadline: setTimeout(() => {}, 1) };
    const reply = await keepMessage(reader, transaction as never, {} as never, room as never, {} as never);
    expect(reply).toBe("notNow");
    dropTransaction(transaction as never, null);
  }
  expect(Buffer.from(held[0] ?? []).toString()).toBe(`${"a".repeat(5_000)}\r\n`);
});
