import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { readMessage } from "../../src/smtp/read-message.ts";

const chunks = (...texts: string[]) => Readable.from(texts.map((text) => Buffer.from(text, "latin1")));

test("the bytes are exactly those that arrived", async () => {
  const raw = await readMessage(chunks("a\n", "\0\xff", "", "x".repeat(100_000)), 200_000);
  expect(Buffer.from(raw ?? []).toString("latin1")).toBe(`a\n\0\xff${"x".repeat(100_000)}`);
});

test("a message at the bound is taken and one byte more is not", async () => {
  expect(await readMessage(chunks("12345"), 5)).toHaveLength(5);
  expect(await readMessage(chunks("12345", "6"), 5)).toBeNull();
});

test("an empty message is a message", async () => {
  expect(await readMessage(chunks(), 5)).toHaveLength(0);
});
