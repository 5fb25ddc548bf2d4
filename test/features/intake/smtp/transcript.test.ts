import { expect, onTestFinished, test } from "vitest";
import { createTranscript } from "../../../../src/features/intake/smtp/transcript.ts";
import { startEar } from "./dialogue.ts";

test("an EHLO that resets a message is in the next message's transcript", async () => {
  const ear = await startEar();
  onTestFinished(ear.close);
  const dialogue = await ear.open();
  await dialogue.greet();
  await dialogue.say("MAIL FROM:<given.up@sender.example>");
  await dialogue.say("EHLO again.example");
  await dialogue.say("MAIL FROM:<ann@sender.example>");
  await dialogue.say(`RCPT TO:<${ear.seed}>`);
  await dialogue.say("DATA");
  await dialogue.say("Subject: x\r\n\r\nHello\r\n.");
  const transcript = ear.heard[0]?.session.transcript ?? [];
  expect(transcript.filter(({ from }) => from === "client").map(({ line }) => line)).toEqual([
    "EHLO client.example",
    "EHLO again.example",
    "MAIL FROM:<ann@sender.example>",
    `RCPT TO:<${ear.seed}>`,
    "DATA",
  ]);
});

test("the transcript keeps the session's opening, whichever side spoke last", () => {
  const transcript = createTranscript(() => 1);
  transcript.endMessage();
  transcript.hear("server", "220 ready");
  transcript.hear("client", "EHLO one");
  transcript.endOpening();
  transcript.endMessage();
  transcript.hear("client", "MAIL FROM:<>");
  transcript.hear("server", "250 noted");
  transcript.endMessage();
  expect(transcript.steps().map(({ line }) => line)).toEqual(["220 ready", "EHLO one"]);
});

test("a transcript of a long session keeps the opening and the last lines", () => {
  const transcript = createTranscript(() => 1);
  for (let greeting = 0; greeting < 500; greeting++) {
    transcript.hear("client", `EHLO ${greeting}`);
    transcript.hear("server", "250 hello");
    transcript.endOpening();
  }
  for (let command = 0; command < 5_000; command++) transcript.hear("client", `NOOP ${command}`);
  transcript.hear("client", "DATA");
  const lines = transcript.steps().map(({ line }) => line);
  expect(lines.length).toBeLessThanOrEqual(1_000);
  expect(lines[0]).toBe("EHLO 0");
  expect(lines.slice(-2)).toEqual(["NOOP 4999", "DATA"]);
});
