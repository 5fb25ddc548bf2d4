import { expect, test } from "vitest";
import { askAuthority, createServerAsker } from "../../../src/platform/system/dns-servers.ts";
import { type Behaviour, type ServedQuery, startDnsServer } from "../../dns-server.ts";

const zone = { "a.example": { SOA: [{ primary: "ns.a.example", serial: 1, minimum: 300 }] } };

async function ask(behave: (query: ServedQuery) => Behaviour, timeoutMs = 20_000) {
  const server = await startDnsServer({ zone, behave });
  const said = await askAuthority({ host: server.address, port: server.port }, "a.example", timeoutMs);
  await server.close();
  return { said, queries: server.queries };
}

/** Flags for the whole reply, replacing the server's own. */
const withFlags = (flags: number): Behaviour => ({
  packets: (answer) => {
    const reply = Buffer.from(answer);
    reply.writeUInt16BE(0x8000 | flags, 2);
    return [reply];
  },
});

test("an authoritative server serves the zone, and is queried without recursion", async () => {
  const { said, queries } = await ask(() => ({ authoritative: true }));
  expect(said).toEqual({ known: true, value: true });
  expect(queries.map(({ name, type }) => `${name} ${type}`)).toEqual(["a.example SOA"]);
  expect(queries[0]?.packet.flag_rd).toBe(false);
});

test.each<[what: string, behaviour: Behaviour]>([
  ["refuses", { rcode: 5 }],
  ["points elsewhere", withFlags(0)],
])("a name server that %s does not serve the zone", async (_, behaviour) => {
  expect((await ask(() => behaviour)).said).toEqual({ known: true, value: false });
});

test.each<[what: string, behaviour: Behaviour, why: string]>([
  ["is silent", { drop: true }, "timeout"],
  ["fails", { rcode: 2 }, "refused"],
  ["is a resolver", {}, "refused"],
  [
    "answers another question",
    { packets: (answer) => [Buffer.concat([Buffer.from([0, 0]), answer.subarray(2)])] },
    "timeout",
  ],
  ["sends random bytes", { packets: () => [Buffer.from("hello"), Buffer.alloc(0)] }, "timeout"],
])("the status of a name server that %s is unknown", async (_, behaviour, why) => {
  expect((await ask(() => behaviour, 300)).said).toEqual({ known: false, why });
});

test("a private address gets no query", async () => {
  expect(await createServerAsker(300)("127.0.0.1", "a.example")).toEqual({ known: false, why: "not-public" });
});
