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

test("writes that wait together share a flush, in their order", async () => {
  const { queue, add, flushes } = open();
  for (const name of ["a", "b", "c"]) add(name);
  await queue.drain();
  expect(flushes).toEqual(["a b c"]);
});

test("a flush takes no more than its number, nor than its bytes, but always one", async () => {
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

test("waiting writes are placed before patient ones, however much they write", async () => {
  const { queue, add, flushes } = open();
  const names = numbered(14);
  for (const name of names) add(name, { isPatient: true });
  add("huge", { bytes: 5_000 });
  add("small", { bytes: 1 });
  await queue.drain();
  expect(flushes).toEqual([`${names.slice(0, 12).join(" ")} huge`, "13 14 small"]);
});

test("patient writes get their turn, even if waiting writes would fill every flush", async () => {
  const { queue, add, flushes } = open({ maxTogether: 4 });
  for (const name of numbered(8)) add(name);
  for (const name of ["a", "b", "c"]) add(name, { isPatient: true });
  await queue.drain();
  expect(flushes).toEqual(["a b 1 2", "c 3 4 5", "6 7 8"]);
});

test("a patient write goes along with the next that is not", async () => {
  const { queue, add, flushes } = open();
  add("patient", { isPatient: true });
  add("urgent");
  await queue.drain();
  expect(flushes).toEqual(["patient urgent"]);
});

test("a lone patient write is flushed too", async () => {
  const { add, flushes } = open();
  add("patient", { isPatient: true });
  for (let tries = 0; flushes.length === 0 && tries < 200; tries++) await pause(5);
  expect(flushes).toEqual(["patient"]);
});

test("no waiting write is delayed by many patient writes, which join a few at a time", async () => {
  const { queue, add, flushes } = open();
  const names = numbered(14);
  for (const name of names) add(name, { isPatient: true });
  add("urgent");
  await queue.drain();
  expect(flushes).toEqual([`${names.slice(0, 12).join(" ")} urgent`, "13 14"]);
});

test("as many patient writes go along as others wait", async () => {
  const { queue, add, flushes } = open();
  const names = numbered(14);
  for (const name of names) add(name, { isPatient: true });
  for (const name of names) add(`w${name}`);
  await queue.drain();
  expect(flushes).toEqual([[...names, ...names.map((name) => `w${name}`)].join(" ")]);
});

test("patient writes in company make no commit longer that others wait for, until they are many", async () => {
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

test("writers in a group are waited for, but not long, and a lone writer waits for no other", async () => {
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

test("who joins a company once is not waited for by it", async () => {
  const { come, flushes } = openStopped();
  for (const names of ["a b c", "a b c", "a b c guest", "a b c"]) await come(...names.split(" "));
  expect(flushes).toEqual(["a b c", "a b c", "a b c guest", "a b c"]);
});

test("who is late once is waited for again", async () => {
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

test("who comes alone between the flushes of others soon waits for them no more", async () => {
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

test("two companies that take turns become one", async () => {
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

test("tries to wait for more become rarer if no more come", async () => {
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

test("a guest that comes while more is waited for is no reason to wait for more", async () => {
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

test("who comes in company after a while is joined as soon as at first", async () => {
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

test("who wrote in company a while ago is not waited for", async () => {
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

test("draining flushes patient writes too", async () => {
  const { queue, add, flushes } = open({ maxTogether: 1 });
  add("one", { isPatient: true });
  add("two", { isPatient: true });
  await queue.drain();
  expect(flushes).toEqual(["one", "two"]);
  await queue.drain();
});

test("patient writes wait longer for one another where they came in company", async () => {
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
