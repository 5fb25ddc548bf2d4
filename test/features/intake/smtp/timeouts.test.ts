import { expect, onTestFinished, test } from "vitest";
import { type Dialogue, type Ear, startEar } from "./dialogue.ts";

async function start(): Promise<{ readonly ear: Ear; readonly dialogue: Dialogue }> {
  const ear = await startEar();
  onTestFinished(ear.close);
  return { ear, dialogue: await ear.open() };
}

async function sendMessage({ seed }: Ear, dialogue: Dialogue): Promise<void> {
  await dialogue.say("MAIL FROM:<ann@sender.example>");
  await dialogue.say(`RCPT TO:<${seed}>`);
  await dialogue.say("DATA");
  expect(await dialogue.say("Subject: x\r\n\r\nHello\r\n.")).toMatch(/^250 /);
}

const heardIn = ({ heard }: Ear) =>
  heard.map(({ session: { earlyTalk, pipelining, unawaited } }) => ({ earlyTalk, pipelining, unawaited }));

const patient = { earlyTalk: false, pipelining: false, unawaited: [] };

test("a client that waits for each reply is recorded as such", async () => {
  const { ear, dialogue } = await start();
  await dialogue.greet();
  await sendMessage(ear, dialogue);
  expect(heardIn(ear)).toEqual([patient]);
});

test("a client that talks before the greeting is greeted first, and this is recorded", async () => {
  const { ear, dialogue } = await start();
  dialogue.write("EHLO client.example\r\n");
  expect(await dialogue.reply()).toMatch(/^220 mx\.seed\.example/);
  expect(await dialogue.reply()).toMatch(/^250-mx\.seed\.example/);
  await sendMessage(ear, dialogue);
  expect(heardIn(ear)).toEqual([{ ...patient, earlyTalk: true }]);
  expect(ear.heard[0]?.session.transcript.map(({ from }) => from).slice(0, 2)).toEqual(["server", "client"]);
});

test("a cleartext command after STARTTLS is recorded and never executed", async () => {
  const { ear, dialogue } = await start();
  await dialogue.greet();
  dialogue.write("STARTTLS\r\nEHLO early.example\r\n");
  await dialogue.reply();
  await dialogue.startTls();
  await dialogue.say("EHLO client.example");
  await sendMessage(ear, dialogue);
  expect(heardIn(ear)).toEqual([
    { ...patient, pipelining: true, unawaited: [{ behind: "STARTTLS", sent: "EHLO early.example" }] },
  ]);
});

test("message data that follows DATA too early is recorded only for that message", async () => {
  const { ear, dialogue } = await start();
  await dialogue.greet();
  await dialogue.say("MAIL FROM:<ann@sender.example>");
  dialogue.write(`RCPT TO:<${ear.seed}>\r\nDATA\r\nSubject: x\r\n\r\nHello\r\n.\r\n`);
  await dialogue.reply();
  await dialogue.reply();
  expect(await dialogue.reply()).toMatch(/^250 /);
  await sendMessage(ear, dialogue);
  expect(heardIn(ear).map(({ unawaited }) => unawaited)).toEqual([[{ behind: "DATA", sent: null }], []]);
});

test("commands that may be pipelined do not count as talking early", async () => {
  const { ear, dialogue } = await start();
  await dialogue.greet();
  dialogue.write(`MAIL FROM:<ann@sender.example>\r\nRCPT TO:<${ear.seed}>\r\nDATA\r\n`);
  await dialogue.reply();
  await dialogue.reply();
  expect(await dialogue.reply()).toMatch(/^354 /);
  expect(await dialogue.say("Subject: x\r\n\r\nHello\r\n.")).toMatch(/^250 /);
  expect(heardIn(ear)).toEqual([{ ...patient, pipelining: true }]);
});
