import { createSocket } from "node:dgram";
import dnsOfNode from "node:dns";
import { once } from "node:events";
import * as packets from "dns-packet";
import { afterEach, describe, expect, it } from "vitest";
import type { Zone } from "../../../src/analyzer/dns/zone.ts";
import { createDns, type DnsClient, type DnsOptions } from "../../../src/platform/system/dns-client.ts";
import { type Behaviour, type ServedQuery, startDnsServer, type TestDnsServer } from "../../dns-server.ts";

const zone: Zone = {
  "example.com": {
    A: ["192.0.2.1", "192.0.2.2"],
    AAAA: ["2001:db8::1"],
    MX: [{ preference: 10, exchange: "mx.example.com" }],
    NS: ["ns.example.com"],
    TXT: ["v=spf1 -all", ["two ", "parts"]],
    SOA: [{ primary: "ns.example.com", serial: 7, minimum: 60 }],
    CAA: [{ flags: 0, tag: "issue", value: "ca.example" }],
    DS: [{ keyTag: 1, algorithm: 13, digestType: 2, digest: "ab".repeat(32) }],
    DNSKEY: [{ flags: 257, algorithm: 13, key: "AQID" }],
  },
  "_25._tcp.mx.example.com": { TLSA: [{ usage: 3, selector: 1, matchingType: 1, certificate: "cd".repeat(32) }] },
  "_imap._tcp.example.com": { SRV: [{ priority: 1, weight: 2, port: 143, target: "imap.example.com" }] },
  "1.2.0.192.in-addr.arpa": { PTR: ["mail.example.com"] },
  "alias.example.com": { CNAME: ["hop.example.com"] },
  "hop.example.com": { CNAME: ["example.com"] },
  "dangling.example.com": { CNAME: ["gone.example.com"] },
  "loop.example.com": { CNAME: ["loop.example.com"] },
  "nobody.example.com": { MX: [{ preference: 0, exchange: "." }] },
  "long.example.com": { TXT: ["x".repeat(3000)] },
  "servfail.example.com": "servfail",
  "refused.example.com": "refused",
  "silent.example.com": "timeout",
  "*.silent.example.com": "timeout",
};

/** For tests that wait for silence. Elsewhere a busy machine may take its time. */
const impatient = { timeoutMs: 200, totalTimeoutMs: 10_000 };

const open: { close: () => unknown }[] = [];

afterEach(async () => {
  for (const part of open.splice(0).reverse()) await part.close();
});

type Behave = (query: ServedQuery) => Behaviour | undefined;

async function serve(behave?: Behaviour | Behave): Promise<TestDnsServer> {
  const server = await startDnsServer({ zone, behave: typeof behave === "function" ? behave : () => behave });
  open.push(server);
  return server;
}

type Endpoint = { readonly address: string; readonly port: number };

function ask(servers: Endpoint[], options: Partial<DnsOptions> = {}): DnsClient {
  const dns = createDns({
    servers: servers.map(({ address, port }) => ({ host: address, port })),
    timeoutMs: 5000,
    totalTimeoutMs: 10_000,
    now: () => 1_000_000,
    ...options,
  });
  open.push(dns);
  return dns;
}

async function freePort(): Promise<Endpoint> {
  const socket = createSocket("udp4").bind(0, "127.0.0.1");
  await once(socket, "listening");
  const { port } = socket.address();
  await once(socket.close(), "close");
  return { address: "127.0.0.1", port };
}

function change(answer: Buffer, edit: (copy: Buffer) => void): Buffer {
  const copy = Buffer.from(answer);
  edit(copy);
  return copy;
}

/** An answer with only the alias, which the client has to follow. */
function onlyAlias(target: string): Behaviour {
  return {
    packets: (answer) => {
      const { questions = [], ...rest } = packets.decode(answer);
      const name = questions[0]?.name ?? "";
      const answers: packets.Answer[] = [{ type: "CNAME", name, ttl: 7, data: target }];
      return [packets.encode({ ...rest, flags: 0x0180, questions, answers, authorities: [] })];
    },
  };
}

function rename(answer: Buffer, name: string): Buffer {
  const { answers = [], ...rest } = packets.decode(answer);
  return packets.encode({ ...rest, answers: answers.map((record) => ({ ...record, name })) });
}

describe("DNS answers", () => {
  it("DNS answers come from custom servers with ports", async () => {
    const server = await serve();
    const answer = await ask([server]).query("Example.COM.", "A");
    expect(answer).toEqual({
      name: "example.com",
      type: "A",
      status: "answered",
      records: [
        { type: "A", address: "192.0.2.1" },
        { type: "A", address: "192.0.2.2" },
      ],
      ttlSeconds: 300,
      authenticated: false,
      server: `127.0.0.1:${server.port}`,
      durationMs: 0,
      at: 1_000_000,
    });
  });

  it("DNS answers come from the system's servers if none are configured", async () => {
    const server = await serve();
    const before = dnsOfNode.getServers();
    dnsOfNode.setServers([`127.0.0.1:${server.port}`]);
    try {
      expect((await ask([]).query("example.com", "A")).status).toBe("answered");
    } finally {
      dnsOfNode.setServers(before);
    }
  });

  it("DNS answers contain every record type", async () => {
    const dns = ask([await serve()]);
    const read = async (...question: Parameters<typeof dns.query>) => (await dns.query(...question)).records;
    expect(await read("example.com", "AAAA")).toEqual([{ type: "AAAA", address: "2001:db8::1" }]);
    expect(await read("example.com", "MX")).toEqual([{ type: "MX", preference: 10, exchange: "mx.example.com" }]);
    expect(await read("example.com", "NS")).toEqual([{ type: "NS", target: "ns.example.com" }]);
    expect(await read("1.2.0.192.in-addr.arpa", "PTR")).toEqual([{ type: "PTR", target: "mail.example.com" }]);
    expect(await read("alias.example.com", "CNAME")).toEqual([{ type: "CNAME", target: "hop.example.com" }]);
    expect(await read("example.com", "TXT")).toEqual([
      { type: "TXT", parts: ["v=spf1 -all"] },
      { type: "TXT", parts: ["two ", "parts"] },
    ]);
    expect(await read("example.com", "SOA")).toEqual([
      { type: "SOA", primary: "ns.example.com", serial: 7, minimum: 60 },
    ]);
    expect(await read("_25._tcp.mx.example.com", "TLSA")).toEqual([
      { type: "TLSA", fields: { usage: 3, selector: 1, matchingType: 1, certificate: "cd".repeat(32) } },
    ]);
    expect(await read("_imap._tcp.example.com", "SRV")).toEqual([
      { type: "SRV", fields: { priority: 1, weight: 2, port: 143, target: "imap.example.com" } },
    ]);
    expect(await read("example.com", "CAA")).toEqual([
      { type: "CAA", fields: { flags: 0, tag: "issue", value: "ca.example" } },
    ]);
    expect(await read("example.com", "DS")).toEqual([
      { type: "DS", fields: { keyTag: 1, algorithm: 13, digestType: 2, digest: "ab".repeat(32) } },
    ]);
    expect(await read("example.com", "DNSKEY")).toEqual([
      { type: "DNSKEY", fields: { flags: 257, algorithm: 13, key: "AQID" } },
    ]);
  });

  it("DNS answers contain a null MX as the root name", async () => {
    const answer = await ask([await serve()]).query("nobody.example.com", "MX");
    expect(answer.records).toEqual([{ type: "MX", preference: 0, exchange: "." }]);
  });

  it("DNS answers follow CNAMEs to the queried type", async () => {
    const answer = await ask([await serve()]).query("alias.example.com", "AAAA");
    expect(answer).toMatchObject({ status: "answered", records: [{ address: "2001:db8::1" }] });
    expect(answer.aliases).toEqual(["hop.example.com", "example.com"]);
  });

  it("DNS answers are nodata if the CNAME chain ends without the type, and nxdomain if its target does not exist", async () => {
    const dns = ask([await serve()]);
    expect((await dns.query("alias.example.com", "TLSA")).status).toBe("nodata");
    expect((await dns.query("dangling.example.com", "A")).status).toBe("nxdomain");
  });

  it("DNS answers are an error for a CNAME loop", async () => {
    const loop: packets.Answer = { type: "CNAME", name: "example.com", ttl: 60, data: "example.com" };
    const server = await serve({
      packets: (answer) => [packets.encode({ ...packets.decode(answer), answers: [loop] })],
    });
    expect((await ask([server]).query("example.com", "A")).status).toBe("servfail");
  });

  it("DNS answers follow an alias that the server did not follow", async () => {
    const server = await serve(({ name }) => (name === "alias.example.com" ? onlyAlias("example.com") : {}));
    const answer = await ask([server]).query("alias.example.com", "TXT");
    expect(answer).toMatchObject({ name: "alias.example.com", status: "answered", ttlSeconds: 7 });
    expect(answer.aliases).toEqual(["example.com"]);
    expect(server.queries.map(({ name }) => name)).toEqual(["alias.example.com", "example.com"]);
  });

  it("DNS answers have the status of the target of an alias that the server did not follow", async () => {
    const behind = async (target: string) => {
      const server = await serve(({ name }) => (name === "alias.example.com" ? onlyAlias(target) : {}));
      return (await ask([server]).query("alias.example.com", "MX")).status;
    };
    expect(await behind("nobody.example.com")).toBe("answered");
    expect(await behind("hop.example.com")).toBe("answered");
    expect(await behind("long.example.com")).toBe("nodata");
    expect(await behind("absent.example.com")).toBe("nxdomain");
    expect(await behind("refused.example.com")).toBe("refused");
    expect(await behind("no\0name.example.com")).toBe("servfail");
  });

  it("DNS answers are an error for an endless alias chain", async () => {
    let links = 0;
    const server = await serve(() => onlyAlias(`link${links++}.example.com`));
    expect((await ask([server]).query("example.com", "A")).status).toBe("servfail");
    expect(server.queries.length).toBeLessThan(20);
  });

  it("DNS answers have the AD flag of a validating resolver, which is requested", async () => {
    const server = await serve({ authenticated: true });
    expect((await ask([server]).query("example.com", "A")).authenticated).toBe(true);
    expect(server.queries[0]?.packet.flag_ad).toBe(true);
    expect(server.queries[0]?.packet.additionals).toMatchObject([{ type: "OPT", udpPayloadSize: 1232 }]);
  });

  it("DNS answers have the TTL of the shortest-lived record", async () => {
    const server = await serve({
      packets: (answer) => {
        const { answers = [], ...rest } = packets.decode(answer);
        return [packets.encode({ ...rest, answers: answers.map((record, index) => ({ ...record, ttl: 90 - index })) })];
      },
    });
    expect((await ask([server]).query("example.com", "A")).ttlSeconds).toBe(89);
  });

  it("DNS answers distinguish NXDOMAIN, NODATA, SERVFAIL, REFUSED, timeout, and unreachable", async () => {
    const dns = ask([await serve()]);
    expect((await dns.query("absent.example.com", "A")).status).toBe("nxdomain");
    expect((await dns.query("example.com", "PTR")).status).toBe("nodata");
    expect((await dns.query("servfail.example.com", "A")).status).toBe("servfail");
    expect((await dns.query("refused.example.com", "A")).status).toBe("refused");
    expect((await ask([await serve()], impatient).query("silent.example.com", "A")).status).toBe("timeout");
    expect((await ask([await freePort()]).query("example.com", "A")).status).toBe("unreachable");
  });

  it("DNS answers treat a referral as a server error, not as a fact about the name", async () => {
    const server = await serve({
      packets: (answer) => [
        packets.encode({
          ...packets.decode(answer),
          flags: 0,
          answers: [],
          authorities: [{ type: "NS", name: "com", ttl: 60, data: "a.gtld.test" }],
        }),
      ],
    });
    expect((await ask([server]).query("example.com", "A")).status).toBe("servfail");
  });
});

describe("DNS names", () => {
  it.each([
    ["a NUL", "key._domainkey.attack.example\0.victim.example"],
    ["a backslash", "a\\.example.com"],
    ["an empty label", "a..example.com"],
    ["no label", ""],
    ["a label of 64 bytes", `${"a".repeat(64)}.example.com`],
    ["254 bytes", `${"a.".repeat(126)}aa`],
    ["letters beyond ASCII", "münchen.example"],
  ])("DNS names with %s are not queried", async (_, name) => {
    const server = await serve();
    const answer = await ask([server]).query(name, "TXT");
    expect(answer).toMatchObject({ status: "malformed", records: [], server: null });
    expect(answer.name).toMatch(/^[!-~]*$/);
    expect(server.queries).toEqual([]);
  });

  it("DNS names of this machine are not queried", async () => {
    const dns = ask([await freePort()]);
    for (const name of ["localhost", "seed.localhost", "_dmarc.Seed.LOCALHOST"]) {
      expect(await dns.query(name, "A")).toMatchObject({ status: "answered", records: [{ address: "127.0.0.1" }] });
      expect(await dns.query(name, "AAAA")).toMatchObject({ status: "answered", records: [{ address: "::1" }] });
      expect(await dns.query(name, "TXT")).toMatchObject({ status: "nodata", records: [], server: null });
    }
    for (const name of ["notlocalhost", "localhost.example"])
      expect((await dns.query(name, "A")).status).toBe("unreachable");
  });

  it("DNS names may contain underscores and spaces, and have 253 bytes", async () => {
    const dns = ask([await serve()]);
    expect((await dns.query("a  b.example.com", "A")).status).toBe("nxdomain");
    expect((await dns.query("_25._tcp.mx.example.com", "TLSA")).status).toBe("answered");
    expect((await dns.query(`${"a.".repeat(126)}a`, "A")).status).toBe("nxdomain");
  });
});

describe("the DNS transport", () => {
  it("the DNS transport falls back to TCP if an answer is truncated", async () => {
    const server = await serve();
    const answer = await ask([server]).query("long.example.com", "TXT");
    expect(answer.records).toMatchObject([{ type: "TXT" }]);
    expect(answer.records.flatMap((record) => (record.type === "TXT" ? record.parts : [])).join("")).toHaveLength(3000);
    expect(server.queries.map(({ transport }) => transport)).toEqual(["udp", "tcp"]);
  });

  it("the DNS transport uses random IDs, and changes the port after 64 queries", async () => {
    const server = await serve({ ttlSeconds: 0 });
    const dns = ask([server]);
    for (let round = 0; round < 200; round++) await dns.query("example.com", "A");
    expect(new Set(server.queries.map(({ id }) => id)).size).toBeGreaterThan(190);
    const uses = Map.groupBy(server.queries, ({ fromPort }) => fromPort);
    expect(Math.max(...[...uses.values()].map(({ length }) => length))).toBeLessThanOrEqual(64);
  });

  it("the DNS transport uses a new port per query for a zone's own servers", async () => {
    const server = await serve({ ttlSeconds: 0, authoritative: true });
    const dns = ask([server], { direct: true });
    for (let round = 0; round < 20; round++) await dns.query("example.com", "A");
    expect(new Set(server.queries.map(({ fromPort }) => fromPort)).size).toBeGreaterThan(15);
  });

  it("the DNS transport abandons a port without an answer, and accepts no late answer for another query", async () => {
    const server: TestDnsServer = await serve(({ name }) =>
      name === "late.example.com" ? { delayMs: 300 } : undefined,
    );
    const dns = ask([server], { timeoutMs: 100, totalTimeoutMs: 150 });
    expect((await dns.query("example.com", "A")).status).toBe("answered");
    expect((await dns.query("late.example.com", "A")).status).toBe("timeout");
    const late = new Set(
      server.queries.filter(({ name }) => name === "late.example.com").map(({ fromPort }) => fromPort),
    );
    const patient = ask([server]);
    for (let round = 0; round < 40; round++)
      expect((await patient.query(`${round}.example.com`, "A")).status).toBe("nxdomain");
    expect(server.queries.slice(-40).filter(({ fromPort }) => late.has(fromPort))).toEqual([]);
  });

  it.each<[string, (answer: Buffer) => Buffer]>([
    ["another ID", (answer) => change(answer, (copy) => copy.writeUInt16BE(copy.readUInt16BE(0) ^ 1, 0))],
    ["another question", (answer) => change(answer, (copy) => copy.write("f", 13))],
    ["another type in its question", (answer) => change(answer, (copy) => copy.writeUInt8(28, 12 + 13 + 1))],
    ["the flag of a query", (answer) => change(answer, (copy) => copy.writeUInt8(0, 2))],
    ["random bytes", () => Buffer.from("HTTP/1.1 400 Bad Request\r\n\r\n")],
    ["no bytes", () => Buffer.alloc(0)],
  ])("the DNS transport ignores a packet with %s and waits for the right one", async (_, forge) => {
    const server = await serve({ packets: (answer) => [forge(answer), answer] });
    expect((await ask([server]).query("example.com", "A")).status).toBe("answered");
    expect(server.queries).toHaveLength(1);
  });

  it("the DNS transport accepts an answer with the question in another letter case", async () => {
    const server = await serve({ packets: (answer) => [change(answer, (copy) => copy.write("EXAMPLE", 13))] });
    expect(await ask([server]).query("example.com", "A")).toMatchObject({ name: "example.com", status: "answered" });
  });

  it.each<[string, (answer: Buffer) => Uint8Array]>([
    ["wrong counts", (answer) => change(answer, (copy) => copy.writeUInt16BE(900, 6))],
    ["huge counts", (answer) => change(answer, (copy) => copy.writeUInt16BE(65535, 6))],
    ["a name that points to itself", (answer) => change(answer, (copy) => copy.writeUInt16BE(0xc01d, 29))],
    ["a truncated record", (answer) => answer.subarray(0, 50)],
    ["NXDOMAIN and records of the name", (answer) => change(answer, (copy) => copy.writeUInt8(0x83, 3))],
    ["only records of another name", (answer) => rename(answer, "example.org")],
    [
      "NXDOMAIN and records of another name",
      (answer) => change(rename(answer, "a.org"), (copy) => copy.writeUInt8(0x83, 3)),
    ],
  ])("the DNS transport calls an answer with %s malformed", async (_, spoil) => {
    const server = await serve({ packets: (answer) => [spoil(answer)] });
    expect((await ask([server]).query("example.com", "A")).status).toBe("malformed");
  });

  it.each<[string, (answer: Buffer) => Uint8Array, string]>([
    ["a wrong length", () => Buffer.from([0xff, 0xff, 1, 2, 3]), "malformed"],
    ["a length of zero", () => Buffer.from([0, 0]), "malformed"],
    ["nothing", () => Buffer.alloc(0), "malformed"],
    [
      "the answer to another query",
      (answer) => Buffer.concat([Buffer.from([0, answer.length]), answer.fill(0, 0, 2)]),
      "malformed",
    ],
  ])("the DNS transport survives a TCP server that sends %s", async (_, stream, status) => {
    const server = await serve({ truncate: true, stream });
    expect((await ask([server]).query("example.com", "A")).status).toBe(status);
  });

  it("the DNS transport always returns, whatever a server sends", async () => {
    let seed = 1;
    const roll = (sides: number) => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((seed / 2 ** 32) * sides);
    };
    const spoil = (answer: Buffer) =>
      change(answer, (copy) => {
        for (let spoilt = 0; spoilt < 4; spoilt++) copy[2 + roll(copy.length - 2)] = roll(256);
      });
    const server = await serve({ ttlSeconds: 0, packets: (answer) => [spoil(answer)] });
    const dns = ask([server], { timeoutMs: 50, totalTimeoutMs: 20_000 });
    const names = Array.from({ length: 300 }, (_, index) => `n${index}.example.com`);
    const statuses = await Promise.all(names.map(async (name) => (await dns.query(name, "MX")).status));
    expect(statuses).toHaveLength(300);
  });

  it("the DNS transport repeats a query without EDNS if the server does not support it", async () => {
    const server = await serve(({ packet }) => (packet.additionals?.length ? { rcode: 1 } : undefined));
    expect((await ask([server]).query("example.com", "A")).status).toBe("answered");
    expect(server.queries.map(({ packet }) => packet.additionals?.length)).toEqual([1, 0]);
  });

  it.each([
    [400, "answered"],
    [401, "malformed"],
  ])("the DNS transport never keeps part of an answer: %d records are %s", async (count, status) => {
    const server = await serve({
      truncate: true,
      packets: (answer) => {
        const whole = packets.decode(answer);
        const answers = Array.from({ length: count }, () => whole.answers?.[0] ?? []).flat();
        return [packets.encode({ ...whole, answers })];
      },
    });
    expect((await ask([server]).query("example.com", "A")).status).toBe(status);
  });

  it("the DNS transport ends running queries when it is closed", async () => {
    const server = await serve();
    const dns = ask([server], { timeoutMs: 60_000, totalTimeoutMs: 60_000 });
    const answer = dns.query("silent.example.com", "A");
    await expect.poll(() => server.queries.length).toBe(1);
    dns.close();
    expect((await answer).status).toBe("unreachable");
    expect((await dns.query("example.com", "A")).status).toBe("unreachable");
  });
});

describe("the choice of DNS servers", () => {
  it.each<[string, Behaviour]>([
    ["is silent", { drop: true }],
    ["fails", { rcode: 2 }],
    ["refuses", { rcode: 5 }],
    ["babbles", { packets: (answer) => [answer.subarray(0, 50)] }],
  ])("the choice of DNS servers moves to the next server if one %s", async (_, behaviour) => {
    const [bad, good] = [await serve(behaviour), await serve()];
    expect(await ask([bad, good], impatient).query("example.com", "A")).toMatchObject({
      status: "answered",
      server: `127.0.0.1:${good.port}`,
    });
    expect(bad.queries).toHaveLength(1);
  });

  it("the choice of DNS servers moves on immediately if a port is closed", async () => {
    const dns = ask([await freePort(), await serve()], { timeoutMs: 60_000, totalTimeoutMs: 60_000 });
    expect((await dns.query("example.com", "A")).status).toBe("answered");
  });

  it("the choice of DNS servers queries a silent server again once, because packets get lost", async () => {
    const server: TestDnsServer = await serve(() => ({ drop: server.queries.length === 1 }));
    expect((await ask([server], impatient).query("example.com", "A")).status).toBe("answered");
  });

  it("the choice of DNS servers returns the most informative error if all servers fail", async () => {
    const dns = ask([await serve({ rcode: 2 }), await serve({ drop: true })], impatient);
    expect((await dns.query("example.com", "A")).status).toBe("servfail");
  });

  it("the choice of DNS servers pauses a server for 5 s after three failures in a row", async () => {
    let now = 0;
    const [bad, good] = [await serve({ drop: true }), await serve()];
    const dns = ask([bad, good], { ...impatient, now: () => now, maxCachedAnswers: 0 });
    for (let round = 0; round < 5; round++) await dns.query("example.com", "A");
    expect(bad.queries).toHaveLength(3);
    now = 4999;
    await dns.query("example.com", "A");
    expect(bad.queries).toHaveLength(3);
    now = 5000;
    await dns.query("example.com", "A");
    expect(bad.queries).toHaveLength(4);
  });

  it("the choice of DNS servers forgets failures once a server answers, even with SERVFAIL", async () => {
    const drop = { drop: true };
    const course = [drop, drop, { rcode: 2 }, drop, drop, {}];
    const first: TestDnsServer = await serve(() => course[first.queries.length - 1]);
    const dns = ask([first, await serve()], { ...impatient, maxCachedAnswers: 0 });
    for (const _ of course) await dns.query("example.com", "A");
    expect(first.queries).toHaveLength(course.length);
  });

  it("the choice of DNS servers never blames a server for a name's error", async () => {
    const server = await serve();
    const dns = ask([server, await serve()]);
    for (const type of ["A", "AAAA", "MX", "TXT"] as const) await dns.query("servfail.example.com", type);
    expect(await dns.query("example.com", "A")).toMatchObject({ server: `127.0.0.1:${server.port}` });
  });

  it("the choice of DNS servers uses paused servers if there is no other", async () => {
    let isDown = true;
    const server = await serve(() => ({ drop: isDown }));
    const dns = ask([server], impatient);
    for (const type of ["A", "AAAA"] as const) await dns.query("example.com", type);
    isDown = false;
    expect((await dns.query("example.com", "TXT")).status).toBe("answered");
  });
});

describe("DNS limits", () => {
  it("DNS limits end a query after the total timeout, with any number of servers", async () => {
    const servers = await Promise.all(Array.from({ length: 10 }, () => serve({ drop: true })));
    const dns = ask(servers, { timeoutMs: 100, totalTimeoutMs: 250 });
    expect((await dns.query("example.com", "A")).status).toBe("timeout");
    expect(servers.at(-1)?.queries).toEqual([]);
  });

  it("DNS limits allow a limited number of queries at once, and the others wait", async () => {
    let atOnce = 0;
    let most = 0;
    const leave = (answer: Buffer) => {
      atOnce--;
      return [answer];
    };
    const server = await serve(() => {
      most = Math.max(most, ++atOnce);
      return { delayMs: 20, packets: leave };
    });
    const dns = ask([server], { maxConcurrent: 3, timeoutMs: 5000, totalTimeoutMs: 5000 });
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) => dns.query(`n${index}.example.com`, "A")),
    );
    expect(answers.every(({ status }) => status === "nxdomain")).toBe(true);
    expect(most).toBe(3);
  });

  it("DNS limits let one zone answer while 150 queries wait for a silent one", async () => {
    const server = await serve();
    const dns = ask([server], { timeoutMs: 5000, totalTimeoutMs: 5000 });
    const silent = Array.from({ length: 150 }, (_, index) => dns.query(`n${index}.silent.example.com`, "A"));
    const first = await Promise.race([dns.query("example.com", "A"), ...silent]);
    expect(first).toMatchObject({ name: "example.com", status: "answered" });
  });

  it("DNS limits count the waiting time in the total timeout", async () => {
    const server = await serve();
    const dns = ask([server], { maxConcurrent: 1, timeoutMs: 1000, totalTimeoutMs: 1000 });
    const line = ["silent", "a.silent", "b.silent", "c.silent", "d"].map((name) => `${name}.example.com`);
    const answers = await Promise.all(line.map((name) => dns.query(name, "A")));
    expect(answers.at(-1)).toMatchObject({ status: "timeout", server: null });
    expect(server.queries.map(({ name }) => name)).not.toContain(line.at(-1));
    expect((await dns.query("example.com", "A")).status).toBe("answered");
  });

  it("DNS limits combine identical running queries", async () => {
    const server = await serve({ delayMs: 20, ttlSeconds: 0 });
    const dns = ask([server]);
    const names = ["example.com", "EXAMPLE.com", "example.com."];
    const answers = await Promise.all(names.map((name) => dns.query(name, "A")));
    expect(answers.map(({ status }) => status)).toEqual(["answered", "answered", "answered"]);
    expect(server.queries).toHaveLength(1);
  });
});

describe("the DNS cache", () => {
  async function countAsked(name: string, behaviour: Behaviour, waitMs: number): Promise<number> {
    let now = 1_000_000;
    const server = await serve(behaviour);
    const dns = ask([server], { now: () => now, ...(name.startsWith("silent") ? impatient : {}) });
    await dns.query(name, "A");
    const first = server.queries.length;
    now += waitMs;
    await dns.query(name, "A");
    return server.queries.length - first;
  }

  it("the DNS cache keeps an answer for its TTL", async () => {
    expect(await countAsked("example.com", { ttlSeconds: 60 }, 59_999)).toBe(0);
    expect(await countAsked("example.com", { ttlSeconds: 60 }, 60_000)).toBe(1);
  });

  it("the DNS cache keeps an answer for at most an hour", async () => {
    expect(await countAsked("example.com", { ttlSeconds: 86_400 }, 3_599_999)).toBe(0);
    expect(await countAsked("example.com", { ttlSeconds: 86_400 }, 3_600_000)).toBe(1);
  });

  it("the DNS cache keeps negative answers for the time in their SOA", async () => {
    expect(await countAsked("absent.example.com", { ttlSeconds: 60 }, 59_999)).toBe(0);
    expect(await countAsked("absent.example.com", { ttlSeconds: 60 }, 60_000)).toBe(1);
    expect(await countAsked("nobody.example.com", { ttlSeconds: 60 }, 59_999)).toBe(0);
  });

  it("the DNS cache uses the lower of the SOA's TTL and minimum", async () => {
    const soa = { mname: "ns.test", rname: "root.test", minimum: 20 };
    const server = await serve({
      packets: (answer) => [
        packets.encode({ ...packets.decode(answer), authorities: [{ type: "SOA", name: "com", ttl: 90, data: soa }] }),
      ],
    });
    expect((await ask([server]).query("absent.example.com", "A")).ttlSeconds).toBe(20);
  });

  it("the DNS cache drops an answer if the clock is set back", async () => {
    expect(await countAsked("example.com", { ttlSeconds: 60 }, -1)).toBe(1);
  });

  it.each<[string, string, Behaviour]>([
    ["TTL 0", "example.com", { ttlSeconds: 0 }],
    ["SERVFAIL", "servfail.example.com", {}],
    ["REFUSED", "refused.example.com", {}],
    ["a timeout", "silent.example.com", {}],
    ["NXDOMAIN without SOA", "absent.example.com", { withoutSoa: true }],
    ["NODATA without SOA", "nobody.example.com", { withoutSoa: true }],
    ["a malformed answer", "example.com", { packets: (answer) => [answer.subarray(0, 50)] }],
  ])("the DNS cache never stores %s", async (_, name, behaviour) => {
    expect(await countAsked(name, behaviour, 0)).toBeGreaterThan(0);
  });

  it("the DNS cache returns a stored answer unchanged, with its query time", async () => {
    let now = 1_000_000;
    const dns = ask([await serve()], { now: () => now });
    const first = await dns.query("example.com", "A");
    now += 5000;
    expect(await dns.query("example.com", "A")).toEqual(first);
  });

  it("the DNS cache drops the least recently used answer when it is full", async () => {
    const server = await serve();
    const dns = ask([server], { maxCachedAnswers: 2 });
    const types = ["A", "AAAA", "A", "MX"] as const;
    for (const type of types) await dns.query("example.com", type);
    expect(server.queries).toHaveLength(3);
    await dns.query("example.com", "A");
    expect(server.queries).toHaveLength(3);
    await dns.query("example.com", "AAAA");
    expect(server.queries).toHaveLength(4);
  });
});
