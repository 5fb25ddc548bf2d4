import { expect, onTestFinished, test, vi } from "vitest";
import { isPrivate } from "../../../../src/analyzer/addresses.ts";
import { createClients } from "../../../../src/features/intake/smtp/clients.ts";
import { createImpatience } from "../../../../src/features/intake/smtp/crowd.ts";
import { startEar } from "./dialogue.ts";

const message = "From: a@example.com\r\nSubject: x\r\n\r\nhello\r\n.";

async function startFull(clients: number) {
  let now = Date.UTC(2026, 10, 26);
  const settings = { ASSAY_SMTP_MAX_CLIENTS: `${clients}`, ASSAY_SMTP_MAX_CLIENTS_PER_ADDRESS: `${clients}` };
  const ear = await startEar(settings, undefined, undefined, () => now);
  onTestFinished(ear.close);
  const silent = [];
  for (let index = 0; index < clients; index += 1) {
    const client = await ear.open(`127.0.0.${index + 2}`);
    await client.greet();
    silent.push(client);
    now += 100;
  }
  return { ear, silent, pass: (ms: number) => (now += ms) };
}

test("when all connections are used by idle clients, the one that was idle longest is closed", async () => {
  const { ear, silent, pass } = await startFull(3);
  const early = await ear.open("127.0.0.20");
  expect(await early.reply()).toMatch(/^421 4\.3\.2 Too many connections; /);

  pass(10_000);
  const sender = await ear.open("127.0.0.21");
  await sender.greet();
  await sender.say("MAIL FROM:<a@example.com>");
  await sender.say(`RCPT TO:<${ear.seed}>`);
  await sender.say("DATA");
  expect(await sender.say(message)).toMatch(/^250 /);
  expect(await silent[0]?.untilClosed()).toEqual([expect.stringMatching(/^421 4\.3\.2 .*no message/)]);
  expect(await silent[1]?.say("NOOP")).toMatch(/^250 /);
});

test("a client that sends a message keeps its connection, and commands without one count as idle", async () => {
  const { ear, silent, pass } = await startFull(2);
  const [sending, chatting] = silent;
  expect(await sending?.say("MAIL FROM:<a@example.com>")).toMatch(/^250 /);
  pass(20_000);
  expect(await chatting?.say("NOOP")).toMatch(/^250 /);
  const sender = await ear.open("127.0.0.21");
  expect(await sender.reply()).toMatch(/^220 /);
  expect(await chatting?.untilClosed()).toHaveLength(1);
  expect(await sending?.say(`RCPT TO:<${ear.seed}>`)).toMatch(/^250 /);
});

test("above 80% of the connections, a client must send EHLO within 30 seconds", () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const ended: string[] = [];
  const toClient = (name: string, hostNameAppearsAs: string) => ({
    hostNameAppearsAs,
    silentSince: () => 0,
    giveWay: () => {
      ended.push(name);
      clients.delete(client.get(name) ?? nobody);
    },
    abort() {},
  });
  const nobody = toClient("nobody", "");
  const names = ["silent", "a", "b", "c", "d", "e", "f", "g"];
  const client = new Map(names.map((name) => [name, toClient(name, name === "silent" ? "" : "host.example")]));
  const clients = new Set(client.values());
  let now = 0;
  const losePatience = createImpatience(10, () => now);
  losePatience(clients);
  expect(vi.getTimerCount()).toBe(0); // 8 of 10 are no crowd
  client.set("h", toClient("h", "host.example"));
  clients.add(client.get("h") ?? nobody);
  losePatience(clients);
  now = 29_000;
  vi.advanceTimersByTime(5_000);
  expect(ended).toEqual([]);
  now = 30_000;
  vi.advanceTimersByTime(5_000);
  expect(ended).toEqual(["silent"]);
  vi.advanceTimersByTime(10_000);
  expect(vi.getTimerCount()).toBe(0);
});

test("each deferral is counted by its reason, and a flooded workspace gets its own reply", async () => {
  const noted: string[] = [];
  const ear = await startEar({ ASSAY_SMTP_MAX_CLIENTS: "2" }, undefined, undefined, undefined, {
    noteDeferred: (reason) => void noted.push(reason),
    isCrowded: () => true,
  });
  onTestFinished(ear.close);
  const sender = await ear.open();
  await sender.greet();
  await sender.say("MAIL FROM:<a@example.com>");
  expect(await sender.say(`RCPT TO:<${ear.seed}>`)).toMatch(/^452 4\.2\.2 Too many messages to this workspace/);
  await ear.open("127.0.0.2");
  const late = await ear.open("127.0.0.3");
  expect(await late.reply()).toMatch(/^421 4\.3\.2 /);
  expect(noted).toEqual(["workspace_backlog_full", "connections_full"]);
});

test("by default, only clients with a public IP have a message limit", () => {
  const limits = { maxClients: 10, maxClientsPerAddress: 10, maxMessagesPerMinute: 2, now: () => 0 };
  const clients = createClients({ ...limits, isExempt: () => false, mayHurry: isPrivate });
  const send = (address: string) => [1, 2, 3].map(() => clients.mayDeliver(address));
  expect(send("198.51.100.9")).toEqual([true, true, false]);
  expect(send("127.0.0.1")).toEqual([true, true, true]);
  expect(send("10.0.0.9")).toEqual([true, true, true]);
});
