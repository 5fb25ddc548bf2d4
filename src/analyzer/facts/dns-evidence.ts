// Within one analysis a question has one answer, no matter how often it is asked and whatever its TTL. A verdict based on two
// different answers could be neither explained nor replayed.

import { type Dns, type DnsAnswer, type RecordType, toQuestionKey, toQuestionName, unanswered } from "../dns/answer.ts";
import { createLimiter } from "./limiter.ts";

export type RecordedDns = {
  readonly dns: Dns;
  /**
   * The same with a separate limit of new questions for one part of an analysis, so that no part uses up what the others
   * need.
   */
  readonly share: (part: string, maxQuestions: number) => Dns;
  /** Each distinct question so far, in the order asked. */
  readonly answers: () => DnsAnswer[];
  /** Questions that a part was not allowed to ask. Another part may have asked them, so a replay must know. */
  readonly unasked: () => string[];
};

export function recordAnswers(dns: Dns): RecordedDns {
  const asked = new Map<string, Promise<DnsAnswer>>();
  const answers = new Map<string, DnsAnswer | null>();
  const unasked = new Set<string>();
  const ask = async (key: string, name: string, type: RecordType) => {
    if (!answers.has(key)) answers.set(key, null);
    const answer = await dns.query(name, type);
    answers.set(key, answer);
    return answer;
  };
  const share = (part: string, maxQuestions: number): Dns => {
    let questionsLeft = maxQuestions;
    return {
      query: async (name, type) => {
        const key = toQuestionKey(name, type);
        const known = asked.get(key);
        const wasRefused = unasked.has(toUnasked(part, key));
        if (known !== undefined && !wasRefused) return known;
        if (questionsLeft <= 0) {
          // Only this part misses the answer. A part that may still ask gets the true one, which is then recorded.
          const answer = unanswered(name, type, "budget", 0);
          answers.set(key, answers.get(key) ?? answer);
          unasked.add(toUnasked(part, key));
          return answer;
        }
        questionsLeft--;
        const answer = ask(key, name, type);
        asked.set(key, answer);
        return answer;
      },
    };
  };
  return {
    dns: share("all", Number.POSITIVE_INFINITY),
    share,
    answers: () => [...answers.values()].filter((answer) => answer !== null),
    unasked: () => [...unasked],
  };
}

function toUnasked(part: string, key: string): string {
  return `${part} ${key}`;
}

/** In a replay, a part still does not get what it was not allowed to ask. */
export function withoutUnasked(dns: Dns, part: string, unasked: ReadonlySet<string>): Dns {
  return {
    query: async (name, type) =>
      unasked.has(toUnasked(part, toQuestionKey(name, type)))
        ? unanswered(name, type, "budget", 0)
        : dns.query(name, type),
  };
}

/** A question that is not in the record is "unreachable": it was not asked, so nothing is known. */
export function replayAnswers(answers: readonly DnsAnswer[], at = 0): Dns {
  return continueAnswers(answers, {
    query: async (name, type) => {
      const isName = toQuestionName(name) !== null;
      return unanswered(name, type, isName ? "unreachable" : "malformed", at);
    },
  });
}

/** Recorded answers stay as they were. Others come from `dns`. */
export function continueAnswers(answers: readonly DnsAnswer[], dns: Dns): Dns {
  const known = new Map(answers.map((answer) => [toQuestionKey(answer.name, answer.type), answer]));
  return {
    query: async (name, type) => {
      const recorded = toQuestionName(name) === null ? undefined : known.get(toQuestionKey(name, type));
      return recorded ?? dns.query(name, type);
    },
  };
}

/** Limit for one message, so that a message with only slow names leaves the others their share. */
const maxTogether = 32;

export type DnsBudget = {
  readonly maxQuestions: number;
  /** Size of all recorded answers together, as written into a report. */
  readonly maxCharacters?: number;
  readonly deadlineAt: number;
  readonly now: () => number;
};

/** An ordinary message needs about 20,000. An attacker could publish 64 KB of escapes at each of a hundred names. */
const defaultMaxCharacters = 1_000_000;

/**
 * Beyond the budget every answer is "budget", which is our limit and not a fact about the name. Inside a recorder, a question
 * counts once.
 */
export function withinBudget(
  dns: Dns,
  { maxQuestions, maxCharacters = defaultMaxCharacters, deadlineAt, now }: DnsBudget,
): Dns {
  const gate = createLimiter(maxTogether);
  const deadline = createDeadline(deadlineAt, now);
  let questionsLeft = maxQuestions;
  let charactersLeft = maxCharacters;
  return {
    query: async (name, type) => {
      const at = now();
      const remainingMs = deadlineAt - at;
      if (questionsLeft <= 0 || remainingMs <= 0) return unanswered(name, type, "budget", at);
      questionsLeft--;
      if (!(await gate.enter(remainingMs))) return unanswered(name, type, "budget", now());
      const giveUp = () => unanswered(name, type, "budget", now());
      const answer = await deadline.orElse(dns.query(name, type), giveUp);
      gate.leave();
      const characters = lengthOf(answer);
      if (characters > charactersLeft) return unanswered(name, type, "budget", at);
      charactersLeft -= characters;
      return answer;
    },
  };
}

/** Most answers are empty, and there are thousands in a second. */
function lengthOf({ records, aliases }: DnsAnswer): number {
  return records.length === 0 && aliases === undefined ? 0 : JSON.stringify([records, aliases]).length;
}

type Deadline = {
  /** The answer, or the given outcome if there is none in time. */
  readonly orElse: <T>(answer: Promise<T>, giveUp: () => T) => Promise<T>;
};

/** One timer for all pending answers, and none if nothing is pending. */
function createDeadline(deadlineAt: number, now: () => number): Deadline {
  const waiting = new Set<() => void>();
  let timer: NodeJS.Timeout | undefined;
  const end = () => {
    for (const giveUp of waiting) giveUp();
  };
  return {
    orElse: (answer, giveUp) => {
      if (waiting.size === 0) timer = setTimeout(end, Math.min(Math.max(0, deadlineAt - now()), 2 ** 31 - 1));
      return new Promise((resolve, reject) => {
        const leave = () => {
          waiting.delete(stop);
          if (waiting.size === 0) clearTimeout(timer);
        };
        const stop = () => {
          leave();
          resolve(giveUp());
        };
        waiting.add(stop);
        answer.then(
          (answered) => {
            leave();
            resolve(answered);
          },
          (error) => {
            leave();
            reject(error);
          },
        );
      });
    },
  };
}
