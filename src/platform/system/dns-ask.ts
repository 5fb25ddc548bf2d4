// Asks the servers one after the other until one has an answer. Not all at once, because operators list them in order of
// preference, and the fastest one may not validate DNSSEC.

import { randomInt } from "node:crypto";
import {
  type DnsOutcome,
  type DnsStatus,
  type RecordType,
  toQuestionName,
  withoutRecords,
} from "../../analyzer/dns/answer.ts";
import { decodeAnswer, isAuthoritative, type Reply } from "./dns-packets.ts";
import { encodeQuestion } from "./dns-question.ts";
import { type ServerList, toServerText } from "./dns-servers.ts";
import { type AskByUdp, askByTcp, askByUdp, createUdpAsker, type DnsServer, type NoReply } from "./dns-udp.ts";

type AskerOptions = {
  readonly servers: ServerList;
  /** Timeout for the answer to one packet. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Servers are asked not to check signatures. */
  readonly unchecked: boolean;
  /** The servers are a zone's own. Only their authoritative answers count. */
  readonly direct: boolean;
};

type Terms = AskerOptions & { readonly askByUdp: AskByUdp };

export type ServerAnswer = DnsOutcome & { readonly server: string | null };

type Asker = (name: string, type: RecordType, endsAt: number) => Promise<ServerAnswer>;

const facts: readonly DnsStatus[] = ["answered", "nodata", "nxdomain"];
/** An error that a server reports says more than the silence of another. */
const tellingOrder: readonly DnsStatus[] = [...facts, "servfail", "refused", "malformed", "timeout", "unreachable"];

type DnsQuestion = { readonly name: string; readonly type: RecordType; readonly endsAt: number };

/** `endsAt` uses the clock of `performance.now()`. */
export function createAsker(given: AskerOptions): Asker {
  // Unknown servers see the port of each socket.
  const options: Terms = { ...given, askByUdp: given.direct ? askByUdp : createUdpAsker(given.signal) };
  return async (name, type, endsAt) => {
    const order = options.servers.inOrder();
    const tried = await askInTurn(order, { name, type, endsAt }, options);
    const nobodyThere = options.signal.aborted || order.length === 0;
    return mostTelling(tried) ?? { ...withoutRecords(nobodyThere ? "unreachable" : "timeout"), server: null };
  };
}

/** Two rounds, because packets get lost. The second round asks only servers that were silent. */
async function askInTurn(order: readonly DnsServer[], asked: DnsQuestion, options: Terms): Promise<ServerAnswer[]> {
  const tried: ServerAnswer[] = [];
  const silent: DnsServer[] = [];
  for (const round of [order, silent])
    for (const server of round) {
      const remainingMs = asked.endsAt - performance.now();
      if (options.signal.aborted || remainingMs < 1) return tried;
      const outcome = await askServer({ ...asked, ...options, server });
      judge(server, outcome.status, remainingMs >= options.timeoutMs, options);
      tried.push({ ...outcome, server: toServerText(server) });
      if (facts.includes(outcome.status)) return tried;
      if (outcome.status === "timeout" && round === order) silent.push(server);
    }
  return tried;
}

function judge(server: DnsServer, status: DnsStatus, hadItsTime: boolean, { servers, signal }: AskerOptions) {
  if (status !== "timeout" && status !== "unreachable" && status !== "malformed") servers.answered(server);
  else if ((status !== "timeout" || hadItsTime) && !signal.aborted) servers.failed(server);
}

function mostTelling(tried: readonly ServerAnswer[]): ServerAnswer | undefined {
  if (tried.length <= 1) return tried[0];
  return tried.toSorted((one, other) => tellingOrder.indexOf(one.status) - tellingOrder.indexOf(other.status))[0];
}

type Attempt = DnsQuestion &
  Pick<Terms, "timeoutMs" | "signal" | "unchecked" | "direct" | "askByUdp"> & { readonly server: DnsServer };

/** Number of aliases that we follow ourselves. Resolvers follow longer chains on their own. */
const maxOpenAliases = 8;

async function askServer(attempt: Attempt, aliasesLeft = maxOpenAliases): Promise<DnsOutcome> {
  const first = await exchange(attempt, true);
  // RFC 6891 §7: a server that does not know EDNS is asked again without it.
  const reply = first === "no-edns" ? await exchange(attempt, false) : first;
  if (reply === "timeout" || reply === "unreachable") return withoutRecords(reply);
  if (typeof reply === "string") return withoutRecords(reply === "no-edns" ? "servfail" : "malformed");
  if (reply.status !== "alias") return reply;
  const target = toQuestionName(reply.target);
  if (target === null || aliasesLeft === 0) return withoutRecords("servfail");
  const behind = await askServer({ ...attempt, name: target }, aliasesLeft - 1);
  const ttlSeconds = behind.ttlSeconds === null ? null : Math.min(behind.ttlSeconds, reply.ttlSeconds);
  const aliases = [...reply.aliases, ...(behind.aliases ?? [])];
  return { ...behind, aliases, ttlSeconds, authenticated: false };
}

/** By UDP, then by TCP if the answer did not fit (RFC 7766 §5). */
async function exchange(attempt: Attempt, edns: boolean): Promise<Reply | NoReply> {
  const reply = await ask(attempt.askByUdp, attempt, edns);
  return reply === "truncated" ? ask(askByTcp, attempt, edns) : reply;
}

async function ask(
  transport: AskByUdp | typeof askByTcp,
  { server, name, type, timeoutMs, endsAt, signal, unchecked, direct }: Attempt,
  edns: boolean,
): Promise<Reply | NoReply> {
  const question = { id: randomInt(0x10000), name, type };
  const allowedMs = Math.min(timeoutMs, endsAt - performance.now());
  if (signal.aborted) return "unreachable";
  if (allowedMs < 1) return "timeout";
  return transport({
    server,
    query: encodeQuestion(question, { edns, unchecked, direct }),
    read: (bytes) => {
      const reply = decodeAnswer(bytes, question);
      if (reply === "foreign") return null;
      return direct && typeof reply === "object" && !isAuthoritative(bytes) ? withoutRecords("servfail") : reply;
    },
    timeoutMs: allowedMs,
    signal,
  });
}
