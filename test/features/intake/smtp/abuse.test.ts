// Misbehaving clients: each gets the right reply, and other clients aren't affected.

import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { SmtpLimits } from "../../../../src/features/intake/smtp/limits.ts";
import { type Dialogue, type Ear, seedDomain, startEar } from "./dialogue.ts";

/** Stopped after the test. */
async function start(
  environment: Record<string, string> = {},
  limits: Partial<SmtpLimits> = {},
  keep: () => Promise<void> = async () => {},
): Promise<Ear> {
  const ear = await startEar(environment, keep, undefined, undefined, { limits });
  onTestFinished(ear.close);
  return ear;
}

async function greeted(ear: Ear, clientAddress?: string): Promise<Dialogue> {
  const dialogue = await ear.open(clientAddress);
  await dialogue.greet();
  return dialogue;
}

/** On a connection that is then abandoned. */
async function firstReply(ear: Ear): Promise<string> {
  const dialogue = await ear.open("127.0.0.6");
  const reply = await dialogue.reply();
  dialogue.write("QUIT\r\n");
  await dialogue.untilClosed();
  return reply;
}

/** With a message for the seed inbox in progress. */
async function inTransaction(ear: Ear, clientAddress?: string): Promise<Dialogue> {
  const dialogue = await greeted(ear, clientAddress);
  expect(await dialogue.say("MAIL FROM:<ann@sender.example>")).toMatch(/^250 /);
  expect(await dialogue.say(`RCPT TO:<${ear.seed}>`)).toMatch(/^250 /);
  return dialogue;
}

async function inData(ear: Ear, clientAddress?: string): Promise<Dialogue> {
  const dialogue = await inTransaction(ear, clientAddress);
  expect(await dialogue.say("DATA")).toMatch(/^354 /);
  return dialogue;
}

/** A client from elsewhere delivers normally. */
async function expectOthersServed(ear: Ear): Promise<void> {
  const before = ear.heard.length;
  const other = await inData(ear, "127.0.0.77");
  expect(await other.say("Subject: other\r\n\r\nHello\r\n.")).toMatch(/^250 /);
  expect(ear.heard.length).toBe(before + 1);
  other.destroy();
}

/** RFC 2034 §4: the enhanced code begins with the reply's first digit. */
function expectRefusal(reply: string, code: RegExp | string): void {
  expect(reply).toMatch(code);
  for (const line of reply.split("\r\n")) expect(line).toMatch(/^([45])\d\d[ -]\1\.\d{1,3}\.\d{1,3} [\x20-\x7e]+$/);
}

/** Writes until the other side stops accepting. Returns the replies. */
async function flood(dialogue: Dialogue, piece: Buffer | string, times: number): Promise<readonly string[]> {
  let isOver = false;
  const closed = dialogue.untilClosed().finally(() => {
    isOver = true;
  });
  for (let count = 0; count < times && !isOver; count++) await dialogue.writePieces([piece]);
  dialogue.end();
  return closed;
}

const enough = "x".repeat(65_536);

describe("endless input from a client", () => {
  test("endless input from a client in a command line is rejected, and no more of it is read", async () => {
    const ear = await start();
    const dialogue = await greeted(ear);
    const flooding = flood(dialogue, enough, 1_000);
    await expectOthersServed(ear);
    const [reply = "", ...more] = await flooding;
    expectRefusal(reply, /^(500 5\.5\.[26]|421 4\.\d\.\d) /);
    expect(more.length).toBeLessThanOrEqual(1);
  });

  test("endless input from a client in the first line before the greeting is rejected", async () => {
    const ear = await start();
    const replies = await flood(await ear.open(), enough, 1_000);
    expectRefusal(replies.at(-1) ?? "", /^(500|421) /);
    await expectOthersServed(ear);
  });

  test("endless input from a client in parameters is rejected", async () => {
    const ear = await start();
    const dialogue = await greeted(ear);
    const parameters = Array.from({ length: 300 }, (_, n) => ` X${n}=1`).join("");
    expectRefusal(await dialogue.say(`MAIL FROM:<ann@sender.example>${parameters}`), /^5(00|01|55) /);
  });

  test("endless input from a client in a header is rejected at its end, and the session continues", async () => {
    const ear = await start({}, { headerBytes: 65_536 });
    const dialogue = await inData(ear);
    for (let count = 0; count < 100; count++) await dialogue.writePieces([`X-Endless: ${"x".repeat(1_000)}\r\n`]);
    await expectOthersServed(ear);
    expectRefusal(await dialogue.say("\r\nHello\r\n."), /^552 5\.3\.4 /);
    expect(await dialogue.say("NOOP")).toMatch(/^250 /);
    expect(ear.heard.length).toBe(1);
  });

  test.each([
    ["body line", enough],
    ["body", `${"x".repeat(1_022)}\r\n`.repeat(64)],
    ["run of dots", "\r\n..".repeat(16_384)],
    ["run of CR", "\r".repeat(65_536)],
  ])("endless input from a client in a %s is rejected at its end, and the session continues", async (_what, piece) => {
    const ear = await start({ ASSAY_SMTP_MAX_MESSAGE_BYTES: "65536" });
    const dialogue = await inData(ear);
    await dialogue.writePieces(["Subject: x\r\n\r\n", ...Array.from({ length: 100 }, () => piece)]);
    await expectOthersServed(ear);
    expectRefusal(await dialogue.say("\r\n."), /^552 5\.3\.4 /);
    expect(await dialogue.say("MAIL FROM:<ann@sender.example>")).toMatch(/^250 /);
    expect(ear.heard.length).toBe(1);
  });

  test("endless input from a client is limited to the maximum message size, to the byte", async () => {
    const ear = await start({ ASSAY_SMTP_MAX_MESSAGE_BYTES: "65536" });
    const head = "Subject: x\r\n\r\n";
    const fitting = `${head}${"x".repeat(65_536 - head.length - 2)}\r\n.`;
    expect(await (await inData(ear)).say(fitting)).toMatch(/^250 /);
    expectRefusal(await (await inData(ear)).say(`x${fitting}`), /^552 5\.3\.4 /);
    expect(ear.heard.map(({ raw }) => raw.length)).toEqual([65_536]);
  });
});

describe("SMTP recipients", () => {
  // RFC 5321 §4.5.3.1.10: a client that sends the rest again must not lose accepted recipients.
  test.each([150, 500])(
    "SMTP recipients after the hundredth of %d are deferred, and the message goes to the first hundred",
    async (count) => {
      const ear = await start();
      const dialogue = await greeted(ear);
      await dialogue.say("MAIL FROM:<ann@sender.example>");
      dialogue.write(`RCPT TO:<${ear.seed}>\r\n`.repeat(count));
      for (let n = 0; n < 100; n++) expect(await dialogue.reply()).toMatch(/^250 /);
      for (let n = 100; n < count; n++) expectRefusal(await dialogue.reply(), /^452 4\.5\.3 /);
      await dialogue.say("DATA");
      expect(await dialogue.say("Subject: x\r\n\r\nHello\r\n.")).toMatch(/^250 /);
      expect(ear.heard.map(({ recipients }) => recipients.length)).toEqual([100]);
    },
  );

  test("ten thousand SMTP recipients sent at once are deferred or end the connection", async () => {
    const ear = await start();
    const dialogue = await greeted(ear);
    await dialogue.say("MAIL FROM:<ann@sender.example>");
    dialogue.write(`RCPT TO:<${ear.seed}>\r\n`.repeat(10_000));
    await expectOthersServed(ear);
    dialogue.write("QUIT\r\n");
    const [taken, refused] = [[], []] as [string[], string[]];
    for (const reply of await dialogue.untilClosed()) (/^2/.test(reply) ? taken : refused).push(reply);
    expect(taken.filter((reply) => reply.startsWith("250 ")).length).toBe(100);
    for (const reply of refused) expectRefusal(reply, /^(452 4\.5\.3|421 4\.\d\.\d) /);
    expect(ear.heard.length).toBe(1);
  });

  test("SMTP recipients that do not exist end the connection if there are ten thousand", async () => {
    const ear = await start({}, { errors: 10 });
    const dialogue = await greeted(ear);
    await dialogue.say("MAIL FROM:<ann@sender.example>");
    dialogue.write(Array.from({ length: 10_000 }, (_, n) => `RCPT TO:<nobody${n}@${seedDomain}>\r\n`).join(""));
    const replies = await dialogue.untilClosed();
    expect(replies.length).toBeLessThan(100);
    for (const reply of replies.slice(0, -1)) expectRefusal(reply, /^550 5\.1\.1 /);
    expectRefusal(replies.at(-1) ?? "", /^421 4\.7\.0 /);
    await expectOthersServed(ear);
  });
});

describe("a slow SMTP client", () => {
  test("a slow SMTP client that sends its message byte by byte times out, and the message is dropped", async () => {
    const ear = await start({ ASSAY_SMTP_TRANSACTION_MS: "400" });
    const replies = await flood(await inData(ear), "x", 1_000_000);
    expect(replies.length).toBe(1);
    expectRefusal(replies[0] ?? "", /^421 4\.4\.2 /);
    await expectOthersServed(ear);
    expect(ear.heard.length).toBe(1);
  });

  test("a slow SMTP client that keeps a message open with NOOP times out", async () => {
    const ear = await start({ ASSAY_SMTP_TRANSACTION_MS: "400" }, { commands: 1_000_000 });
    const replies = await flood(await inTransaction(ear), "NOOP\r\n", 100_000);
    expectRefusal(replies.at(-1) ?? "", /^421 4\.4\.2 /);
  });

  test("a slow SMTP client that never ends its session times out", async () => {
    const ear = await start({}, { sessionMs: 400, commands: 1_000_000 });
    const replies = await flood(await greeted(ear), "NOOP\r\n", 100_000);
    expectRefusal(replies.at(-1) ?? "", /^421 4\.4\.2 /);
  });

  test("a slow SMTP client that times out while its message is stored still gets the reply that it was stored", async () => {
    const disk = Promise.withResolvers<void>();
    const ear = await start({}, { sessionMs: 400 }, () => disk.promise);
    const dialogue = await inData(ear);
    dialogue.write("Subject: x\r\n\r\nHello\r\n.\r\n");
    await pause(500);
    disk.resolve();
    expect(await dialogue.reply()).toMatch(/^250 /);
    expectRefusal(await dialogue.reply(), /^421 4\.4\.2 /);
  });

  test.each([
    ["at the beginning", (ear: Ear) => ear.open(), /^(220 |421 )/],
    ["between commands", (ear: Ear) => greeted(ear), /^421 /],
    ["within a message", (ear: Ear) => inData(ear), /^421 /],
  ])("a slow SMTP client that is silent %s is disconnected", async (_when, open, first) => {
    const ear = await start({ ASSAY_SMTP_IDLE_MS: "300" });
    const dialogue = await open(ear);
    const replies = await dialogue.untilClosed();
    expect(replies[0]).toMatch(first);
    expectRefusal(replies.at(-1) ?? "", /^421 4\.4\.2 /);
    expect(ear.heard.length).toBe(0);
  });
});

describe("the STARTTLS command", () => {
  const injected = [
    "NOOP",
    "EHLO injected.example",
    "MAIL FROM:<injected@sender.example>",
    "EHLO injected.example\r\nMAIL FROM:<injected@sender.example>",
    "XCLIENT ADDR=192.0.2.1",
    "RSET\r\nNOOP\r\nMAIL FROM:<injected@sender.example>\r\nRCPT TO:<postmaster>\r\nDATA",
  ];

  test.each(injected)("the STARTTLS command does not execute %j sent after it", async (commands) => {
    const ear = await start();
    const dialogue = await greeted(ear);
    dialogue.write(`STARTTLS\r\n${commands}\r\n`);
    const reply = await dialogue.reply();
    // Refusing to continue is just as safe.
    if (!reply.startsWith("220 ")) return expectRefusal(reply, /^(421|5\d\d) /);
    await dialogue.startTls();
    expectRefusal(await dialogue.say(`RCPT TO:<${ear.seed}>`), /^503 5\.5\.1 /);
    expect(await dialogue.say("EHLO client.example")).toMatch(/^250-mx\.seed\.example/);
    expectRefusal(await dialogue.say(`RCPT TO:<${ear.seed}>`), /^503 5\.5\.1 /);
    await dialogue.say("MAIL FROM:<ann@sender.example>");
    await dialogue.say(`RCPT TO:<${ear.seed}>`);
    await dialogue.say("DATA");
    expect(await dialogue.say("Subject: x\r\n\r\nHello\r\n.")).toMatch(/^250 /);
    expect(ear.heard.map(({ session }) => [session.mailFrom, session.helo])).toEqual([
      ["ann@sender.example", "client.example"],
    ]);
  });

  test("the STARTTLS command resets the message and the greeting", async () => {
    const ear = await start();
    const dialogue = await inTransaction(ear);
    expect(await dialogue.say("STARTTLS")).toMatch(/^220 2\.0\.0 /);
    await dialogue.startTls();
    expectRefusal(await dialogue.say("MAIL FROM:<ann@sender.example>"), /^503 5\.5\.1 /);
    expect(await dialogue.say("EHLO client.example")).not.toContain("STARTTLS");
    expectRefusal(await dialogue.say("DATA"), /^503 5\.5\.1 /);
    expectRefusal(await dialogue.say("STARTTLS"), /^50[23] 5\.5\.1 /);
  });

  test("the STARTTLS command without a TLS handshake ends only that connection", async () => {
    const ear = await start();
    const dialogue = await greeted(ear);
    await dialogue.say("STARTTLS");
    dialogue.write("EHLO client.example\r\nMAIL FROM:<ann@sender.example>\r\n");
    expect(await dialogue.untilClosed()).toEqual([]);
    await expectOthersServed(ear);
  });

  test("the STARTTLS command accepts no parameter", async () => {
    const dialogue = await greeted(await start());
    expectRefusal(await dialogue.say("STARTTLS now"), /^501 5\.5\.4 /);
  });
});

describe("a client that does not speak SMTP", () => {
  test.each(["GET / HTTP/1.1\r\nHost: x", "CONNECT mx.seed.example:25 HTTP/1.1", "OPTIONS / HTTP/1.0"])(
    "a client that does not speak SMTP is disconnected after %j",
    async (request) => {
      const ear = await start();
      const dialogue = await greeted(ear);
      dialogue.write(`${request}\r\n\r\n`);
      dialogue.end();
      const replies = await dialogue.untilClosed();
      expect(replies.length).toBeGreaterThan(0);
      for (const reply of replies) expectRefusal(reply, /^(421|5\d\d) /);
    },
  );

  test("a browser that posts an SMTP dialog delivers nothing", async () => {
    const ear = await start();
    const dialogue = await ear.open();
    const body = `EHLO x\r\nMAIL FROM:<a@b.example>\r\nRCPT TO:<${ear.seed}>\r\nDATA\r\n\r\nx\r\n.\r\nQUIT\r\n`;
    dialogue.write(`POST / HTTP/1.1\r\nHost: mx\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    const replies = await dialogue.untilClosed();
    expectRefusal(replies.at(-1) ?? "", /^421 4\.\d\.\d /);
    expect(ear.heard.length).toBe(0);
  });

  test("a client that does not speak SMTP is soon disconnected after TLS bytes, NULs, and noise", async () => {
    const ear = await start();
    const noise = [
      "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
      "\0".repeat(4_000),
      "\xff\xfe\r\n".repeat(2_000),
      "\r\n".repeat(20_000),
      "\n\n\n\r\r\r\n",
    ];
    for (const bytes of noise) {
      const dialogue = await greeted(ear);
      dialogue.write(bytes);
      dialogue.end();
      for (const reply of await dialogue.untilClosed()) expectRefusal(reply, /^(421|5\d\d) /);
    }
    await expectOthersServed(ear);
  });

  test("a client that does not speak SMTP is disconnected after many unknown commands", async () => {
    const ear = await start();
    const dialogue = await greeted(ear);
    dialogue.write(Array.from({ length: 1_000 }, (_, n) => `XYZZY${n} \x07\x1b[2J\r\n`).join(""));
    const replies = await dialogue.untilClosed();
    expect(replies.length).toBeLessThan(300);
    for (const reply of replies.slice(0, -1)) expectRefusal(reply, /^50[02] 5\.5\.[12] /);
    expectRefusal(replies.at(-1) ?? "", /^421 4\.\d\.\d /);
    await expectOthersServed(ear);
  });

  test("a client that does not speak SMTP is disconnected after many NOOP commands", async () => {
    const ear = await start({}, { commands: 300 });
    const dialogue = await greeted(ear);
    dialogue.write("NOOP\r\n".repeat(10_000));
    const replies = await dialogue.untilClosed();
    expect(replies.length).toBeLessThanOrEqual(301);
    expectRefusal(replies.at(-1) ?? "", /^421 4\.7\.0 /);
  });

  test("a client that talks before the greeting is greeted or disconnected", async () => {
    const ear = await start();
    const dialogue = await ear.open();
    dialogue.write("EHLO client.example\r\nMAIL FROM:<ann@sender.example>\r\nQUIT\r\n");
    const [first = ""] = await dialogue.untilClosed();
    if (!first.startsWith("220 ")) expectRefusal(first, /^(421|554) /);
    await expectOthersServed(ear);
  });
});

describe("SMTP connections", () => {
  test("SMTP connections over the limit are deferred until others end", async () => {
    const ear = await start({ ASSAY_SMTP_MAX_CLIENTS: "3" });
    const open = [await greeted(ear, "127.0.0.2"), await greeted(ear, "127.0.0.3"), await greeted(ear, "127.0.0.4")];
    const [reply = ""] = await (await ear.open("127.0.0.5")).untilClosed();
    expectRefusal(reply, /^421 4\.3\.2 /);
    expect(await open[0]?.say("QUIT")).toMatch(/^221 2\.0\.0 /);
    await expect.poll(() => firstReply(ear)).toMatch(/^220 /);
  });

  test("SMTP connections over the limit of one IP are deferred, but others are not", async () => {
    const ear = await start({ ASSAY_SMTP_MAX_CLIENTS_PER_ADDRESS: "2" });
    await greeted(ear, "127.0.0.2");
    await greeted(ear, "127.0.0.2");
    const [reply = ""] = await (await ear.open("127.0.0.2")).untilClosed();
    expectRefusal(reply, /^421 4\.7\.0 /);
    await expectOthersServed(ear);
  });

  test("SMTP connections that were deferred are closed even if the client keeps talking", async () => {
    const ear = await start({ ASSAY_SMTP_MAX_CLIENTS_PER_ADDRESS: "1" });
    await greeted(ear, "127.0.0.2");
    const socket = connect({ port: ear.port, host: "127.0.0.1", localAddress: "127.0.0.2", allowHalfOpen: true });
    const talk = setInterval(() => socket.write("x"), 100);
    onTestFinished(() => clearInterval(talk));
    await new Promise((resolve) => socket.on("error", resolve).on("close", resolve).resume());
  });

  test("SMTP connections that are reset at any point leave no state", async () => {
    const ear = await start({ ASSAY_SMTP_MAX_CLIENTS: "30" });
    const stages = [(at: Ear) => at.open(), greeted, inTransaction, inData];
    for (let round = 0; round < 12; round++) {
      const open = await Promise.all(stages.map((stage) => stage(ear)));
      for (const dialogue of open) {
        dialogue.write("Subject: never\r\n\r\nended");
        if (round % 2 === 0) dialogue.reset();
        else dialogue.end();
      }
      await Promise.all(open.map((dialogue) => dialogue.untilClosed()));
    }
    await expectOthersServed(ear);
    expect(ear.heard.length).toBe(1);
  });

  test("SMTP connections that are half closed after a complete message get their replies", async () => {
    const ear = await start();
    const dialogue = await inData(ear);
    dialogue.write("Subject: x\r\n\r\nHello\r\n.\r\nQUIT\r\n");
    dialogue.end();
    const replies = await dialogue.untilClosed();
    expect(replies.map((reply) => reply.slice(0, 3))).toEqual(["250", "221"]);
    expect(ear.heard.length).toBe(1);
  });

  test("SMTP connections that end while their message is stored do not change it", async () => {
    const waiting: (() => void)[] = [];
    const ear = await start({}, {}, () => new Promise((resolve) => waiting.push(resolve)));
    const bodies = ["a", "b", "c", "d"].map((letter) => `${letter.repeat(70)}\r\n`.repeat(900));
    for (const [index, body] of bodies.entries()) {
      const dialogue = await inData(ear);
      dialogue.write(`${body}.\r\n`);
      while (waiting.length <= index) await pause(1);
      if (index % 2 === 0) dialogue.reset();
    }
    for (const keep of waiting) keep();
    while (ear.heard.length < bodies.length) await pause(1);
    expect(ear.heard.map(({ raw }) => Buffer.from(raw).toString("latin1"))).toEqual(bodies);
  });
});

/** Shared by all tests that leave no state behind. */
let common: Ear;

beforeAll(async () => {
  common = await startEar({ ASSAY_SMTP_MAX_CLIENTS_PER_ADDRESS: "1000", ASSAY_SMTP_MAX_CLIENTS: "1000" });
});
afterAll(() => common.close());

describe("an SMTP command", () => {
  test.each([
    ["MAIL before a greeting", [], "MAIL FROM:<ann@sender.example>", /^503 5\.5\.1 /],
    ["RCPT before MAIL", ["EHLO x"], "RCPT TO:<postmaster>", /^503 5\.5\.1 /],
    ["DATA before MAIL", ["EHLO x"], "DATA", /^503 5\.5\.1 /],
    ["DATA before RCPT", ["EHLO x", "MAIL FROM:<a@b.example>"], "DATA", /^(503|554) 5\.5\.1 /],
    ["DATA with a parameter", ["EHLO x", "MAIL FROM:<a@b.example>"], "DATA now", /^50[13] 5\.5\.[14] /],
    ["a second MAIL", ["EHLO x", "MAIL FROM:<a@b.example>"], "MAIL FROM:<a@b.example>", /^503 5\.5\.1 /],
    ["MAIL without FROM", ["EHLO x"], "MAIL <a@b.example>", /^501 5\.(1\.7|5\.[24]) /],
    ["MAIL without brackets", ["EHLO x"], "MAIL FROM:a@b.example", /^501 5\.(1\.7|5\.[24]) /],
    ["a sender that is not an address", ["EHLO x"], "MAIL FROM:<a@b@c.example>", /^(501|553) 5\.1\.7 /],
    ["a sender with a control character", ["EHLO x"], "MAIL FROM:<a\x01@b.example>", /^(501|553) 5\.1\.7 /],
    ["a sender with a NUL", ["EHLO x"], "MAIL FROM:<a\0@b.example>", /^(501|553) 5\.1\.7 /],
    ["a sender that is not UTF-8", ["EHLO x"], "MAIL FROM:<\xff@b.example> SMTPUTF8", /^5\d\d 5\.\d\.\d /],
    ["a sender beyond ASCII without SMTPUTF8", ["EHLO x"], "MAIL FROM:<\xc3\xa4@b.example>", /^5(50|53) 5\.6\.7 /],
    ["an announced size over the limit", ["EHLO x"], "MAIL FROM:<a@b.example> SIZE=999999999999", /^552 5\.3\.4 /],
    ["an invalid size", ["EHLO x"], "MAIL FROM:<a@b.example> SIZE=many", /^501 5\.5\.4 /],
    ["an unknown body type", ["EHLO x"], "MAIL FROM:<a@b.example> BODY=BINARYMIME", /^(501|555) 5\.5\.4 /],
    ["a repeated parameter", ["EHLO x"], "MAIL FROM:<a@b.example> SIZE=1 SIZE=2", /^501 5\.5\.4 /],
    ["an unknown parameter", ["EHLO x"], "MAIL FROM:<a@b.example> XYZZY=1", /^555 5\.5\.4 /],
    [
      "an unknown parameter of RCPT",
      ["EHLO x", "MAIL FROM:<a@b.example>"],
      "RCPT TO:<postmaster> XYZZY=1",
      /^555 5\.5\.4 /,
    ],
    ["an empty recipient", ["EHLO x", "MAIL FROM:<a@b.example>"], "RCPT TO:<>", /^(501|553) 5\.1\.3 /],
    ["EHLO without a name", [], "EHLO", /^501 5\.5\.[24] /],
    ["HELO without a name", [], "HELO", /^501 5\.5\.[24] /],
    ["BDAT", ["EHLO x", "MAIL FROM:<a@b.example>"], "BDAT 5 LAST", /^50[023] 5\.5\.1 /],
    ["AUTH before EHLO", [], "AUTH PLAIN AGEAYg==", /^503 5\.\d\.\d /],
    ["AUTH with a method that we don't offer", ["EHLO x"], "AUTH CRAM-MD5", /^504 5\.\d\.\d /],
    ["AUTH with broken credentials", ["EHLO x"], "AUTH PLAIN AAAA", /^501 5\.\d\.\d /],
    ["EXPN", ["EHLO x"], "EXPN staff", /^(502 5\.5\.1|550 5\.\d\.\d) /],
    ["ETRN", ["EHLO x"], "ETRN sender.example", /^50[02] 5\.5\.1 /],
    ["TURN", ["EHLO x"], "TURN", /^50[02] 5\.5\.[12] /],
    ["XCLIENT from an untrusted client", ["EHLO x"], "XCLIENT ADDR=192.0.2.1", /^5\d\d 5\.\d\.\d /],
    ["XFORWARD from an untrusted client", ["EHLO x"], "XFORWARD ADDR=192.0.2.1", /^5\d\d 5\.\d\.\d /],
    ["PROXY from an untrusted client", [], "PROXY TCP4 192.0.2.1 198.51.100.1 1 2", /^5\d\d 5\.\d\.\d /],
  ])("an SMTP command at the wrong place is rejected: %s", async (_what, before, command, reply) => {
    const dialogue = await common.open();
    await dialogue.reply();
    for (const line of before) expect(await dialogue.say(line)).toMatch(/^250[ -]/);
    expectRefusal(await dialogue.say(command), reply);
    expect(await dialogue.say("QUIT")).toMatch(/^221 2\.0\.0 /);
  });

  test.each([
    ["VRFY postmaster", /^252 2\.\d\.\d /],
    ["HELP", /^214 2\.0\.0 /],
    ["NOOP", /^250 2\.0\.0 /],
    ["noop with a text", /^250 2\.0\.0 /],
    ["RSET", /^250 2\.0\.0 /],
    ["mail from:<>", /^250 2\.1\.0 /],
    ["MAIL FROM: <ann@sender.example>", /^250 2\.1\.0 /],
    ["MAIL FROM:<ann@sender.example> SIZE=1000 BODY=8BITMIME RET=HDRS ENVID=abc", /^250 2\.1\.0 /],
    ["MAIL FROM:<\xc3\xa4@b\xc3\xbccher.example> SMTPUTF8", /^250 2\.1\.0 /],
  ])("an SMTP command at the right place is answered: %s", async (command, reply) => {
    const dialogue = await greeted(common);
    expect(await dialogue.say(command)).toMatch(reply);
  });

  test("EHLO lists only the supported extensions", async () => {
    const dialogue = await common.open();
    expect(await dialogue.reply()).toMatch(/^220 mx\.seed\.example ESMTP/);
    const offered = (await dialogue.say("EHLO client.example")).split("\r\n").map((line) => line.slice(4));
    expect(offered.slice(1).sort()).toEqual([
      "8BITMIME",
      "AUTH PLAIN LOGIN",
      "DSN",
      "ENHANCEDSTATUSCODES",
      "PIPELINING",
      "SIZE 26214400",
      "SMTPUTF8",
      "STARTTLS",
    ]);
  });
});

describe("relaying", () => {
  const elsewhere = "elsewhere.example";

  test.each([
    `victim@${elsewhere}`,
    `"victim"@${elsewhere}`,
    `victim@sub.${seedDomain}`,
    `victim@not${seedDomain}`,
    `victim@${seedDomain}.${elsewhere}`,
    `victim@${seedDomain}.`,
    "victim@[127.0.0.1]",
    "victim@[IPv6:::1]",
    "victim@localhost",
    `@${seedDomain}:victim@${elsewhere}`,
    `@${elsewhere}:victim@${seedDomain}`,
    `@${seedDomain},@${elsewhere}:victim@${elsewhere}`,
    `victim%${elsewhere}@${seedDomain}`,
    `"victim@${elsewhere}"@${seedDomain}`,
    `victim@${elsewhere}@${seedDomain}`,
    `victim@${seedDomain}@${elsewhere}`,
    `${elsewhere}!victim@${seedDomain}`,
    `${elsewhere}!victim`,
    `victim%${elsewhere}`,
    `"victim%${elsewhere}"`,
    `victim@${seedDomain}\0@${elsewhere}`,
    `victim@${elsewhere}\0@${seedDomain}`,
    `victim@${seedDomain} @${elsewhere}`,
    `<victim@${elsewhere}>`,
    `victim@${elsewhere}>,<victim@${seedDomain}`,
    `postmaster@${elsewhere}`,
    "victim",
  ])("relaying is rejected for <%s>", async (path) => {
    const dialogue = await greeted(common);
    await dialogue.say("MAIL FROM:<ann@sender.example>");
    expectRefusal(await dialogue.say(`RCPT TO:<${path}>`), /^5(01|50|53|55) 5\.(1|5|7)\.\d /);
    expectRefusal(await dialogue.say("DATA"), /^(503|554) 5\.5\.1 /);
  });

  test("relaying is rejected for senders at our own domains too", async () => {
    const dialogue = await greeted(common);
    await dialogue.say(`MAIL FROM:<postmaster@${seedDomain}>`);
    expectRefusal(await dialogue.say(`RCPT TO:<victim@${elsewhere}>`), /^550 5\.7\.1 /);
  });
});
