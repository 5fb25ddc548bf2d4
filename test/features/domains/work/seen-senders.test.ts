import { expect, test } from "vitest";
import type { SeenSender } from "../../../../src/analyzer/reports/seen-senders.ts";
import { listSenders, noteSenders } from "../../../../src/features/domains/rows/seen-senders.ts";
import { createSenderMemory, writeUnwrittenSenders } from "../../../../src/features/domains/work/seen-senders.ts";
import { inWorkspace } from "../../../../src/platform/database/scope.ts";
import { eachDialect } from "../../../platform/database/each-dialect.ts";
import { insertWorkspaces } from "../../../platform/database/nouns.ts";

const sender = { kind: "address", domain: "a.example", value: "203.0.113.1", fingerprint: "" } as const;

/** Messages at once: counts those that were written, unless the write fails. */
function memoryAt(clock: { now: number }) {
  const senders = createSenderMemory(() => clock.now);
  const note = (workspaceId: string, seen: readonly SeenSender[], isWritten = true) => {
    const { notes, end } = senders.note(workspaceId, seen, clock.now);
    end(isWritten);
    return notes;
  };
  return { senders, note };
}

test("a sender is stored once a second, with the messages in between", () => {
  const clock = { now: 1_000_000 };
  const { note } = memoryAt(clock);
  const written = (messages: number) => [{ ...sender, messages, seenAt: clock.now }];
  expect(note("wsp_a", [sender])).toEqual(written(1));
  expect(note("wsp_a", [sender])).toEqual([]);
  expect(note("wsp_b", [sender])).toEqual(written(1));
  clock.now += 999;
  expect(note("wsp_a", [sender])).toEqual([]);
  clock.now += 1;
  expect(note("wsp_a", [sender])).toEqual(written(3));
  clock.now -= 3_600_000;
  expect(note("wsp_a", [sender])).toEqual([{ ...sender, messages: 1, seenAt: clock.now }]);
});

test("a message that could not be stored is counted once after re-analysis", () => {
  const clock = { now: 1_000_000 };
  const { note } = memoryAt(clock);
  note("wsp_a", [sender]);
  note("wsp_a", [sender]);
  note("wsp_a", [sender], false);
  clock.now += 1_000;
  expect(note("wsp_a", [sender], false)).toMatchObject([{ messages: 2 }]);
  expect(note("wsp_a", [sender])).toMatchObject([{ messages: 2 }]);
});

eachDialect("the senders of a burst of mail", (open) => {
  async function openBurst() {
    const store = await open();
    await store.write((db) => insertWorkspaces(db, "wsp_a", "wsp_b"));
    const clock = { now: 1_000_000 };
    const { senders, note } = memoryAt(clock);
    const count = async (workspaceId: string) =>
      (await listSenders(inWorkspace(store.read, workspaceId), "a.example", clock.now)).map(({ messages }) => messages);
    const receive = async (messages: number, workspaceId = "wsp_a") => {
      for (let received = 0; received < messages; received++) {
        const notes = note(workspaceId, [sender]);
        await store.write((db) => noteSenders(db, workspaceId, notes));
      }
    };
    return { store, clock, senders, receive, count };
  }

  test("the senders of a burst of mail are counted completely", async () => {
    const { store, clock, senders, receive, count } = await openBurst();
    await receive(16);
    expect(await count("wsp_a")).toEqual([1]);
    clock.now += 1_000;
    await writeUnwrittenSenders({ store, senders });
    expect(await count("wsp_a")).toEqual([16]);
    await writeUnwrittenSenders({ store, senders });
    expect(await count("wsp_a")).toEqual([16]);
  });

  test("the senders of a burst of mail are counted if the server stops within the second", async () => {
    const { store, senders, receive, count } = await openBurst();
    await receive(16);
    await writeUnwrittenSenders({ store, senders }, true);
    expect(await count("wsp_a")).toEqual([16]);
  });

  test("the senders of a burst of mail are counted later if they can't be stored, without delaying another workspace", async () => {
    const { store, clock, senders, receive, count } = await openBurst();
    await receive(3);
    await receive(4, "wsp_b");
    clock.now += 1_000;
    const writeRelaxed: typeof store.writeRelaxed = (work) =>
      store.writeRelaxed(async (db) => {
        const result = await work(db);
        if ((await count("wsp_b"))[0] === 1 && failures++ === 0) throw new Error("disk full");
        return result;
      });
    let failures = 0;
    await expect(writeUnwrittenSenders({ store: { writeRelaxed }, senders })).rejects.toThrow("disk full");
    clock.now += 1_000;
    await writeUnwrittenSenders({ store, senders });
    expect([await count("wsp_a"), await count("wsp_b")]).toEqual([[3], [4]]);
  });
});

test("a selector with another key is stored immediately", () => {
  const { note } = memoryAt({ now: 1_000_000 });
  const selector = { ...sender, kind: "selector", value: "s1" } as const;
  note("wsp_a", [{ ...selector, fingerprint: "old" }]);
  expect(note("wsp_a", [{ ...selector, fingerprint: "new" }])).toHaveLength(1);
});

test("memory used for hostile mail is limited, without losing counts", () => {
  const { note } = memoryAt({ now: 1_000_000 });
  note("wsp_a", [sender]);
  note("wsp_a", [sender]);
  for (let index = 0; index < 10_000; index++) note("wsp_a", [{ ...sender, value: `s${index}` }]);
  expect(note("wsp_a", [sender])).toMatchObject([{ messages: 2 }]);
  expect(note("wsp_a", [{ ...sender, value: "s9999" }])).toEqual([]);
});
