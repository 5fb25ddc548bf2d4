// A real DNS server on loopback, UDP and TCP on one port, that answers from a zone and misbehaves on order.

import { createSocket, type Socket as UdpSocket } from "node:dgram";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import * as packets from "dns-packet";
import { type DnsRecord, type DnsStatus, type RecordType, recordTypes } from "../src/analyzer/dns/answer.ts";
import { createZoneLookup, type Zone, type ZoneAnswer } from "../src/analyzer/dns/zone.ts";
import { publicName } from "../src/platform/system/public-names.ts";

export type ServedQuery = {
  readonly name: string;
  readonly type: RecordType;
  readonly transport: "udp" | "tcp";
  readonly id: number;
  /** The port that the question came from. */
  readonly fromPort: number;
  readonly packet: packets.DecodedPacket;
};

/** How one answer differs from what the zone says. */
export type Behaviour = {
  readonly drop?: boolean;
  readonly delayMs?: number;
  readonly rcode?: number;
  /** Over UDP only: TC, and no records. */
  readonly truncate?: boolean;
  readonly authenticated?: boolean;
  /** AA, and no offer to look things up. */
  readonly authoritative?: boolean;
  readonly withoutSoa?: boolean;
  readonly ttlSeconds?: number;
  /** Sent instead of the answer, each on its own. */
  readonly packets?: (answer: Buffer) => readonly Uint8Array[];
  /** Over TCP: all bytes of the connection, length included. */
  readonly stream?: (answer: Buffer) => Uint8Array;
};

export type TestDnsServer = {
  readonly address: string;
  readonly port: number;
  /** For a program that asks it, and waits for it: this one answers late if tests beside it use all processors. */
  readonly settings: Readonly<Record<string, string>>;
  /** What it was asked, in order. */
  readonly queries: readonly ServedQuery[];
  /** From now on it answers from this zone. */
  readonly setZone: (zone: Zone) => void;
  readonly close: () => Promise<void>;
};

const rcodes: Readonly<Partial<Record<DnsStatus, number>>> = { nxdomain: 3, servfail: 2, refused: 5, malformed: 1 };

export async function startDnsServer(options: {
  readonly zone?: Zone;
  /** It knows only its zone, and says that all other names do not exist. */
  readonly isClosed?: boolean;
  readonly behave?: (query: ServedQuery) => Behaviour | undefined;
}): Promise<TestDnsServer> {
  const toLookup = (zone: Zone = {}) => createZoneLookup(options.isClosed ? zone : withPublicName(zone));
  let lookUp = toLookup(options.zone);
  const queries: ServedQuery[] = [];
  const timers: NodeJS.Timeout[] = [];
  const connections = new Set<Socket>();
  const { udp, tcp } = await bindBoth();

  function serve(query: ServedQuery, send: (reply: Buffer, behaviour: Behaviour) => void) {
    queries.push(query);
    const behaviour = options.behave?.(query) ?? {};
    const found = lookUp(query.name, query.type);
    if (behaviour.drop || found.status === "timeout" || found.status === "unreachable") return;
    const reply = encodeReply(query, found, behaviour);
    if (behaviour.delayMs === undefined) send(reply, behaviour);
    else timers.push(setTimeout(send, behaviour.delayMs, reply, behaviour));
  }

  udp.on("message", (bytes, from) => {
    serve(readQuery(bytes, "udp", from.port), (reply, behaviour) => {
      for (const packet of behaviour.packets?.(reply) ?? [reply]) udp.send(packet, from.port, from.address);
    });
  });
  tcp.on("connection", (socket) => {
    connections.add(socket);
    socket.on("close", () => connections.delete(socket));
    socket.on("error", () => socket.destroy());
    socket.once("data", (bytes: Buffer) => {
      serve(readQuery(bytes.subarray(2), "tcp", socket.remotePort ?? 0), (reply, behaviour) => {
        const sent = behaviour.packets?.(reply) ?? [reply];
        socket.end(behaviour.stream?.(reply) ?? Buffer.concat(sent.map(withLength)));
      });
    });
  });

  const { port } = udp.address();
  return {
    address: "127.0.0.1",
    port,
    settings: {
      ASSAY_DNS_SERVERS: `127.0.0.1:${port}`,
      ASSAY_DNS_TIMEOUT_MS: "10000",
      ASSAY_ANALYSIS_BUDGET_MS: "60000",
    },
    queries,
    setZone: (zone) => {
      lookUp = toLookup(zone);
    },
    close: async () => {
      for (const timer of timers) clearTimeout(timer);
      for (const socket of connections) socket.destroy();
      await Promise.all([once(udp.close(), "close"), once(tcp.close(), "close")]);
    },
  };
}

/** A resolver that does not know this name serves a private network only (platform/system/public-names.ts). */
function withPublicName(zone: Zone): Zone {
  return { [publicName]: { A: ["192.0.2.1"] }, ...zone };
}

/** The same port for both, which another process may hold for one of them: then another port. */
async function bindBoth(): Promise<{ udp: UdpSocket; tcp: ReturnType<typeof createServer> }> {
  const tcp = createServer().listen(0, "127.0.0.1");
  await once(tcp, "listening");
  const udp = createSocket("udp4");
  udp.bind((tcp.address() as AddressInfo).port, "127.0.0.1");
  try {
    await once(udp, "listening");
    return { udp, tcp };
  } catch {
    tcp.close();
    return bindBoth();
  }
}

function readQuery(bytes: Buffer, transport: "udp" | "tcp", fromPort: number): ServedQuery {
  const packet = packets.decode(bytes);
  const question = packet.questions?.[0];
  const type = recordTypes.find((known) => known === question?.type);
  if (question === undefined || type === undefined) throw new Error("The test server got no question it knows.");
  return { name: question.name, type, transport, id: packet.id ?? 0, fromPort, packet };
}

function encodeReply(query: ServedQuery, found: ZoneAnswer, behaviour: Behaviour): Buffer {
  const rcode = behaviour.rcode ?? rcodes[found.status] ?? 0;
  const isNegative = (rcode === 0 && found.records.length === 0) || rcode === 3;
  const ttl = behaviour.ttlSeconds ?? found.ttlSeconds ?? 0;
  const whole: packets.Packet = {
    type: "response",
    id: query.id,
    flags:
      (behaviour.authoritative ? packets.AUTHORITATIVE_ANSWER : packets.RECURSION_AVAILABLE) |
      rcode |
      (behaviour.authenticated ? packets.AUTHENTIC_DATA : 0),
    questions: query.packet.questions ?? [],
    answers: rcode === 0 || rcode === 3 ? toAnswers(query, found, ttl) : [],
    authorities: isNegative && !behaviour.withoutSoa ? [toSoa(ttl)] : [],
  };
  const bytes = packets.encode(whole);
  if (query.transport === "tcp" || (!behaviour.truncate && bytes.length <= roomFor(query))) return bytes;
  const flags = (whole.flags ?? 0) | packets.TRUNCATED_RESPONSE;
  return packets.encode({ ...whole, flags, answers: [], authorities: [] });
}

function roomFor({ packet }: ServedQuery): number {
  const opt = packet.additionals?.find((record) => record.type === "OPT");
  return opt?.type === "OPT" ? opt.udpPayloadSize : 512;
}

function toAnswers(query: ServedQuery, { aliases, records }: ZoneAnswer, ttl: number): packets.Answer[] {
  const owner = aliases.at(-1)?.target ?? query.name;
  return [
    ...aliases.map(({ name, target }) => ({ type: "CNAME" as const, name, ttl, data: target })),
    ...records.map((record) => ({ name: owner, ttl, ...toRecordData(record) }) as packets.Answer),
  ];
}

function toSoa(ttl: number): packets.Answer {
  const data = { mname: "ns.test", rname: "hostmaster.test", serial: 1, minimum: ttl };
  return { type: "SOA", name: ".", ttl, data };
}

function toRecordData(record: DnsRecord): { type: RecordType; data: unknown } {
  switch (record.type) {
    case "A":
    case "AAAA":
      return { type: record.type, data: record.address };
    case "CNAME":
    case "NS":
    case "PTR":
      return { type: record.type, data: record.target };
    case "MX":
      return { type: "MX", data: { preference: record.preference, exchange: record.exchange } };
    case "TXT":
      return { type: "TXT", data: record.parts.map((part) => Buffer.from(part, "latin1")) };
    case "SOA":
      return { type: "SOA", data: { mname: record.primary, rname: "hostmaster.test", ...record } };
    default:
      return { type: record.type, data: toFieldBytes(record.fields) };
  }
}

/** The fields that are bytes in a packet are text as evidence. */
function toFieldBytes(fields: Readonly<Record<string, string | number>>): Record<string, unknown> {
  const hex = (value: unknown) => Buffer.from(String(value), "hex");
  const { certificate, digest, key } = fields;
  return {
    ...fields,
    ...(certificate === undefined ? {} : { certificate: hex(certificate) }),
    ...(digest === undefined ? {} : { digest: hex(digest) }),
    ...(key === undefined ? {} : { key: Buffer.from(String(key), "base64") }),
  };
}

function withLength(packet: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([packet.length >> 8, packet.length & 0xff]), packet]);
}
