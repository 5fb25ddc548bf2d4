// The whole analysis with DNS servers that fail or lie in every known way: the report is complete, unknown results
// say why, and nothing passes or fails by a guess. All time limits are small; none is measured.

import { createSocket } from "node:dgram";
import { once } from "node:events";
import * as packets from "dns-packet";
import { afterEach, describe, expect, test } from "vitest";
import { createDns } from "../../src/platform/system/dns-client.ts";
import {
  analystFor,
  analyzeWith,
  inputOf,
  type Letter,
  toVerdict,
  zoneOf,
} from "../analyzer/domain-cases/verdict-world.ts";
import { type Behaviour, type ServedQuery, startDnsServer } from "../dns-server.ts";
import { edit, lies, patch, toAlias } from "./dns-forgery.ts";

type Server = { readonly address: string; readonly port: number; readonly close: () => Promise<unknown> };

const open: { close: () => unknown }[] = [];
afterEach(async () => {
  for (const part of open.splice(0).reverse()) await part.close();
});

/** An honest letter: with DNS in order all of it passes. */
const letter: Letter = { ip: "192.0.2.20", helo: "mail.a.example", mailFrom: "ann@a.example" };
const passing = "spf=pass dkim=pass dmarc=pass reject";
const zone = zoneOf(letter);

async function serve(behave: (query: ServedQuery) => Behaviour | undefined = () => ({})): Promise<Server> {
  const server = await startDnsServer({ zone, behave });
  open.push(server);
  return server;
}

type Forge = (query: Buffer, reply: (bytes: Uint8Array) => void) => void;

/** UDP alone: who comes by TCP is refused. */
async function serveByUdp(forge: Forge): Promise<Server> {
  const socket = createSocket("udp4");
  socket.on("message", (query, from) => forge(query, (bytes) => socket.send(bytes, from.port, from.address)));
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  const server = {
    address: "127.0.0.1",
    port: socket.address().port,
    close: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  };
  open.push(server);
  return server;
}

/** Where silence is awaited; elsewhere a loaded machine may take its time. */
const impatient = { timeoutMs: 150, totalTimeoutMs: 400 };

async function analyzeOver(servers: readonly Server[], limits: Partial<typeof impatient> & { budgetMs?: number } = {}) {
  const { budgetMs = 60_000, ...timeouts } = limits;
  const dns = createDns({
    servers: servers.map(({ address, port }) => ({ host: address, port })),
    timeoutMs: 20_000,
    totalTimeoutMs: 40_000,
    ...timeouts,
    now: Date.now,
  });
  open.push(dns);
  return analyzeWith(inputOf(letter), { ...analystFor(dns, { budgetMs }), now: Date.now });
}

/** Nothing is known, for this reason. */
const nothing = (why: string) => `spf=temperror dkim=temperror:key-unknown dmarc=temperror ?${why}`;

describe("a report without DNS answers", () => {
  test("a report has only unknown results if no DNS server listens", async () => {
    const server = await serveByUdp(() => {});
    await server.close();
    open.pop();
    expect(toVerdict(await analyzeOver([server]))).toBe(nothing("timeout"));
  });

  test("a report has only unknown results if a DNS server is silent", async () => {
    const report = await analyzeOver([await serve(() => ({ drop: true }))], impatient);
    expect(toVerdict(report)).toBe(nothing("timeout"));
    expect(report.authentication.spf).toMatchObject({ value: { problem: expect.stringContaining("timeout") } });
    expect(report.surroundings.ptr).toEqual({ known: false, why: "timeout" });
    expect(report.surroundings.mx).toEqual([{ of: "a.example", fact: { known: false, why: "timeout" } }]);
  });

  test("a report has only unknown results if a DNS server answers after the time limit", async () => {
    const server = await serve(() => ({ delayMs: 100 }));
    expect(toVerdict(await analyzeOver([server], { budgetMs: 20 }))).toBe(nothing("budget"));
  });

  test("a report has only unknown results if there is no time at all", async () => {
    expect(toVerdict(await analyzeOver([await serve()], { budgetMs: 0 }))).toBe(nothing("budget"));
  });

  test.each([
    ["fails", 2, "servfail"],
    ["refuses", 5, "refused"],
    ["answers FORMERR", 1, "servfail"],
    ["answers NOTIMP", 4, "servfail"],
    ["answers NOTAUTH", 9, "servfail"],
  ])("a report has only unknown results if a DNS server %s", async (_, rcode, why) => {
    const report = await analyzeOver([await serve(() => ({ rcode }))]);
    expect(toVerdict(report)).toBe(nothing(why));
    expect(report.surroundings.ptr).toEqual({ known: false, why });
  });

  test("a report has only unknown results if answers are truncated and TCP is rejected", async () => {
    const server = await serveByUdp((query, reply) => reply(patch(query, (copy) => copy.writeUInt8(0x83, 2))));
    expect(toVerdict(await analyzeOver([server]))).toBe(nothing("timeout"));
  });

  test("a report has only unknown results if answers are truncated and the TCP server is silent", async () => {
    const server = await serve(({ transport }) => (transport === "udp" ? { truncate: true } : { drop: true }));
    expect(toVerdict(await analyzeOver([server], impatient))).toBe(nothing("timeout"));
  });

  test.each<[string, Buffer, string]>([
    ["sends nothing", Buffer.alloc(0), "servfail"],
    ["sends an HTTP response", Buffer.from("HTTP/1.1 400 Bad Request\r\n\r\n"), "servfail"],
    ["announces more than it sends", Buffer.from([0xff, 0xff, 1, 2, 3]), "servfail"],
  ])("a report has only unknown results if answers are truncated and the TCP server %s", async (_, bytes, why) => {
    const server = await serve(() => ({ truncate: true, stream: () => bytes }));
    expect(toVerdict(await analyzeOver([server]))).toBe(nothing(why));
  });

  test.each(Object.entries(lies))("a report has only unknown results if answers are %s", async (_, [forge, why]) => {
    const limits = why === "timeout" ? impatient : {};
    expect(toVerdict(await analyzeOver([await serve(() => ({ packets: forge }))], limits))).toBe(nothing(why));
  });

  test("a report has only unknown results if aliases lead to each other forever", async () => {
    let links = 0;
    const server = await serve(() => ({
      packets: (answer) => [
        edit(answer, ({ questions = [], ...packet }) => ({
          ...packet,
          flags: packets.RECURSION_AVAILABLE,
          questions,
          authorities: [],
          answers: questions.map(({ name }) => toAlias(name, `link${links++}.example`)),
        })),
      ],
    }));
    expect(toVerdict(await analyzeOver([server]))).toBe(nothing("servfail"));
  });

  test("a report has only unknown results if answers come from another socket", async () => {
    const honest = await startDnsServer({ zone });
    open.push(honest);
    const stranger = createSocket("udp4");
    open.push({ close: () => stranger.close() });
    const relay = createSocket("udp4");
    open.push({ close: () => relay.close() });
    const askers = new Map<number, number>();
    relay.on("message", (answer) => {
      const port = askers.get(answer.readUInt16BE(0));
      if (port !== undefined) stranger.send(answer, port, "127.0.0.1");
    });
    const server = createSocket("udp4");
    server.on("message", (query, from) => {
      askers.set(query.readUInt16BE(0), from.port);
      relay.send(query, honest.port, "127.0.0.1");
    });
    server.bind(0, "127.0.0.1");
    await once(server, "listening");
    open.push({ close: () => server.close() });
    const asked = { address: "127.0.0.1", port: server.address().port, close: async () => {} };
    expect(toVerdict(await analyzeOver([asked], impatient))).toBe(nothing("timeout"));
    expect(askers.size).toBeGreaterThan(0);
  });
});

describe("unusual DNS with correct answers gives a normal report", () => {
  test("ordinary DNS gives a normal report", async () => {
    expect(toVerdict(await analyzeOver([await serve()]))).toBe(passing);
  });

  test("DNS names in mixed case give a normal report", async () => {
    const shout = (name: string) =>
      name.replace(/[a-z]/g, (letter, at: number) => (at % 2 ? letter : letter.toUpperCase()));
    const server = await serve(() => ({
      packets: (answer) => [
        edit(answer, ({ questions = [], answers = [], ...packet }) => ({
          ...packet,
          questions: questions.map((question) => ({ ...question, name: shout(question.name) })),
          answers: answers.map((record) => ({ ...record, name: record.name.toUpperCase() })),
        })),
      ],
    }));
    expect(toVerdict(await analyzeOver([server]))).toBe(passing);
  });

  test("truncated answers that are complete over TCP give a normal report", async () => {
    expect(toVerdict(await analyzeOver([await serve(() => ({ truncate: true }))]))).toBe(passing);
  });

  test("a forged answer before each real one does not change the report", async () => {
    const forge = (answer: Buffer) =>
      patch(
        edit(answer, ({ answers: _, ...packet }) => ({ ...packet, answers: [] })),
        (copy) => copy.writeUInt16BE(copy.readUInt16BE(0) ^ 0x5555, 0),
      );
    const server = await serve(() => ({ packets: (answer) => [forge(answer), answer] }));
    expect(toVerdict(await analyzeOver([server]))).toBe(passing);
  });

  test("a failing first DNS server does not change the report", async () => {
    const servers = [await serve(() => ({ rcode: 2 })), await serve()];
    expect(toVerdict(await analyzeOver(servers))).toBe(passing);
  });
});

describe("one name without an answer affects only the results that need it", () => {
  const key = "rsa1024._domainkey.a.example";
  test.each([
    ["the key", [key], "spf=pass dkim=temperror:key-unknown dmarc=pass reject"],
    ["the SPF record", ["a.example"], "spf=temperror dkim=pass dmarc=pass reject"],
    ["both", [key, "a.example"], "spf=temperror dkim=temperror:key-unknown dmarc=temperror reject"],
    ["the DMARC record", ["_dmarc.a.example"], "spf=pass dkim=pass dmarc=temperror ?servfail"],
    ["the parent's DMARC record", ["_dmarc.example"], passing],
    ["reverse DNS", ["20.2.0.192.in-addr.arpa"], passing],
  ])("only the results that need %s are unknown if it has no answer", async (_, names, verdict) => {
    const server = await serve(({ name }) => (names.includes(name) ? { rcode: 2 } : undefined));
    expect(toVerdict(await analyzeOver([server]))).toBe(verdict);
  });
});
