import { expect, test } from "vitest";
import { createSenderMemory } from "../../../src/tasks/tests/seen-senders.ts";

const sender = { kind: "address", domain: "a.example", value: "203.0.113.1", fingerprint: "" } as const;

test("a sender is written once a second, with all that came in between", () => {
  let now = 1_000_000;
  const { note } = createSenderMemory(() => now);
  expect(note("wsp_a", [sender])).toEqual([{ ...sender, messages: 1 }]);
  expect(note("wsp_a", [sender])).toEqual([]);
  expect(note("wsp_b", [sender])).toEqual([{ ...sender, messages: 1 }]);
  now += 999;
  expect(note("wsp_a", [sender])).toEqual([]);
  now += 1;
  expect(note("wsp_a", [sender])).toEqual([{ ...sender, messages: 3 }]);
  now -= 3_600_000;
  expect(note("wsp_a", [sender])).toEqual([{ ...sender, messages: 1 }]);
});

test("a selector with another key is written at once", () => {
  const { note } = createSenderMemory(() => 1_000_000);
  const selector = { ...sender, kind: "selector", value: "s1" } as const;
  note("wsp_a", [{ ...selector, fingerprint: "old" }]);
  expect(note("wsp_a", [{ ...selector, fingerprint: "new" }])).toHaveLength(1);
});

test("what is remembered of hostile mail is bounded, and what was forgotten is written again", () => {
  const { note } = createSenderMemory(() => 1_000_000);
  note("wsp_a", [sender]);
  for (let index = 0; index < 10_000; index++) note("wsp_a", [{ ...sender, value: `s${index}` }]);
  expect(note("wsp_a", [sender])).toHaveLength(1);
  expect(note("wsp_a", [{ ...sender, value: "s9999" }])).toEqual([]);
});
