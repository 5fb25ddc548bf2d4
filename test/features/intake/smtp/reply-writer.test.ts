import { describe, expect, test } from "vitest";
import { createReplyWriter, createRoundEnd } from "../../../../src/features/intake/smtp/reply-writer.ts";

function listen({ maxErrors = 10 } = {}) {
  const heard: string[] = [];
  const left: string[] = [];
  const rounds: (() => void)[] = [];
  const voice = createReplyWriter({
    transcript: { hear: (from, line) => void heard.push(`${from} ${line}`) },
    maxErrors,
    atRoundEnd: (work) => void rounds.push(work),
    writeLines: (lines) => void left.push(lines),
    send: (code, lines) => void left.push(`${code} ${lines.join("|")}`),
  });
  const endRound = () => {
    for (const work of rounds.splice(0)) work();
  };
  return { voice, heard, left, endRound };
}

describe("the SMTP reply writer", () => {
  test("the SMTP reply writer sends the replies of one round together, once", () => {
    const { voice, left, endRound } = listen();
    voice.reply("senderNoted");
    voice.reply("recipientNoted");
    voice.assent("354 Go on");
    expect(left).toEqual([]);
    endRound();
    endRound();
    expect(left).toEqual(["250 2.1.0 Sender OK\r\n250 2.1.5 Recipient OK\r\n354 Go on\r\n"]);
  });

  test("the SMTP reply writer keeps the order when a rejection is sent at once", () => {
    const { voice, heard, left, endRound } = listen();
    voice.reply("recipientNoted");
    voice.reply("notOurs");
    voice.reply("recipientNoted");
    endRound();
    const [noted, refused] = ["250 2.1.5 Recipient OK", expect.stringMatching(/^550 5\.7\.1 /)];
    expect(left).toEqual([`${noted}\r\n`, refused, `${noted}\r\n`]);
    expect(heard).toEqual([`server ${noted}`, expect.stringMatching(/^server 550 5\.7\.1 /), `server ${noted}`]);
  });

  test("the SMTP reply writer sends pending replies before it ends", () => {
    const { voice, left, endRound } = listen();
    voice.reply("kept");
    voice.finish();
    expect(left).toEqual(["250 2.6.0 Message accepted\r\n"]);
    endRound();
    expect(left).toHaveLength(1);
  });

  test("the SMTP reply writer reports too many errors, and counts again after a message", () => {
    const { voice, left } = listen({ maxErrors: 2 });
    voice.reply("badSender");
    voice.forgiveErrors();
    voice.reply("badSender");
    expect(left).toHaveLength(2);
    voice.reply("badSender");
    expect(left.at(-1)).toMatch(/^421 4\.7\.0 /);
  });
});

test("replies of one turn of the event loop are sent together, and later ones in the next turn", async () => {
  const atRoundEnd = createRoundEnd();
  const done: string[] = [];
  const again = () => void done.push("again");
  atRoundEnd(() => {
    done.push("one");
    atRoundEnd(again);
  });
  atRoundEnd(() => void done.push("two"));
  expect(done).toEqual([]);
  await new Promise(setImmediate);
  expect(done).toEqual(["one", "two"]);
  await new Promise(setImmediate);
  expect(done).toEqual(["one", "two", "again"]);
});
