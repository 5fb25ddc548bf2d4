// DNS from our own sockets with the packet codec dns-packet, because a verdict needs what the runtime's resolver
// does not hand out: the TTL of every type, the TTL of "no", the AD flag, and SERVFAIL, REFUSED and silence told apart.
// Not the runtime's resolver: besides, it cuts a name at NUL. Not our own recursion: the operator's resolver validates,
// caches and is what the machine's mail server sees.

import dns from "node:dns";
import {
  type Dns,
  type DnsAnswer,
  type RecordType,
  toQuestionKey,
  toQuestionName,
  unanswered,
  withoutRecords,
} from "../dns/answer.ts";
import { createAsker, type ServerAnswer } from "./dns-ask.ts";
import { createServerList, toDnsServers } from "./dns-servers.ts";
import type { DnsServer } from "./dns-udp.ts";
import { createLimiter } from "./limiter.ts";

export type DnsOptions = {
  /** The system's when there are none. */
  readonly servers?: readonly DnsServer[];
  /** Of one packet's answer; 2000 unless told. */
  readonly timeoutMs?: number;
  /** Of one question, waiting for its turn included; 2.5 times the other unless told. */
  readonly totalTimeoutMs?: number;
  /** 2,048 unless told. */
  readonly maxConcurrent?: number;
  /** 0 asks the servers each time. */
  readonly maxCachedAnswers?: number;
  /** No answer is kept longer, whatever its owner allows. */
  readonly maxKeptMs?: number;
  /** Asks the servers not to check signatures: what a broken one hides is then told. */
  readonly unchecked?: boolean;
  /** The servers are a zone's own: they are to ask nobody, and only what they say by their own authority counts. */
  readonly direct?: boolean;
  readonly now: () => number;
};

/**
 * What 64 messages in hand may ask at once (dns-evidence.ts): a stranger's slow zone must not make another's verdict
 * unknown. Each is a socket, for a port that nobody can guess.
 */
const defaultConcurrent = 2_048;

export type DnsClient = Dns & {
  /** Ends what is under way as "unreachable". */
  readonly close: () => void;
};

export function createDns(options: DnsOptions): DnsClient {
  const {
    servers = [],
    timeoutMs = 2000,
    maxConcurrent = defaultConcurrent,
    maxCachedAnswers = 5000,
    now,
  } = options;
  const totalTimeoutMs = options.totalTimeoutMs ?? 2.5 * timeoutMs;
  const cache = createAnswerCache(maxCachedAnswers, options.maxKeptMs);
  const inFlight = new Map<string, Promise<DnsAnswer>>();
  const gate = createLimiter(maxConcurrent);
  const closing = new AbortController();
  const askServers = createAsker({
    servers: createServerList(servers.length > 0 ? servers : toDnsServers(dns.getServers()), now),
    timeoutMs,
    signal: closing.signal,
    unchecked: options.unchecked ?? false,
    direct: options.direct ?? false,
  });

  async function waitAndAsk(name: string, type: RecordType): Promise<ServerAnswer> {
    const endsAt = performance.now() + totalTimeoutMs;
    if (!(await gate.enter(totalTimeoutMs))) return { ...withoutRecords("timeout"), server: null };
    try {
      return await askServers(name, type, endsAt);
    } finally {
      gate.leave();
    }
  }

  async function ask(name: string, type: RecordType, at: number): Promise<DnsAnswer> {
    const told = await waitAndAsk(name, type);
    const answer = { name, type, ...told, durationMs: Math.max(0, now() - at), at };
    cache.keep(answer);
    return answer;
  }

  return {
    query: async (rawName, type) => {
      const at = now();
      const name = toQuestionName(rawName);
      if (name === null) return unanswered(rawName, type, "malformed", at);
      if (ownNames.test(name)) return answerOfThisMachine(name, type, at);
      const key = toQuestionKey(name, type);
      const known = cache.find(key, at) ?? inFlight.get(key);
      if (known !== undefined) return known;
      const answer = ask(name, type, at).finally(() => inFlight.delete(key));
      inFlight.set(key, answer);
      return answer;
    },
    close: () => closing.abort(),
  };
}

/** RFC 6761 §6.3: no server is asked about them, which besides may be one that never answers. */
const ownNames = /(?:^|\.)localhost\.?$/i;

function answerOfThisMachine(name: string, type: RecordType, at: number): DnsAnswer {
  const addresses: Readonly<Partial<Record<RecordType, string>>> = { A: "127.0.0.1", AAAA: "::1" };
  const address = addresses[type];
  const answer = { name, type, ttlSeconds: null, authenticated: false, server: null, durationMs: 0, at };
  return address === undefined
    ? { ...answer, status: "nodata", records: [] }
    : { ...answer, status: "answered", records: [{ type: type as "A" | "AAAA", address }] };
}

// Only what the name's owner said is kept, and only as long as the owner allowed: trouble is never kept, because a
// minute of it would become an hour of wrong verdicts. An answer comes out as it went in, with its own `at`, so that
// evidence tells when the world was asked.

const facts: readonly DnsAnswer["status"][] = ["answered", "nodata", "nxdomain"];
const longestKeptMs = 3_600_000;
/** Answers above this are rare, and a stranger who publishes many of them would otherwise choose our memory's size. */
const maxAnswerCharacters = 8192;

type AnswerCache = {
  readonly find: (key: string, at: number) => DnsAnswer | undefined;
  readonly keep: (answer: DnsAnswer) => void;
};

/**
 * In two halves: what is used moves into the young one, and once that is full the old one is forgotten whole. Not one
 * Map in the order of use: where each use takes an entry out and puts it in again, finding the oldest means to walk over
 * all the holes.
 */
function createAnswerCache(maxEntries: number, maxKeptMs = longestKeptMs): AnswerCache {
  let young = new Map<string, DnsAnswer>();
  let old = new Map<string, DnsAnswer>();
  const put = (key: string, answer: DnsAnswer) => {
    if (young.size >= maxEntries / 2) {
      old = young;
      young = new Map();
    }
    young.set(key, answer);
  };
  return {
    find: (key, at) => {
      const answer = young.get(key) ?? old.get(key);
      if (answer === undefined || !isFresh(answer, at, maxKeptMs)) return undefined;
      if (!young.has(key)) put(key, answer);
      return answer;
    },
    keep: (answer) => {
      if (maxEntries === 0 || !facts.includes(answer.status) || !answer.ttlSeconds) return;
      if (answer.records.length > 0 && JSON.stringify(answer).length > maxAnswerCharacters) return;
      put(toQuestionKey(answer.name, answer.type), answer);
    },
  };
}

/** A clock that was set back ends the life of an answer instead of prolonging it. */
function isFresh({ at: answeredAt, ttlSeconds }: DnsAnswer, at: number, maxKeptMs: number): boolean {
  const ageMs = at - answeredAt;
  return ageMs >= 0 && ageMs < Math.min((ttlSeconds ?? 0) * 1000, maxKeptMs);
}
