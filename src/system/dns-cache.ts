// Only what the name's owner said is kept, and only as long as the owner allowed: trouble is never kept, because a
// minute of it would become an hour of wrong verdicts. An answer comes out as it went in, with its own `at`, so that
// evidence tells when the world was asked.

import { type DnsAnswer, toQuestionKey } from "../dns/answer.ts";

const facts: readonly DnsAnswer["status"][] = ["answered", "nodata", "nxdomain"];
const maxTtlSeconds = 3600;
/** Answers above this are rare, and a stranger who publishes many of them would otherwise choose our memory's size. */
const maxAnswerCharacters = 8192;

export type AnswerCache = {
  readonly find: (key: string, at: number) => DnsAnswer | undefined;
  readonly keep: (answer: DnsAnswer) => void;
};

export function createAnswerCache(maxEntries: number): AnswerCache {
  /** In the order of last use: a Map keeps the order of insertion. */
  const kept = new Map<string, DnsAnswer>();
  return {
    find: (key, at) => {
      const answer = kept.get(key);
      if (answer === undefined) return undefined;
      kept.delete(key);
      if (!isFresh(answer, at)) return undefined;
      kept.set(key, answer);
      return answer;
    },
    keep: (answer) => {
      if (!facts.includes(answer.status) || !answer.ttlSeconds) return;
      if (JSON.stringify(answer).length > maxAnswerCharacters) return;
      kept.set(toQuestionKey(answer.name, answer.type), answer);
      const oldest = kept.keys().next();
      if (kept.size > maxEntries && !oldest.done) kept.delete(oldest.value);
    },
  };
}

/** A clock that was set back ends the life of an answer instead of prolonging it. */
function isFresh({ at: answeredAt, ttlSeconds }: DnsAnswer, at: number): boolean {
  const ageMs = at - answeredAt;
  return ageMs >= 0 && ageMs < Math.min(ttlSeconds ?? 0, maxTtlSeconds) * 1000;
}
