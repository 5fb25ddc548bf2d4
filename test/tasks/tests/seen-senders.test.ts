import { expect, test } from "vitest";
import { listSenders, noteSenders } from "../../../src/store/domains/seen-senders.ts";
import { inWorkspace } from "../../../src/store/scope.ts";
import { createSenderMemory, writeUnwrittenSenders } from "../../../src/tasks/tests/seen-senders.ts";
import { eachDialect } from "../../store/each-dialect.ts";
import { insertWorkspaces } from "../../store/nouns.ts";

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

eachDialect("the senders of a burst", (open) => {
  test("are counted to the last message", async () => {
    const store = await open();
    await store.write((db) => insertWorkspaces(db, "wsp_a"));
    let now = 1_000_000;
    const senders = createSenderMemory(() => now);
    const counts = async () =>
      (await listSenders(inWorkspace(store.read, "wsp_a"), "a.example", now)).map(({ messages }) => messages);
    for (let count = 0; count < 16; count++) {
      const notes = senders.note("wsp_a", [sender]);
      await store.write((db) => noteSenders(db, "wsp_a", notes, now));
    }
    expect(await counts()).toEqual([1]);
    now += 1_000;
    await writeUnwrittenSenders({ store, senders });
    expect(await counts()).toEqual([16]);
    await writeUnwrittenSenders({ store, senders });
    expect(await counts()).toEqual([16]);
  });
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
