import { expect, onTestFinished, test, vi } from "vitest";
import { isPrivate } from "../../../../src/analyzer/addresses.ts";
import { createClients } from "../../../../src/features/intake/smtp/clients.ts";
import { createImpatience, createRefusals, makeWay, type Pace } from "../../../../src/features/intake/smtp/crowd.ts";
import { type Dialogue, type Ear, startEar } from "./dialogue.ts";

const message = "From: a@example.com\r\nSubject: x\r\n\r\nhello\r\n.";

const lookEveryMs = 20;

/** With a clock that the test moves. The server looks for slow clients all the time. */
async function startCrowd(clients: number, keep?: () => Promise<void>, environment: Record<string, string> = {}) {
  let now = Date.UTC(2026, 10, 26);
  let routingMs = 0;
  const most = { ASSAY_SMTP_MAX_CLIENTS: `${clients}`, ASSAY_SMTP_MAX_CLIENTS_PER_ADDRESS: `${clients}` };
  const noted: string[] = [];
  const ear = await startEar({ ...most, ...environment }, keep, undefined, () => now, {
    limits: { lookEveryMs },
    noteDeferred: (reason) => void noted.push(reason),
    isCrowded: () => {
      now += routingMs;
      return false;
    },
  });
  onTestFinished(ear.close);
  return { ear, noted, pass: (ms: number) => (now += ms), takeForRouting: (ms: number) => (routingMs = ms) };
}

async function startMessage(ear: Ear, address: string): Promise<Dialogue> {
  const client = await ear.open(address);
  await client.greet();
  for (const line of ["MAIL FROM:<a@example.com>", `RCPT TO:<${ear.seed}>`, "DATA"])
    expect(await client.say(line)).toMatch(/^(250|354) /);
  return client;
}

async function expectServed(ear: Ear, address: string): Promise<void> {
  const client = await startMessage(ear, address);
  expect(await client.say(message)).toMatch(/^250 /);
  expect(await client.say("QUIT")).toMatch(/^221 /);
  await client.untilClosed();
}

async function startFull(clients: number) {
  const { ear, pass } = await startCrowd(clients);
  const silent = [];
  for (let index = 0; index < clients; index += 1) {
    const client = await ear.open(`127.0.0.${index + 2}`);
    await client.greet();
    silent.push(client);
    pass(100);
  }
  return { ear, silent, pass };
}

test("clients that send a byte every 4 seconds keep no other client out, whatever they take", async () => {
  const { ear, pass } = await startCrowd(12);
  const slow: Dialogue[] = [];
  for (let index = 0; index < 12; index += 1) slow.push(await startMessage(ear, `127.0.0.${2 + (index % 3)}`));
  for (let round = 0; round < 15; round += 1) {
    pass(4_000);
    for (const client of slow) await client.writePieces(["x"]);
    if (round >= 2) await expectServed(ear, "127.0.1.1");
  }
  for (const client of slow) expect(await client.untilClosed()).toEqual([expect.stringMatching(/^421 4\.4\.2 /)]);
  expect(ear.heard).toHaveLength(13);
});

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

const closedAsSlow = [expect.stringMatching(/^421 4\.4\.2 Message arrives too slowly/)];

test("when all connections have a message, the slowest is closed, and one that is being stored never is", async () => {
  const disk = Promise.withResolvers<void>();
  const { ear, pass } = await startCrowd(3, () => disk.promise);
  const stored = await startMessage(ear, "127.0.0.2");
  stored.write(`${message}\r\n`);
  const slow = await startMessage(ear, "127.0.0.3");
  const slower = await startMessage(ear, "127.0.0.4");
  await slow.writePieces(["x".repeat(600)]);
  pass(10_000);
  await slower.writePieces(["x".repeat(500)]);
  const first = await ear.open("127.0.0.5");
  expect(await first.reply()).toMatch(/^220 /);
  expect(await slower.untilClosed()).toEqual(closedAsSlow);
  const second = await ear.open("127.0.0.6");
  expect(await second.reply()).toMatch(/^220 /);
  expect(await slow.untilClosed()).toEqual(closedAsSlow);
  const third = await ear.open("127.0.0.7");
  expect(await third.reply()).toMatch(/^421 4\.3\.2 Too many connections; /);
  disk.resolve();
  expect(await stored.reply()).toMatch(/^250 /);
});

test("a message that arrives fast is not closed, although all connections are in use", async () => {
  const { ear, pass } = await startCrowd(1);
  const fast = await startMessage(ear, "127.0.0.2");
  await fast.writePieces(["x".repeat(60_000), "x".repeat(60_000)]);
  pass(10_000);
  const other = await ear.open("127.0.0.3");
  expect(await other.reply()).toMatch(/^421 4\.3\.2 /);
  expect(await fast.say("\r\n.")).toMatch(/^250 /);
});

test.each([
  ["while connections are free", 10, 240],
  ["when more than 80% of the connections are in use", 2, 24],
])("%s, a message at 1 KB a second gets through, and a byte every 4 seconds is too slow", async (_, most, seconds) => {
  const { ear, noted, pass } = await startCrowd(most);
  const honest = await startMessage(ear, "127.0.0.2");
  const slow = await startMessage(ear, "127.0.0.3");
  await honest.writePieces(Array.from({ length: seconds }, () => `${"x".repeat(998)}\r\n`));
  await slow.writePieces(["x".repeat(seconds / 4)]);
  pass(seconds * 1_000);
  expect(await slow.untilClosed()).toEqual(closedAsSlow);
  expect(noted).toEqual(["client_rate"]);
  expect(await honest.say(".")).toMatch(/^250 /);
});

test("over TLS, the rate of a message is measured as well", async () => {
  const { ear, pass } = await startCrowd(2);
  const startOverTls = async (address: string, begin: string) => {
    const client = await ear.open(address);
    await client.greet();
    await client.say("STARTTLS");
    await client.startTls();
    for (const line of ["EHLO c.example", "MAIL FROM:<a@example.com>", `RCPT TO:<${ear.seed}>`, "DATA"])
      await client.say(line);
    client.write(begin);
    return client;
  };
  const honest = await startOverTls("127.0.0.2", `${"x".repeat(998)}\r\n`.repeat(24));
  const slow = await startOverTls("127.0.0.3", "x");
  pass(24_000);
  expect(await slow.untilClosed()).toEqual(closedAsSlow);
  expect(await honest.say(".")).toMatch(/^250 /);
});

test("giving up messages and starting new ones is no progress", async () => {
  const { ear, pass } = await startCrowd(1);
  const client = await ear.open("127.0.0.2");
  await client.greet();
  for (let round = 0; round < 5; round += 1) {
    expect(await client.say("MAIL FROM:<a@example.com>")).toMatch(/^250 /);
    pass(2_000);
    expect(await client.say("RSET")).toMatch(/^250 /);
  }
  expect(await client.say("MAIL FROM:<a@example.com>")).toMatch(/^250 /);
  const other = await ear.open("127.0.0.3");
  expect(await other.reply()).toMatch(/^220 /);
});

test("the time that the server needs for a recipient does not make a message slow", async () => {
  const { ear, takeForRouting } = await startCrowd(1);
  takeForRouting(60_000);
  const client = await startMessage(ear, "127.0.0.2");
  const other = await ear.open("127.0.0.3");
  expect(await other.reply()).toMatch(/^421 4\.3\.2 /);
  expect(await client.say(message)).toMatch(/^250 /);
});

/** Without sockets. */
function toConnection(pace: Pace | null, presence = 1, hostNameAppearsAs = "client.example") {
  const connection = { pace: () => pace, presence: () => presence, hostNameAppearsAs, isOver: false };
  const giveWay = () => {
    connection.isOver = true;
  };
  return Object.assign(connection, { giveWay, abort() {} });
}

const idle = (since: number) => ({ since, bytes: null });

test("a client without a message makes way before the slowest message, and one that waits for us never does", () => {
  const waiting = toConnection(null);
  const slowest = toConnection({ since: 0, bytes: 0 });
  const slow = toConnection({ since: 0, bytes: 600 });
  const fast = toConnection({ since: 0, bytes: 700_000 });
  const idleLater = toConnection(idle(20_000));
  const idleFirst = toConnection(idle(10_000));
  const all = new Set([waiting, slow, slowest, fast, idleLater, idleFirst]);
  const next = () => {
    const before = [...all];
    return makeWay(all, 1, 60_000) ? before.find((one) => !all.has(one)) : null;
  };
  expect([next(), next(), next(), next(), next()]).toEqual([idleFirst, idleLater, slowest, slow, null]);
  expect([...all]).toEqual([waiting, fast]);
});

test("clients that return as soon as they are closed leave a place for a client with fewer connections", () => {
  const clients = new Set(Array.from({ length: 20 }, () => toConnection({ since: 8_500, bytes: 0 }, 5)));
  expect(makeWay(clients, 6, 10_000)).toBe(false);
  expect(makeWay(clients, 5, 10_000)).toBe(false);
  expect(makeWay(clients, 1, 9_400)).toBe(false);
  expect(makeWay(clients, 1, 9_500)).toBe(true);
});

test("above 80% of the connections, a client must send EHLO within 30 seconds", () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let now = 0;
  const losePatience = createImpatience(10, () => now, 5_000);
  const silent = toConnection(idle(0), 1, "");
  const clients = new Set([silent, ...Array.from({ length: 7 }, () => toConnection(idle(0)))]);
  losePatience(clients);
  now = 60_000;
  vi.advanceTimersByTime(5_000);
  expect(silent.isOver).toBe(false); // 8 of 10 are no crowd
  clients.add(toConnection(idle(0)));
  now = 29_000;
  vi.advanceTimersByTime(5_000);
  expect(silent.isOver).toBe(false);
  now = 30_000;
  vi.advanceTimersByTime(5_000);
  expect([silent.isOver, clients.size]).toEqual([true, 8]);
  clients.clear();
  vi.advanceTimersByTime(5_000);
  expect(vi.getTimerCount()).toBe(0);
});

test("when every client was refused for a minute, refusals have another reason until one is let in", () => {
  let now = 0;
  const isShut = createRefusals(() => now);
  const after = (ms: number, isRefused: boolean) => {
    now += ms;
    return isShut(isRefused);
  };
  expect([after(0, true), after(59_000, true), after(1_000, true), after(1_000, true)]).toEqual([
    false,
    false,
    true,
    true,
  ]);
  expect([after(0, false), after(0, true), after(60_000, true)]).toEqual([false, false, true]);
  // No client came, so it isn't known whether it would have been refused.
  expect([after(61_000, true), after(60_000, true)]).toEqual([false, true]);
});

test("when messages that are being stored take all connections for a minute, this is reported", async () => {
  const disk = Promise.withResolvers<void>();
  const { ear, noted, pass } = await startCrowd(1, () => disk.promise);
  const stored = await startMessage(ear, "127.0.0.2");
  stored.write(`${message}\r\n`);
  for (let tries = 0; tries < 3; tries += 1) {
    const refused = await ear.open("127.0.0.3");
    expect(await refused.reply()).toMatch(/^421 4\.3\.2 /);
    pass(30_000);
  }
  expect(noted).toEqual(["connections_full", "connections_full", "connections_refused"]);
  disk.resolve();
  expect(await stored.reply()).toMatch(/^250 /);
});

test("one /24 takes at most half of the connections, unless it is private", async () => {
  const { ear } = await startCrowd(8, undefined, {
    ASSAY_SMTP_MAX_CLIENTS_PER_ADDRESS: "2",
    ASSAY_SMTP_PROXY_FROM: "127.0.0.1",
  });
  const enter = async (address: string) => {
    const client = await ear.open();
    client.write(`PROXY TCP4 ${address} 192.0.2.1 1025 25\r\n`);
    return (await client.reply()).slice(0, 9);
  };
  const from = async (network: string, count: number) => {
    const replies: string[] = [];
    for (let host = 1; host <= count; host += 1) replies.push(await enter(`${network}.${host}`));
    return replies;
  };
  expect(await from("198.51.100", 5)).toEqual([...Array(4).fill("220 mx.se"), "421 4.7.0"]);
  expect(await from("10.0.0", 4)).toEqual(Array(4).fill("220 mx.se"));
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
  const limits = {
    maxClients: 10,
    maxClientsPerAddress: 10,
    maxClientsPerNetwork: 10,
    maxMessagesPerMinute: 2,
    now: () => 0,
  };
  const clients = createClients({ ...limits, isExempt: () => false, mayHurry: isPrivate });
  const send = (address: string) => [1, 2, 3].map(() => clients.mayDeliver(address));
  expect(send("198.51.100.9")).toEqual([true, true, false]);
  expect(send("127.0.0.1")).toEqual([true, true, true]);
  expect(send("10.0.0.9")).toEqual([true, true, true]);
});
