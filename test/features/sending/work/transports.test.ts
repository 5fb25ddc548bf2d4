// Samples through relays that reject them as real ones do, and what is reported.

import { once } from "node:events";
import type { AddressInfo, Socket } from "node:net";
import { createServer } from "node:net";
import { TLSSocket } from "node:tls";
import type { SMTPServerDataStream } from "smtp-server";
import { expect, onTestFinished, test } from "vitest";
import { whyNoRelay } from "../../../../src/features/sending/work/guarded-relay.ts";
import {
  createRelayTransport,
  type MailTransport,
  TransportFailure,
} from "../../../../src/features/sending/work/transports.ts";
import { createSelfSigned } from "../../../../src/platform/system/self-signed.ts";
import { pour, startHostilePeer } from "../../../hostile-peer.ts";
import { startRelay } from "./relay-server.ts";

const raw = Buffer.from("From: ann@shop.example\r\nSubject: Hi\r\n\r\n.a dot\r\nHi.\r\n");
const outgoing = {
  mark: { sendId: "snd_1", workspaceId: "wsp_1", label: null },
  mailFrom: "bounce+x@seed.example",
  rcptTo: "w7@seed.example",
  raw,
};
const never = new AbortController().signal;
const operator = { name: "mail.shop.example", findAddresses: null };

function open(url: string): MailTransport {
  const road = createRelayTransport(url, "mail.shop.example");
  onTestFinished(road.close);
  return road;
}

async function whyNot(url: string, signal = never): Promise<string> {
  const error: unknown = await open(url)
    .deliver(outgoing, signal)
    .catch((thrown: unknown) => thrown);
  if (!(error instanceof TransportFailure)) throw new Error(`It was taken, or failed otherwise: ${error}`);
  return error.message;
}

function refusing(words: string, responseCode: number) {
  return (_: unknown, _session: unknown, done: (error: Error) => void) =>
    done(Object.assign(new Error(words), { responseCode }));
}

test("a message arrives unchanged, encrypted if the relay offers it, with many per connection", async () => {
  const relay = await startRelay();
  const road = open(`smtp://127.0.0.1:${relay.port}`);
  await road.deliver(outgoing, never);
  await road.deliver(outgoing, never);
  const { bytes, ...rest } = relay.taken[0] ?? { bytes: Buffer.alloc(0) };
  expect(rest).toEqual({ from: outgoing.mailFrom, to: [outgoing.rcptTo], secure: true });
  expect(bytes.toString()).toBe(raw.toString());
  expect(relay.taken).toHaveLength(2);
  expect(relay.connections()).toBe(1);
});

test("a relay without encryption is used only without a password", async () => {
  const relay = await startRelay({ disabledCommands: ["STARTTLS"], allowInsecureAuth: true });
  await open(`smtp://127.0.0.1:${relay.port}`).deliver(outgoing, never);
  expect(relay.taken).toMatchObject([{ secure: false }]);
  expect(await whyNot(`smtp://ann:secret@127.0.0.1:${relay.port}`)).toContain("TLS");
  expect(relay.taken).toHaveLength(1);
});

test("no password is sent to a relay with an untrusted certificate", async () => {
  const heard: string[] = [];
  const relay = await startRelay({
    onAuth: ({ password }, _session, done) => {
      heard.push(password ?? "");
      done(null, { user: "ann" });
    },
  });
  expect(await whyNot(`smtp://ann:secret@127.0.0.1:${relay.port}`)).toMatch(
    /^The relay does not offer trusted TLS: .*certificate/,
  );
  expect(heard).toEqual([]);
});

const refusals = [
  [
    "the sender",
    { onMailFrom: refusing("Sender unwelcome", 550) },
    "The relay rejected the sender: 550 Sender unwelcome",
  ],
  [
    "the recipient",
    { onRcptTo: refusing("No such user here", 550) },
    "The relay rejected the recipient: 550 No such user here",
  ],
  [
    "the size",
    {
      size: 10,
      onData: (stream: SMTPServerDataStream, _session: unknown, done: (error: Error) => void) => {
        stream.resume();
        stream.on("end", () =>
          done(Object.assign(new Error("5.3.4 Too big"), { responseCode: stream.sizeExceeded ? 552 : 250 })),
        );
      },
    },
    "The relay rejected the message: 552 5.3.4 Too big",
  ],
  [
    "the message",
    {
      onData: (stream: NodeJS.ReadableStream, _session: unknown, done: (error: Error) => void) => {
        stream.resume();
        stream.on("end", () => done(Object.assign(new Error("5.7.1 Looks like spam"), { responseCode: 554 })));
      },
    },
    "The relay rejected the message: 554 5.7.1 Looks like spam",
  ],
  [
    "for now",
    { onRcptTo: refusing("4.7.1 Greylisted", 451) },
    "The relay rejected the recipient: 451 4.7.1 Greylisted",
  ],
] as const;

test.each(refusals)("a relay that rejects %s is quoted", async (_, options, words) => {
  const relay = await startRelay(options as object);
  expect(await whyNot(`smtp://127.0.0.1:${relay.port}`)).toEqual(
    typeof words === "string" ? words : expect.stringMatching(words),
  );
  expect(relay.taken).toEqual([]);
});

/** Speaks by itself, without TLS: what no library lets a server say. */
async function startTalker(answers: Readonly<Record<string, string>>): Promise<number> {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.write("220 talker ESMTP\r\n");
    socket.on("data", (chunk) => {
      const word = chunk.toString().split(/[\s:]/)[0]?.toUpperCase() ?? "";
      const answer = answers[word] ?? "250 fine";
      socket.write(`${answer}\r\n`);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

test("a relay's reply is shown on one line without control characters, and cut", async () => {
  const port = await startTalker({ MAIL: `550-5.7.1 one\r\n550 5.7.1 \u001b[31mtwo ${"x".repeat(3_000)}` });
  const words = await whyNot(`smtp://127.0.0.1:${port}`);
  expect(words).toMatch(/^The relay rejected the sender: 550-5\.7\.1 one 550 5\.7\.1 \\u001b\[31mtwo x+…$/);
  expect(words.length).toBe(1_000);
});

test("a relay that is down, silent, or not a mail server is reported", async () => {
  const server = createServer((socket) => void socket.on("error", () => {}));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const gaveUp = AbortSignal.timeout(200);
  expect(await whyNot(`smtp://127.0.0.1:${port}`, gaveUp)).toMatch(/^The relay did not finish, .*timeout/);
  await new Promise((resolve) => server.close(resolve));
  expect(await whyNot(`smtp://127.0.0.1:${port}`)).toMatch(/^The relay could not be reached: .*ECONNREFUSED/);
  const web = await startTalker({});
  expect(await whyNot(`smtps://127.0.0.1:${web}`)).toMatch(/^The relay /);
});

test("a relay that disconnects after the message may have accepted it, and the result says so", async () => {
  const hears = async (hearsIt: (socket: Socket) => void) => {
    const server = createServer((socket) => {
      socket.on("error", () => {});
      socket.write("220 talker ESMTP\r\n");
      socket.on("data", (chunk) => {
        const said = chunk.toString();
        if (said.endsWith("\r\n.\r\n")) hearsIt(socket);
        else socket.write(said.startsWith("DATA") ? "354 go on\r\n" : "250 fine\r\n");
      });
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const brokeOff = "The relay did not finish, but may have accepted the message: ";
  const closes = await hears((socket) => socket.end());
  expect(await whyNot(closes)).toBe(`${brokeOff}Connection closed unexpectedly`);
  const resets = await hears((socket) => socket.resetAndDestroy());
  expect(await whyNot(resets)).toContain(brokeOff);
  const gaveUp = new AbortController();
  const hangs = await hears(() => gaveUp.abort(new Error("it took too long")));
  expect(await whyNot(hangs, gaveUp.signal)).toBe(`${brokeOff}it took too long`);
});

test("a relay that repeats the password in its reply does not reveal it", async () => {
  const heard: string[] = [];
  const relay = await startRelay({
    onAuth: ({ username, password: given }, _session, done) => {
      const password = given ?? "";
      heard.push(password);
      done(new Error(`No ${username} with ${password} (${Buffer.from(password).toString("base64")})`));
    },
  });
  relay.trust();
  const url = `smtp://ann:p%40ss%20word@localhost:${relay.port}`;
  const words = await whyNoRelay({ url, ...operator });
  expect(heard).toEqual(["p@ss word"]);
  expect(words).toBe("The relay rejected the login: 535 No ann with … (…)");
});

test("a relay can be tested without sending a message", async () => {
  const relay = await startRelay();
  expect(await whyNoRelay({ url: `smtp://127.0.0.1:${relay.port}`, ...operator })).toBeNull();
  expect(relay.taken).toEqual([]);
  expect(await whyNoRelay({ url: "smtp://127.0.0.1:9", ...operator })).toContain("could not be reached");
});

test("a relay that says too much is cut, under TLS too", async () => {
  const { key, cert } = createSelfSigned(["localhost"], Date.now());
  const relay = await startHostilePeer((socket) => {
    socket.write("220 relay ESMTP\r\n");
    socket.once("data", () => {
      socket.write("250-relay\r\n250 STARTTLS\r\n");
      socket.once("data", () => {
        socket.write("220 go\r\n");
        const secured = new TLSSocket(socket, { isServer: true, key, cert });
        secured.on("error", () => {});
        secured.once("data", () => pour(secured, "\r\n"));
      });
    });
  });
  onTestFinished(relay.close);
  expect(await whyNoRelay({ url: `smtp://127.0.0.1:${relay.port}`, ...operator })).toBe(
    "The relay could not be reached: it says too much at once",
  );
});
