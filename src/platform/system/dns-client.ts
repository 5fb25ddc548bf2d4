// A DNS client on our own sockets with the packet codec dns-packet. The runtime's resolver does not report the TTL of every
// type, the TTL of negative answers or the AD flag, does not distinguish SERVFAIL, REFUSED and silence, and cuts a name at
// NUL. We do not recurse ourselves: the operator's resolver validates, caches, and is what the machine's mail server uses.

import dns from "node:dns";
import {
  type Dns,
  type DnsAnswer,
  type DnsStatus,
  type RecordType,
  toQuestionKey,
  toQuestionName,
  unanswered,
  withoutRecords,
} from "../../analyzer/dns/answer.ts";
import { createLimiter } from "../../analyzer/facts/limiter.ts";
import { createAsker, type ServerAnswer } from "./dns-ask.ts";
import { createServerList, toDnsServers, toServerText } from "./dns-servers.ts";
import type { DnsServer } from "./dns-udp.ts";
import { createAbsenceDoubt, publicName } from "./public-names.ts";

export type DnsOptions = {
  /** The system's servers if empty. */
  readonly servers?: readonly DnsServer[];
  /** Timeout for one packet (default 2000). */
  readonly timeoutMs?: number;
  /** Timeout for one question, including its wait in line (default 2.5 times the other). */
  readonly totalTimeoutMs?: number;
  /** Default 2,048. */
  readonly maxConcurrent?: number;
  /** 0 asks the servers each time. */
  readonly maxCachedAnswers?: number;
  /** Answers are cached no longer than this, even if their TTL allows more. */
  readonly maxKeptMs?: number;
  /** Asks the servers not to check signatures, so that records with a broken signature are visible. */
  readonly unchecked?: boolean;
  /** A server that knows no public names is not believed that a name does not exist (public-names.ts). */
  readonly doubtsAbsence?: boolean;
  /** Domains about which it is believed in any case. */
  readonly trusted?: readonly string[];
  /** The servers are a zone's own. They must not recurse, and only their authoritative answers count. */
  readonly direct?: boolean;
  readonly now: () => number;
};

/**
 * Enough for 64 messages at once (dns-evidence.ts): a slow zone of one sender must not make another's verdict unknown. Each
 * question has its own socket, so that its port cannot be guessed.
 */
const defaultConcurrent = 2_048;

export type DnsClient = Dns & {
  /** Ends pending questions as "unreachable". */
  readonly close: () => void;
};

export function createDns(options: DnsOptions): DnsClient {
  const { servers = [], timeoutMs = 2000, maxConcurrent = defaultConcurrent, maxCachedAnswers = 5000, now } = options;
  const totalTimeoutMs = options.totalTimeoutMs ?? 2.5 * timeoutMs;
  const cache = createAnswerCache(maxCachedAnswers, options.maxKeptMs);
  const inFlight = new Map<string, Promise<DnsAnswer>>();
  const gate = createLimiter(maxConcurrent);
  const closing = new AbortController();
  const used = servers.length > 0 ? servers : toDnsServers(dns.getServers());
  const toAsker = (asked: readonly DnsServer[]) =>
    createAsker({
      servers: createServerList(asked, now),
      timeoutMs,
      signal: closing.signal,
      unchecked: options.unchecked ?? false,
      direct: options.direct ?? false,
    });
  const askServers = toAsker(used);
  const { trusted = [] } = options;
  const doubt = options.doubtsAbsence === true ? createAbsenceDoubt({ askServer: askAlone, now, trusted }) : null;

  async function askAlone(server: string): Promise<DnsStatus> {
    const alone = toAsker(used.filter((one) => toServerText(one) === server));
    const { status } = await alone(publicName, "A", performance.now() + totalTimeoutMs);
    return status;
  }

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

  function askOnce(key: string, name: string, type: RecordType, at: number): Promise<DnsAnswer> {
    const answer = ask(name, type, at).finally(() => inFlight.delete(key));
    inFlight.set(key, answer);
    return answer;
  }

  return {
    query: async (rawName, type) => {
      const at = now();
      const name = toQuestionName(rawName);
      if (name === null) return unanswered(rawName, type, "malformed", at);
      if (ownNames.test(name)) return answerOfThisMachine(name, type, at);
      const key = toQuestionKey(name, type);
      const answer = cache.find(key, at) ?? inFlight.get(key) ?? askOnce(key, name, type, at);
      return doubt === null ? answer : doubt(await answer);
    },
    close: () => closing.abort(),
  };
}

/** RFC 6761 §6.3: servers are not asked about these names. */
const ownNames = /(?:^|\.)localhost\.?$/i;

function answerOfThisMachine(name: string, type: RecordType, at: number): DnsAnswer {
  const addresses: Readonly<Partial<Record<RecordType, string>>> = { A: "127.0.0.1", AAAA: "::1" };
  const address = addresses[type];
  const answer = { name, type, ttlSeconds: null, authenticated: false, server: null, durationMs: 0, at };
  return address === undefined
    ? { ...answer, status: "nodata", records: [] }
    : { ...answer, status: "answered", records: [{ type: type as "A" | "AAAA", address }] };
}

// Caches only answers of the name's owner, and only for their TTL. Errors are never cached, because a minute of trouble would
// become an hour of wrong verdicts. A cached answer keeps its own `at`, so that evidence shows when the question was asked.

const facts: readonly DnsAnswer["status"][] = ["answered", "nodata", "nxdomain"];
const longestKeptMs = 3_600_000;
/** Larger answers are rare. If they were cached, anyone who publishes many of them could fill our memory. */
const maxAnswerCharacters = 8192;

type AnswerCache = {
  readonly find: (key: string, at: number) => DnsAnswer | undefined;
  readonly keep: (answer: DnsAnswer) => void;
};

/**
 * Two halves: used entries move into the young half. When it is full, the old half is dropped as a whole. With one Map in
 * order of use, each use deletes and reinserts an entry, and finding the oldest has to skip all the gaps.
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

/** If the clock is set back, an answer expires instead of living longer. */
function isFresh({ at: answeredAt, ttlSeconds }: DnsAnswer, at: number, maxKeptMs: number): boolean {
  const ageMs = at - answeredAt;
  return ageMs >= 0 && ageMs < Math.min((ttlSeconds ?? 0) * 1000, maxKeptMs);
}
