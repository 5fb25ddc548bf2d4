// Caches answers about a database for a while. Past the limit the oldest are removed.

import type { Db } from "../schema.ts";

type Remembered<Answer> = {
  readonly recall: (db: Db, question: string) => Answer | undefined;
  readonly remember: (db: Db, question: string, answer: Answer) => void;
};

export function createRemembered<Answer>(bounds: {
  readonly forMs: number;
  readonly most: number;
}): Remembered<Answer> {
  const ofDb = new WeakMap<Db, Map<string, { readonly answer: Answer; readonly until: number }>>();
  return {
    recall: (db, question) => {
      const known = ofDb.get(db)?.get(question);
      return known !== undefined && performance.now() < known.until ? known.answer : undefined;
    },
    remember: (db, question, answer) => {
      const known = ofDb.get(db) ?? new Map();
      ofDb.set(db, known);
      known.delete(question); // so that the first is the oldest
      known.set(question, { answer, until: performance.now() + bounds.forMs });
      if (known.size > bounds.most) known.delete(known.keys().next().value);
    },
  };
}
