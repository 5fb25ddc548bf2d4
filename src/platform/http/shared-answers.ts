// Answers that several clients ask for within a second. After a change, every open page asks again, and a report or a
// dashboard takes the main thread several times as long as everything else in its call.

/** A dashboard contains the time, which may be that of an earlier call by this much. */
const sharedMs = 1_000;
/** A usual report takes 100 KB. */
const mostKept = 16;

/** Answers with the same tag are the same. */
export type ShareAnswer = (tag: string, compute: () => Promise<string>) => Promise<string>;

export function createSharedAnswers(now: () => number): ShareAnswer {
  const kept = new Map<string, Promise<string>>();
  return (tag, compute) => {
    const key = `${tag} ${Math.floor(now() / sharedMs)}`;
    const known = kept.get(key);
    if (known) return known;
    const answer = compute();
    kept.set(key, answer);
    answer.catch(() => kept.delete(key));
    for (const oldest of kept.keys()) if (kept.size > mostKept) kept.delete(oldest);
    return answer;
  };
}
