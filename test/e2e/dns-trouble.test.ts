// The whole analysis over the real client, with servers that fail in every way that servers and forgers know: the report
// comes, what is unknown says why, and nobody passes or fails by a guess. All budgets are small; none is measured.

import { createSocket } from "node:dgram";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as packets from "dns-packet";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { run } from "../../src/cli/run.ts";
import { createDns } from "../../src/system/dns-client.ts";
import { testTerminal } from "../cli/terminal.ts";
import { type Behaviour, type ServedQuery, startDnsServer } from "../dns-server.ts";
import { seal } from "../mail/seal.ts";
import {
  analystFor,
  analyzeWith,
  bytesOf,
  inputOf,
  type Letter,
  toVerdict,
  zoneOf,
} from "../tasks/verdict-world.ts";

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

async function analyzeOver(servers: readonly Server[], budgetMs = 600) {
  const dns = createDns({
    servers: servers.map(({ address, port }) => ({ host: address, port })),
    timeoutMs: 150,
    totalTimeoutMs: 400,
    now: Date.now,
  });
  open.push(dns);
  return analyzeWith(inputOf(letter), { ...analystFor(dns, { budgetMs }), now: Date.now });
}

/** Nothing is known, for this reason. */
const nothing = (why: string) => `spf=temperror dkim=temperror:key-unknown dmarc=temperror ?${why}`;

function edit(answer: Buffer, change: (packet: packets.DecodedPacket) => packets.Packet): Buffer {
  return packets.encode(change(packets.decode(answer)));
}

function toAlias(name: string, target: string): packets.Answer {
  return { type: "CNAME", name, ttl: 60, data: target };
}

function patch(answer: Buffer, change: (copy: Buffer) => void): Buffer {
  const copy = Buffer.from(answer);
  change(copy);
  return copy;
}

/** All that an honest server would have said, so that whoever believes it lets the letter pass. */
const lies: Readonly<
  Record<string, readonly [forge: (answer: Buffer) => readonly Uint8Array[], why: string]>
> = {
  "with another id": [
    (answer) => [patch(answer, (copy) => copy.writeUInt16BE(copy.readUInt16BE(0) ^ 1, 0))],
    "timeout",
  ],
  "to another question": [
    (answer) => [
      edit(answer, (packet) => ({ ...packet, questions: [{ type: "TXT", name: "other.example" }] })),
    ],
    "timeout",
  ],
  "to a question of another type": [
    (answer) => [
      edit(answer, (packet) => ({
        ...packet,
        questions: packet.questions?.map((question) => ({ ...question, type: "CAA" as const })) ?? [],
      })),
    ],
    "timeout",
  ],
  "without a question": [(answer) => [edit(answer, (packet) => ({ ...packet, questions: [] }))], "timeout"],
  "that are questions": [
    (answer) => [patch(answer, (copy) => copy.writeUInt8(copy.readUInt8(2) & 0x7f, 2))],
    "timeout",
  ],
  "of noise": [(answer) => [Buffer.alloc(answer.length, 0xa5)], "timeout"],
  "of no bytes": [() => [Buffer.alloc(0)], "timeout"],
  "that end in the middle": [(answer) => [answer.subarray(0, answer.length - 9)], "servfail"],
  "with counts that lie": [(answer) => [patch(answer, (copy) => copy.writeUInt16BE(999, 6))], "servfail"],
  "of NXDOMAIN, with records": [(answer) => [patch(answer, (copy) => copy.writeUInt8(0x83, 3))], "servfail"],
  "about other names": [
    (answer) => [
      edit(answer, ({ answers = [], authorities: _, ...packet }) => ({
        ...packet,
        answers: (answers.length > 0 ? answers : [{ type: "A" as const, name: "x", data: "192.0.2.9" }]).map(
          (record) => ({ ...record, name: "elsewhere.example" }),
        ),
      })),
    ],
    "servfail",
  ],
  "that bite their tails": [
    (answer) => [
      edit(answer, ({ questions = [], ...packet }) => ({
        ...packet,
        questions,
        answers: questions.map(({ name }) => toAlias(name, name)),
      })),
    ],
    "servfail",
  ],
  "that lead from alias to alias in one packet": [
    (answer) => [
      edit(answer, ({ questions = [], ...packet }) => ({
        ...packet,
        questions,
        answers: Array.from({ length: 40 }, (_, index) =>
          toAlias(
            index === 0 ? (questions[0]?.name ?? "") : `link${index}.example`,
            `link${index + 1}.example`,
          ),
        ),
      })),
    ],
    "servfail",
  ],
};

describe("DNS that tells nothing: the report comes, and says of everything that it is not known", () => {
  test("nobody listens", async () => {
    const server = await serveByUdp(() => {});
    await server.close();
    open.pop();
    expect(toVerdict(await analyzeOver([server]))).toBe(nothing("timeout"));
  });

  test("a server that keeps silent", async () => {
    const report = await analyzeOver([await serve(() => ({ drop: true }))]);
    expect(toVerdict(report)).toBe(nothing("timeout"));
    expect(report.authentication.spf).toMatchObject({
      value: { problem: expect.stringContaining("timeout") },
    });
    expect(report.surroundings.ptr).toEqual({ known: false, why: "timeout" });
    expect(report.surroundings.mx).toEqual([{ of: "a.example", fact: { known: false, why: "timeout" } }]);
  });

  test("a server that answers after the budget", async () => {
    const server = await serve(() => ({ delayMs: 100 }));
    expect(toVerdict(await analyzeOver([server], 20))).toBe(nothing("budget"));
  });

  test("no time at all", async () => {
    expect(toVerdict(await analyzeOver([await serve()], 0))).toBe(nothing("budget"));
  });

  test.each([
    ["fails", 2, "servfail"],
    ["refuses", 5, "refused"],
    ["does not understand", 1, "servfail"],
    ["can do nothing of it", 4, "servfail"],
    ["has no authority", 9, "servfail"],
  ])("a server that %s", async (_, rcode, why) => {
    const report = await analyzeOver([await serve(() => ({ rcode }))]);
    expect(toVerdict(report)).toBe(nothing(why));
    expect(report.surroundings.ptr).toEqual({ known: false, why });
  });

  test("answers cut short, and TCP refused", async () => {
    const server = await serveByUdp((query, reply) =>
      reply(patch(query, (copy) => copy.writeUInt8(0x83, 2))),
    );
    expect(toVerdict(await analyzeOver([server]))).toBe(nothing("timeout"));
  });

  test("answers cut short, and a TCP server that keeps silent", async () => {
    const server = await serve(({ transport }) =>
      transport === "udp" ? { truncate: true } : { drop: true },
    );
    expect(toVerdict(await analyzeOver([server]))).toBe(nothing("timeout"));
  });

  test.each<[string, Buffer, string]>([
    ["says nothing", Buffer.alloc(0), "servfail"],
    ["talks of something else", Buffer.from("HTTP/1.1 400 Bad Request\r\n\r\n"), "servfail"],
    ["promises more than it sends", Buffer.from([0xff, 0xff, 1, 2, 3]), "servfail"],
  ])("answers cut short, and a TCP server that %s", async (_, bytes, why) => {
    const server = await serve(() => ({ truncate: true, stream: () => bytes }));
    expect(toVerdict(await analyzeOver([server]))).toBe(nothing(why));
  });

  test.each(Object.entries(lies))("answers %s", async (_, [forge, why]) => {
    expect(toVerdict(await analyzeOver([await serve(() => ({ packets: forge }))]))).toBe(nothing(why));
  });

  test("an alias to another alias, for ever", async () => {
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
    expect(toVerdict(await analyzeOver([server], 5_000))).toBe(nothing("servfail"));
  });

  test("answers from another socket than the one that was asked", async () => {
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
    expect(toVerdict(await analyzeOver([asked]))).toBe(nothing("timeout"));
    expect(askers.size).toBeGreaterThan(0);
  });
});

describe("DNS that is odd, but tells the truth", () => {
  const plenty = 20_000;

  test("all in order", async () => {
    expect(toVerdict(await analyzeOver([await serve()], plenty))).toBe(passing);
  });

  test("names in mixed case, in the question and in the records", async () => {
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
    expect(toVerdict(await analyzeOver([server], plenty))).toBe(passing);
  });

  test("answers cut short, and whole by TCP", async () => {
    expect(toVerdict(await analyzeOver([await serve(() => ({ truncate: true }))], plenty))).toBe(passing);
  });

  test("a forged answer before each true one", async () => {
    const forge = (answer: Buffer) =>
      patch(
        edit(answer, ({ answers: _, ...packet }) => ({ ...packet, answers: [] })),
        (copy) => copy.writeUInt16BE(copy.readUInt16BE(0) ^ 0x5555, 0),
      );
    const server = await serve(() => ({ packets: (answer) => [forge(answer), answer] }));
    expect(toVerdict(await analyzeOver([server], plenty))).toBe(passing);
  });

  test("a first server that is out of order", async () => {
    const servers = [await serve(() => ({ rcode: 2 })), await serve()];
    expect(toVerdict(await analyzeOver(servers, plenty))).toBe(passing);
  });
});

describe("one name that tells nothing leaves open what rests on it alone", () => {
  const key = "rsa1024._domainkey.a.example";
  test.each([
    ["the key", [key], "spf=pass dkim=temperror:key-unknown dmarc=pass reject"],
    ["the SPF record", ["a.example"], "spf=temperror dkim=pass dmarc=pass reject"],
    ["both", [key, "a.example"], "spf=temperror dkim=temperror:key-unknown dmarc=temperror reject"],
    ["the DMARC record", ["_dmarc.a.example"], "spf=pass dkim=pass dmarc=temperror ?servfail"],
    ["the DMARC record above", ["_dmarc.example"], passing],
    ["the reverse name", ["20.2.0.192.in-addr.arpa"], passing],
  ])("%s", async (_, names, verdict) => {
    const server = await serve(({ name }) => (names.includes(name) ? { rcode: 2 } : undefined));
    expect(toVerdict(await analyzeOver([server], 20_000))).toBe(verdict);
  });
});

describe("assay analyze", () => {
  const folder = mkdtempSync(join(tmpdir(), "assay-trouble-"));
  const file = join(folder, "letter.eml");
  const sealedFile = join(folder, "sealed.eml");
  const unsignedFile = join(folder, "unsigned.eml");
  writeFileSync(file, bytesOf(letter));
  writeFileSync(unsignedFile, bytesOf({ ...letter, from: "ann@news.a.example", sign: [] }));
  afterAll(() => rmSync(folder, { recursive: true }));

  const analyze = (server: Server, ...args: string[]) => analyzeFile(file, server, ...args);

  async function analyzeFile(path: string, server: Server, ...args: string[]) {
    const terminal = testTerminal({
      ASSAY_DNS_SERVERS: `${server.address}:${server.port}`,
      ASSAY_DNS_TIMEOUT_MS: "200",
      ASSAY_ANALYSIS_BUDGET_MS: "5000",
    });
    const session = ["--ip", "192.0.2.20", "--helo", "mail.a.example", "--mail-from", "ann@a.example"];
    const exitCode = await run(["analyze", path, ...session, ...args], terminal);
    return { exitCode, output: terminal.output() };
  }

  test("ends with 0 and the verdicts while DNS is in order", async () => {
    const { exitCode, output } = await analyze(await serve(), "--json");
    expect(JSON.parse(output)).toMatchObject({ kind: "test", spf: "pass", dkim: "pass", dmarc: "pass" });
    expect(exitCode).toBe(0);
  });

  test.each<[string, Behaviour, string]>([
    ["is silent", { drop: true }, "timeout"],
    ["fails", { rcode: 2 }, "servfail"],
    ["refuses", { rcode: 5 }, "refused"],
    ["babbles", { packets: (answer) => [answer.subarray(0, answer.length - 3)] }, "servfail"],
  ])("ends with 3 and says what is not known while DNS %s", async (_, behaviour, why) => {
    const { exitCode, output } = await analyze(await serve(() => behaviour), "--json");
    const told = JSON.parse(output);
    expect(told).toMatchObject({ kind: "test", spf: "temperror", dkim: "temperror", dmarc: "temperror" });
    expect(told.analysis.dns.length).toBeGreaterThan(0);
    expect(told.surroundings.ptr).toEqual({ known: false, why });
    expect(exitCode).toBe(3);
  });

  test("ends with 3 while the key of a chain of ARC is not told, though all else passes", async () => {
    const text = Buffer.from(bytesOf(letter)).toString("latin1");
    writeFileSync(sealedFile, seal(text, { domain: "list.example", selector: "arc" }), "latin1");
    const server = await serve(({ name }) => (name === "arc._domainkey.list.example" ? { rcode: 2 } : {}));
    const { exitCode, output } = await analyze(server, "--json");
    expect(exitCode).toBe(0);
    expect(JSON.parse(output).authentication.arc.result).toBe("none");
    const sealed = await analyzeFile(sealedFile, server, "--json");
    expect(JSON.parse(sealed.output).authentication.arc.result).toBe("temperror");
    expect(sealed.exitCode).toBe(3);
  });

  test("a record tried out with --dns gives the verdict that a real change of the zone gives", async () => {
    const server = await startDnsServer({ zone });
    open.push(server);
    const changes = {
      "as it is": [],
      "SPF that forbids the address": ["a.example", "v=spf1 -all"],
      "SPF that cannot be read": ["a.example", "v=spf1 ip4:1.2.3"],
      "a policy of none": ["_dmarc.a.example", "v=DMARC1; p=none"],
      "no policy at all": ["_dmarc.a.example", "nothing"],
      "a revoked key": ["rsa1024._domainkey.a.example", "v=DKIM1; p="],
      "a key that wants the exact domain": ["rsa1024._domainkey.a.example", "v=DKIM1; h=sha1; p=AAAA"],
    };
    const seen = new Set<string>();
    for (const [what, [name, text = ""]] of Object.entries(changes)) {
      const changed = name === undefined ? zone : { ...zone, [name]: { TXT: [text] } };
      server.setZone(changed);
      writeFileSync(join(folder, "zone.txt"), toZoneFile(changed));
      for (const path of [file, unsignedFile]) {
        const real = await analyzeFile(path, server, "--json");
        const tried = await analyzeFile(path, server, "--json", "--dns", join(folder, "zone.txt"));
        expect(verdictsOf(tried.output), what).toEqual(verdictsOf(real.output));
        expect(tried.exitCode, what).toBe(real.exitCode);
        seen.add(JSON.parse(real.output).dmarc);
      }
    }
    expect(seen).toEqual(new Set(["pass", "fail", "none"]));
  });
});

function verdictsOf(json: string) {
  const { spf, dkim, dmarc, authentication, surroundings } = JSON.parse(json);
  return { spf, dkim, dmarc, authentication, surroundings };
}

function toZoneFile(entries: typeof zone): string {
  const quote = (text: string) => (text.match(/.{1,200}/gs) ?? []).map((part) => `"${part}"`).join(" ");
  return Object.entries(entries)
    .flatMap(([name, entry]) => {
      if (typeof entry === "string") return [];
      const { TXT = [], A = [], PTR = [] } = entry;
      return [
        ...[...TXT].map((text) => `${name} TXT ${quote([text].flat().join(""))}`),
        ...[...A].map((address) => `${name} A ${address}`),
        ...[...PTR].map((target) => `${name} PTR ${target}`),
      ];
    })
    .join("\n");
}
