// Where webhooks may point: with the real routes, the real HTTP client, a real DNS server, and a loopback server
// that counts connections. A private address is rejected when it is entered, and again at each delivery.

import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Zone } from "../../../../src/analyzer/dns/zone.ts";
import { createAlertDeliverer } from "../../../../src/features/alerts/work/deliver.ts";
import { raiseAlert } from "../../../../src/features/alerts/work/raise.ts";
import { inWorkspace } from "../../../../src/platform/database/scope.ts";
import { readConfig } from "../../../../src/platform/settings/config-reading.ts";
import { createDns } from "../../../../src/platform/system/dns-client.ts";
import { type ServedQuery, startDnsServer } from "../../../dns-server.ts";
import { worldWithCaller } from "../../../http/interface-world.ts";
import { startReceiver } from "../../../http/receiver.ts";
import { aDrift } from "../rules/events.ts";

const webhook = { label: "On call", kind: "json", events: ["domain.drift"] };

/** `allow`: of ASSAY_ALLOW_PRIVATE_TARGETS. */
async function open(zone: Zone, { allow = "0", onQuery = (_query: ServedQuery) => {} } = {}) {
  const reading = readConfig({ ASSAY_ALLOW_PRIVATE_TARGETS: allow });
  if (!reading.ok) throw new Error("The setting takes no such value.");
  const privateTargets = reading.config.allowPrivateTargets;
  const server = await startDnsServer({
    zone,
    behave: (query) => {
      onQuery(query);
      return { ttlSeconds: 0 };
    },
  });
  const dns = createDns({ servers: [{ host: server.address, port: server.port }], now: Date.now });
  onTestFinished(async () => {
    dns.close();
    await server.close();
  });
  const world = await worldWithCaller({ privateTargets, dns });
  const create = (url: string) => world.ask("POST", "/api/alerts", { ...webhook, url });
  return {
    ...world,
    server,
    create,
    /** Creates it, which must go well, and pings it. */
    ping: async (url: string) => {
      const { status, json } = await create(url);
      expect(status).toBe(201);
      return { id: json.id as string, ...(await world.ask("POST", `/api/alerts/${json.id}/test`)).json };
    },
    pingAgain: async (id: string) => (await world.ask("POST", `/api/alerts/${id}/test`)).json,
    /** As the server sends it by itself; answers what the list of deliveries says of it. */
    deliver: async (id: string) => {
      const { store, system, workspace, ask } = world;
      await store.write((db) => raiseAlert(inWorkspace(db, workspace), aDrift(), system));
      const deliverer = createAlertDeliverer({ ...world, baseUrl: () => world.base });
      deliverer.start();
      const last = async () => (await ask("GET", `/api/alerts/${id}/deliveries`)).json.items[0];
      await expect.poll(async () => (await last()).tries).toBe(1);
      await deliverer.stop(1_000);
      return await last();
    },
  };
}

/** On every address of this machine. */
async function startCounter() {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  const isListening = once(server.listen(0, "::"), "listening");
  await isListening.catch(() => once(server.listen(0, "0.0.0.0"), "listening"));
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, connections: () => connections };
}

const insideZone: Zone = {
  "loopback.example": { A: ["127.0.0.1"] },
  "loopback6.example": { AAAA: ["::1"] },
  "private.example": { A: ["10.1.2.3"] },
  "half.example": { A: ["93.184.215.14", "127.0.0.1"] },
  "half6.example": { A: ["93.184.215.14"], AAAA: ["::1"] },
  "mapped.example": { AAAA: ["::ffff:127.0.0.1"] },
  "nat64.example": { AAAA: ["64:ff9b::7f00:1"] },
  "sixtofour.example": { AAAA: ["2002:7f00:1::1"] },
  "teredo.example": { AAAA: ["2001:0:4136:e378:8000:63bf:80ff:fffe"] },
  "alias.example": { CNAME: ["loopback.example"] },
  "metadata.google.internal": { A: ["169.254.169.254"] },
  "metadata6.example": { AAAA: ["fd00:ec2::254"] },
  "unspecified.example": { A: ["0.0.0.0"] },
  "*.wild.example": { A: ["127.0.0.1"] },
};

const insideHosts = [
  "127.0.0.1",
  "127.0.0.2",
  "127.255.255.254",
  "localhost",
  "LOCALHOST",
  "a.localhost",
  "localhost.",
  "10.0.0.1",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.1.1",
  "169.254.1.1",
  "100.64.0.1",
  "100.127.255.255",
  "169.254.169.254",
  "[fd00:ec2::254]",
  "168.63.129.16",
  "100.100.100.200",
  "metadata.google.internal",
  "0.0.0.0",
  "0",
  "255.255.255.255",
  "224.0.0.1",
  "240.0.0.1",
  "198.18.0.1",
  "192.0.0.1",
  "192.0.2.1",
  // Decimal, octal, hexadecimal and short forms, and their mixtures.
  "2130706433",
  "017700000001",
  "0x7f000001",
  "0x7f.0.0.1",
  "0177.0.0.1",
  "127.1",
  "127.0.1",
  "0x7f.1",
  "0x7F.0x0.0x0.0x1",
  "2852039166",
  "0xa9fea9fe",
  "0251.0376.0251.0376",
  "127.0.0.1.",
  "2130706433.",
  // What the URL parser reads as digits and dots.
  "①②⑦.⓪.⓪.①",
  "127。0。0。1",
  "%31%32%37.0.0.1",
  "127.0.0.1%2e",
  "[::1]",
  "[::]",
  "[0:0:0:0:0:0:0:1]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[::127.0.0.1]",
  "[64:ff9b::127.0.0.1]",
  "[64:ff9b::a9fe:a9fe]",
  "[64:ff9b:1::7f00:1]",
  "[2002:7f00:1::]",
  "[2002:a00:1::1]",
  "[2001:0:4136:e378:8000:63bf:80ff:fffe]",
  "[fe80::1]",
  "[fc00::1]",
  "[fd12:3456::1]",
  "[fec0::1]",
  "[ff02::1]",
  "[2001:db8::1]",
  "[::ffff:0:127.0.0.1]",
  "[2606:4700::200:5efe:7f00:1]",
  "[4000::1]",
  ...Object.keys(insideZone).filter((name) => !name.startsWith("*")),
  "any.thing.wild.example",
  "Private.Example.",
];

describe("a private address", () => {
  test("a private address is rejected in every form when a webhook is created or changed, without a connection", async () => {
    const counter = await startCounter();
    const { create, ask } = await open(insideZone);
    const { json: outside } = await create("https://hooks.example/");
    for (const host of insideHosts)
      for (const scheme of ["http", "https"]) {
        const url = `${scheme}://${host}:${counter.port}/`;
        for (const answer of [await create(url), await ask("PATCH", `/api/alerts/${outside.id}`, { url })]) {
          expect(`${url} ${answer.status} ${answer.json.error} ${answer.json.field}`).toBe(
            `${url} 400 invalid_url url`,
          );
          expect(answer.json.message).not.toContain("10.1.2.3");
        }
      }
    expect((await ask("GET", "/api/alerts")).json.items).toMatchObject([{ url: "https://hooks.example/" }]);
    expect(counter.connections()).toBe(0);
  });

  test.each([
    "",
    " ",
    "hooks.example",
    "//hooks.example/",
    "/hook",
    "http://",
    "https:///",
    "http:hook example",
    "ftp://hooks.example/",
    "file:///etc/passwd",
    "gopher://hooks.example/",
    "javascript:alert(1)",
    "data:,x",
    "unix:/run/x.sock",
    "https://user@hooks.example/",
    "https://user:pw@hooks.example/",
    "https://:pw@hooks.example/",
    "http://[fe80::1%25eth0]/",
    "http://[::1%25lo]/",
    "http://[::1",
    "http://256.256.256.256/",
    "http://1.2.3.4.5/",
    "http://hooks.example:99999/",
    "http://hooks.example:-1/",
    `https://hooks.example/${"a".repeat(3_000)}`,
    null,
    undefined,
    5,
    ["https://hooks.example/"],
    { href: "https://hooks.example/" },
  ])("a private address that is not a URL (%j) is rejected with invalid_url", async (url) => {
    const { ask } = await open({});
    const { status, json } = await ask("POST", "/api/alerts", { ...webhook, url });
    expect(`${status} ${json.error} ${json.field}`).toBe("400 invalid_url url");
  });

  test("a private address after a user name in the URL is rejected", async () => {
    const counter = await startCounter();
    const { create } = await open({});
    for (const url of [
      `http://hooks.example@127.0.0.1:${counter.port}/`,
      `http://hooks.example:80@localhost:${counter.port}/`,
      `http://127.0.0.1:${counter.port}\\@hooks.example/`,
    ])
      expect((await create(url)).json.error).toBe("invalid_url");
    // The parser that shows it is the one that connects: what follows the host is a path.
    const { json } = await create(`http://hooks.example\\@127.0.0.1:${counter.port}/`);
    expect(json.url).toBe(`http://hooks.example/@127.0.0.1:${counter.port}/`);
    expect(counter.connections()).toBe(0);
  });
});

describe("a host name that later resolves to a private address", () => {
  test("a host name that later resolves to a private address is accepted while it does not resolve, and rejected at each delivery", async () => {
    const counter = await startCounter();
    const { ping, pingAgain, deliver, server } = await open({ "later.example": "servfail" });
    const url = `http://later.example:${counter.port}/`;
    const { id, ...first } = await ping(url);
    expect(first).toMatchObject({ delivered: false, status: null, error: expect.stringContaining("DNS") });
    server.setZone({ "later.example": { A: ["127.0.0.1"] } });
    expect(await pingAgain(id)).toMatchObject({
      delivered: false,
      status: null,
      error: expect.stringContaining("not public (loopback)"),
    });
    expect(await deliver(id)).toMatchObject({
      status: "pending",
      httpStatus: null,
      problem: expect.stringContaining("not public (loopback)"),
    });
    expect(counter.connections()).toBe(0);
  });

  test("a host name that later resolves to a private address is never connected to even if each DNS answer is different", async () => {
    // Of this machine's addresses one is allowed, so that the other can be told from it.
    const inside = await startReceiver();
    const outside = await startReceiver(undefined, { host: "127.0.0.2", port: inside.port });
    const questions: string[] = [];
    const answers = ["127.0.0.2", "127.0.0.2", "127.0.0.1"];
    const world = await open(
      {},
      {
        allow: "127.0.0.2",
        onQuery: ({ type, name }) => {
          if (type !== "A") return;
          questions.push(name);
          // The check at creation, that of the ping, and whatever would be asked between it and the connection.
          world.server.setZone({ "rebind.example": { A: [answers[questions.length - 1] ?? "127.0.0.1"] } });
        },
      },
    );
    const { id, ...first } = await world.ping(`http://rebind.example:${inside.port}/`);
    expect(first).toMatchObject({ delivered: true, status: 200 });
    expect(questions).toHaveLength(2);
    expect(outside.received).toHaveLength(1);
    expect(await world.pingAgain(id)).toMatchObject({ delivered: false, error: expect.stringContaining("not public") });
    expect(await world.deliver(id)).toMatchObject({ problem: expect.stringContaining("not public") });
    expect(outside.connections()).toBe(1);
    expect(inside.connections()).toBe(0);
  });
});

describe("a redirect to a private address", () => {
  test.each([301, 302, 303, 307, 308])(
    "a redirect to a private address with status %i is not followed",
    async (status) => {
      const counter = await startCounter();
      const location = `http://127.0.0.1:${counter.port}/`;
      const receiver = await startReceiver(() => ({ status, headers: { location } }), { host: "127.0.0.2" });
      const { ping, deliver } = await open({}, { allow: "127.0.0.2" });
      const { id, ...outcome } = await ping(receiver.url);
      expect(outcome).toMatchObject({
        delivered: false,
        status,
        error: expect.stringContaining("Redirects are not followed"),
      });
      expect(JSON.stringify(outcome)).not.toContain(String(counter.port));
      expect(await deliver(id)).toMatchObject({
        httpStatus: status,
        problem: expect.stringContaining("Redirects are not followed"),
      });
      expect(receiver.received).toHaveLength(2);
      expect(counter.connections()).toBe(0);
    },
  );
});

describe("ASSAY_ALLOW_PRIVATE_TARGETS", () => {
  const zone: Zone = { "inside.example": { A: ["127.0.0.1"] }, "half.example": { A: ["127.0.0.1", "10.1.2.3"] } };

  test("ASSAY_ALLOW_PRIVATE_TARGETS set to 1 allows private addresses", async () => {
    const receiver = await startReceiver();
    const { ping } = await open(zone, { allow: "1" });
    for (const host of ["127.0.0.1", "localhost", "inside.example", "2130706433", "[::ffff:127.0.0.1]"])
      expect(await ping(`http://${host}:${receiver.port}/`)).toMatchObject({ delivered: true, status: 200 });
    expect(receiver.received).toHaveLength(5);
  });

  test("ASSAY_ALLOW_PRIVATE_TARGETS set to networks allows only those", async () => {
    const receiver = await startReceiver();
    const { ping, create } = await open(zone, { allow: "127.0.0.0/30, fd00::/8" });
    for (const host of ["127.0.0.1", "inside.example", "localhost"])
      expect(await ping(`http://${host}:${receiver.port}/`)).toMatchObject({ delivered: true });
    for (const host of ["127.0.0.4", "10.1.2.3", "half.example", "[::1]", "169.254.169.254"])
      expect((await create(`http://${host}:${receiver.port}/`)).json.error).toBe("invalid_url");
    expect((await create("http://[fd00::1]/")).status).toBe(201);
    expect(receiver.received).toHaveLength(3);
  });

  test("ASSAY_ALLOW_PRIVATE_TARGETS that is turned off again blocks deliveries to webhooks created in the meantime", async () => {
    const counter = await startCounter();
    const { create, store, alertSealer, deliver, pingAgain } = await open(zone);
    const { id } = (await create("https://hooks.example/")).json;
    const url = alertSealer.seal(`http://127.0.0.1:${counter.port}/`, `alerts/${id}/url`);
    await store.write((db) => db.updateTable("alerts").set({ url }).execute());
    expect((await pingAgain(id)).error).toContain("not public");
    expect((await deliver(id)).problem).toContain("not public");
    expect(counter.connections()).toBe(0);
  });
});
