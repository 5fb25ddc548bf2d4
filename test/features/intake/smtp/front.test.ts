import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Arrival, createFront, type FrontOptions } from "../../../../src/features/intake/smtp/front.ts";
import { testSystem } from "../../../test-system.ts";
import { proxyV1, proxyV2, tlv } from "./proxy-headers.ts";

/** A front whose clients are greeted with their detected address, and get their input echoed. */
const first = { host: "127.0.0.1", port: 0 };

async function startFront(options: Partial<FrontOptions> = {}) {
  const { log, logged } = testSystem();
  const arrivals: Arrival[] = [];
  const onClient = (socket: Socket, arrival: Arrival) => {
    arrivals.push(arrival);
    socket.write(`you are ${arrival.address}\n`);
    socket.on("data", (chunk) => socket.write(chunk));
  };
  const proxyFrom = ["127.0.0.0/8"];
  const front = createFront({ proxyFrom, headerTimeoutMs: 5_000, maxWaiting: 100, onClient, log, ...options });
  onTestFinished(front.close);
  const [{ port } = first] = await front.listenOn([first]);
  return { front, port, arrivals, logged, open: () => open(port) };
}

/** A connection, what it received so far, and until when. */
async function open(port: number, host = "127.0.0.1") {
  const socket = connect({ port, host, noDelay: true });
  onTestFinished(() => void socket.destroy());
  let heard = "";
  socket.on("data", (chunk) => {
    heard += chunk.toString("latin1");
  });
  const closed = new Promise<void>((resolve) => socket.on("error", () => {}).on("close", () => resolve()));
  await once(socket, "connect");
  return {
    socket,
    closed,
    ownPort: socket.localPort,
    heard: () => heard,
    until: async (text: string) => {
      while (!heard.includes(text)) {
        if (socket.destroyed) throw new Error(`closed after ${JSON.stringify(heard)}`);
        await Promise.race([once(socket, "data"), closed]);
      }
    },
  };
}

const header = proxyV1("192.0.2.1", 56_324);

describe("a direct client", () => {
  test("a direct client is accepted immediately with its own IP", async () => {
    const { open, arrivals } = await startFront({ proxyFrom: ["192.0.2.0/24"] });
    const client = await open();
    await client.until("you are 127.0.0.1\n");
    expect(arrivals).toEqual([{ address: "127.0.0.1", port: client.ownPort, via: null, listeningOn: "127.0.0.1" }]);
  });

  test("a direct client is not asked for a PROXY header, and one that it sends is its first line", async () => {
    const { open, arrivals } = await startFront({ proxyFrom: [] });
    const client = await open();
    client.socket.write(header);
    await client.until(header.toString());
    expect(arrivals).toMatchObject([{ address: "127.0.0.1", via: null }]);
  });
});

describe("a trusted proxy", () => {
  const source = Buffer.from("c0000201c6336407dc040019", "hex");
  const extended = Buffer.concat([source, tlv(0x02, "mx.seed.example"), tlv(0x04, Buffer.alloc(3_000))]);

  test.each([
    ["version 1", header, "proxy-v1"],
    ["version 2", proxyV2(0x21, 0x11, source), "proxy-v2"],
    ["version 2 with extensions", proxyV2(0x21, 0x11, extended), "proxy-v2"],
  ])("a trusted proxy names the client with %s", async (_what, bytes, how) => {
    const { open, arrivals } = await startFront();
    const client = await open();
    client.socket.write(bytes);
    await client.until("you are 192.0.2.1\n");
    expect(arrivals).toMatchObject([{ address: "192.0.2.1", port: 56_324, via: { how, address: "127.0.0.1" } }]);
  });

  test.each([
    ["LOCAL", proxyV2(0x20, 0, Buffer.from("health")), "proxy-v2"],
    ["UNKNOWN", Buffer.from("PROXY UNKNOWN\r\n"), "proxy-v1"],
  ])("a trusted proxy connects on its own behalf with %s", async (_what, bytes, how) => {
    const { open, arrivals } = await startFront();
    const client = await open();
    client.socket.write(bytes);
    await client.until("you are 127.0.0.1\n");
    expect(arrivals).toMatchObject([
      { address: "127.0.0.1", port: client.ownPort, via: { how, address: "127.0.0.1" } },
    ]);
  });

  test("a trusted proxy may send the client's input right after the header, without losing a byte", async () => {
    const { open } = await startFront();
    const said = `EHLO client.example\r\n${"x".repeat(200_000)}\r\n.`;
    const client = await open();
    client.socket.write(Buffer.concat([header, Buffer.from(said)]));
    await client.until("\r\n.");
    expect(client.heard()).toBe(`you are 192.0.2.1\n${said}`);
  });

  test("a trusted proxy may send the header byte by byte", async () => {
    const { open } = await startFront();
    const client = await open();
    for (const byte of Buffer.concat([header, Buffer.from("EHLO")])) {
      client.socket.write(Buffer.from([byte]));
      await sleep(1);
    }
    await client.until("EHLO");
    expect(client.heard()).toBe("you are 192.0.2.1\nEHLO");
  });

  test("a trusted proxy passes on a socket that can be piped", async () => {
    const { open } = await startFront({ onClient: (socket) => void socket.pipe(socket) });
    const client = await open();
    client.socket.write(Buffer.concat([header, Buffer.from("first ")]));
    await client.until("first ");
    client.socket.write("second");
    await client.until("first second");
  });

  test("a trusted proxy passes on a socket that is read later", async () => {
    const { open } = await startFront({ onClient: (socket) => void setTimeout(() => socket.pipe(socket), 50) });
    const client = await open();
    client.socket.write(Buffer.concat([header, Buffer.from("first ")]));
    client.socket.write("second");
    await client.until("first second");
  });
});

describe("a proxy that sends no PROXY header", () => {
  test("a proxy that sends no PROXY header is disconnected, and the log shows the received bytes escaped", async () => {
    const { open, logged, arrivals } = await startFront();
    const client = await open();
    client.socket.write("GET / HTTP/1.1\r\n\u001b[2J");
    await client.closed;
    expect(client.heard()).toBe("");
    expect(arrivals).toMatchObject([]);
    expect(logged).toMatchObject([
      { level: "info", fields: { proxy: "127.0.0.1", begins: "GET / HTTP/1.1\r\n\u001b[2J" } },
    ]);
  });

  test("a proxy that sends no PROXY header is disconnected after a timeout, silent or endless", async () => {
    const { open, logged, arrivals } = await startFront({ headerTimeoutMs: 60 });
    const silent = await open();
    const slow = await open();
    slow.socket.write("PROXY TCP4 192");
    await Promise.all([silent.closed, slow.closed]);
    expect(arrivals).toEqual([]);
    expect(logged.map(({ fields }) => fields.problem)).toEqual(["it did not arrive in time"]);
  });

  test("a proxy that sends no PROXY header isn't logged if it only checks whether the port is open", async () => {
    const { open, logged } = await startFront();
    const looking = await open();
    looking.socket.end();
    await looking.closed;
    const resetting = await open();
    resetting.socket.resetAndDestroy();
    const after = await open();
    after.socket.write(header);
    await after.until("you are");
    expect(logged).toEqual([]);
  });

  test("a proxy that sends no PROXY header is logged in one line, however often it tries", async () => {
    const { open, logged } = await startFront();
    for (let n = 0; n < 20; n++) {
      const client = await open();
      client.socket.write("EHLO client.example\r\n");
      await client.closed;
    }
    expect(logged.length).toBe(1);
  });
});

describe("the proxy front", () => {
  test("the proxy front limits waiting connections, until others end", async () => {
    const { open } = await startFront({ maxWaiting: 2 });
    const first = await open();
    await open();
    const third = await open();
    await third.closed;
    first.socket.write(header);
    await first.until("you are 192.0.2.1");
    const fourth = await open();
    fourth.socket.write(header);
    await fourth.until("you are 192.0.2.1");
  });

  test("the proxy front closes without ending the connections that it passed on", async () => {
    const { front, port, open: openHere } = await startFront();
    const client = await openHere();
    client.socket.write(header);
    await client.until("you are");
    const waiting = await openHere();
    await front.close();
    await waiting.closed;
    client.socket.write("still here");
    await client.until("still here");
    await expect(open(port)).rejects.toThrow("ECONNREFUSED");
  });

  test("the proxy front survives a client that resets its connection", async () => {
    const { open } = await startFront({ proxyFrom: [] });
    for (let n = 0; n < 20; n++) (await open()).socket.resetAndDestroy();
    await (await open()).until("you are 127.0.0.1\n");
  });

  test("the proxy front listens at several addresses, including IPv6", async () => {
    const { front, open: openHere } = await startFront({ proxyFrom: [] });
    const [, { host, port } = { host: "", port: 0 }] = await front.listenOn([first, { host: "::1", port: 0 }]);
    expect(host).toBe("::1");
    await (await open(port, "::1")).until("you are ::1\n");
    await (await openHere()).until("you are 127.0.0.1\n");
  });

  test("the proxy front shows an IPv4 client as IPv4 on a dual-stack listener", async () => {
    const { front } = await startFront({ proxyFrom: ["127.0.0.1/32"] });
    const [{ port } = first] = await front.listenOn([{ host: "::", port: 0 }]);
    const client = await open(port);
    client.socket.write(header);
    await client.until("you are 192.0.2.1\n");
  });

  test("the proxy front listens on one port of all IPv4 and all IPv6 addresses", async () => {
    const { front, port } = await startFront({ proxyFrom: [] });
    await front.listenOn([
      { host: "0.0.0.0", port },
      { host: "::", port },
    ]);
    await (await open(port, "::1")).until("you are ::1\n");
    await (await open(port, "127.0.0.2")).until("you are 127.0.0.1\n");
  });

  test("the proxy front takes IPv4 clients before and after the address of all IPv4 interfaces comes and goes", async () => {
    const { front } = await startFront({ proxyFrom: [] });
    const [{ port } = first] = await front.listenOn([{ host: "::", port: 0 }]);
    const [v4, v6] = [
      { host: "0.0.0.0", port },
      { host: "::", port },
    ];
    for (const addresses of [[v6], [v4, v6], [v6], [v6, v4], [v4]]) {
      await front.listenOn(addresses);
      await (await open(port, "127.0.0.1")).until("you are 127.0.0.1\n");
    }
  });

  test("the proxy front reports an address in use with a clear message, and listens where it did before", async () => {
    const { front, open: openHere, port } = await startFront({ proxyFrom: [] });
    const other = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void other.close());
    await once(other, "listening");
    const taken = { host: "127.0.0.1", port: (other.address() as AddressInfo).port };
    await expect(front.listenOn([{ host: "0.0.0.0", port }, taken])).rejects.toThrow(
      `Cannot listen on the SMTP address 127.0.0.1:${taken.port}: it is in use. Stop the other program, or set ASSAY_SMTP_LISTEN to another port.`,
    );
    await (await openHere()).until("you are 127.0.0.1\n");
  });

  test("the proxy front moves to another address, and clients that are connected stay", async () => {
    const { front, open: openHere, port } = await startFront({ proxyFrom: [] });
    const early = await openHere();
    await early.until("you are 127.0.0.1\n");
    const [every = first] = await front.listenOn([{ host: "0.0.0.0", port }]);
    expect(every.port).toBe(port);
    await (await open(port, "127.0.0.2")).until("you are 127.0.0.1\n");
    const [moved = first] = await front.listenOn([{ host: "127.0.0.2", port: 0 }]);
    await (await open(moved.port, "127.0.0.2")).until("you are ");
    await expect(open(port)).rejects.toThrow("ECONNREFUSED");
    early.socket.write("still here");
    await early.until("still here");
  });
});
