import { setTimeout as pause } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { createWriteQueue, type Waiting } from "../../../../src/platform/database/engine/write-queue.ts";

type Named = Waiting & { readonly name: string };

function open(bounds: { maxTogether?: number; maxBytesTogether?: number } = {}) {
  const flushes: string[] = [];
  const queue = createWriteQueue<Named>({
    maxTogether: 100,
    maxBytesTogether: 1_000,
    ...bounds,
    flush: async (batch, ended) => {
      flushes.push(batch.map(({ name }) => name).join(" "));
      ended();
    },
  });
  const add = (name: string, changes: Partial<Waiting> = {}) =>
    queue.add({ name, bytes: 0, isPatient: false, ...changes });
  return { queue, add, flushes };
}

/** From now on time passes only on request. Everything that it triggers is done when the result resolves. */
function stopClock(): (ms: number) => Promise<void> {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  return async (ms) => {
    vi.advanceTimersByTime(ms);
    await pause(20);
  };
}

/** `come`: writes that arrive together, and what they trigger at once. */
function openStopped() {
  const pass = stopClock();
  const { add, flushes } = open();
  const come = async (...names: string[]) => {
    for (const name of names) add(name);
    await pass(0);
  };
  return { come, pass, flushes };
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `${index + 1}`);

test("writes that wait together share a flush, in order", async () => {
  const { queue, add, flushes } = open();
  for (const name of ["a", "b", "c"]) add(name);
  await queue.drain();
  expect(flushes).toEqual(["a b c"]);
});

test("a flush is limited in number and bytes, but contains at least one write", async () => {
  const few = open({ maxTogether: 2 });
  for (const name of ["a", "b", "c"]) few.add(name);
  await few.queue.drain();
  expect(few.flushes).toEqual(["a b", "c"]);

  const small = open();
  small.add("huge", { bytes: 5_000 });
  small.add("half", { bytes: 500 });
  small.add("other half", { bytes: 500 });
  small.add("more", { bytes: 1 });
  await small.queue.drain();
  expect(small.flushes).toEqual(["huge", "half other half", "more"]);
});

test("urgent writes are placed before background writes of any size", async () => {
  const { queue, add, flushes } = open();
  const names = numbered(14);
  for (const name of names) add(name, { isPatient: true });
  add("huge", { bytes: 5_000 });
  add("small", { bytes: 1 });
  await queue.drain();
  expect(flushes).toEqual([`${names.slice(0, 12).join(" ")} huge`, "13 14 small"]);
});

test("background writes get their turn even if urgent writes would fill every flush", async () => {
  const { queue, add, flushes } = open({ maxTogether: 4 });
  for (const name of numbered(8)) add(name);
  for (const name of ["a", "b", "c"]) add(name, { isPatient: true });
  await queue.drain();
  expect(flushes).toEqual(["a b 1 2", "c 3 4 5", "6 7 8"]);
});

test("a background write joins the next urgent one", async () => {
  const { queue, add, flushes } = open();
  add("patient", { isPatient: true });
  add("urgent");
  await queue.drain();
  expect(flushes).toEqual(["patient urgent"]);
});

test("a single background write is flushed too", async () => {
  const { add, flushes } = open();
  add("patient", { isPatient: true });
  for (let tries = 0; flushes.length === 0 && tries < 200; tries++) await pause(5);
  expect(flushes).toEqual(["patient"]);
});

test("an urgent write is not delayed by many background writes, which join a few at a time", async () => {
  const { queue, add, flushes } = open();
  const names = numbered(14);
  for (const name of names) add(name, { isPatient: true });
  add("urgent");
  await queue.drain();
  expect(flushes).toEqual([`${names.slice(0, 12).join(" ")} urgent`, "13 14"]);
});

test("a flush contains as many background writes as urgent ones", async () => {
  const { queue, add, flushes } = open();
  const names = numbered(14);
  for (const name of names) add(name, { isPatient: true });
  for (const name of names) add(`w${name}`);
  await queue.drain();
  expect(flushes).toEqual([[...names, ...names.map((name) => `w${name}`)].join(" ")]);
});

test("background writes do not make an urgent commit longer until there are many", async () => {
  const pass = stopClock();
  const { add, flushes } = open();
  for (const name of ["a", "b"]) add(name, { isPatient: true });
  add("mail");
  await pass(0);
  expect(flushes).toEqual(["mail"]);
  await pass(20);
  expect(flushes).toEqual(["mail", "a b"]);
  for (const name of numbered(12)) add(name, { isPatient: true });
  add("more mail");
  await pass(0);
  expect(flushes.at(-1)).toBe(`${numbered(12).join(" ")} more mail`);
});

test("the queue waits briefly for writers in a group, and not for a single writer", async () => {
  const pass = stopClock();
  const { add, flushes } = open();
  for (const name of ["a", "b", "c"]) add(name);
  await pass(0);
  expect(flushes).toEqual(["a b c"]);
  for (const name of ["a", "b"]) add(name);
  await pass(0);
  expect(flushes).toEqual(["a b c"]);
  add("c");
  await pass(0);
  expect(flushes).toEqual(["a b c", "a b c"]);
  add("a");
  await pass(0);
  expect(flushes).toEqual(["a b c", "a b c"]);
  await pass(3);
  add("a");
  await pass(0);
  await pass(3);
  add("a");
  await pass(0);
  expect(flushes).toEqual(["a b c", "a b c", "a", "a", "a"]);
});

test("the queue does not wait for a writer that joined a group once", async () => {
  const { come, flushes } = openStopped();
  for (const names of ["a b c", "a b c", "a b c guest", "a b c"]) await come(...names.split(" "));
  expect(flushes).toEqual(["a b c", "a b c", "a b c guest", "a b c"]);
});

test("the queue waits again for a writer that was late once", async () => {
  const { come, pass, flushes } = openStopped();
  const punctual = ["a", "b"];
  const late = ["c", "d", "e", "f"];
  for (let turn = 0; turn < 5; turn++) await come(...punctual, ...late);
  await come(...punctual);
  await pass(3);
  await come(...late);
  for (const name of punctual) await come(name);
  expect(flushes.slice(5)).toEqual(["a b", "c d e f a b"]);
});

test("the queue soon stops waiting for a writer between the flushes of others", async () => {
  const { come, pass, flushes } = openStopped();
  let waits = 0;
  for (let turn = 0; turn < 30; turn++) {
    await come(...numbered(20));
    await pass(3);
    const before = flushes.length;
    await come("alone");
    if (turn >= 20 && flushes.length === before) waits += 1;
    await pass(3);
  }
  expect(waits).toBe(0);
});

test("two alternating groups of writers become one", async () => {
  const { come, flushes } = openStopped();
  for (let turn = 0; turn < 4; turn++) {
    await come("a", "b");
    await come("c", "d");
  }
  expect(flushes).toEqual(Array(4).fill(["a b", "c d"]).flat());
  await come("a", "b");
  await come("c", "d");
  expect(flushes.slice(8)).toEqual(["a b c d"]);
});

test("the queue tries to wait for more writers less often if no more arrive", async () => {
  const { come, pass, flushes } = openStopped();
  let waits = 0;
  for (let turn = 1; turn <= 100; turn++) {
    await come("a", "b", "c");
    if (flushes.length === turn) continue;
    waits += 1;
    await pass(3);
  }
  expect(flushes).toEqual(Array(100).fill("a b c"));
  expect(waits).toBeGreaterThan(1);
  expect(waits).toBeLessThan(6);
});

test("an unexpected writer during a wait is no reason to wait for more", async () => {
  const { come, pass, flushes } = openStopped();
  const company = numbered(20);
  let waits = 0;
  for (let turn = 1; turn <= 100; turn++) {
    await come(...company);
    if (flushes.length === turn) continue;
    waits += 1;
    await come("guest");
    await pass(3);
  }
  expect(waits).toBeGreaterThan(1);
  expect(waits).toBeLessThan(6);
});

test("writers that form a group again later are joined as quickly as before", async () => {
  const { come, pass, flushes } = openStopped();
  for (let turn = 0; turn < 40; turn++) {
    await come("a", "b");
    await pass(3);
  }
  await pass(100);
  for (let turn = 0; turn < 5; turn++) {
    await come("a", "b");
    await come("c", "d");
  }
  expect(flushes.at(-1)).toBe("a b c d");
});

test("the queue does not wait for writers of an old group", async () => {
  const pass = stopClock();
  const { add, flushes } = open();
  for (const name of ["a", "b", "c"]) add(name);
  await pass(0);
  await pass(100);
  add("a");
  await pass(0);
  expect(flushes).toEqual(["a b c", "a"]);
});

test("a full flush waits for no more writes", async () => {
  const pass = stopClock();
  const { add, flushes } = open();
  for (const name of ["a", "b", "c"]) add(name);
  await pass(0);
  for (const name of ["a", "b"]) add(name, { bytes: 600 });
  await pass(0);
  expect(flushes).toEqual(["a b c", "a"]);
  add("c", { bytes: 600 });
  await pass(0);
  expect(flushes).toEqual(["a b c", "a", "b"]);
});

test("draining flushes background writes too", async () => {
  const { queue, add, flushes } = open({ maxTogether: 1 });
  add("one", { isPatient: true });
  add("two", { isPatient: true });
  await queue.drain();
  expect(flushes).toEqual(["one", "two"]);
  await queue.drain();
});

test("background writes wait longer for one another if they arrived as a group", async () => {
  const pass = stopClock();
  const { add, flushes } = open();
  add("alone", { isPatient: true });
  await pass(5);
  expect(flushes).toEqual(["alone"]);
  await pass(30);
  for (const name of ["a", "b"]) add(name, { isPatient: true });
  await pass(5);
  expect(flushes).toEqual(["alone", "a b"]);
  add("c", { isPatient: true });
  await pass(5);
  for (const name of ["d", "e"]) add(name, { isPatient: true });
  await pass(5);
  expect(flushes).toEqual(["alone", "a b"]);
  await pass(10);
  expect(flushes).toEqual(["alone", "a b", "c d e"]);
});
