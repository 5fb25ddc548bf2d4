// End of data is CRLF.CRLF and nothing else (RFC 5321 §4.1.1.4; VU#302671, CVE-2023-51764 to 51766).

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createDice } from "../../../../scripts/dice.ts";
import { type Dialogue, type Ear, startEar } from "./dialogue.ts";

let ear: Ear;

beforeAll(async () => {
  ear = await startEar();
});
afterAll(() => ear.close());
beforeEach(() => {
  ear.heard.length = 0;
});

/** Sequences that some server of 2023 or 2024 took for the end, and similar ones. */
const noEnds = [
  "\n.\n",
  "\n.\r\n",
  "\r\n.\n",
  "\r.\r",
  "\r.\n",
  "\r.\r\n",
  "\n.\r",
  "\r\n.\r",
  "\r\n.\r\r\n",
  "\r\r\n.\r\r\n",
  "\n\n.\r\n",
  "\n.\r\r\n",
  "\n.\n\r\n",
  "\r\n\n.\r\n",
  "\r\n\r.\r\n",
  "\r\n\0.\r\n",
  "\r\n.\0\r\n",
  "\0\r\n\0.\0\r\n",
  "\r\0\n.\r\n",
  "\r\n.\r\0\n",
  "\r\n .\r\n",
  "\r\n. \r\n",
  "\r\n.\t\r\n",
  "\r\n..\r\n",
  "\r\n.\v\n",
  "\u0085.\u0085",
  "\xe2\x80\xa8.\xe2\x80\xa8",
  "\n.\n.\n.\n",
] as const;

const outerHead = "Subject: outer\r\n\r\nbefore";

function smuggled(): string {
  const envelope = `MAIL FROM:<inner@sender.example>\r\nRCPT TO:<${ear.seed}>\r\nDATA\r\n`;
  return `${envelope}Subject: inner\r\n\r\nsmuggled\r\n.\r\n`;
}

/** RFC 5321 §4.5.2 again, written by lines: the message that one DATA of these bytes carries. */
function carried(bytes: string): string {
  const lines = bytes.split("\r\n");
  const text = lines.slice(0, lines.indexOf("."));
  return text.map((line) => `${line.replace(/^\./, "")}\r\n`).join("");
}

async function openData(): Promise<Dialogue> {
  const dialogue = await ear.open();
  await dialogue.greet();
  await beginData(dialogue);
  return dialogue;
}

async function beginData(dialogue: Dialogue): Promise<void> {
  await dialogue.say("MAIL FROM:<outer@sender.example>");
  await dialogue.say(`RCPT TO:<${ear.seed}>`);
  expect(await dialogue.say("DATA")).toMatch(/^354 /);
}

/** All replies up to the one to QUIT. */
async function send(pieces: readonly string[]): Promise<readonly string[]> {
  const dialogue = await openData();
  await dialogue.writePieces(pieces);
  dialogue.write("QUIT\r\n");
  return dialogue.untilClosed();
}

function heardTexts(): string[] {
  return ear.heard.map(({ raw }) => Buffer.from(raw).toString("latin1"));
}

const kept = expect.stringMatching(/^250 2\.6\.0 |^250 2\.0\.0 /);
const bye = expect.stringMatching(/^221 2\.0\.0 /);

describe.each(noEnds.map((variant) => [JSON.stringify(variant), variant]))(
  "the wrong end of data %s",
  (_shown, variant) => {
    test("a wrong end of data ends no message and starts no second one", async () => {
      const bytes = outerHead + variant + smuggled();
      expect(await send([bytes])).toEqual([kept, bye]);
      expect(heardTexts()).toEqual([carried(bytes)]);
      expect(ear.heard[0]?.session.mailFrom).toBe("outer@sender.example");
      if (!/(^|[^\n])\r\n\./.test(variant)) expect(heardTexts()[0]).toContain(variant);
    });

    test("a wrong end of data ends no message in any segments", async () => {
      const bytes = outerHead + variant + smuggled();
      const start = outerHead.length;
      const nearIt = Array.from({ length: variant.length + 3 }, (_, index) => start - 1 + index);
      const byteByByte = [...bytes.slice(start - 1, start + variant.length + 1)];
      const cuts = [
        ...nearIt.map((at) => [bytes.slice(0, at), bytes.slice(at)]),
        [bytes.slice(0, start - 1), ...byteByByte, bytes.slice(start + variant.length + 1)],
      ];
      expect(await Promise.all(cuts.map(send))).toEqual(cuts.map(() => [kept, bye]));
      expect(heardTexts()).toEqual(cuts.map(() => carried(bytes)));
    });
  },
);

describe("the correct end of data", () => {
  test.each([
    ["alone", "\r\n.\r\n", "before\r\n"],
    ["after a CR", "\r\r\n.\r\n", "before\r\r\n"],
    ["after an LF", "\n\r\n.\r\n", "before\n\r\n"],
    ["after an LF and a dot", "\n.\r\n.\r\n", "before\n.\r\n"],
    ["after a similar wrong one", "\r\n.\n\r\n.\r\n", "before\r\n\n\r\n"],
  ])(
    "the correct end of data %s ends the message, and a second message has its own envelope",
    async (_what, end, tail) => {
      const bytes = outerHead + end + smuggled();
      const replies = await send([bytes]);
      expect(replies.map((reply) => reply.slice(0, 3))).toEqual(["250", "250", "250", "354", "250", "221"]);
      expect(heardTexts()).toEqual([`Subject: outer\r\n\r\n${tail}`, "Subject: inner\r\n\r\nsmuggled\r\n"]);
      expect(ear.heard.map(({ session }) => session.mailFrom)).toEqual([
        "outer@sender.example",
        "inner@sender.example",
      ]);
    },
  );

  test("the correct end of data is recognized in any segments", async () => {
    const bytes = `${outerHead}\r\n.\r\n`;
    const halves = Array.from({ length: 6 }, (_, index) => bytes.length - 6 + index);
    const cuts = [[...bytes], ...halves.map((at) => [bytes.slice(0, at), bytes.slice(at)])];
    expect(await Promise.all(cuts.map(send))).toEqual(cuts.map(() => [kept, bye]));
    expect(heardTexts()).toEqual(cuts.map(() => `${outerHead}\r\n`));
  });
});

describe("the stored bytes of a message", () => {
  const eightBit = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte).filter((byte) => byte !== 46))
    .toString("latin1")
    .replace("\r", "");
  const vastLine = `Subject: x\r\n\r\n${"x".repeat(1_048_576)}\r\n`;
  test.each<[string, string, string]>([
    ["without the dot at the start of a line", "a\r\n..b\r\n...\r\n", "a\r\n.b\r\n..\r\n"],
    ["with one of two dots at the start of a line", "a\r\n..\r\nb\r\n", "a\r\n.\r\nb\r\n"],
    ["with a missing dot unchanged", "a\r\n.b\r\n", "a\r\nb\r\n"],
    ["with a dot after a bare LF", "a\n..b\r\n", "a\n..b\r\n"],
    ["with a dot after a bare CR", "a\r..b\r\n", "a\r..b\r\n"],
    ["without the dot after CR CR LF", "a\r\r\n..b\r\n", "a\r\r\n.b\r\n"],
    ["without the dot at the start of the first line", "..a\r\n", ".a\r\n"],
    ["with dots inside a line", "a..b.\r\n", "a..b.\r\n"],
    ["of an empty message", "", ""],
    ["of an empty line", "\r\n", "\r\n"],
    ["of a header without a body", "Subject: x\r\n", "Subject: x\r\n"],
    ["with bare LF unchanged", "Subject: x\n\nHello\nWorld\r\n", "Subject: x\n\nHello\nWorld\r\n"],
    ["with every byte value", `Subject: x\r\n\r\n${eightBit}\r\n`, `Subject: x\r\n\r\n${eightBit}\r\n`],
    ["with NUL", "\0a\r\n\0\0\r\n", "\0a\r\n\0\0\r\n"],
    ["with a trailing bare LF", "a\n\r\n", "a\n\r\n"],
    ["with a megabyte in one line", vastLine, vastLine],
    ["with spaces at line ends", "a \t \r\n \r\n", "a \t \r\n \r\n"],
  ])("the stored bytes of a message are right %s", async (_sentence, written, expected) => {
    expect(await send([`${written}.\r\n`])).toEqual([kept, bye]);
    expect(heardTexts()).toEqual([expected]);
  });

  test("the stored bytes of a message are the same for any segments and bytes", async () => {
    const dice = createDice(5);
    const alphabet = ["\r", "\n", ".", "\r\n", "\r\n.", "a", "\0", "\xff", "MAIL FROM:<x@y>"];
    const dialogue = await ear.open();
    await dialogue.greet();
    for (let round = 0; round < 50; round++) {
      const length = 1 + dice(12);
      const text = Array.from({ length }, () => alphabet[dice(alphabet.length)]).join("");
      if (`\r\n${text}\r\n`.includes("\r\n.\r\n")) continue;
      const bytes = `${text}\r\n.\r\n`;
      const at = dice(bytes.length);
      const next = at + dice(bytes.length - at);
      ear.heard.length = 0;
      await beginData(dialogue);
      await dialogue.writePieces([bytes.slice(0, at), bytes.slice(at, next), bytes.slice(next)]);
      expect([text, await dialogue.reply()]).toEqual([text, kept]);
      expect([text, heardTexts()]).toEqual([text, [carried(bytes)]]);
    }
    expect(await dialogue.say("QUIT")).toEqual(bye);
  });
});

test("a message without an end is dropped", async () => {
  const dialogue = await openData();
  await dialogue.writePieces([outerHead, "\r\n."]);
  dialogue.end();
  await dialogue.untilClosed();
  expect(await send([`${outerHead}\r\n.\r\n`])).toEqual([kept, bye]);
  expect(ear.heard.length).toBe(1);
});
