// The accepted sockets before SMTP begins. A trusted proxy starts with a PROXY header that names the client. It is read here
// from the raw socket, so that the SMTP session does not need to know about proxies.

import { createServer, type Server, type Socket } from "node:net";
import { isInNetworks, type ListenAddress, parseNetworks, toPlainAddress } from "../../../analyzer/addresses.ts";
import type { SmtpSession } from "../../../analyzer/mail/session/session.ts";
import { toListenRefusal } from "../../../platform/system/listening.ts";
import type { Log } from "../../../platform/system/log.ts";
import { type ProxyReading, type ProxySource, parseProxyHeader } from "./proxy-header.ts";
import { createSparseLog } from "./sparse-log.ts";

export type Arrival = {
  /** Address of the client, not of the proxy. */
  readonly address: string;
  readonly port: number;
  readonly via: SmtpSession["via"];
  /** The address that we listen on, as in the settings. */
  readonly listeningOn: string;
};

export type FrontOptions = {
  readonly proxyFrom: readonly string[];
  readonly headerTimeoutMs: number;
  /** Maximum number of sockets that wait for their header. */
  readonly maxWaiting: number;
  readonly onClient: (socket: Socket, arrival: Arrival) => void;
  readonly log: Log;
};

type Front = {
  /**
   * Listens there and nowhere else. Returns the addresses with their real ports. If one can't be used, everything stays as
   * it was. Sockets that were accepted stay open.
   */
  readonly listenOn: (addresses: readonly ListenAddress[]) => Promise<readonly ListenAddress[]>;
  /** Accepts no more sockets. Sockets that were passed on stay open. */
  readonly close: () => Promise<void>;
};

export function createFront({ proxyFrom, headerTimeoutMs, maxWaiting, onClient, log }: FrontOptions): Front {
  const proxies = parseNetworks(proxyFrom);
  let open: readonly Listening[] = [];
  const waiting = new Set<Socket>();
  // A broken proxy breaks every connection.
  const complain = createSparseLog(log, { message: "proxy sent no valid PROXY header", most: 1, withinMs: 10_000 });
  let isClosed = false;

  function accept(socket: Socket, listeningOn: string): void {
    // Stays for the socket's lifetime, because a reset by the other side must not end the process.
    socket.on("error", () => {});
    const peer = toPlainAddress(socket.remoteAddress ?? "");
    const port = socket.remotePort;
    if (peer === undefined || port === undefined) socket.destroy();
    else if (!isInNetworks(peer, proxies)) onClient(socket, { address: peer, port, via: null, listeningOn });
    else if (waiting.size >= maxWaiting) socket.destroy();
    else acceptFromProxy(socket, { address: peer, port }, listeningOn);
  }

  function acceptFromProxy(socket: Socket, proxy: ProxySource, listeningOn: string): void {
    waiting.add(socket);
    readHeader(socket, headerTimeoutMs, (outcome) => {
      waiting.delete(socket);
      if (outcome.state === "header") return onClient(socket, { ...toArrival(proxy, outcome), listeningOn });
      socket.destroy();
      if (outcome.state === "gone") return;
      complain({ proxy: proxy.address, problem: outcome.problem, begins: outcome.begins });
    });
  }

  async function start(wanted: ListenAddress, isIpv6Only: boolean): Promise<Listening> {
    // Replies are small, and the client waits for each of them.
    const server = createServer({ noDelay: true }, (socket) => accept(socket, wanted.host));
    const bound = await listen(server, wanted, isIpv6Only);
    server.on("error", (error) => log.warn("connection not accepted", { reason: error.message }));
    // Its port is free at once.
    return { wanted, bound, isIpv6Only, stop: () => server.close() };
  }

  /** All of them or none. */
  async function startAll(
    addresses: readonly ListenAddress[],
    all: readonly ListenAddress[],
  ): Promise<readonly Listening[]> {
    const outcomes = await Promise.allSettled(addresses.map((each) => start(each, isIpv6Only(each, all))));
    const started = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
    const failure = outcomes.find((outcome) => outcome.status === "rejected");
    if (failure !== undefined || isClosed) for (const { stop } of started) stop();
    if (failure !== undefined) throw failure.reason;
    return started;
  }

  async function change(addresses: readonly ListenAddress[]): Promise<readonly ListenAddress[]> {
    const kept = open.filter(
      (one) =>
        addresses.some((address) => isSame(address, one.wanted)) &&
        isIpv6Only(one.wanted, addresses) === one.isIpv6Only,
    );
    const added = addresses.filter((address) => !kept.some(({ wanted }) => isSame(address, wanted)));
    const isInWay = ({ bound }: Listening) => added.some(({ port }) => port === bound.port);
    const left = open.filter((one) => !kept.includes(one) && !isInWay(one));
    // An address of all interfaces needs its port to be free on each of them.
    const inWay = open.filter((one) => !kept.includes(one) && isInWay(one));
    const [before, again] = [open, inWay].map((list) => list.map(({ bound }) => bound));
    for (const { stop } of inWay) stop();
    open = [...kept, ...left];
    try {
      open = [...kept, ...(await startAll(added, addresses))];
    } catch (error) {
      open = [...open, ...(await startAll(again ?? [], before ?? []))];
      throw error;
    }
    for (const { stop } of left) stop();
    return open.map(({ bound }) => bound);
  }

  let last: Promise<unknown> = Promise.resolve();
  return {
    listenOn: (addresses) => {
      const done = last.then(() => change(addresses));
      last = done.catch(() => {});
      return done;
    },
    close: async () => {
      isClosed = true;
      for (const { stop } of open) stop();
      for (const socket of waiting) socket.destroy();
    },
  };
}

type Listening = {
  readonly wanted: ListenAddress;
  /** With its real port. */
  readonly bound: ListenAddress;
  readonly isIpv6Only: boolean;
  readonly stop: () => void;
};

/** Alone, the address of all IPv6 interfaces takes IPv4 clients too. */
function isIpv6Only({ host, port }: ListenAddress, all: readonly ListenAddress[]): boolean {
  return host === "::" && all.some((other) => other.host === "0.0.0.0" && other.port === port);
}

function isSame(one: ListenAddress, other: ListenAddress): boolean {
  return one.host === other.host && one.port === other.port;
}

type Header = Extract<ProxyReading, { readonly state: "header" }>;
type Outcome =
  | Header
  | { readonly state: "bad"; readonly problem: string; readonly begins: string }
  /** Load balancers check every few seconds whether the port is open, and send nothing. */
  | { readonly state: "gone" };

/** How many bytes of a wrong header the operator sees. */
const shownBytes = 40;

/** Called once. The bytes after the header are put back into the socket before the callback. */
function readHeader(socket: Socket, timeoutMs: number, onOutcome: (outcome: Outcome) => void): void {
  let heard: Buffer = Buffer.alloc(0);
  const settle = (outcome: Outcome) => {
    clearTimeout(timer);
    socket.off("readable", read).off("close", leave);
    onOutcome(outcome);
  };
  const fail = (problem: string) => settle({ state: "bad", problem, begins: heard.toString("latin1", 0, shownBytes) });
  const leave = () => (heard.length > 0 ? fail("the connection closed before the header ended") : settle(gone));
  const read = () => {
    const chunk: Buffer | null = socket.read();
    if (chunk === null) return;
    heard = Buffer.concat([heard, chunk]);
    const reading = parseProxyHeader(heard);
    if (reading.state === "more") return;
    if (reading.state === "bad") return fail(reading.problem);
    const rest = heard.subarray(reading.length);
    if (rest.length > 0) socket.unshift(rest);
    settle(reading);
  };
  const timer = setTimeout(() => fail("it did not arrive in time"), timeoutMs);
  // Not "data", so that the socket is passed on as it was accepted, without having flowed.
  socket.on("readable", read).on("close", leave);
}

const gone: Outcome = { state: "gone" };

function toArrival(proxy: ProxySource, { version, source }: Header): Omit<Arrival, "listeningOn"> {
  return { ...(source ?? proxy), via: { how: `proxy-v${version}`, address: proxy.address } };
}

function listen(server: Server, address: ListenAddress, ipv6Only: boolean): Promise<ListenAddress> {
  const { host, port } = address;
  const settings = { hostSetting: "ASSAY_SMTP_LISTEN", portSetting: "ASSAY_SMTP_LISTEN" };
  return new Promise((resolve, reject) => {
    server.once("error", (cause) => reject(toListenRefusal(cause, { what: "SMTP", address, ...settings })));
    server.listen({ port, host, ipv6Only }, () => {
      const bound = server.address();
      resolve({ host, port: typeof bound === "object" && bound ? bound.port : port });
    });
  });
}
