import { expect, onTestFinished, test } from "vitest";
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

test("when all places are taken by clients that say nothing, the one that was silent longest makes way", async () => {
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

test("a client with a message keeps its place, and chatter without one is silence", async () => {
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
