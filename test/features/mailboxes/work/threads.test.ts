import { Worker } from "node:worker_threads";
import { expect, test, vi } from "vitest";
import type { MailboxNews, MailboxOrder } from "../../../../src/features/mailboxes/work/messages.ts";
import { createMailboxThread, type MailboxThread } from "../../../../src/features/mailboxes/work/threads.ts";

/** Tells what it is ordered to watch, and that it read up to 5; dies of a login. */
const mortal = `
  const { parentPort } = require("node:worker_threads");
  parentPort.on("message", (order) => {
    if (order.order === "login") throw new Error("out of memory");
    if (order.order !== "watch") return;
    const news = { news: "trouble", id: order.id, isFinal: false, needsLogin: false };
    parentPort.postMessage({ ...news, problem: JSON.stringify({ login: order.login, marks: order.marks }) });
    const marks = [{ path: "INBOX", uidValidity: "1", nextUid: 5 }];
    parentPort.postMessage({ news: "sightings", id: order.id, sightings: [], marks });
  });`;

const watch: MailboxOrder = {
  order: "watch",
  id: "int_1",
  server: { host: "imap.example", port: 993, tls: "implicit" },
  login: { user: "ann", password: "old" },
  marks: [{ path: "Junk", uidValidity: "2", nextUid: 9 }],
  searchesTabs: false,
};
const login: MailboxOrder = { order: "login", id: "int_1", login: { user: "ann", password: "new" } };

/** Tells more than anybody can keep, once; then what `mortal` tells. */
const flooding = `
  const { parentPort } = require("node:worker_threads");
  let floods = 0;
  parentPort.on("message", (order) => {
    if (order.order !== "watch") return;
    const end = floods++ === 0 ? 1_000 : 1;
    const told = JSON.stringify({ login: order.login, marks: order.marks });
    const news = { news: "trouble", id: order.id, isFinal: false, needsLogin: false, problem: told };
    parentPort.postMessage(news);
    for (let nextUid = 1; nextUid <= end; nextUid++)
      parentPort.postMessage({ news: "sightings", id: order.id, sightings: [], marks: [{ path: "INBOX", uidValidity: "1", nextUid }] });
  });`;

function startThread(onNews?: (news: MailboxNews) => Promise<void>, code = mortal) {
  const told: MailboxNews[] = [];
  const deaths: string[] = [];
  let spawned = 0;
  const thread: MailboxThread = createMailboxThread({
    spawn: () => {
      spawned++;
      return new Worker(code, { eval: true });
    },
    onNews: async (news) => {
      await onNews?.(news);
      told.push(news);
    },
    onDeath: (why) => void deaths.push(why),
    restartMs: 10,
  });
  const orders = () => told.flatMap((news) => (news.news === "trouble" ? [JSON.parse(news.problem)] : []));
  const reads = () => told.filter(({ news }) => news === "sightings").length;
  return { thread, orders, reads, deaths, countSpawned: () => spawned, [Symbol.asyncDispose]: thread.close };
}

test("a thread that dies is restarted with the newest login and the stored position", async () => {
  await using started = startThread();
  expect(started.countSpawned()).toBe(0);
  started.thread.order(watch);
  await vi.waitFor(() => expect(started.reads()).toBe(1), 10_000);
  started.thread.order(login);
  await vi.waitFor(() => expect(started.orders()).toHaveLength(2), 10_000);
  expect(started.deaths).toEqual(["out of memory"]);
  expect(started.orders()[1]).toEqual({
    login: { user: "ann", password: "new" },
    marks: [
      { path: "Junk", uidValidity: "2", nextUid: 9 },
      { path: "INBOX", uidValidity: "1", nextUid: 5 },
    ],
  });
});

test("a message that could not be stored is read again", async () => {
  let failures = 0;
  await using started = startThread(async ({ news }) => {
    if (news === "sightings" && ++failures === 1) throw new Error("the database is gone");
  });
  started.thread.order(watch);
  await vi.waitFor(() => expect(started.reads()).toBe(1), 10_000);
  expect(started.orders()).toHaveLength(2);
  expect(started.orders()[1]).toEqual(started.orders()[0]);
  expect(started.countSpawned()).toBe(1);
});

test("the thread ends without mailboxes and starts again with the next one", async () => {
  await using started = startThread();
  started.thread.order(watch);
  await vi.waitFor(() => expect(started.reads()).toBe(1), 10_000);
  started.thread.order({ order: "drop", id: "int_1" });
  started.thread.order(watch);
  await vi.waitFor(() => expect(started.reads()).toBe(2), 10_000);
  expect(started.countSpawned()).toBe(2);
  expect(started.deaths).toEqual([]);
});

test("a mailbox that reports faster than can be stored is paused and resumed from the stored position", async () => {
  const isOpen = Promise.withResolvers<void>();
  await using started = startThread(async ({ news }) => {
    if (news === "sightings") await isOpen.promise;
  }, flooding);
  started.thread.order(watch);
  await vi.waitFor(() => expect(started.orders()).toHaveLength(1), 10_000);
  // What the thread told is all there before it is heard of any that was told later.
  await new Promise((resolve) => setTimeout(resolve, 50));
  isOpen.resolve();
  await vi.waitFor(() => expect(started.orders()).toHaveLength(2), 10_000);
  expect(started.reads()).toBeLessThan(100);
  expect(started.deaths).toEqual([]);
});

/** Tells each hurry that it is ordered; dies of a login. */
const hurried = `
  const { parentPort } = require("node:worker_threads");
  parentPort.on("message", (order) => {
    if (order.order === "login") throw new Error("out of memory");
    if (order.order !== "hurry") return;
    for (const id of order.ids)
      parentPort.postMessage({ news: "trouble", id, isFinal: false, needsLogin: false, problem: JSON.stringify(order.until) });
  });`;

test("a restarted thread reads quickly in each mailbox in which a test waits", async () => {
  const told: MailboxNews[] = [];
  await using started = startThread(async (news) => void told.push(news), hurried);
  const { thread } = started;
  for (const id of ["int_1", "int_2"]) thread.order({ ...watch, id });
  thread.order({ order: "hurry", ids: ["int_1"], until: 1_000 });
  thread.order({ order: "hurry", ids: ["int_2"], until: 2_000 });
  await vi.waitFor(() => expect(told).toHaveLength(2), 10_000);
  thread.order(login);
  await vi.waitFor(() => expect(told).toHaveLength(4), 10_000);
  const hurries = told.slice(2).map((news) => news.news === "trouble" && [news.id, news.problem]);
  expect(hurries).toEqual([
    ["int_1", "1000"],
    ["int_2", "2000"],
  ]);
});
