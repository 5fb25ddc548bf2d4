// The protocol of ClamAV's daemon, with servers that misbehave. test/analyzer/facts/malware.test.ts uses a real
// one.

import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { askClamdVersion, readVerdict, readVersion, scanWithClamd } from "../../../src/analyzer/facts/clamd.ts";
import { streamToOperator } from "../../../src/platform/system/stream-exchange.ts";

const servers: Server[] = [];
const sockets = new Set<Socket>();
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  for (const server of servers.splice(0)) server.close();
});

async function listen(answer: (socket: Socket) => void) {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    answer(socket);
  });
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { host: "127.0.0.1", port: (server.address() as AddressInfo).port };
}

/** Answers when the stream ends. */
function saying(answer: string, heard: Buffer[] = []) {
  return (socket: Socket) => {
    socket.on("data", (chunk: Buffer) => {
      heard.push(chunk);
      if (Buffer.concat(heard).subarray(-4).equals(Buffer.alloc(4))) socket.end(answer);
    });
  };
}

async function scan(answer: (socket: Socket) => void, { content = Buffer.from("hello"), timeoutMs = 5_000 } = {}) {
  return await scanWithClamd(await listen(answer), content, streamToOperator, timeoutMs);
}

const unknownFor = (why: string) => ({ known: false, why });

describe("the scan of a file", () => {
  it("the scan of a file sends the file in chunks with their lengths and an empty last chunk", async () => {
    const heard: Buffer[] = [];
    const content = Buffer.alloc(150_000, "x");
    expect(await scan(saying("stream: OK\0", heard), { content })).toEqual({ known: true, value: null });
    const sent = Buffer.concat(heard);
    expect(sent.subarray(0, 10).toString()).toBe("zINSTREAM\0");
    const lengths: number[] = [];
    for (let at = 10; at < sent.length; ) {
      const length = sent.readUInt32BE(at);
      lengths.push(length);
      at += 4 + length;
    }
    expect(lengths).toEqual([65_536, 65_536, 18_928, 0]);
  });

  it("the scan of a file returns the signature's name", async () => {
    expect(await scan(saying("stream: Win.Test.EICAR_HDB-1 FOUND\0"))).toEqual({
      known: true,
      value: "Win.Test.EICAR_HDB-1",
    });
  });

  it("the scan of a file is unknown, and never clean, if a result arrives before the whole file was sent", async () => {
    const content = Buffer.alloc(4_000_000, "x");
    const early = (answer: string) => (socket: Socket) => socket.once("data", () => socket.write(answer));
    expect(await scan(early("stream: OK\0"), { content })).toEqual(unknownFor("unfit"));
    expect(await scan(early("stream: Win.Worm FOUND\0"), { content })).toEqual({ known: true, value: "Win.Worm" });
  });

  it("the scan of a file is unknown if the connection ends without a response", async () => {
    expect(await scan((socket) => socket.end())).toEqual(unknownFor("silent"));
    expect(await scan((socket) => socket.resetAndDestroy())).toEqual(unknownFor("silent"));
  });

  it("the scan of a file is unknown if nothing listens", async () => {
    const address = await listen(() => {});
    servers.splice(0)[0]?.close();
    const content = Buffer.from("hello");
    expect(await scanWithClamd(address, content, streamToOperator, 5_000)).toEqual(unknownFor("silent"));
    const nowhere = { path: "/nonexistent/clamd.ctl" };
    expect(await scanWithClamd(nowhere, content, streamToOperator, 5_000)).toEqual(unknownFor("silent"));
  });

  it("the scan of a file is unknown if clamd never replies, stops reading, or replies one byte at a time", async () => {
    expect(await scan(() => {}, { timeoutMs: 100 })).toEqual(unknownFor("silent"));
    const content = Buffer.alloc(20_000_000);
    expect(await scan((socket) => socket.pause(), { content, timeoutMs: 100 })).toEqual(unknownFor("silent"));
    const slow = (socket: Socket) => {
      const timer = setInterval(() => socket.write("s"), 20);
      socket.on("close", () => clearInterval(timer));
    };
    expect(await scan(slow, { timeoutMs: 150 })).toEqual(unknownFor("silent"));
  });

  it("the scan of a file is unknown if the response does not end", async () => {
    const flood = (socket: Socket) => {
      const more = () => socket.write("x".repeat(1_000), (error) => error ?? setImmediate(more));
      more();
    };
    expect(await scan(flood)).toEqual(unknownFor("unfit"));
  });

  it("the scan of a file reads a response that arrives before the whole file is sent", async () => {
    const early = (socket: Socket) => socket.once("data", () => socket.end("INSTREAM size limit exceeded. ERROR\0"));
    expect(await scan(early, { content: Buffer.alloc(8_000_000) })).toEqual(unknownFor("over-scan-limit"));
  });
});

describe("the clamd response", () => {
  it.each([
    ["stream: OK", { known: true, value: null }],
    ["stream: OK\n", { known: true, value: null }],
    [
      "stream: Eicar(44d88612fea8a8f36de82e1278abb02f:68) FOUND",
      { known: true, value: "Eicar(44d88612fea8a8f36de82e1278abb02f:68)" },
    ],
    ["stream: Heuristics.Encrypted.Zip FOUND", unknownFor("encrypted")],
    ["stream: Heuristics.Limits.Exceeded.MaxFileSize FOUND", unknownFor("over-scan-limit")],
    ["INSTREAM size limit exceeded. ERROR", unknownFor("over-scan-limit")],
    ["stream: Can't allocate memory ERROR", unknownFor("unfit")],
    ["UNKNOWN COMMAND", unknownFor("unfit")],
    ["COMMAND READ TIMED OUT", unknownFor("unfit")],
    ["stream: OK FOUND", { known: true, value: "OK" }],
    ["stream:  FOUND", unknownFor("unfit")],
    ["OK", unknownFor("unfit")],
    ["", unknownFor("unfit")],
    ["other: OK", unknownFor("unfit")],
    ["stream: ok", unknownFor("unfit")],
  ])("%j is read as a scan result", (answer, verdict) => {
    expect(readVerdict(answer)).toEqual(verdict);
  });

  it("the clamd response keeps a name on one line, short, and without control characters", () => {
    expect(readVerdict("stream: a\u001b[31m\r\nb\u0007 FOUND")).toEqual({ known: true, value: "a [31m b" });
    const long = readVerdict(`stream: ${"x".repeat(1_900)} FOUND`);
    expect(long.known && long.value?.length).toBe(120);
    expect(readVerdict(`stream: ${"x".repeat(3_000)} FOUND`)).toEqual(unknownFor("unfit"));
  });

  it("the clamd response is clean only for one exact text", () => {
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((seed / 2_147_483_648) * below);
    };
    const words = ["stream: ", "OK", " FOUND", "ERROR", "\0", "\n", "\ud800", "Eicar", "Heuristics.", ": ", "ü", " "];
    for (let round = 0; round < 20_000; round++) {
      const text = Array.from({ length: random(7) }, () => words[random(words.length)]).join("");
      const verdict = readVerdict(text);
      if (verdict.known && verdict.value === null) expect(text.trim()).toBe("stream: OK");
      if (verdict.known && verdict.value !== null) {
        expect(verdict.value).not.toMatch(/\p{Cc}/u);
        expect(verdict.value.isWellFormed()).toBe(true);
      }
      readVersion(text);
    }
  });
});

describe("the clamd version", () => {
  it("the clamd version contains the scanner, and the number and time of its signatures", async () => {
    const answer = "ClamAV 1.4.6/27840/Fri Nov 20 10:22:33 2026\0";
    const address = await listen((socket) => socket.once("data", () => socket.end(answer)));
    expect(await askClamdVersion(address, streamToOperator, 5_000)).toEqual({
      scanner: "ClamAV 1.4.6",
      database: 27_840,
      databaseAt: Date.UTC(2026, 10, 20, 10, 22, 33),
    });
  });

  it.each([
    ["ClamAV 1.4.6", { scanner: "ClamAV 1.4.6", database: null, databaseAt: null }],
    ["ClamAV 1.4.6/0/Thu Jan  1 00:00:00 1970", { scanner: "ClamAV 1.4.6", database: null, databaseAt: null }],
    ["ClamAV 1.4.6/abc/yesterday", { scanner: "ClamAV 1.4.6", database: null, databaseAt: null }],
    ["220 mail.example ESMTP", undefined],
    ["ClamAV \u001b[31m", undefined],
    ["", undefined],
  ])("%j is read as a version", (answer, version) => {
    expect(readVersion(answer)).toEqual(version);
  });
});
