// Only what the name's owner said is kept, and only as long as the owner allowed: trouble is never kept, because a
// minute of it would become an hour of wrong verdicts. An answer comes out as it went in, with its own `at`, so that
// evidence tells when the world was asked.

import { type DnsAnswer, toQuestionKey } from "../dns/answer.ts";

const facts: readonly DnsAnswer["status"][] = ["answered", "nodata", "nxdomain"];
const longestKeptMs = 3_600_000;
/** Answers above this are rare, and a stranger who publishes many of them would otherwise choose our memory's size. */
const maxAnswerCharacters = 8192;

export type AnswerCache = {
  readonly find: (key: string, at: number) => DnsAnswer | undefined;
  readonly keep: (answer: DnsAnswer) => void;
};

/**
 * In two halves: what is used moves into the young one, and once that is full the old one is forgotten whole. Not one
 * Map in the order of use: where each use takes an entry out and puts it in again, finding the oldest means to walk over
 * all the holes.
 */
export function createAnswerCache(maxEntries: number, maxKeptMs = longestKeptMs): AnswerCache {
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
